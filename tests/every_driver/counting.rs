//! Counts are exact.

use pmu::virt::{Delivery, Device, Filter, Kind, Selection};
use pmu::{CounterId, CounterSet, Error, Event, Mode, Modes, Request};

use crate::machine::FILTER;
use crate::races::ACCESSES;
use crate::{Bench, INSTRUCTIONS, Subject};

pub(crate) fn a_count_is_exact<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut session = bench.pmu.open([INSTRUCTIONS]).unwrap();
    session.start().unwrap();
    for n in [1, 2, 3, 1000, 999_983] {
        let before = session.read().unwrap();
        bench.machine.work(n);
        assert_eq!(session.read().unwrap()[0] - before[0], n);
    }
}

pub(crate) fn what_the_host_withholds_counts_nothing_and_the_host_is_told<S: Subject>() {
    FILTER.set(Filter::allow(&[]));
    let bench = Bench::<S>::new();
    FILTER.set(Filter::NONE);
    let device = &bench.machine.device;
    let mut session = bench.pmu.open([INSTRUCTIONS]).unwrap();
    let always = device.withheld();
    session.start().unwrap();
    bench.machine.work(1000);
    assert_eq!((session.read(), device.unfed()), (Ok([0]), CounterSet::EMPTY));
    let withheld = device.withheld().without(always);
    assert!(!withheld.is_empty());
    let counter = withheld.into_iter().next().unwrap();
    device.feed(counter, Mode::Kernel, 5);
    assert_eq!((session.read(), device.selection(counter).unwrap().modes()), (Ok([0]), Modes::NONE));
    assert_eq!(device.until_overflow_of(counter, Mode::Kernel), None);
    session.stop().unwrap();
    assert_eq!(device.withheld().without(always), CounterSet::EMPTY, "it would not count");
}

/// A host that feeds its guest by events asks which counters want some, and in which modes.
pub(crate) fn a_counter_that_rests_selects_nothing_and_wants_nothing<S: Subject>() {
    let bench = Bench::<S>::new();
    let device = &bench.machine.device;
    let counting = || -> Vec<_> {
        let counts = |selection: &Selection| selection.kinds().contains(Kind::Instructions);
        let selections = (0..64).filter_map(CounterId::new).filter_map(|counter| device.selection(counter));
        selections.filter(counts).map(Selection::modes).filter(|&modes| modes != Modes::NONE).collect()
    };
    let before = counting();
    let kernel = INSTRUCTIONS.modes(Modes::KERNEL);
    let asked = if bench.pmu.open([kernel]).is_ok() { kernel } else { INSTRUCTIONS };
    let mut session = bench.pmu.open([asked]).unwrap();
    assert_eq!(counting(), before, "it is open, and rests");
    for _ in 0..2 {
        session.start().unwrap();
        let during = counting();
        assert_eq!(during.len(), before.len() + 1);
        assert!(during.iter().any(|modes| modes.contains(Mode::Kernel)), "{during:?}");
        assert!(asked == INSTRUCTIONS || during.iter().any(|modes| !modes.contains(Mode::User)), "{during:?}");
        session.stop().unwrap();
        assert_eq!(counting(), before, "it is stopped");
    }
    assert_eq!((device.withheld(), device.unfed()), (CounterSet::EMPTY, CounterSet::EMPTY));
}

pub(crate) fn a_count_starts_from_zero_after_each_reset<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut session = bench.pmu.open([INSTRUCTIONS]).unwrap();
    assert_eq!(session.read(), Ok([0]));
    for _ in 0..3 {
        session.start().unwrap();
        assert_eq!(session.read(), Ok([0]));
        bench.machine.work(41);
        session.stop().unwrap();
        assert_eq!(session.read(), Ok([41]));
        session.reset().unwrap();
    }
}

pub(crate) fn a_count_stays_after_a_stop<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut session = bench.pmu.open([INSTRUCTIONS]).unwrap();
    session.start().unwrap();
    bench.machine.work(10);
    session.stop().unwrap();
    bench.machine.work(1000);
    assert_eq!(session.read(), Ok([10]));
}

pub(crate) fn resuming_goes_on_from_the_stop<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut session = bench.pmu.open([INSTRUCTIONS]).unwrap();
    session.start().unwrap();
    for _ in 0..5 {
        bench.machine.work(7);
        session.stop().unwrap();
        bench.machine.work(100);
        session.start().unwrap();
    }
    assert_eq!(session.read(), Ok([35]));
}

pub(crate) fn a_reset_begins_anew_while_it_counts_or_not<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut session = bench.pmu.open([INSTRUCTIONS.every(400)]).unwrap();
    for passed in [390, 400] {
        session.start().unwrap();
        bench.machine.work(passed);
        session.reset().unwrap();
        let start = bench.machine.passed.get();
        bench.machine.work(401);
        let counts = session.counts().unwrap();
        assert_eq!((counts.raw, counts.enabled), ([401], 401));
        assert_eq!(bench.positions(start).last(), Some(&400), "a whole period begins");
        session.stop().unwrap();
        session.reset().unwrap();
        bench.machine.work(100);
        let counts = session.counts().unwrap();
        assert_eq!((counts.raw, counts.enabled), ([0], 0));
    }
}

pub(crate) fn a_count_begins_at_its_preset<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut session = bench.pmu.open([INSTRUCTIONS.begin_at(u64::MAX - 49)]).unwrap();
    for _ in 0..2 {
        session.start().unwrap();
        bench.machine.work(30);
        assert_eq!(session.read(), Ok([u64::MAX - 19]));
        bench.machine.work(30);
        assert_eq!(session.read(), Ok([10]), "counts have 64 bits");
        session.stop().unwrap();
        session.reset().unwrap();
    }
    let mut notifies = bench.pmu.open([INSTRUCTIONS.once_after(1).begin_at(u64::MAX - 399)]).unwrap();
    notifies.start().unwrap();
    bench.machine.work(1000);
    assert_eq!((notifies.read(), notifies.has_ended(0)), (Ok([0]), true));
}

