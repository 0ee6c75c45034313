//! A CPU sleeps with open sessions and bound contexts, and its unit loses its registers. A unit is revoked with open
//! sessions.

use pmu::virt::{Delivery, Device as _, Snapshot, Trigger as _};
use pmu::{Context, Counts, CpuId, Error, Handled, Request};

use crate::{Bench, HERE, INSTRUCTIONS, Subject};

/// Suspends, resets the unit, and resumes.
fn sleep<S: Subject>(bench: &Bench<S>, state: &Snapshot) {
    bench.pmu.suspend().unwrap();
    bench.machine.device.restore(state.as_bytes()).unwrap();
    bench.machine.work(12_345);
    bench.unit.resume().unwrap();
}

pub(crate) fn counts_and_periods_go_on_after_a_sleep<S: Subject>() {
    let fresh = S::machine().device.snapshot();
    let bench = Bench::<S>::new();
    let mut session = bench.pmu.open([INSTRUCTIONS.every(1000)]).unwrap();
    let mut resting = bench.pmu.open([Request::new(S::facts().other)]).unwrap();
    session.start().unwrap();
    resting.start().unwrap();
    resting.stop().unwrap();
    let before = resting.read();
    let start = bench.machine.passed.get();
    bench.machine.work(700);
    sleep(&bench, &fresh);
    assert_eq!((session.read(), resting.read()), (Ok([700]), before));
    bench.machine.work(400);
    assert_eq!((session.read(), bench.positions(start)), (Ok([1100]), vec![1000 + 12_345]));
    session.stop().unwrap();
    session.reset().unwrap();
    session.start().unwrap();
    bench.machine.work(7);
    assert_eq!(session.read(), Ok([7]));
}

pub(crate) fn a_session_is_read_while_its_unit_sleeps_and_nothing_else_is_done<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut session = bench.pmu.open([INSTRUCTIONS]).unwrap();
    session.start().unwrap();
    bench.machine.work(77);
    let counted = session.counts().unwrap();
    bench.pmu.suspend().unwrap();
    assert_eq!(session.read(), Ok([77]));
    assert!(session.counts().unwrap().enabled >= counted.enabled);
    let asleep = Err(Error::Suspended);
    assert_eq!((session.stop(), bench.pmu.release(), bench.pmu.suspend()), (asleep, asleep, asleep));
    assert_eq!(bench.pmu.open([INSTRUCTIONS]).err(), Some(Error::Suspended));
    assert_eq!(
        (bench.unit.here().err(), bench.unit.reclaim().err()),
        (Some(Error::Suspended), Some(Error::AlreadyClaimed { owner: CpuId(0) }))
    );
    HERE.set(1);
    assert!(matches!(bench.unit.resume(), Err(Error::WrongCpu { .. })));
    HERE.set(0);
    bench.unit.resume().unwrap();
    assert_eq!(bench.unit.resume().err(), Some(Error::AlreadyClaimed { owner: CpuId(0) }));
    bench.machine.work(3);
    assert_eq!((session.read(), session.stop()), (Ok([80]), Ok(())));
}

pub(crate) fn a_session_that_is_read_as_its_unit_wakes_has_its_count<S: Subject>() {
    for accesses in 0..3 {
        let bench = Bench::<S>::new();
        let (unit, machine) = (bench.unit, bench.machine);
        machine.delivery.set(Delivery::Maskable);
        machine.on_interrupt(move |_| {
            machine.wire.withdraw();
            unit.resume().unwrap();
        });
        let mut session = bench.pmu.open([INSTRUCTIONS]).unwrap();
        session.start().unwrap();
        machine.work(77);
        bench.pmu.suspend().unwrap();
        machine.wire.held.set(true);
        machine.wire.unmask();
        machine.wire.interrupt();
        machine.release_after(accesses);
        assert_eq!(session.read(), Ok([77]), "it wakes before access {accesses}");
    }
}

pub(crate) fn time_goes_on_over_a_sleep_and_the_sleep_is_not_counted<S: Subject>() {
    let fresh = S::machine().device.snapshot();
    let bench = Bench::<S>::new();
    let mut session = bench.pmu.open([INSTRUCTIONS]).unwrap();
    session.start().unwrap();
    bench.machine.work(1000);
    sleep(&bench, &fresh);
    bench.machine.work(1000);
    session.stop().unwrap();
    let enabled = session.counts().unwrap().enabled;
    assert!((2000..2500).contains(&enabled), "{enabled} ticks");
}

/// A unit that cannot be preset to the one event that is left delays the end of the period, but not at each sleep.
pub(crate) fn a_period_ends_however_often_its_unit_sleeps<S: Subject>() {
    let fresh = S::machine().device.snapshot();
    let bench = Bench::<S>::new();
    let mut session = bench.pmu.open([INSTRUCTIONS.every(400)]).unwrap();
    session.start().unwrap();
    // Around the first end of its period, unless from the beginning on.
    let begin = if S::facts().is_whole { 0 } else { 390 };
    bench.machine.work(begin);
    for counted in begin + 1..=if S::facts().is_whole { 1000 } else { 410 } {
        bench.machine.work(1);
        sleep(&bench, &fresh);
        let statistics = bench.unit.sample_statistics();
        assert_eq!((statistics.received + statistics.lost.total(), session.read()), (counted / 400, Ok([counted])));
    }
}

