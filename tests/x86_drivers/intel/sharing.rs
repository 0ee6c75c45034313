//! Counters that are somebody else's, as detection finds them.

use pmu::arch::x86::intel::{Device, FixedControl, Identity, Intel, Select};
use pmu::arch::x86::{Msr, Unattached, Window};
use pmu::driver::{Plan, Registers};
use pmu::request::Refusal;
use pmu::virt::{Device as _, Kinds, Unconnected, Work};
use pmu::{CounterSet, Error, Event, Interrupted, Mode, Request, Unit};

use super::counter;

type Driver<'d> = Intel<&'d Device<Unconnected>, Unattached>;

fn device(identity: &Identity) -> Device<Unconnected> {
    Device::new(identity, Kinds::CLOCK, Unconnected)
}

fn detect<'d>(identity: &Identity, device: &'d Device<Unconnected>) -> pmu::Result<Driver<'d>> {
    Intel::detect(identity, device, Unattached)
}

/// A watchdog counts instructions on general counter 1 and cycles on fixed counter 1, in ring 0.
fn start_watchdog(device: &Device<Unconnected>) {
    let select = Select::KERNEL | Select::INTERRUPT | Select::ENABLE;
    device.write(Msr::select(1).unwrap(), select.bits() | 0xC0);
    let control = FixedControl::KERNEL | FixedControl::INTERRUPT;
    device.write(Msr::FIXED_CONTROL, control.within(counter(33), 0));
    device.write(Msr::GLOBAL_CONTROL, watched().bits());
}

fn watched() -> CounterSet {
    counter(1).only().or(counter(33).only())
}

/// What the watchdog's counters hold.
fn watchdog(device: &Device<Unconnected>) -> [u64; 2] {
    [device.read(Msr::counter(Window::Narrow, 1).unwrap()), device.read(Msr::fixed(1).unwrap())]
}

fn work(device: &Device<Unconnected>, instructions: u64) {
    device.advance(&Work::instructions(Mode::Kernel, instructions));
}

#[test]
fn counters_that_count_for_somebody_else_are_left_out_and_reported() {
    let (identity, device) = (Identity::SKYLAKE, device(&Identity::SKYLAKE));
    start_watchdog(&device);
    let before = device.state();
    let driver = detect(&identity, &device).unwrap();
    assert_eq!(device.state(), before);
    let unit = Unit::<Driver, 0>::new();
    let pmu = unit.claim(driver).unwrap();
    let description = pmu.description();
    assert_eq!(description.used_by_others, watched());
    assert!(description.counters().all(|counter| !watched().contains(counter)));
    assert!(description.to_string().ends_with("counters {1, 33} are used by others"), "{description}");
}

#[test]
fn a_request_that_only_somebody_elses_counter_could_count_says_whose_it_is_and_the_way_out() {
    let (identity, device) = (Identity::SKYLAKE, device(&Identity::SKYLAKE));
    start_watchdog(&device);
    let driver = detect(&identity, &device).unwrap();
    let refused = |request: Request| driver.encode(&request).err();
    let instructions = Request::new(Event::raw(0x00C0));
    assert_eq!(refused(instructions.pinned_to(counter(1))), Some(Refusal::UsedByOthers(counter(1).only())));
    let of_fixed_1 = Request::new(Event::raw(0x0200));
    let refusal = refused(of_fixed_1).unwrap();
    assert_eq!(refusal, Refusal::UsedByOthers(counter(33).only()));
    let text = refusal.to_string();
    assert!(text.contains("firmware or a watchdog; disable them in the firmware's setup"), "{text}");
    assert_eq!(refused(instructions.pinned_to(counter(9))), Some(Refusal::NoSuchCounter(counter(9))));
    assert_eq!(refused(instructions.pinned_to(counter(32)).threshold(1)), Some(Refusal::CounterCannot(counter(32))));
    assert_eq!(refused(instructions.pinned_to(counter(2))), None);
}

#[test]
fn somebody_elses_counters_go_on_while_the_unit_is_claimed_counts_and_is_released() {
    let (identity, device) = (Identity::SKYLAKE, device(&Identity::SKYLAKE));
    start_watchdog(&device);
    let unit = Unit::<Driver, 0>::new();
    let pmu = unit.claim(detect(&identity, &device).unwrap()).unwrap();
    work(&device, 10);
    let all = (0..9).map(|_| Request::new(Event::INSTRUCTIONS));
    let mut sessions: Vec<_> = all.map_while(|request| pmu.open([request]).ok()).collect();
    assert_eq!(sessions.len(), 8, "seven general counters and fixed counter 0");
    for session in &mut sessions {
        session.start().unwrap();
        work(&device, 10);
        session.stop().unwrap();
        assert_eq!(session.read(), Ok([10]));
        work(&device, 10);
    }
    drop(sessions);
    pmu.suspend().unwrap();
    work(&device, 10);
    let pmu = unit.resume().unwrap();
    work(&device, 10);
    pmu.release().unwrap();
    work(&device, 10);
    let passed = 10 + 8 * 20 + 30;
    assert_eq!(watchdog(&device), [passed; 2]);
    let control = device.try_read(Msr::GLOBAL_CONTROL).unwrap();
    assert_eq!(control, watched().bits());
}