pub(crate) fn counts_survive_any_number_of_wraps<S: Subject>() {
    let bench = Bench::<S>::new();
    let modulus = bench.span();
    let mut session = bench.pmu.open([INSTRUCTIONS]).unwrap();
    session.start().unwrap();
    let mut expected = 0;
    for n in [modulus - 1, 1, 1, 2, modulus, modulus + 1, 5] {
        bench.machine.work(n);
        expected += n;
        assert_eq!(session.read(), Ok([expected]));
    }
}

pub(crate) fn a_count_is_right_while_its_interrupt_is_still_on_its_way<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut session = bench.pmu.open([INSTRUCTIONS.every(1000)]).unwrap();
    session.start().unwrap();
    bench.machine.wire.held.set(true);
    bench.machine.work(1234);
    assert_eq!(session.read(), Ok([1234]));
    bench.machine.wire.held.set(false);
    bench.machine.deliver();
    assert_eq!(session.read(), Ok([1234]));
}

pub(crate) fn requests_count_side_by_side<S: Subject>() {
    let bench = Bench::<S>::new();
    let requests = [INSTRUCTIONS, Request::new(S::facts().other)];
    let mut session = bench.pmu.open(requests).unwrap();
    session.start().unwrap();
    bench.machine.work(500);
    assert_eq!(session.read(), Ok([500, 500]));
}

pub(crate) fn a_session_does_not_disturb_another<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut first = bench.pmu.open([INSTRUCTIONS]).unwrap();
    first.start().unwrap();
    bench.machine.work(100);
    let mut second = bench.pmu.open([INSTRUCTIONS.every(400)]).unwrap();
    second.start().unwrap();
    bench.machine.work(50);
    second.stop().unwrap();
    assert_eq!((first.read(), second.read()), (Ok([150]), Ok([50])));
    drop(second);
    bench.machine.work(1);
    assert_eq!(first.read(), Ok([151]));
}

pub(crate) fn counting_a_closure_takes_one_line<S: Subject>() {
    let bench = Bench::<S>::new();
    let counted = bench.pmu.count([Event::INSTRUCTIONS, S::facts().other], || {
        bench.machine.work(77);
        "done"
    });
    assert_eq!(counted, Ok(([77, 77], "done")));
}

pub(crate) fn modes_that_were_not_asked_for_are_not_counted<S: Subject>() {
    let bench = Bench::<S>::new();
    let counted = |requests| {
        let mut session = bench.pmu.open(requests)?;
        session.start()?;
        bench.machine.work(60);
        session.read()
    };
    let kernel = |event| Request::new(event).modes(Modes::KERNEL);
    let user = |event| Request::new(event).modes(Modes::USER);
    let each = counted([kernel(Event::INSTRUCTIONS), user(S::facts().other)]);
    if S::facts().shares_modes {
        assert!(matches!(each, Err(Error::Conflict(_))), "{each:?}");
        assert_eq!(counted([kernel(Event::INSTRUCTIONS), kernel(S::facts().other)]), Ok([60, 60]));
        assert_eq!(counted([user(Event::INSTRUCTIONS), user(S::facts().other)]), Ok([0, 0]));
    } else {
        assert_eq!(each, Ok([60, 0]));
    }
}

pub(crate) fn a_narrow_count_is_exact<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut session = bench.pmu.open([INSTRUCTIONS]).unwrap();
    session.start().unwrap();
    bench.machine.work(123);
    assert_eq!(session.reader().unwrap().read_narrow(), [123]);
}

pub(crate) fn time_is_counted_only_while_the_session_runs<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut session = bench.pmu.open([INSTRUCTIONS]).unwrap();
    session.start().unwrap();
    bench.machine.work(10);
    session.stop().unwrap();
    bench.machine.work(10_000);
    session.start().unwrap();
    bench.machine.work(5);
    let counts = session.counts().unwrap();
    assert_eq!((counts.raw, counts.enabled, counts.running), ([15], 15, 15));
}

/// An interrupt that switches to another thread may come once the operation is over.
pub(crate) fn counts_and_their_time_are_of_one_moment<S: Subject>() {
    for lead in S::facts().some(0..ACCESSES) {
        let bench = Bench::<S>::new();
        let (unit, machine) = (bench.unit, bench.machine);
        machine.delivery.set(Delivery::Maskable);
        machine.on_interrupt(move |at| {
            assert!(unit.on_overflow(at).is_mine());
            machine.work(10_000);
        });
        let mut session = bench.pmu.open([INSTRUCTIONS, INSTRUCTIONS.every(100_000)]).unwrap();
        session.start().unwrap();
        machine.work(100_000 - lead);
        machine.per_access.set(1);
        let counts = session.counts().unwrap();
        assert!(counts.raw[0].abs_diff(counts.running) < 2 * ACCESSES, "lead {lead}: {counts:?}");
    }
}

pub(crate) fn every_counter_can_be_used_at_once<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut sessions: Vec<_> = (0..S::facts().room).map(|_| bench.pmu.open([INSTRUCTIONS]).unwrap()).collect();
    sessions.iter_mut().for_each(|session| session.start().unwrap());
    bench.machine.work(9);
    assert!(sessions.iter().all(|session| session.read() == Ok([9])));
    assert!(bench.pmu.open([INSTRUCTIONS]).is_err());
}