pub(crate) fn a_thread_goes_on_after_its_cpu_slept<S: Subject>() {
    let fresh = S::machine().device.snapshot();
    let bench = Bench::<S>::new();
    let mut context = Context::<S::Driver, 1>::new(1);
    context.bind(bench.pmu, [INSTRUCTIONS.every(1000)]).unwrap();
    for slice in 1..=30 {
        bench.pmu.switch_in(&mut context);
        assert_eq!(bench.pmu.suspend(), Err(Error::ThreadIn));
        bench.machine.work(100);
        bench.pmu.switch_out(&mut context);
        sleep(&bench, &fresh);
        assert_eq!(context.counts().unwrap().raw, [100 * slice]);
    }
    assert_eq!(bench.samples().len(), 3);
}

pub(crate) fn what_the_unit_held_is_back_while_it_sleeps<S: Subject>() {
    let machine = S::machine();
    let before = machine.device.state();
    let unit = pmu::Unit::<S::Driver, 0>::new();
    let pmu = unit.claim(S::driver(machine)).unwrap();
    let mut session = pmu.open([INSTRUCTIONS]).unwrap();
    session.start().unwrap();
    pmu.suspend().unwrap();
    assert_eq!(machine.device.state(), before);
    unit.resume().unwrap();
    assert_ne!(machine.device.state(), before);
    drop(session);
    pmu.release().unwrap();
    assert_eq!(machine.device.state(), before);
}

pub(crate) fn a_session_dropped_while_its_unit_sleeps_is_freed_when_it_wakes<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut session = bench.pmu.open([INSTRUCTIONS.every(400)]).unwrap();
    session.start().unwrap();
    bench.pmu.suspend().unwrap();
    drop(session);
    bench.unit.resume().unwrap();
    bench.machine.work(5000);
    assert_eq!((bench.samples().len(), bench.pmu.release()), (0, Ok(())));
}

pub(crate) fn an_overflow_at_any_access_of_a_sleep_is_counted_and_kept<S: Subject>() {
    for lead in S::facts().some(0..crate::races::ACCESSES) {
        let bench = Bench::<S>::new();
        let mut session = bench.pmu.open([INSTRUCTIONS.every(400)]).unwrap();
        session.start().unwrap();
        bench.machine.work(400 - lead);
        bench.machine.per_access.set(1);
        bench.pmu.suspend().unwrap();
        bench.machine.per_access.set(0);
        let slept = session.read().unwrap()[0];
        bench.unit.resume().unwrap();
        assert_eq!(session.read(), Ok([slept]), "lead {lead}");
        bench.machine.work(400);
        session.stop().unwrap();
        let received = bench.samples().len() as u64;
        let accounted = received + bench.unit.samples().unwrap().lost().total();
        assert_eq!((session.read(), accounted), (Ok([slept + 400]), (slept + 400) / 400), "lead {lead}");
        assert!(!bench.handled().contains(&Handled::NotMine), "lead {lead}");
    }
}

pub(crate) fn what_is_open_when_a_unit_is_given_up_says_so_and_does_nothing_more<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut session = bench.pmu.open([INSTRUCTIONS.every(400)]).unwrap();
    session.start().unwrap();
    let mut context = Context::<S::Driver, 1>::new(1);
    context.bind(bench.pmu, [INSTRUCTIONS]).unwrap();
    bench.pmu.switch_in(&mut context);
    bench.pmu.revoke().unwrap();
    assert_eq!((session.read(), session.stop()), (Err(Error::Invalidated), Err(Error::Invalidated)));
    bench.pmu.switch_out(&mut context);
    assert_eq!(context.counts(), Err(Error::Invalidated));

    let pmu = bench.unit.reclaim().unwrap();
    let mut next = pmu.open([INSTRUCTIONS]).unwrap();
    next.start().unwrap();
    bench.machine.work(10);
    assert_eq!((session.start(), session.reset()), (Err(Error::Invalidated), Err(Error::Invalidated)));
    drop(session);
    bench.machine.work(1000);
    assert_eq!((next.read(), bench.samples().len()), (Ok([1010]), 0));
}

pub(crate) fn a_session_whose_unit_was_given_up_has_not_ended_when_another_has<S: Subject>() {
    let bench = Bench::<S>::new();
    let old = bench.pmu.open([INSTRUCTIONS.once_after(4000)]).unwrap();
    bench.pmu.revoke().unwrap();
    let mut new = bench.unit.reclaim().unwrap().open([INSTRUCTIONS.once_after(400)]).unwrap();
    new.start().unwrap();
    bench.machine.work(1000);
    assert_eq!(old.counter(0), new.counter(0));
    assert_eq!((new.has_ended(0), old.has_ended(0)), (true, false));
}