/// The watchdog's interrupt comes to the unit's handler, and its overflow is left for the watchdog.
#[test]
fn an_overflow_of_somebody_elses_counter_is_not_the_units_and_stays() {
    let (identity, device) = (Identity::SKYLAKE, device(&Identity::SKYLAKE));
    start_watchdog(&device);
    let unit = Unit::<Driver, 0>::new();
    let pmu = unit.claim(detect(&identity, &device).unwrap()).unwrap();
    device.write(Msr::GLOBAL_SET, watched().bits());
    assert!(!unit.on_overflow(Interrupted::new(0x1000, Mode::Kernel)).is_mine());
    work(&device, 5);
    assert_eq!(watchdog(&device), [5; 2]);
    pmu.release().unwrap();
    assert_eq!(device.try_read(Msr::GLOBAL_STATUS), Ok(watched().bits()));
}

/// Firmware and earlier kernels leave such selectors. IA32_PERF_GLOBAL_INUSE has them.
#[test]
fn a_counter_that_was_selected_and_does_not_count_is_nobodys() {
    let identity = Identity::SKYLAKE;
    for (enable, global) in [(0, 0xFF), (Select::ENABLE.bits(), 0)] {
        let device = device(&identity);
        device.write(Msr::select(1).unwrap(), Select::KERNEL.bits() | enable | 0xC0);
        device.write(Msr::GLOBAL_CONTROL, global);
        assert_eq!(device.try_read(Msr::GLOBAL_IN_USE), Ok(1 << 1));
        let driver = detect(&identity, &device).unwrap();
        assert_eq!(driver.capabilities().used_by_others, CounterSet::EMPTY);
        assert_eq!(driver.capabilities().general, CounterSet::first(8));
    }
}

/// Before version 4 there is no such register, and reading it faults.
#[test]
fn before_version_4_nobody_can_say_that_a_counter_is_in_use() {
    for identity in [Identity::CORE_DUO, Identity::CORE_2, Identity::NEHALEM] {
        let device = device(&identity);
        device.write(Msr::select(1).unwrap(), (Select::KERNEL | Select::ENABLE).bits() | 0xC0);
        let driver = detect(&identity, &device).unwrap();
        assert_eq!(driver.capabilities().used_by_others, CounterSet::EMPTY, "{}", identity.name());
    }
}

#[test]
fn a_unit_whose_counters_are_all_in_use_is_refused() {
    let identity = Identity::SKYLAKE;
    let device = device(&identity);
    let all = identity.capabilities().counters_of_all_kinds();
    for number in 0..8 {
        device.write(Msr::select(number).unwrap(), (Select::KERNEL | Select::ENABLE).bits() | 0xC0);
    }
    device.write(Msr::FIXED_CONTROL, 0x111);
    device.write(Msr::GLOBAL_CONTROL, all.bits());
    assert_eq!(detect(&identity, &device).err(), Some(Error::UsedByOthers(all)));
}

/// A Skylake whose microcode takes counter 3 while transactions are not aborted.
const TRANSACTIONAL: Identity = Identity::SKYLAKE.with_force_abort();

const WITHOUT_3: CounterSet = CounterSet::from_bits(0b1111_0111);

#[test]
fn counter_3_is_left_to_the_microcode_until_transactions_are_aborted() {
    let device = device(&TRANSACTIONAL);
    let driver = detect(&TRANSACTIONAL, &device).unwrap();
    assert_eq!((driver.capabilities().general, driver.capabilities().aborts), (WITHOUT_3, Some(false)));
    assert_eq!(device.try_read(Msr::FORCE_ABORT), Ok(0), "transactions are the kernel's to abort");
    device.write(Msr::FORCE_ABORT, 1);
    let driver = detect(&TRANSACTIONAL, &device).unwrap();
    assert_eq!((driver.capabilities().general, driver.capabilities().aborts), (CounterSet::first(8), Some(true)));
    let plain = Identity::SKYLAKE.capabilities();
    assert_eq!((plain.general, plain.aborts), (CounterSet::first(8), None));
}

/// What is placed on it, and what a unit of the microcode's counts there.
#[test]
fn nothing_is_placed_on_counter_3_of_the_microcode_which_counts_nothing() {
    let device = device(&TRANSACTIONAL);
    let unit = Unit::<Driver, 0>::new();
    let pmu = unit.claim(detect(&TRANSACTIONAL, &device).unwrap()).unwrap();
    let sessions: Vec<_> = (0..9).map_while(|_| pmu.open([Request::new(Event::raw(0x00C4))]).ok()).collect();
    assert_eq!(sessions.len(), 7);
    drop(sessions);
    pmu.release().unwrap();
    device.write(Msr::select(3).unwrap(), (Select::KERNEL | Select::ENABLE).bits() | 0xC0);
    device.write(Msr::GLOBAL_CONTROL, 1 << 3);
    let counted = || device.try_read(Msr::counter(Window::Narrow, 3).unwrap());
    work(&device, 10);
    assert_eq!(counted(), Ok(0));
    device.write(Msr::FORCE_ABORT, 1);
    work(&device, 10);
    assert_eq!(counted(), Ok(10));
}

/// A sleep resets the register.
#[test]
fn counter_3_counts_again_after_a_sleep() {
    let device = device(&TRANSACTIONAL);
    device.write(Msr::FORCE_ABORT, 1);
    let unit = Unit::<Driver, 0>::new();
    let pmu = unit.claim(detect(&TRANSACTIONAL, &device).unwrap()).unwrap();
    let mut session = pmu.open([Request::new(Event::raw(0x00C0)).pinned_to(counter(3))]).unwrap();
    session.start().unwrap();
    work(&device, 10);
    pmu.suspend().unwrap();
    device.reset();
    assert_eq!(device.try_read(Msr::FORCE_ABORT), Ok(0));
    unit.resume().unwrap();
    work(&device, 10);
    assert_eq!(session.read(), Ok([20]));
}
