//! A notification freezes its thread's counters once, and no count is lost.

use pmu::Request;

use crate::races::ACCESSES;
use crate::scheduled::{run, thread};
use crate::{Bench, INSTRUCTIONS, Subject};

/// They once began new periods, and lost the events that they had counted of their old ones.
pub(crate) fn a_notification_at_any_access_of_a_start_keeps_what_others_have_of_their_periods<S: Subject>() {
    for lead in S::facts().some(0..ACCESSES) {
        let bench = Bench::<S>::new();
        let mut other = bench.pmu.open([INSTRUCTIONS]).unwrap();
        let mut context = thread(&bench, [INSTRUCTIONS.once_after(400), INSTRUCTIONS.once_after(700)]);
        bench.pmu.switch_in(&mut context);
        bench.machine.work(400 - lead);
        bench.machine.per_access.set(1);
        other.start().unwrap();
        bench.machine.per_access.set(0);
        bench.machine.work(5000);
        bench.pmu.switch_out(&mut context);
        let [shot, beside] = context.counts().unwrap().raw;
        assert!(shot == 400 && (400..400 + ACCESSES).contains(&beside), "lead {lead}: {shot} and {beside}");
        assert!(context.is_frozen(), "lead {lead}");
        context.resume().unwrap();
        run(&bench, &mut context, 700 - beside);
        assert_eq!(context.counts().unwrap().raw[1], 700, "lead {lead}");
        assert!(context.is_frozen(), "lead {lead}: it goes on with its period");
    }
}

/// A unit that cannot be preset to the one event that is left delays the end of the period. It once delayed it at each
/// switch.
pub(crate) fn a_notification_comes_to_a_thread_that_runs_for_an_event_at_a_time<S: Subject>() {
    let bench = Bench::<S>::new();
    let (mut context, mut other) = (thread(&bench, [INSTRUCTIONS.once_after(400)]), thread(&bench, [INSTRUCTIONS]));
    for _ in 0..400 {
        assert!(!context.is_frozen());
        run(&bench, &mut context, 1);
        run(&bench, &mut other, 1);
    }
    assert_eq!((context.is_frozen(), context.counts().unwrap().raw), (true, [400]));
    run(&bench, &mut context, 1);
    context.resume().unwrap();
    run(&bench, &mut context, 399);
    assert_eq!((context.is_frozen(), context.counts().unwrap().raw), (false, [799]));
}

pub(crate) fn periods_end_for_a_thread_that_runs_for_an_event_at_a_time<S: Subject>() {
    let bench = Bench::<S>::new();
    let (mut context, mut other) = (thread(&bench, [INSTRUCTIONS.every(400)]), thread(&bench, [INSTRUCTIONS]));
    for ran in 1..=if S::facts().is_whole { 2100 } else { 410 } {
        run(&bench, &mut context, 1);
        run(&bench, &mut other, 1);
        let statistics = bench.unit.sample_statistics();
        assert_eq!((statistics.received + statistics.lost.total(), context.counts().unwrap().raw), (ran / 400, [ran]));
    }
}

/// Its former counters were in use by another thread then.
pub(crate) fn a_thread_that_waits_is_not_frozen_by_a_session<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut context = thread(&bench, [INSTRUCTIONS]);
    run(&bench, &mut context, 100);
    let open = |request: Request| std::iter::from_fn(move || bench.pmu.open([request]).ok());
    let mut shots: Vec<_> = open(INSTRUCTIONS.once_after(400)).collect();
    let others: Vec<_> = open(INSTRUCTIONS).collect();
    shots.iter_mut().for_each(|shot| shot.start().unwrap());
    bench.machine.work(1000);
    assert!(shots.iter().all(|shot| shot.has_ended(0)));
    run(&bench, &mut context, 100);
    drop((shots, others));
    run(&bench, &mut context, 100);
    assert_eq!((context.is_frozen(), context.counts().unwrap().raw), (false, [200]), "it asked for no notification");
}