pub(crate) fn a_unit_that_is_given_up_is_as_it_was<S: Subject>() {
    let machine = S::machine();
    let before = machine.device.state();
    let unit = pmu::Unit::<S::Driver, 0>::new();
    let pmu = unit.claim(S::driver(machine)).unwrap();
    let mut session = pmu.open([INSTRUCTIONS]).unwrap();
    session.start().unwrap();
    pmu.revoke().unwrap();
    assert_eq!(machine.device.state(), before);
    drop(session);
    assert_eq!(machine.device.state(), before);
}

pub(crate) fn a_halted_unit_counts_nothing_until_it_is_claimed_anew<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut session = bench.pmu.open([INSTRUCTIONS.every(400)]).unwrap();
    let mut context = Context::<S::Driver, 1>::new(1);
    context.bind(bench.pmu, [INSTRUCTIONS]).unwrap();
    session.start().unwrap();
    bench.pmu.switch_in(&mut context);
    bench.machine.work(300);
    bench.pmu.halt();
    assert_eq!(bench.pmu.open([INSTRUCTIONS]).map(drop), Err(Error::Halted));
    bench.machine.work(1000);
    let is_waiting = |counts: Counts<1>| counts.enabled > 0 && (counts.raw, counts.running) == ([300], 0);
    assert!(is_waiting(bench.pmu.thread_counts(&context).unwrap()));
    bench.pmu.switch_out(&mut context);
    for _ in 0..2 {
        session.stop().unwrap();
        assert_eq!((session.start(), bench.pmu.place(&mut context)), (Err(Error::Halted), Err(Error::Halted)));
        bench.pmu.switch_in(&mut context);
        assert!(context.is_waiting());
        bench.machine.work(1000);
        bench.pmu.switch_out(&mut context);
        assert_eq!(session.read(), Ok([300]));
        assert!(is_waiting(context.counts().unwrap()));
        bench.pmu.suspend().unwrap();
        bench.unit.resume().unwrap();
    }
    assert!(!context.is_frozen(), "nothing has notified");
    drop(session);
    bench.pmu.release().unwrap();
    bench.unit.reclaim().unwrap();
    bench.pmu.switch_in(&mut context);
    let ([counted], ()) = bench.pmu.count([INSTRUCTIONS.every(400)], || bench.machine.work(1000)).unwrap();
    bench.pmu.switch_out(&mut context);
    assert_eq!((counted, context.counts().unwrap().raw, bench.samples().len()), (1000, [1300], 2));
}

/// Also amid the start of a one-shot that has ended, which begins anew.
pub(crate) fn a_halt_amid_an_operation_lasts<S: Subject>() {
    for accesses in S::facts().some(0..crate::races::ACCESSES) {
        let bench = Bench::<S>::new();
        let mut shot = bench.pmu.open([INSTRUCTIONS.once_after(400)]).unwrap();
        let mut other = bench.pmu.open([INSTRUCTIONS]).unwrap();
        shot.start().unwrap();
        bench.machine.work(400);
        assert!(shot.has_ended(0));
        let pmu = bench.pmu;
        bench.machine.on_interrupt(move |_| pmu.halt());
        bench.machine.interrupt_after(accesses);
        let unless_halted = |result| assert!([Ok(()), Err(Error::Halted)].contains(&result));
        unless_halted(shot.start());
        unless_halted(other.start());
        shot.stop().unwrap();
        unless_halted(shot.start());
        bench.machine.interrupt();
        assert_eq!(other.start(), Err(Error::Halted));
        let counts = (shot.read(), other.read());
        bench.machine.work(1000);
        assert_eq!((shot.read(), other.read()), counts, "halted before access {accesses}");
    }
}

pub(crate) fn an_interrupt_that_is_on_its_way_to_a_halted_unit_is_claimed_once<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut session = bench.pmu.open([INSTRUCTIONS.every(400)]).unwrap();
    session.start().unwrap();
    bench.machine.wire.held.set(true);
    bench.machine.work(480);
    bench.pmu.halt();
    let is_on_its_way = bench.machine.wire.is_pending();
    assert!(is_on_its_way || !S::facts().latches, "a halt withdraws no interrupt that is latched");
    bench.machine.wire.held.set(false);
    bench.machine.deliver();
    bench.machine.work(1000);
    let claimed: &[_] = if is_on_its_way { &[Handled::Overflow] } else { &[] };
    assert_eq!(bench.handled(), claimed);
    assert_eq!((session.read(), bench.unit.sample_statistics().lost.total()), (Ok([480]), is_on_its_way.into()));
}

pub(crate) fn a_halt_leaves_a_unit_alone_that_sleeps_or_was_released<S: Subject>() {
    let (machine, driver) = crate::ownership::machine_in_use::<S>();
    let before = machine.device.state();
    let unit = pmu::Unit::<S::Driver, 0>::new();
    let pmu = unit.claim(driver).unwrap();
    pmu.suspend().unwrap();
    pmu.halt();
    assert_eq!(machine.device.state(), before, "it sleeps");
    unit.resume().unwrap();
    pmu.release().unwrap();
    pmu.halt();
    assert_eq!(machine.device.state(), before, "it was released");
}
