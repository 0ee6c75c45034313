//! Groups of requests are rotated, and only what was counted is reported.

use pmu::multiplex::{GroupRefused, Member};
use pmu::request::Refusal;
use pmu::{Context, Error, Event, Multiplex, Set};

use crate::{Bench, HERE, INSTRUCTIONS, Subject};

pub(crate) fn requests_beyond_the_counters_take_turns<S: Subject>() {
    let bench = Bench::<S>::new();
    let groups = S::facts().room + 1;
    let mut turns = Multiplex::<S::Driver, 3, 2>::new(0);
    turns.bind(bench.pmu, [[INSTRUCTIONS; 2]; 3]).unwrap();
    bench.pmu.switch_in(turns.context());
    for turn in 0..3 * groups {
        bench.machine.work(1000);
        assert_eq!(turns.current(), turn % 3);
        bench.pmu.rotate(&mut turns);
    }
    bench.pmu.switch_out(turns.context());
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
    let mut turns = Multiplex::<S::Driver, 2, 1>::new(5);
    turns.bind(bench.pmu, [[INSTRUCTIONS], [INSTRUCTIONS]]).unwrap();
    for _ in 0..10 {
        bench.pmu.switch_in(turns.context());
        bench.machine.work(100);
        bench.pmu.rotate(&mut turns);
        bench.machine.work(50);
        bench.pmu.switch_out(turns.context());
        bench.machine.work(10_000); // another thread's
    }
    let sum = turns.counts(0).unwrap().raw[0] + turns.counts(1).unwrap().raw[0];
    assert_eq!(sum, 1500);
}

/// Which group was refused, and why.
fn in_group(refused: GroupRefused) -> (usize, Error) {
    let source = std::error::Error::source(&refused).expect("it has a reason");
    assert_eq!(source.downcast_ref(), Some(&refused.error));
    (refused.group, refused.error)
}

pub(crate) fn a_group_that_cannot_be_counted_is_refused<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut turns = Multiplex::<S::Driver, 2, 1>::new(0);
    let impossible = INSTRUCTIONS.every(0);
    let refused = Error::Refused { request: 0, event: Event::INSTRUCTIONS, name: None, reason: Refusal::PeriodZero };
    assert_eq!(
        turns.bind(bench.pmu, [[INSTRUCTIONS], [impossible]]).map_err(in_group),
        Err((1, refused)),
        "the first group could be counted"
    );
    assert_eq!(turns.counts(0), Err(Error::NotBound));
    assert_eq!(turns.counts(2), Err(Error::NotBound));
}

/// It once froze its group, whose turns were then in no estimate.
pub(crate) fn a_group_that_would_notify_is_refused<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut turns = Multiplex::<S::Driver, 2, 1>::new(0);
    let refused = turns.bind(bench.pmu, [[INSTRUCTIONS], [INSTRUCTIONS.once_after(400)]]).map_err(in_group);
    assert!(matches!(refused, Err((1, Error::Refused { request: 0, .. }))), "{refused:?}");
    assert_eq!(turns.counts(0), Err(Error::NotBound));
}

pub(crate) fn groups_are_bound_once_until_they_are_unbound<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut turns = Multiplex::<S::Driver, 2, 1>::new(0);
    turns.bind(bench.pmu, [[INSTRUCTIONS], [INSTRUCTIONS]]).unwrap();
    bench.pmu.switch_in(turns.context());
    bench.machine.work(100);
    let again = turns.bind(bench.pmu, [[INSTRUCTIONS], [INSTRUCTIONS]]);
    assert_eq!(again.map_err(in_group), Err((0, Error::AlreadyBound)));
    assert_eq!(turns.unbind(), Err(Error::ThreadIn));
    bench.machine.work(50);
    bench.pmu.switch_out(turns.context());
    assert_eq!(turns.counts(0).unwrap().raw, [150], "it was left as it was");
    turns.unbind().unwrap();
    assert_eq!(turns.counts(0), Err(Error::NotBound));
    turns.bind(bench.pmu, [[INSTRUCTIONS], [INSTRUCTIONS]]).unwrap();
    bench.pmu.switch_in(turns.context());
    bench.machine.work(7);
    bench.pmu.switch_out(turns.context());
    assert_eq!(turns.counts(0).unwrap().raw, [7]);
    assert_eq!(bench.pmu.release(), Ok(()), "nobody is in");
}

