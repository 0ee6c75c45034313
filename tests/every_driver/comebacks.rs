//! A thread that is switched in again continues its counts, whether its counters were used in between by nobody,
//! another thread or a session, or it is on another unit.

use pmu::{Context, Error, Session};

use crate::scheduled::{count, run, thread};
use crate::support::chance::Chance;
use crate::{Bench, HERE, INSTRUCTIONS, SAMPLES, Subject};

pub(crate) fn a_thread_that_comes_back_goes_on<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut context = thread(&bench, [INSTRUCTIONS.every(1000)]);
    for slice in 1..=30 {
        run(&bench, &mut context, 100);
        bench.machine.work(50);
        assert_eq!(count(&context), 100 * slice);
    }
    assert_eq!(bench.samples().len(), 3);
}

pub(crate) fn a_counter_used_by_another_in_between_is_programmed_anew<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut first = thread(&bench, [INSTRUCTIONS.every(1000)]);
    let mut second = thread(&bench, [INSTRUCTIONS]);
    for slice in 1..=30 {
        run(&bench, &mut first, 100);
        run(&bench, &mut second, 33);
        let ([counted], ()) = bench.pmu.count([INSTRUCTIONS], || bench.machine.work(500)).unwrap();
        assert_eq!((count(&first), count(&second), counted), (100 * slice, 33 * slice, 500));
    }
    assert_eq!(bench.samples().len(), 3);
}

/// What the first has left of its period is none of the second's, whose counter wraps and loses no sample.
pub(crate) fn a_count_that_follows_a_period_on_its_counter_crosses_a_wrap<S: Subject>() {
    let bench = Bench::<S>::new();
    let able =
        pmu::driver::counters_for(bench.pmu.driver(), &INSTRUCTIONS.every(400)).lowest().expect("some interrupt");
    let same = INSTRUCTIONS.pinned_to(able);
    let (mut samples, mut counts) = (thread(&bench, [same.every(400)]), thread(&bench, [same]));
    let turn = bench.span() - 100;
    for turns in 1..=3 {
        run(&bench, &mut samples, 300);
        run(&bench, &mut counts, turn);
        assert_eq!((count(&samples), count(&counts)), (300 * turns, turn * turns));
    }
    assert_eq!((bench.samples().len(), bench.unit.sample_statistics().lost.total()), (2, 0));
}

pub(crate) fn counters_that_a_thread_has_left_are_anybodys<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut context = thread(&bench, [INSTRUCTIONS]);
    run(&bench, &mut context, 100);
    let all: Vec<_> =
        (0..S::facts().room).map(|_| bench.pmu.open([INSTRUCTIONS]).expect("the thread is out")).collect();
    run(&bench, &mut context, 100);
    assert_eq!(count(&context), 100, "it waits");
    drop(all);
    run(&bench, &mut context, 100);
    assert_eq!((count(&context), bench.pmu.release()), (200, Ok(())));
}

pub(crate) fn a_thread_goes_on_after_its_unit_was_given_back<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut context = thread(&bench, [INSTRUCTIONS]);
    run(&bench, &mut context, 100);
    bench.pmu.release().unwrap();
    bench.unit.reclaim().unwrap();
    run(&bench, &mut context, 100);
    assert_eq!(count(&context), 200);
}

pub(crate) fn a_thread_that_asks_anew_is_programmed_anew<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut context = thread(&bench, [INSTRUCTIONS.every(1000)]);
    run(&bench, &mut context, 900);
    context.restart().unwrap();
    run(&bench, &mut context, 999);
    assert_eq!((count(&context), bench.samples().len()), (999, 0));
    bench.pmu.switch_in(&mut context);
    context.set_period(bench.pmu, 0, 400).unwrap();
    bench.pmu.switch_out(&mut context);
    let left = S::facts().least; // of the one event that is left of its period, or as few as can be waited for
    run(&bench, &mut context, left + 400);
    assert_eq!((count(&context), bench.samples().len()), (999 + left + 400, 2), "after 1000 and 1400");
    context.unbind().unwrap();
    context.bind(bench.pmu, [INSTRUCTIONS]).unwrap();
    run(&bench, &mut context, 500);
    assert_eq!((count(&context), bench.samples().len()), (500, 0));
}

