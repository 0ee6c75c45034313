//! A unit has one owner on one CPU, and an operation that fails changes nothing.

use std::cell::RefCell;
use std::rc::Rc;

use pmu::request::{Contention, Refusal};
use pmu::virt::{Delivery, Device};
use pmu::{Context, CounterId, CpuId, Error, Event, Handled, Request, Unit};

use crate::machine::Machine;
use crate::races::ACCESSES;
use crate::{Bench, HERE, INSTRUCTIONS, Subject};

pub(crate) fn a_unit_is_claimed_once<S: Subject>() {
    let bench = Bench::<S>::new();
    assert_eq!(bench.unit.claim(S::driver(bench.machine)).err(), Some(Error::AlreadyClaimed { owner: CpuId(0) }));
}

pub(crate) fn a_released_unit_can_be_claimed_again<S: Subject>() {
    let bench = Bench::<S>::new();
    for _ in 0..3 {
        assert_eq!(bench.unit.reclaim().err(), Some(Error::AlreadyClaimed { owner: CpuId(0) }));
        bench.pmu.release().unwrap();
        assert_eq!(bench.unit.here().err(), Some(Error::NotClaimed));
        assert_eq!(bench.pmu.open([INSTRUCTIONS]).err(), Some(Error::NotClaimed));
        let pmu = bench.unit.reclaim().unwrap();
        assert_eq!(pmu.count([Event::INSTRUCTIONS], || bench.machine.work(5)), Ok(([5], ())));
    }
}

/// A driver whose CPU's number does not fit was once kept for good.
pub(crate) fn a_claim_that_fails_leaves_no_driver<S: Subject>() {
    let unit = Unit::<S::Driver, 0>::new();
    HERE.set(u32::MAX);
    assert!(matches!(unit.claim(S::driver(S::machine())), Err(Error::CpuNumberTooLarge { .. })));
    HERE.set(0);
    assert_eq!(unit.reclaim().err(), Some(Error::NotClaimed));
    let machine = S::machine();
    let pmu = unit.claim(S::driver(machine)).unwrap();
    assert_eq!(pmu.count([Event::INSTRUCTIONS], || machine.work(5)), Ok(([5], ())), "it is this machine's");
    pmu.release().unwrap();
    assert!(unit.claim(S::driver(machine)).is_ok(), "an equal driver may be given again");
}

pub(crate) fn a_claimed_unit_is_found_without_being_carried<S: Subject>() {
    let machine = S::machine();
    let unit = Unit::<S::Driver, 0>::new();
    assert_eq!((unit.here().err(), unit.reclaim().err()), (Some(Error::NotClaimed), Some(Error::NotClaimed)));
    unit.claim(S::driver(machine)).unwrap();
    let counted = unit.here().unwrap().count([Event::INSTRUCTIONS], || machine.work(5));
    assert_eq!(counted, Ok(([5], ())));
}

pub(crate) fn a_unit_in_use_is_not_released<S: Subject>() {
    let bench = Bench::<S>::new();
    let session = bench.pmu.open([INSTRUCTIONS]).unwrap();
    assert_eq!(bench.pmu.release(), Err(Error::InUse(session.counter(0).unwrap().only())));
    drop(session);
    assert_eq!(bench.pmu.release(), Ok(()));
}

pub(crate) fn a_counter_that_was_given_back_interrupts_nobody<S: Subject>() {
    let bench = Bench::<S>::new();
    bench.pmu.count([INSTRUCTIONS; 2], || bench.machine.work(5)).unwrap();
    let mut session = bench.pmu.open([INSTRUCTIONS]).unwrap();
    session.start().unwrap();
    bench.machine.work(2 * bench.span() + 7);
    assert_eq!(session.read(), Ok([2 * bench.span() + 7]));
    assert_eq!(bench.handled().into_iter().find(|handled| *handled != Handled::Overflow), None);
}

pub(crate) fn a_use_on_another_cpu_is_an_error<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut session = bench.pmu.open([INSTRUCTIONS]).unwrap();
    session.start().unwrap();
    HERE.set(3);
    let wrong = Error::WrongCpu { owner: CpuId(0), here: CpuId(3) };
    assert_eq!(session.read(), Err(wrong));
    assert_eq!(session.stop(), Err(wrong));
    assert_eq!(bench.pmu.open([INSTRUCTIONS]).err(), Some(wrong));
    HERE.set(0);
    bench.machine.work(4);
    assert_eq!(session.read(), Ok([4]));
    bench.pmu.suspend().unwrap();
    HERE.set(3);
    assert_eq!(bench.unit.resume().err(), Some(wrong));
    HERE.set(0);
    bench.unit.resume().unwrap();
}