pub(crate) fn what_was_never_counted_has_no_estimate<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut turns = Multiplex::<S::Driver, 2, 1>::new(0);
    turns.bind(bench.pmu, [[INSTRUCTIONS], [INSTRUCTIONS]]).unwrap();
    bench.pmu.switch_in(turns.context());
    bench.machine.work(100);
    bench.pmu.switch_out(turns.context());
    assert_eq!(turns.scaled(1), Ok([None]));
    assert!(turns.scaled(0).unwrap()[0].is_some_and(|scaled| scaled.error.is_none()));
}

/// A turn once ended whenever the thread left its CPU, and the standard error was that of its time slices.
pub(crate) fn a_turn_goes_on_over_a_switch<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut turns = Multiplex::<S::Driver, 2, 1>::new(0);
    turns.bind(bench.pmu, [[INSTRUCTIONS]; 2]).unwrap();
    for _ in 0..3 {
        bench.pmu.switch_in(turns.context());
        bench.machine.work(100);
        bench.pmu.switch_out(turns.context());
        bench.pmu.switch_out(turns.context());
    }
    assert!(turns.scaled(0).unwrap()[0].is_some_and(|scaled| scaled.error.is_none()), "it had one turn");
}

/// A tick once switched a thread in that was out.
pub(crate) fn groups_that_are_out_stay_out<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut turns = Multiplex::<S::Driver, 2, 1>::new(0);
    turns.bind(bench.pmu, [[INSTRUCTIONS]; 2]).unwrap();
    bench.pmu.rotate(&mut turns);
    bench.machine.work(100);
    assert_eq!([0, 1].map(|group| turns.counts(group).map(|counts| counts.raw)), [Ok([0]); 2]);
    assert_eq!(turns.current(), 1, "it is the next group's turn");
}

/// Its scheduler once had to switch it in and out by functions of its own.
pub(crate) fn groups_are_exchanged_with_another_thread_in_one_switch<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut turns = Multiplex::<S::Driver, 2, 1>::new(0);
    turns.bind(bench.pmu, [[INSTRUCTIONS]; 2]).unwrap();
    let mut other = Context::<S::Driver, 1>::new(1);
    other.bind(bench.pmu, [INSTRUCTIONS]).unwrap();
    bench.pmu.switch_in(&mut other);
    bench.machine.work(100);
    bench.pmu.switch(&mut other, turns.context());
    bench.machine.work(10);
    bench.pmu.rotate(&mut turns);
    bench.machine.work(1);
    bench.pmu.switch(turns.context(), &mut other);
    assert_eq!([0, 1].map(|group| turns.counts(group).unwrap().raw), [[10], [1]]);
    assert_eq!(other.counts(), Err(Error::ThreadIn));
    bench.pmu.switch_out(&mut other);
    assert_eq!(other.counts().unwrap().raw, [100]);
}

/// A turn that was only waited for once was a turn without events, and the standard error grew by it.
pub(crate) fn a_turn_that_a_group_waited_for_is_no_turn<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut turns = Multiplex::<S::Driver, 2, 1>::new(0);
    turns.bind(bench.pmu, [[INSTRUCTIONS]; 2]).unwrap();
    let take_turns = |turns: &mut Multiplex<S::Driver, 2, 1>, count| {
        bench.pmu.switch_in(turns.context());
        for _ in 0..count {
            bench.machine.work(1000);
            bench.pmu.rotate(turns);
        }
        bench.pmu.switch_out(turns.context());
    };
    take_turns(&mut turns, 4);
    let others: Vec<_> = (0..S::facts().room).map(|_| bench.pmu.open([INSTRUCTIONS]).unwrap()).collect();
    take_turns(&mut turns, 4);
    drop(others);
    take_turns(&mut turns, 4);
    for group in [0, 1] {
        let counts = turns.counts(group).unwrap();
        assert_eq!(counts.raw, [4000], "it waited for two of six turns");
        let scaled = turns.scaled(group).unwrap()[0].unwrap();
        assert!(scaled.error.is_some_and(|error| error <= 120), "each turn was like the others: {scaled:?}");
    }
}

