//! Overflows at every register access of every operation.

use std::ops::RangeInclusive;

use pmu::driver::{Counters as _, Late};
use pmu::virt::Delivery;
use pmu::{Handled, Request};

use crate::machine::BY_PRIORITY;
use crate::{Bench, INSTRUCTIONS, Subject};

/// More register accesses than any operation makes.
pub(crate) const ACCESSES: u64 = 40;

/// Checks that samples and losses add up to the overflows.
pub(crate) fn accounted<S: Subject>(bench: &Bench<S>) -> u64 {
    let received = bench.samples().len() as u64;
    received + bench.unit.samples().unwrap().lost().total()
}

/// Events while a unit is halted are not counted. The machine knows during which instructions an overflow could
/// have come. While one is held back, no other may come although the unit counts.
pub(crate) fn could_be_counted<S: Subject>(bench: &Bench<S>) -> RangeInclusive<u64> {
    let (passed, halted) = (bench.machine.passed.get(), bench.machine.halted.get());
    match bench.machine.delivery.get() {
        Delivery::Nmi if !BY_PRIORITY.get() => passed - halted..=passed - halted,
        _ => passed - halted..=passed,
    }
}

pub(crate) fn an_overflow_at_any_access_of_a_start_or_stop_is_counted_and_kept<S: Subject>() {
    for lead in S::facts().some(0..ACCESSES) {
        let bench = Bench::<S>::new();
        let mut session = bench.pmu.open([INSTRUCTIONS.every(400)]).unwrap();
        bench.machine.per_access.set(1);
        session.start().unwrap();
        bench.machine.work(400 - lead);
        session.stop().unwrap();
        session.start().unwrap();
        bench.machine.work(400);
        session.stop().unwrap();
        let count = session.read().unwrap()[0];
        assert!(could_be_counted(&bench).contains(&count), "lead {lead}: {count} of {:?}", could_be_counted(&bench));
        assert_eq!(accounted(&bench), count / 400, "lead {lead}");
        assert!(!bench.handled().contains(&Handled::NotMine), "lead {lead}");
    }
}

/// The count is the counter's value and what its account has for it: an interrupt between the two changes both.
pub(crate) fn an_overflow_behind_the_access_of_a_read_does_not_tear_it<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut session = bench.pmu.open([INSTRUCTIONS.every(400)]).unwrap();
    session.start().unwrap();
    bench.machine.work(399);
    bench.machine.behind_read.set(10);
    let count = session.read().unwrap()[0];
    assert!((399..=409).contains(&count), "{count}");
    assert_eq!((bench.machine.behind_read.get(), session.read()), (0, Ok([409])));
}

pub(crate) fn an_overflow_at_any_access_of_another_session_is_counted_and_kept<S: Subject>() {
    for lead in S::facts().some(0..ACCESSES) {
        let bench = Bench::<S>::new();
        let mut session = bench.pmu.open([INSTRUCTIONS.every(400)]).unwrap();
        session.start().unwrap();
        bench.machine.work(400 - lead);
        bench.machine.per_access.set(1);
        let mut other = bench.pmu.open([Request::new(S::facts().other)]).unwrap();
        other.start().unwrap();
        other.stop().unwrap();
        drop(other);
        bench.machine.per_access.set(0);
        bench.machine.work(400);
        session.stop().unwrap();
        let count = session.read().unwrap()[0];
        let could = could_be_counted(&bench);
        assert_eq!(count < bench.machine.passed.get(), S::facts().halts, "lead {lead}: {count} of {could:?}");
        assert!(could.contains(&count), "lead {lead}: {count} of {could:?}");
        assert_eq!(accounted(&bench), count / 400, "lead {lead}");
        assert!(!bench.handled().contains(&Handled::NotMine), "lead {lead}");
    }
}

pub(crate) fn a_one_shot_that_ends_amid_another_start_stays_ended<S: Subject>() {
    for lead in S::facts().some(0..ACCESSES) {
        let bench = Bench::<S>::new();
        let mut shot = bench.pmu.open([INSTRUCTIONS.once_after(400)]).unwrap();
        let mut other = bench.pmu.open([Request::new(S::facts().other)]).unwrap();
        shot.start().unwrap();
        bench.machine.work(400 - lead);
        bench.machine.per_access.set(1);
        other.start().unwrap();
        other.stop().unwrap();
        bench.machine.per_access.set(0);
        bench.machine.work(4000);
        assert_eq!((shot.read(), accounted(&bench)), (Ok([400]), 1), "lead {lead}");
    }
}

