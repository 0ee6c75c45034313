//! More requests than counters take turns, and nothing is reported that was not counted.

use pmu::{Error, Event, Multiplex, Request};

use crate::{Bench, Subject};

const INSTRUCTIONS: Request = Request::new(Event::INSTRUCTIONS);

pub(crate) fn requests_beyond_the_counters_take_turns<S: Subject>() {
    let bench = Bench::<S>::new();
    let groups = S::ROOM + 1;
    let mut turns = Multiplex::<S::Backend, 3, 2>::new(0);
    turns.bind(bench.pmu, [[INSTRUCTIONS; 2]; 3]).unwrap();
    turns.switch_in(bench.pmu).unwrap();
    for turn in 0..3 * groups {
        bench.machine.work(1000);
        assert_eq!(turns.current(), turn % 3);
        turns.rotate(bench.pmu).unwrap();
    }
    turns.switch_out(bench.pmu).unwrap();
    let total = 3 * groups as u64 * 1000;
    for group in 0..3 {
        let counts = turns.counts(group).unwrap();
        assert_eq!(counts.raw, [total / 3; 2], "as it was counted");
        assert!(counts.running * 2 < counts.enabled);
        for scaled in turns.scaled(group).unwrap() {
            let scaled = scaled.unwrap();
            assert!(scaled.estimate.abs_diff(total) <= total / 20, "{scaled:?} of {total}");
            assert!(scaled.error.is_some_and(|error| error <= total / 20), "{scaled:?} of {total}");
        }
    }
}

pub(crate) fn a_thread_may_have_more_requests_than_counters<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut turns = Multiplex::<S::Backend, 2, 1>::new(5);
    turns.bind(bench.pmu, [[INSTRUCTIONS], [INSTRUCTIONS]]).unwrap();
    for _ in 0..10 {
        turns.switch_in(bench.pmu).unwrap();
        bench.machine.work(100);
        turns.rotate(bench.pmu).unwrap();
        bench.machine.work(50);
        turns.switch_out(bench.pmu).unwrap();
        bench.machine.work(10_000); // another thread's
    }
    let sum = turns.counts(0).unwrap().raw[0] + turns.counts(1).unwrap().raw[0];
    assert_eq!(sum, 1500);
}

pub(crate) fn a_group_that_cannot_be_counted_is_refused<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut turns = Multiplex::<S::Backend, 2, 1>::new(0);
    let impossible = INSTRUCTIONS.every(0);
    assert!(matches!(turns.bind(bench.pmu, [[INSTRUCTIONS], [impossible]]), Err(Error::Refused { .. })));
    assert_eq!(turns.counts(0), Err(Error::NotBound));
    assert_eq!(turns.counts(2), Err(Error::NotBound));
}

pub(crate) fn groups_are_bound_once_until_they_are_unbound<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut turns = Multiplex::<S::Backend, 2, 1>::new(0);
    turns.bind(bench.pmu, [[INSTRUCTIONS], [INSTRUCTIONS]]).unwrap();
    turns.switch_in(bench.pmu).unwrap();
    bench.machine.work(100);
    assert_eq!(turns.bind(bench.pmu, [[INSTRUCTIONS], [INSTRUCTIONS]]), Err(Error::AlreadyBound));
    assert_eq!(turns.unbind(), Err(Error::ThreadIn));
    bench.machine.work(50);
    turns.switch_out(bench.pmu).unwrap();
    assert_eq!(turns.counts(0).unwrap().raw, [150], "it was left as it was");
    turns.unbind().unwrap();
    assert_eq!(turns.counts(0), Err(Error::NotBound));
    turns.bind(bench.pmu, [[INSTRUCTIONS], [INSTRUCTIONS]]).unwrap();
    turns.switch_in(bench.pmu).unwrap();
    bench.machine.work(7);
    turns.switch_out(bench.pmu).unwrap();
    assert_eq!(turns.counts(0).unwrap().raw, [7]);
    assert_eq!(bench.pmu.release(), Ok(()), "nobody is in");
}

pub(crate) fn what_was_never_counted_has_no_estimate<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut turns = Multiplex::<S::Backend, 2, 1>::new(0);
    turns.bind(bench.pmu, [[INSTRUCTIONS], [INSTRUCTIONS]]).unwrap();
    turns.switch_in(bench.pmu).unwrap();
    bench.machine.work(100);
    turns.switch_out(bench.pmu).unwrap();
    assert_eq!(turns.scaled(1), Ok([None]));
    assert!(turns.scaled(0).unwrap()[0].is_some_and(|scaled| scaled.error.is_none()));
}