/// Whichever of them is in when the thread moves: the others once went on, and could be neither counted in full nor bound.
pub(crate) fn groups_of_which_one_is_still_in_elsewhere_are_all_invalid<S: Subject>() {
    for (turns_before, is_rotated) in [(0, false), (1, false), (0, true), (1, true)] {
        let bench = Bench::<S>::new();
        let mut turns = Multiplex::<S::Driver, 2, 1>::new(0);
        turns.bind(bench.pmu, [[INSTRUCTIONS]; 2]).unwrap();
        bench.pmu.switch_in(turns.context());
        (0..turns_before).for_each(|_| bench.pmu.rotate(&mut turns));
        bench.pmu.revoke().unwrap();
        HERE.set(1);
        let unit: &'static pmu::Unit<S::Driver, 0> = Box::leak(Box::new(pmu::Unit::new()));
        let second = unit.claim(S::driver(S::machine())).unwrap();
        if is_rotated {
            second.rotate(&mut turns);
        } else {
            second.switch_in(turns.context());
        }
        assert_eq!([0, 1].map(|group| turns.counts(group)), [Err(Error::Invalidated); 2], "in turn {turns_before}");
        assert_eq!(turns.bind(&second, [[INSTRUCTIONS]; 2]), Ok(()));
    }
}

/// A preset was once treated as events of the first turn, and scaled.
pub(crate) fn a_count_that_begins_elsewhere_is_estimated_from_there<S: Subject>() {
    const BEGINNING: u64 = 1 << 40;
    let bench = Bench::<S>::new();
    let mut set = Set::<2>::new();
    set.add(INSTRUCTIONS).expect("there is room for two");
    set.begin_at(0, BEGINNING).expect("there is one");
    let mut turns = Multiplex::<S::Driver, 2, 2>::new(0);
    turns.bind(bench.pmu, [set; 2]).unwrap();
    bench.pmu.switch_in(turns.context());
    for _ in 0..8 {
        bench.machine.work(1000);
        bench.pmu.rotate(&mut turns);
    }
    bench.pmu.switch_out(turns.context());
    for group in [0, 1] {
        assert_eq!(turns.counts(group).unwrap().raw, [BEGINNING + 4000, 0]);
        let scaled = turns.scaled(group).unwrap()[0].unwrap();
        assert!(scaled.estimate.abs_diff(BEGINNING + 8000) <= 400, "{scaled:?}");
        assert!(scaled.error.is_some_and(|error| error <= 400), "{scaled:?}");
    }
}

pub(crate) fn a_sample_says_which_group_it_was_of<S: Subject>() {
    let bench = Bench::<S>::new();
    let unit = bench.unit;
    bench.machine.on_interrupt(move |at| _ = unit.on_overflow(at.in_thread(7)));
    let mut turns = Multiplex::<S::Driver, 3, 1>::new(7);
    let other = Multiplex::<S::Driver, 3, 1>::new(8);
    turns.bind(bench.pmu, [[INSTRUCTIONS.every(5000)]; 3]).unwrap();
    bench.pmu.switch_in(turns.context());
    for group in [0, 1, 2, 0] {
        bench.machine.work(7500);
        let samples = bench.samples();
        let members: Vec<_> = samples.iter().map(|sample| turns.member_of(sample)).collect();
        assert!(
            !members.is_empty() && members.iter().all(|&of| of == Some(Member { group, request: 0 })),
            "{members:?}"
        );
        assert!(samples.iter().all(|sample| other.member_of(sample).is_none()), "they are another thread's");
        bench.pmu.rotate(&mut turns);
    }
}
