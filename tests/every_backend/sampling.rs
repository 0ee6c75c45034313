//! Overflows: on the n-th event, each of them, and nobody else's.

use pmu::{Event, Handled, Lost, Request, Strays};

use crate::{Bench, SAMPLES, Subject};

const INSTRUCTIONS: Request = Request::new(Event::INSTRUCTIONS);

pub(crate) fn a_one_shot_period_ends_on_the_nth_event<S: Subject>() {
    let bench = Bench::<S>::new();
    for n in (2..2000).chain([2001, 4095, 4096, 65_535, 65_536, 250_000]) {
        let mut session = bench.pmu.open([INSTRUCTIONS.once_after(n)]).unwrap();
        session.start().unwrap();
        let start = bench.machine.passed.get();
        bench.machine.work(n - 1);
        assert_eq!((bench.positions(start), session.has_ended(0)), (vec![], false), "period {n}");
        bench.machine.work(n + 10);
        assert_eq!((bench.positions(start), session.has_ended(0)), (vec![n], true), "period {n}");
    }
}

pub(crate) fn a_one_shot_counter_stays_stopped<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut session = bench.pmu.open([INSTRUCTIONS.once_after(200)]).unwrap();
    session.start().unwrap();
    bench.machine.work(5000);
    assert_eq!((session.read(), bench.samples().len()), (Ok([200]), 1));
}

pub(crate) fn a_one_shot_period_ends_once_however_late_its_interrupt<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut session = bench.pmu.open([INSTRUCTIONS.once_after(2)]).unwrap();
    session.start().unwrap();
    bench.machine.wire.held.set(true);
    bench.machine.work(30);
    bench.machine.wire.held.set(false);
    bench.machine.deliver();
    assert_eq!((session.read(), session.has_ended(0), bench.samples().len()), (Ok([2]), true, 1));
    assert_eq!(bench.unit.samples().unwrap().lost(), Lost::default());
}

pub(crate) fn a_one_shot_that_ends_as_it_is_stopped_has_ended<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut session = bench.pmu.open([INSTRUCTIONS.once_after(200)]).unwrap();
    session.start().unwrap();
    bench.machine.wire.held.set(true);
    bench.machine.work(220);
    session.stop().unwrap();
    assert_eq!((session.read(), session.has_ended(0)), (Ok([200]), true));
    session.resume().unwrap();
    assert!(!session.has_ended(0), "a new period begins");
}

pub(crate) fn a_one_shot_period_can_be_had_again<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut session = bench.pmu.open([INSTRUCTIONS.once_after(200)]).unwrap();
    session.start().unwrap();
    for round in 1..=4 {
        let start = bench.machine.passed.get();
        bench.machine.work(700);
        assert_eq!((bench.positions(start), session.read()), (vec![200], Ok([round * 200])));
        session.rearm().unwrap();
    }
}

pub(crate) fn periods_follow_each_other_without_a_gap<S: Subject>() {
    let bench = Bench::<S>::new();
    for period in [128, 129, 200, 1021, 4096] {
        let mut session = bench.pmu.open([INSTRUCTIONS.every(period)]).unwrap();
        session.start().unwrap();
        let start = bench.machine.passed.get();
        bench.machine.work(20 * period + 3);
        let expected: Vec<_> = (1..=20).map(|n| n * period).collect();
        assert_eq!((bench.positions(start), session.read()), (expected, Ok([20 * period + 3])));
    }
}

pub(crate) fn counters_that_overflow_together_each_leave_a_sample<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut sessions: Vec<_> = (0..S::ROOM).map(|_| bench.pmu.open([INSTRUCTIONS.every(200)]).unwrap()).collect();
    sessions.iter_mut().for_each(|session| session.start().unwrap());
    bench.machine.work(2000);
    assert_eq!(bench.samples().len(), 10 * S::ROOM);
    assert!(sessions.iter().all(|session| session.read() == Ok([2000])));
}

pub(crate) fn a_full_ring_loses_samples_and_not_events<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut session = bench.pmu.open([INSTRUCTIONS.every(200)]).unwrap();
    session.start().unwrap();
    bench.machine.work(200 * (SAMPLES as u64 + 50));
    let mut reader = bench.unit.samples().unwrap();
    assert_eq!((reader.by_ref().count(), reader.lost().ring_full), (SAMPLES, 50));
    assert_eq!(session.read(), Ok([200 * (SAMPLES as u64 + 50)]));
}

pub(crate) fn an_interrupt_that_comes_late_is_claimed_once<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut session = bench.pmu.open([INSTRUCTIONS.every(200)]).unwrap();
    session.start().unwrap();
    bench.machine.wire.held.set(true);
    bench.machine.work(300);
    session.stop().unwrap();
    bench.machine.wire.held.set(false);
    bench.machine.deliver();
    bench.machine.interrupt();
    assert_eq!(bench.handled(), [Handled::Late, Handled::NotMine]);
    assert_eq!((session.read(), bench.samples()), (Ok([300]), vec![]));
    assert_eq!(bench.unit.samples().unwrap().lost().stopped, 1);
    assert_eq!(bench.unit.strays(), Strays { late: 1, foreign: 1 });
}

pub(crate) fn an_interrupt_of_somebody_else_is_not_claimed<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut session = bench.pmu.open([INSTRUCTIONS.every(200)]).unwrap();
    bench.machine.interrupt();
    session.start().unwrap();
    bench.machine.work(100);
    bench.machine.interrupt();
    bench.machine.work(120);
    assert_eq!(bench.handled(), [Handled::NotMine, Handled::NotMine, Handled::Overflow]);
    assert_eq!((session.read(), bench.samples().len()), (Ok([220]), 1));
}

pub(crate) fn periods_that_pass_unserviced_are_counted_as_lost<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut session = bench.pmu.open([INSTRUCTIONS.every(200)]).unwrap();
    session.start().unwrap();
    let start = bench.machine.passed.get();
    bench.machine.wire.held.set(true);
    bench.machine.work(700);
    bench.machine.wire.held.set(false);
    bench.machine.deliver();
    bench.machine.work(100);
    assert_eq!((bench.positions(start), session.read()), (vec![700, 800], Ok([800])));
    assert_eq!(bench.unit.samples().unwrap().lost().outrun, 2);
}

pub(crate) fn a_count_that_only_counts_leaves_no_sample<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut session = bench.pmu.open([INSTRUCTIONS]).unwrap();
    session.start().unwrap();
    bench.machine.work(3 * bench.pmu.description().general_width.mask());
    assert_eq!(bench.samples(), []);
    assert_eq!(bench.unit.samples().unwrap().lost().total(), 0);
}

pub(crate) fn samples_name_their_session_and_its_request<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut first = bench.pmu.open([INSTRUCTIONS, INSTRUCTIONS.every(200)]).unwrap();
    first.start().unwrap();
    bench.machine.work(250);
    drop(first);
    let mut second = bench.pmu.open([INSTRUCTIONS, INSTRUCTIONS.every(300)]).unwrap();
    second.start().unwrap();
    bench.machine.work(350);
    let requests: Vec<_> = bench.samples().iter().map(|sample| second.request_of(sample)).collect();
    assert_eq!(requests, [None, Some(1)]);
}
