//! A thread that only counts goes on from what the thread before it has left in its counter.

use pmu::driver::{Plan as _, Slot, counters_for};
use pmu::{Context, Handled, Request};

use crate::races::{ACCESSES, could_be_counted};
use crate::scheduled::{count, numbered, run};
use crate::{Bench, INSTRUCTIONS, Subject};

/// Instructions on one counter that interrupts, and the most that it can be preset to wait for.
fn on_one_counter<S: Subject>(bench: &Bench<S>) -> (Request, u64) {
    let able = counters_for(bench.pmu.driver(), &INSTRUCTIONS.every(400)).lowest().expect("some interrupt");
    let known = bench.pmu.driver().counter(&Slot { counter: able, ..Slot::EMPTY });
    (INSTRUCTIONS.pinned_to(able), known.longest.count())
}

fn two_threads<S: Subject>(bench: &Bench<S>, request: Request) -> [Context<S::Driver, 1>; 2] {
    [1, 2].map(|number| numbered(number, bench, [request]))
}

pub(crate) fn a_thread_goes_on_from_what_another_left_however_little_range_it_left<S: Subject>() {
    let bench = Bench::<S>::new();
    let (request, longest) = on_one_counter(&bench);
    let mut threads = two_threads(&bench, request);
    let mut ran = [0; 2];
    for (turn, slice) in [10, longest - 30, 15, longest / 2, 7, 1].into_iter().enumerate() {
        run(&bench, &mut threads[turn % 2], slice);
        ran[turn % 2] += slice;
        assert_eq!(threads.each_ref().map(count), ran, "turn {turn}");
    }
    assert_eq!(bench.unit.sample_statistics().lost.total(), 0);
}

pub(crate) fn a_thread_goes_on_from_its_own_whoever_else_used_its_counter<S: Subject>() {
    let bench = Bench::<S>::new();
    let (request, _) = on_one_counter(&bench);
    let [mut first, mut second] = two_threads(&bench, request);
    run(&bench, &mut first, 100);
    let ([session], ()) = bench.pmu.count([request], || bench.machine.work(5000)).expect("the counter is free");
    run(&bench, &mut second, 30);
    bench.pmu.suspend().expect("no thread is in");
    bench.machine.work(700);
    bench.unit.resume().expect("it sleeps");
    run(&bench, &mut first, 10);
    bench.pmu.switch_in(&mut second);
    bench.machine.work(40);
    bench.pmu.evict().expect("it is at home");
    run(&bench, &mut first, 1);
    assert_eq!((session, count(&first)), (5000, 111));
}

/// The thread that leaves reads the counter once, and accounts for an overflow that has come by then.
pub(crate) fn a_wrap_at_any_access_of_a_switch_is_the_leaving_threads<S: Subject>() {
    for lead in S::facts().some(0..ACCESSES) {
        let bench = Bench::<S>::new();
        let (request, longest) = on_one_counter(&bench);
        let [mut first, mut second] = two_threads(&bench, request);
        run(&bench, &mut second, 20);
        bench.pmu.switch_in(&mut first);
        bench.machine.work(longest - 20 - lead);
        bench.machine.per_access.set(1);
        let _ = bench.pmu.switch(&mut first, &mut second);
        bench.machine.work(100);
        bench.pmu.switch_out(&mut second);
        let counted = count(&first) + count(&second);
        assert!(
            could_be_counted(&bench).contains(&counted),
            "lead {lead}: {counted} of {:?}",
            could_be_counted(&bench)
        );
        assert!(!bench.handled().contains(&Handled::NotMine), "lead {lead}");
    }
}