pub(crate) fn a_one_shot_of_any_length_that_ends_amid_another_start_ends_once<S: Subject>() {
    for period in S::facts().least..S::facts().least + 10 {
        for lead in S::facts().some(1..=period) {
            let bench = Bench::<S>::new();
            let mut shot = bench.pmu.open([INSTRUCTIONS.once_after(period)]).unwrap();
            let mut other = bench.pmu.open([Request::new(S::facts().other)]).unwrap();
            shot.start().unwrap();
            bench.machine.work(period - lead);
            bench.machine.per_access.set(1);
            other.start().unwrap();
            other.stop().unwrap();
            bench.machine.per_access.set(0);
            bench.machine.work(4000);
            assert_eq!((shot.read(), accounted(&bench)), (Ok([period]), 1), "{lead} before the end of {period}");
        }
    }
}

pub(crate) fn a_one_shot_that_ends_at_any_access_of_another_session_stays_ended<S: Subject>() {
    for lead in S::facts().some(0..ACCESSES) {
        let bench = Bench::<S>::new();
        let mut shot = bench.pmu.open([INSTRUCTIONS.once_after(400)]).unwrap();
        shot.start().unwrap();
        bench.machine.work(400 - lead);
        bench.machine.per_access.set(1);
        let mut other = bench.pmu.open([Request::new(S::facts().other)]).unwrap();
        other.start().unwrap();
        other.stop().unwrap();
        drop(other);
        bench.machine.per_access.set(0);
        bench.machine.work(4000);
        assert_eq!((shot.read(), shot.has_ended(0), accounted(&bench)), (Ok([400]), true, 1), "lead {lead}");
        shot.stop().unwrap();
        assert_eq!((shot.read(), bench.samples().len()), (Ok([400]), 0), "lead {lead}");
        assert!(!bench.handled().contains(&Handled::NotMine), "lead {lead}");
    }
}

pub(crate) fn a_late_interrupt_is_waited_for_as_long_as_it_can_wait<S: Subject>() {
    let waits_for_ever = matches!(S::driver(S::machine()).late(), Late::One { within: u64::MAX });
    let bench = Bench::<S>::new();
    let mut session = bench.pmu.open([INSTRUCTIONS.every(400)]).unwrap();
    session.start().unwrap();
    bench.machine.wire.held.set(true);
    bench.machine.work(480);
    session.stop().unwrap();
    bench.machine.work(1 << 40);
    bench.machine.wire.held.set(false);
    bench.machine.deliver();
    let handled: &[_] = match waits_for_ever {
        _ if !S::facts().latches => &[],
        true => &[Handled::Late],
        false => &[Handled::NotMine],
    };
    assert_eq!(bench.handled(), handled, "it may be a stranger's by then");
    assert_eq!((session.read(), accounted(&bench)), (Ok([480]), 1));
}

pub(crate) fn a_late_interrupt_at_any_access_is_claimed<S: Subject>() {
    for delay in S::facts().some(0..ACCESSES) {
        let bench = Bench::<S>::new();
        let mut session = bench.pmu.open([INSTRUCTIONS.every(400)]).unwrap();
        session.start().unwrap();
        bench.machine.wire.held.set(true);
        bench.machine.work(480);
        bench.machine.release_after(delay);
        session.stop().unwrap();
        bench.machine.wire.held.set(false);
        bench.machine.deliver();
        let handled = bench.handled();
        assert!(handled.iter().all(|handled| handled.is_mine()), "delay {delay}: {handled:?}");
        assert_eq!((session.read(), accounted(&bench)), (Ok([480]), 1), "delay {delay}");
        bench.machine.interrupt();
        assert_eq!(bench.handled(), [Handled::NotMine], "delay {delay}: nothing more is expected");
    }
}

/// What counters count is not changed while they count, whenever the interrupt comes.
pub(crate) fn a_one_shot_that_has_ended_is_stopped_by_its_interrupt_at_any_access_of_another_start<S: Subject>() {
    for delay in S::facts().some(0..ACCESSES) {
        let bench = Bench::<S>::new();
        let mut shot = bench.pmu.open([INSTRUCTIONS.once_after(400)]).unwrap();
        let mut other = bench.pmu.open([Request::new(S::facts().other)]).unwrap();
        shot.start().unwrap();
        bench.machine.wire.held.set(true);
        bench.machine.work(430);
        bench.machine.release_after(delay);
        other.start().unwrap();
        bench.machine.wire.held.set(false);
        bench.machine.deliver();
        let before = other.read().unwrap()[0];
        bench.machine.work(100);
        assert_eq!((shot.read(), shot.has_ended(0), accounted(&bench)), (Ok([400]), true, 1), "delay {delay}");
        assert!(other.read().unwrap()[0] > before, "delay {delay}: the other one runs");
    }
}