pub(crate) fn a_session_dropped_on_another_cpu_is_freed_at_home<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut session = bench.pmu.open([INSTRUCTIONS.every(400)]).unwrap();
    session.start().unwrap();
    HERE.set(1);
    drop(session);
    HERE.set(0);
    bench.machine.work(1000);
    assert!(bench.samples().len() <= 1, "its next interrupt stops it");
    let sessions: Vec<_> = (0..S::facts().room).map(|_| bench.pmu.open([INSTRUCTIONS])).collect();
    assert!(sessions.iter().all(Result::is_ok));
}

/// Its counter remembers whose it was last. A thread that has the counter under the next claim is not stopped for it.
pub(crate) fn a_session_dropped_elsewhere_before_a_claim_takes_nothing_under_it<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut session = bench.pmu.open([INSTRUCTIONS]).unwrap();
    session.start().unwrap();
    HERE.set(1);
    drop(session);
    HERE.set(0);
    bench.pmu.revoke().unwrap();
    let pmu = bench.unit.reclaim().unwrap();
    let mut context = Context::<S::Driver, 1>::new(1);
    context.bind(&pmu, [INSTRUCTIONS.every(400)]).unwrap();
    pmu.switch_in(&mut context);
    bench.machine.work(1000);
    drop(pmu.open([INSTRUCTIONS]));
    bench.machine.work(1000);
    pmu.switch_out(&mut context);
    assert_eq!((context.counts().unwrap().raw, bench.samples().len()), ([2000], 5));
}

pub(crate) fn an_ordinary_interrupt_comes_amid_no_operation<S: Subject>() {
    for lead in S::facts().some(0..ACCESSES) {
        let bench = Bench::<S>::new();
        bench.machine.delivery.set(Delivery::Maskable);
        let (pmu, unit, operated) = (bench.pmu, bench.unit, Rc::new(RefCell::new(Vec::new())));
        let mut session = pmu.open([INSTRUCTIONS.every(1000)]).unwrap();
        session.start().unwrap();
        let log = Rc::clone(&operated);
        bench.machine.on_interrupt(move |at| {
            assert_eq!(unit.on_overflow(at), Handled::Overflow);
            log.borrow_mut().push(pmu.evict());
        });
        bench.machine.work(1000 - lead);
        bench.machine.per_access.set(1);
        let mut other = pmu.open([INSTRUCTIONS]).unwrap();
        other.start().unwrap();
        other.stop().unwrap();
        drop(other);
        bench.machine.per_access.set(0);
        bench.machine.work(lead + 10);
        assert_eq!(operated.take(), [Ok(())], "lead {lead}: a scheduler's operation, from a handler");
    }
}

pub(crate) fn a_period_of_zero_is_refused<S: Subject>() {
    let bench = Bench::<S>::new();
    let refused = Error::Refused { request: 1, event: S::facts().other, name: None, reason: Refusal::PeriodZero };
    let requests = [INSTRUCTIONS, Request::new(S::facts().other).every(0)];
    assert_eq!(bench.pmu.open(requests).err(), Some(refused));
}

pub(crate) fn requests_beyond_the_counters_are_named_and_nothing_is_held<S: Subject>() {
    let bench = Bench::<S>::new();
    let requests = [INSTRUCTIONS; 40];
    let Some(Error::Conflict(conflict)) = bench.pmu.open(requests).err() else { panic!("40 do not fit") };
    assert!(conflict.requests.len() > S::facts().room);
    assert!(matches!(conflict.over, Contention::Counters(_)));
    let sessions: Vec<_> = (0..S::facts().room).map(|_| bench.pmu.open([INSTRUCTIONS])).collect();
    assert!(sessions.iter().all(Result::is_ok));
}

