//! A thread waits while it has no counters, and counts once it has some. Counts begin at their presets.

use pmu::Error;

use crate::scheduled::{count, run, thread};
use crate::{Bench, INSTRUCTIONS, Subject};

pub(crate) fn a_thread_that_waits_is_not_frozen_by_what_a_session_has_ended<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut context = thread(&bench, [INSTRUCTIONS]);
    run(&bench, &mut context, 10);
    let once = INSTRUCTIONS.once_after(100);
    let mut sessions: Vec<_> = (0..S::facts().periods).map(|_| bench.pmu.open([once]).unwrap()).collect();
    let others: Vec<_> =
        (S::facts().periods..S::facts().room).map(|_| bench.pmu.open([INSTRUCTIONS]).unwrap()).collect();
    sessions.iter_mut().for_each(|session| session.start().unwrap());
    run(&bench, &mut context, 500);
    assert!(sessions.iter().all(|session| session.has_ended(0)));
    assert_eq!((context.is_frozen(), count(&context)), (false, 10));
    drop(others);
}

pub(crate) fn a_thread_that_waits_counts_from_when_it_was_placed<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut context = thread(&bench, [INSTRUCTIONS]);
    let mut others: Vec<_> = (0..S::facts().room).map(|_| bench.pmu.open([INSTRUCTIONS]).unwrap()).collect();
    bench.pmu.switch_in(&mut context);
    bench.machine.work(100);
    assert!(matches!(bench.pmu.place(&mut context), Err(Error::Conflict(_))));
    assert!(context.is_waiting());
    others.clear();
    assert_eq!((bench.pmu.place(&mut context), context.is_waiting()), (Ok(()), false));
    bench.machine.work(30);
    bench.pmu.switch_out(&mut context);
    let counts = context.counts().unwrap();
    assert_eq!(counts.raw, [30]);
    assert!(counts.running >= 30 && counts.enabled >= counts.running + 100);
}

pub(crate) fn a_thread_that_is_out_is_placed_and_keeps_its_counts<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut context = thread(&bench, [INSTRUCTIONS.every(1000)]);
    run(&bench, &mut context, 700);
    assert_eq!(bench.pmu.place(&mut context), Ok(()));
    run(&bench, &mut context, 700);
    assert_eq!((bench.samples().len(), count(&context)), (1, 1400));
}

pub(crate) fn no_thread_is_placed_while_another_is_in<S: Subject>() {
    let bench = Bench::<S>::new();
    let [mut inside, mut outside] = [(); 2].map(|()| thread(&bench, [INSTRUCTIONS]));
    bench.pmu.switch_in(&mut inside);
    bench.machine.work(10);
    assert_eq!((bench.pmu.place(&mut inside), bench.pmu.place(&mut outside)), (Ok(()), Err(Error::ThreadIn)));
    bench.pmu.switch_out(&mut inside);
    assert_eq!((bench.pmu.place(&mut outside), count(&inside)), (Ok(()), 10));
}

/// After 2^64 - 1 a count continues from 0, whatever the width of its counter.
pub(crate) fn a_threads_count_that_begins_near_its_end_wraps<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut context = thread(&bench, [INSTRUCTIONS.begin_at(u64::MAX - 99)]);
    run(&bench, &mut context, 99);
    assert_eq!(count(&context), u64::MAX);
    run(&bench, &mut context, 1);
    assert_eq!(count(&context), 0);
    let modulus = bench.span();
    run(&bench, &mut context, modulus + 7);
    assert_eq!(count(&context), modulus + 7);
    context.restart().unwrap();
    run(&bench, &mut context, modulus);
    assert_eq!(count(&context), modulus - 100);
}

pub(crate) fn a_thread_notifies_when_its_count_wraps<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut context = thread(&bench, [INSTRUCTIONS.once_after(1).begin_at(u64::MAX - 999)]);
    run(&bench, &mut context, 600);
    assert_eq!((context.is_frozen(), count(&context)), (false, u64::MAX - 399));
    run(&bench, &mut context, 600);
    assert_eq!((context.is_frozen(), count(&context)), (true, 0));
}

pub(crate) fn a_period_that_is_changed_before_it_begins_is_the_new_one<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut context = thread(&bench, [INSTRUCTIONS.every(1000)]);
    context.set_period(bench.pmu, 0, 400).unwrap();
    run(&bench, &mut context, 399);
    assert_eq!(bench.samples().len(), 0);
    run(&bench, &mut context, 1);
    context.set_period(bench.pmu, 0, 390).unwrap();
    run(&bench, &mut context, 390);
    assert_eq!((bench.samples().len(), count(&context)), (2, 790));
}