pub(crate) fn a_new_unit_in_an_old_ones_place_knows_none_of_its_threads<S: Subject>() {
    HERE.set(0);
    let mut place = None;
    let mut counts = Vec::new();
    let mut stranger = None;
    for _ in 0..2 {
        let unit = place.insert(pmu::Unit::<S::Driver, SAMPLES>::new());
        let machine = S::machine();
        machine.work(77 + 1000 * counts.len() as u64); // units are claimed at different times
        let pmu = unit.claim(S::driver(machine)).unwrap();
        let mut context = Context::<S::Driver, 2>::new(1);
        context.bind(&pmu, [INSTRUCTIONS]).unwrap();
        for context in stranger.iter_mut().chain([&mut context]) {
            pmu.switch_in(context);
            machine.work(100);
            pmu.switch_out(context);
            counts.push(count(context));
        }
        stranger = Some(context);
    }
    assert_eq!(counts, [100, 200, 100]);
}

/// Units number the residencies of threads. The numbers of CPUs have up to 32 bits, as the affinity has on Arm.
/// Over devices whose clock stood still, a thread once read what another one had counted under the next claim.
pub(crate) fn a_later_claim_knows_none_of_the_threads_of_an_earlier_one_whatever_the_clock_says<S: Subject>() {
    let bench = Bench::<S>::new();
    let [mut first, mut second] = [thread(&bench, [INSTRUCTIONS]), thread(&bench, [INSTRUCTIONS])];
    run(&bench, &mut first, 100);
    bench.pmu.release().unwrap();
    bench.machine.passed.set(0);
    bench.unit.reclaim().unwrap();
    run(&bench, &mut second, 7);
    run(&bench, &mut first, 20);
    assert_eq!((count(&first), count(&second)), (120, 7));
}

pub(crate) fn threads_of_cpus_with_high_numbers_are_told_apart<S: Subject>() {
    for cpu in [1 << 19, 1 << 20, 1 << 24, u32::MAX - 1] {
        let first = Bench::<S>::new();
        let [mut here, mut there] = [thread(&first, [INSTRUCTIONS]), thread(&first, [INSTRUCTIONS])];
        run(&first, &mut here, 100);
        let other = S::machine(); // claimed at the same tick
        HERE.set(cpu);
        let unit: &'static pmu::Unit<S::Driver, SAMPLES> = Box::leak(Box::new(pmu::Unit::new()));
        let elsewhere = unit.claim(S::driver(other)).unwrap();
        for (context, instructions) in [(&mut there, 7), (&mut here, 50)] {
            elsewhere.switch_in(context);
            other.work(instructions);
            elsewhere.switch_out(context);
        }
        assert_eq!((count(&there), count(&here)), (7, 150), "CPU {cpu}");
    }
}

pub(crate) fn a_thread_that_is_in_is_not_taken_out_by_another_cpu<S: Subject>() {
    let first = Bench::<S>::new();
    let [mut here, mut there] = [thread(&first, [INSTRUCTIONS]), thread(&first, [INSTRUCTIONS])];
    let second = Bench::<S>::new();
    let third = S::machine();
    HERE.set(1);
    let unit: &'static pmu::Unit<S::Driver, SAMPLES> = Box::leak(Box::new(pmu::Unit::new()));
    let elsewhere = unit.claim(S::driver(third)).unwrap();
    elsewhere.switch_in(&mut there);
    HERE.set(0);
    second.pmu.switch_in(&mut here);
    second.pmu.switch_out(&mut there);
    assert_eq!(there.counts(), Err(Error::ThreadIn));
    second.machine.work(40);
    second.pmu.switch_out(&mut here);
    HERE.set(1);
    third.work(60);
    elsewhere.switch_out(&mut there);
    assert_eq!((count(&here), count(&there)), (40, 60));
}

/// It was once in for ever: nothing was counted, and it could be neither read nor bound anew.
pub(crate) fn a_thread_that_is_still_in_elsewhere_is_invalid_where_it_comes<S: Subject>() {
    let first = Bench::<S>::new();
    let mut context = thread(&first, [INSTRUCTIONS]);
    first.pmu.switch_in(&mut context);
    first.pmu.revoke().unwrap();
    let machine = S::machine();
    HERE.set(1);
    let unit: &'static pmu::Unit<S::Driver, SAMPLES> = Box::leak(Box::new(pmu::Unit::new()));
    let second = unit.claim(S::driver(machine)).unwrap();
    second.switch_in(&mut context);
    assert_eq!(context.counts(), Err(Error::Invalidated));
    assert_eq!(second.place(&mut context), Err(Error::Invalidated));
    context.bind(&second, [INSTRUCTIONS]).unwrap();
    second.switch_in(&mut context);
    second.switch_in(&mut context);
    machine.work(30);
    second.switch_out(&mut context);
    assert_eq!(count(&context), 30, "one that is in here stays in");
}