pub(crate) fn a_refused_request_leaves_nothing_programmed<S: Subject>() {
    let bench = Bench::<S>::new();
    let before = bench.machine.device.state();
    let nowhere = INSTRUCTIONS.pinned_to(CounterId::new(63).unwrap());
    for requests in [[INSTRUCTIONS, INSTRUCTIONS.every(0)], [INSTRUCTIONS, nowhere]] {
        assert!(bench.pmu.open(requests).is_err());
        assert_eq!(bench.machine.device.state(), before);
    }
    assert!(bench.pmu.open([INSTRUCTIONS; 40]).is_err());
    assert_eq!(bench.machine.device.state(), before);
}

pub(crate) fn a_pin_that_does_not_exist_is_named<S: Subject>() {
    let bench = Bench::<S>::new();
    let nowhere = CounterId::new(63).unwrap();
    let refused =
        Error::Refused { request: 0, event: Event::INSTRUCTIONS, name: None, reason: Refusal::NoSuchCounter(nowhere) };
    assert_eq!(bench.pmu.open([INSTRUCTIONS.pinned_to(nowhere)]).err(), Some(refused));
}

pub(crate) fn a_second_start_or_stop_changes_nothing<S: Subject>() {
    let bench = Bench::<S>::new();
    let mut session = bench.pmu.open([INSTRUCTIONS]).unwrap();
    session.stop().unwrap();
    for _ in 0..2 {
        session.start().unwrap();
        bench.machine.work(3);
    }
    for _ in 0..2 {
        session.stop().unwrap();
        bench.machine.work(100);
    }
    assert_eq!(session.read(), Ok([6]));
}

pub(crate) fn a_release_restores_what_was_there<S: Subject>() {
    let machine = S::machine();
    let before = machine.device.state();
    let unit = Unit::<S::Driver, 0>::new();
    let pmu = unit.claim(S::driver(machine)).unwrap();
    pmu.count([Event::INSTRUCTIONS, S::facts().other], || assert_ne!(machine.device.state(), before)).unwrap();
    pmu.release().unwrap();
    assert_eq!(machine.device.state(), before);
}

pub(crate) fn a_unit_that_does_not_count_is_found_out<S: Subject>() {
    let bench = Bench::<S>::new();
    assert_eq!(bench.pmu.check(1000, || bench.machine.work(1000)), Ok(()));
    assert_eq!(bench.pmu.check(1000, || ()), Err(Error::Silent { counted: 0, least: 1000 }));
}

/// A unit that other software has set up since its driver was detected: some drivers refuse one that is in use then.
pub(crate) fn machine_in_use<S: Subject>() -> (&'static Machine<S::Device>, S::Driver) {
    let machine = S::machine();
    let driver = S::driver(machine);
    let unit = Unit::<S::Driver, 0>::new();
    let pmu = unit.claim(S::driver(machine)).unwrap();
    let mut session = pmu.open([INSTRUCTIONS]).unwrap();
    session.start().unwrap();
    std::mem::forget(session);
    (machine, driver)
}

pub(crate) fn an_interrupt_amid_a_claim_changes_nothing<S: Subject>() {
    for accesses in S::facts().some(0..ACCESSES) {
        let (machine, driver) = machine_in_use::<S>();
        let before = machine.device.state();
        let unit: &'static Unit<S::Driver, 0> = Box::leak(Box::new(Unit::new()));
        machine.on_interrupt(move |at| assert_eq!(unit.on_overflow(at), Handled::NotMine));
        machine.interrupt_after(accesses);
        let pmu = unit.claim(driver).unwrap();
        machine.on_interrupt(|_| ());
        pmu.release().unwrap();
        assert_eq!(machine.device.state(), before, "access {accesses}");
    }
}

pub(crate) fn an_interrupt_amid_a_release_or_after_it_changes_nothing<S: Subject>() {
    for accesses in S::facts().some(0..ACCESSES) {
        let (machine, driver) = machine_in_use::<S>();
        let before = machine.device.state();
        let unit: &'static Unit<S::Driver, 0> = Box::leak(Box::new(Unit::new()));
        let pmu = unit.claim(driver).unwrap();
        machine.on_interrupt(move |at| assert_eq!(unit.on_overflow(at), Handled::NotMine));
        machine.interrupt_after(accesses);
        pmu.release().unwrap();
        machine.interrupt();
        assert_eq!(machine.device.state(), before, "access {accesses}");
    }
}