/// The start runs the ended counter once more. Where it overflows then, the start takes that back, and its interrupt comes late.
pub(crate) fn a_late_interrupt_of_a_one_shot_that_ended_amid_another_start_is_claimed<S: Subject>() {
    for delay in S::facts().some(0..ACCESSES) {
        let (bench, period) = (Bench::<S>::new(), S::facts().least + 10);
        let (machine, unit) = (bench.machine, bench.unit);
        machine.on_interrupt(move |at| {
            assert!(unit.on_overflow(at).is_mine(), "delay {delay}");
            machine.wire.held.set(true);
        });
        let mut shot = bench.pmu.open([INSTRUCTIONS.once_after(period)]).unwrap();
        let mut other = bench.pmu.open([Request::new(S::facts().other)]).unwrap();
        shot.start().unwrap();
        machine.wire.held.set(true);
        machine.work(period);
        machine.release_after(delay);
        machine.per_access.set(period);
        other.start().unwrap();
        machine.per_access.set(0);
        machine.work(4000);
        while machine.wire.held.take() {
            machine.deliver();
        }
        assert_eq!((shot.read(), accounted(&bench)), (Ok([period]), 1), "delay {delay}");
    }
}

/// Two counters overflow, one after the other, before an interrupt is taken.
fn with_two_overflows<S: Subject>(bench: &Bench<S>) -> pmu::Session<'static, S::Driver, 2> {
    let mut session = bench.pmu.open([INSTRUCTIONS.every(400), INSTRUCTIONS.every(440)]).unwrap();
    session.start().unwrap();
    bench.machine.wire.held.set(true);
    bench.machine.work(460);
    session
}

pub(crate) fn interrupts_of_several_overflows_are_claimed_and_no_more<S: Subject>() {
    let bench = Bench::<S>::new();
    let session = with_two_overflows(&bench);
    bench.machine.wire.held.set(false);
    bench.machine.deliver();
    let handled = bench.handled();
    assert_eq!(handled[0], Handled::Overflow);
    assert!(handled[1..].iter().all(|handled| *handled == Handled::Late), "{handled:?}");
    assert_eq!((session.read(), accounted(&bench)), (Ok([460, 460]), 2));
    bench.machine.interrupt();
    assert_eq!(bench.handled(), [Handled::NotMine], "nothing more is expected");
}

pub(crate) fn interrupts_of_several_overflows_at_any_access_of_a_stop_are_claimed_and_no_more<S: Subject>() {
    for delay in S::facts().some(0..ACCESSES) {
        let bench = Bench::<S>::new();
        let mut session = with_two_overflows(&bench);
        bench.machine.release_after(delay);
        session.stop().unwrap();
        bench.machine.wire.held.set(false);
        bench.machine.deliver();
        let handled = bench.handled();
        assert!(handled.iter().all(|handled| handled.is_mine()), "delay {delay}: {handled:?}");
        assert_eq!((session.read(), accounted(&bench)), (Ok([460, 460]), 2), "delay {delay}");
        bench.machine.interrupt();
        assert_eq!(bench.handled(), [Handled::NotMine], "delay {delay}: nothing more is expected");
    }
}

pub(crate) fn an_interrupt_that_was_served_is_not_waited_for_any_more<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut first = bench.pmu.open([INSTRUCTIONS.every(400)]).unwrap();
    let mut second = bench.pmu.open([INSTRUCTIONS.every(400)]).unwrap();
    first.start().unwrap();
    second.start().unwrap();
    bench.machine.wire.held.set(true);
    bench.machine.work(500);
    first.stop().unwrap();
    bench.machine.wire.held.set(false);
    bench.machine.deliver();
    second.stop().unwrap();
    let due = bench.handled();
    assert!(due.iter().all(|handled| handled.is_mine()), "{due:?}");
    if !bench.machine.wire.masks_itself() {
        // Two overflows and one interrupt so far: the other may still come, for a limited time.
        bench.machine.work(1 << 30);
    }
    bench.machine.interrupt();
    assert_eq!(bench.handled(), [Handled::NotMine]);
}

pub(crate) fn an_overflow_at_any_access_of_its_stop_is_not_repeated_beside_another<S: Subject>() {
    for delay in S::facts().some(0..ACCESSES) {
        let bench = Bench::<S>::new();
        let mut first = bench.pmu.open([INSTRUCTIONS.every(400)]).unwrap();
        let mut second = bench.pmu.open([INSTRUCTIONS.every(1500)]).unwrap();
        first.start().unwrap();
        second.start().unwrap();
        bench.machine.wire.held.set(true);
        bench.machine.work(430);
        bench.machine.release_after(delay);
        first.stop().unwrap();
        bench.machine.wire.held.set(false);
        bench.machine.deliver();
        let handled = bench.handled();
        assert!(handled.len() <= 3 && handled.iter().all(|handled| handled.is_mine()), "delay {delay}: {handled:?}");
        assert_eq!((first.read(), second.read()), (Ok([430]), Ok([430])), "delay {delay}");
        bench.machine.work(1070);
        assert_eq!((second.read(), accounted(&bench)), (Ok([1500]), 2), "delay {delay}: the other interrupts still");
    }
}