pub(crate) fn a_thread_that_comes_again_after_its_unit_was_claimed_anew_is_invalid<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut context = thread(&bench, [INSTRUCTIONS]);
    bench.pmu.switch_in(&mut context);
    bench.pmu.revoke().unwrap();
    let pmu = bench.unit.reclaim().unwrap();
    pmu.switch_in(&mut context);
    assert_eq!(context.counts(), Err(Error::Invalidated));
}

pub(crate) fn two_threads_are_switched_at_once<S: Subject>() {
    let bench = Bench::<S>::new();
    let [mut first, mut second] = [thread(&bench, [INSTRUCTIONS]), thread(&bench, [INSTRUCTIONS])];
    let mut nobody = Context::<S::Driver, 1>::new(0);
    bench.pmu.switch(&mut nobody, &mut first);
    for _ in 0..10 {
        bench.machine.work(100);
        bench.pmu.switch(&mut first, &mut second);
        bench.machine.work(30);
        bench.pmu.switch(&mut second, &mut first);
    }
    bench.pmu.switch(&mut first, &mut nobody);
    bench.machine.work(1);
    assert_eq!((count(&first), count(&second)), (1000, 300));
}

pub(crate) fn threads_that_are_switched_at_once_keep_their_counts_and_periods<S: Subject>() {
    let (bench, mut chance) = (Bench::<S>::new(), Chance(7));
    let periods = [None, Some(1000), None, Some(700)];
    let request = |period: Option<u64>| period.map_or(INSTRUCTIONS, |period| INSTRUCTIONS.every(period));
    let mut threads = periods.map(|period| (thread(&bench, [request(period)]), 0));
    let mut current = 0;
    bench.pmu.switch_in(&mut threads[0].0);
    for _ in 0..300 {
        let (slice, next) = (1 + chance.below(300), (current + 1 + chance.below(3) as usize) % 4);
        bench.machine.work(slice);
        threads[current].1 += slice;
        let [(from, count), (to, _)] = threads.get_disjoint_mut([current, next]).unwrap();
        bench.pmu.switch(from, to);
        assert_eq!(self::count(from), *count, "thread {current}");
        current = next;
    }
    bench.pmu.switch_out(&mut threads[current].0);
    let due = threads.iter().zip(periods).map(|((_, count), period)| period.map_or(0, |period| count / period));
    let statistics = bench.unit.sample_statistics();
    assert_eq!(statistics.received + statistics.lost.total(), due.sum::<u64>());
}

/// A thread, and its expected counts.
struct Known<S: Subject> {
    context: Context<S::Driver, 1>,
    count: u64,
    is_disabled: bool,
}

impl<S: Subject> Known<S> {
    fn disturb(&mut self, chance: &mut Chance) {
        match chance.below(12) {
            0 => {
                self.context.restart().unwrap();
                self.count = 0;
            }
            1 | 2 => {
                self.is_disabled = !self.is_disabled;
                if self.is_disabled { self.context.disable() } else { self.context.enable() }.unwrap();
            }
            _ => {}
        }
    }

    fn running(&self) -> u64 {
        self.context.counts().unwrap().running
    }
}

pub(crate) fn counts_are_exact_whoever_was_in_between<S: Subject>() {
    for seed in S::facts().some(1..=6) {
        let (bench, mut chance) = (Bench::<S>::new(), Chance(seed));
        let known = |request| Known::<S> { context: thread(&bench, [request]), count: 0, is_disabled: false };
        let mut threads = [INSTRUCTIONS, INSTRUCTIONS, INSTRUCTIONS.every(997), INSTRUCTIONS.every(410)].map(known);
        let mut session: Option<Session<S::Driver, 1>> = None;
        for _ in 0..400 {
            if chance.below(10) == 0 {
                session = session.is_none().then(|| bench.pmu.open([INSTRUCTIONS]).unwrap());
                session.iter_mut().for_each(|session| session.start().unwrap());
            }
            let (who, slice) = (chance.below(4) as usize, 1 + chance.below(300));
            let thread = &mut threads[who];
            thread.disturb(&mut chance);
            let before = thread.running();
            run(&bench, &mut thread.context, slice);
            thread.count += if thread.running() > before { slice } else { 0 };
            assert_eq!(count(&thread.context), thread.count, "seed {seed}, thread {who}");
            bench.machine.work(chance.below(50));
        }
        assert!(threads.iter().any(|thread| thread.count > 0), "seed {seed}");
    }
}
