//! The firmware's unit as its driver has it: how it is detected, and what the driver refuses.

use crate::support::registers::Altered;
use pmu::arch::riscv::Csr;
use pmu::arch::riscv::hpm::sbi::{Address, Host, Line, Sbi, SbiError};
use pmu::arch::riscv::hpm::{Announced, Extensions, Identity, Model};
use pmu::driver::{Overflow, Plan as _, Registers as _, counters_for};
use pmu::request::Refusal;
use pmu::virt::{Delivery, Device as _, Kinds, Unconnected, Work};
use pmu::{CounterId, Error, Event, Handled, Interrupted, Mode, Modes, Request, Unit};

/// The first event of the firmware.
const FIRMWARE: u64 = 0xF_0000;
/// An event of the processor's own: its selection is in the lower bits. 48 bits, or 56 from version 3.0 of the SBI on.
const RAW: u64 = 1 << 63;

type Plain = Host<Unconnected>;

const FEW: Identity = Identity::RV64.with_counters(0xFD);

fn host(identity: Identity) -> Plain {
    Host::new(&identity, Kinds::CLOCK, Unconnected)
}

fn driver(identity: Identity) -> Sbi<Plain> {
    Sbi::detect(host(identity), &identity.announced(), Line::Local, &[]).unwrap()
}

fn refusal(identity: Identity, request: Request) -> Option<Refusal> {
    driver(identity).encode(&request).err()
}

#[test]
fn the_firmware_is_asked_which_counters_count_an_event() {
    let driver = driver(Identity::QEMU.with_counters(0x7F));
    let able = |event| counters_for(&driver, &Request::new(event)).bits();
    // QEMU counts each event on one counter, and cycles and instructions on their own.
    let expected = [1 | 1 << 3, 1 << 2 | 1 << 4, 1 << 5, 0];
    assert_eq!([Event::CYCLES, Event::INSTRUCTIONS, Event::raw(0x1_0019), Event::raw(0x1_0000)].map(able), expected);
}

#[test]
fn detection_leaves_cycle_and_instret_running_and_every_other_counter_without_an_event() {
    let host = host(FEW);
    let before = host.state();
    let driver = Sbi::detect(&host, &FEW.announced(), Line::Local, &[]).unwrap();
    assert_eq!(driver.capabilities().hardware.bits(), 0xFD);
    assert_eq!(host.state().unit.inhibited, before.unit.inhibited);
    assert_eq!(host.state().configured, before.configured);
}

#[test]
fn a_firmware_without_the_extension_has_no_unit() {
    let silent = Altered::new(host(FEW)).reading(|_, _| SbiError::pack(Err(SbiError::NotSupported)));
    let outcome = Sbi::detect(silent, &Announced::new(Extensions::from_isa("rv64imac")), Line::Local, &[]).map(drop);
    assert!(matches!(outcome, Err(Error::NoUnit { reason }) if reason.contains("0x504D55")), "{outcome:?}");
}

#[test]
fn the_firmwares_counters_do_not_interrupt_and_know_no_modes() {
    let timers = Request::new(Event::raw(FIRMWARE + 5));
    assert_eq!(refusal(FEW, timers), None);
    assert!(matches!(refusal(FEW, timers.every(100)), Some(Refusal::Impossible(_))));
    assert!(matches!(refusal(FEW, timers.modes(Modes::USER)), Some(Refusal::Impossible(_))));
}

#[test]
fn modes_that_no_supervisor_can_ask_for_are_refused() {
    for modes in [Modes::NONE, Modes::HYPERVISOR] {
        let request = Request::new(Event::INSTRUCTIONS).modes(modes);
        assert_eq!(refusal(FEW, request), Some(Refusal::Modes { able: Modes::ALL }));
    }
}

#[test]
fn without_sscofpmf_a_period_is_refused() {
    let plain = Identity::RV64_PLAIN.with_counters(0xFD);
    assert_eq!(refusal(plain, Request::new(Event::CYCLES).every(100_000)), Some(Refusal::NoInterrupt));
    assert_eq!(driver(plain).description().overflow, Overflow::None);
}

#[test]
fn what_was_not_asked_for_is_refused_and_what_the_kernel_names_is_asked_for() {
    let own = RAW | 0x4001;
    let refused = refusal(FEW, Request::new(Event::raw(own)));
    assert!(matches!(refused, Some(Refusal::Impossible(why)) if why.contains("Sbi::detect")), "{refused:?}");
    let driver = Sbi::detect(host(FEW), &FEW.announced(), Line::Local, &[own]).unwrap();
    assert_eq!(driver.encode(&Request::new(Event::raw(own))).err(), None);
    let beyond = Request::new(Event::raw(1 << 20));
    assert_eq!(driver.encode(&beyond).err(), Some(Refusal::ReservedBits(1 << 20)));
}

/// Without Smcntrpmf cycle and instret count the firmware's own instructions.
#[test]
fn where_the_firmware_would_be_counted_other_counters_come_first() {
    let announced = Announced::new(Extensions::from_isa("rv64imac_sscofpmf")).with_model(Model::Indexed);
    let driver = Sbi::detect(host(FEW), &announced, Line::Local, &[]).unwrap();
    let cycle = CounterId::new(0).unwrap();
    assert!(!counters_for(&driver, &Request::new(Event::CYCLES).pinned_to(CounterId::new(3).unwrap())).is_empty());
    let able = driver.encode(&Request::new(Event::CYCLES)).map(|_| ());
    assert_eq!(able, Ok(()));
    assert_eq!(driver.encode(&Request::new(Event::CYCLES).pinned_to(cycle)).err(), None, "who wants it has it");
}

#[test]
fn what_the_firmware_does_is_counted_on_its_own_counter() {
    let host = host(FEW);
    let unit = Unit::<Sbi<&Plain>, 0>::new();
    let pmu = unit.claim(Sbi::detect(&host, &FEW.announced(), Line::Local, &[]).unwrap()).unwrap();
    let work = || {
        host.count_firmware(5, 7);
        host.count_firmware(6, 9);
        host.advance(&Work::instructions(Mode::Kernel, 100));
    };
    let ([timers, instructions], ()) = pmu.count([Event::raw(FIRMWARE + 5), Event::INSTRUCTIONS], work).unwrap();
    assert_eq!((timers, instructions), (7, 100));
}

/// The firmware counts one of its events before each call.
#[test]
fn halves_of_the_firmwares_counters_are_read_without_a_tear_whenever_they_carry() {
    let few = Identity::RV32.with_counters(0xFD);
    for lead in 0..16 {
        let host = host(few);
        let unit = Unit::<_, 0>::new();
        let ticking = Altered::new(&host).before(|host, _| host.count_firmware(5, 1));
        let driver = Sbi::detect(ticking, &few.announced(), Line::Local, &[]).unwrap();
        let pmu = unit.claim(driver).unwrap();
        let mut session = pmu.open([Event::raw(FIRMWARE + 5)]).unwrap();
        session.start().unwrap();
        host.count_firmware(5, (1 << 32) - lead);
        let [read] = session.read().unwrap();
        assert!(((1 << 32) - lead..=(1 << 32) + 16).contains(&read), "{read:#x} with a lead of {lead}");
    }
}

#[test]
fn a_software_event_of_a_firmware_without_them_is_refused_with_the_way_out() {
    let refused = Sbi::detect(host(FEW), &FEW.announced(), Line::Software, &[]).map(|_| ());
    assert!(matches!(refused, Err(Error::NoUnit { reason }) if reason.contains("use Line::Local")), "{refused:?}");
}

#[test]
fn an_interrupt_of_either_line_that_waited_is_the_units_however_late_it_comes() {
    for line in [Line::Local, Line::Software] {
        let delivery = if line == Line::Software { Delivery::Nmi } else { Delivery::Maskable };
        let host = host(FEW).with_delivery(delivery);
        let unit = Unit::<Sbi<&Plain>, 16>::new();
        let pmu = unit.claim(Sbi::detect(&host, &FEW.announced(), line, &[]).unwrap()).unwrap();
        let mut session = pmu.open([Request::new(Event::INSTRUCTIONS).every(10_000)]).unwrap();
        session.start().unwrap();
        host.advance(&Work::instructions(Mode::Kernel, 10_000));
        session.stop().unwrap();
        host.advance(&Work::instructions(Mode::Kernel, 1 << 40));
        let handled = [(); 2].map(|()| unit.on_overflow(Interrupted::new(0, Mode::Kernel)));
        assert_eq!(handled, [Handled::Late, Handled::NotMine], "{line:?}");
    }
}

/// "Sscofpmf", "Supervisor Count Overflow": in VS a bit is the logical AND of OF and of the bits of mcounteren and hcounteren.
/// Here no read of scountovf is trapped, and hcounteren keeps its bits 0.
#[test]
fn a_guest_whose_scountovf_shows_nothing_samples_all_the_same() {
    let host = host(FEW);
    let unit = Unit::<_, 16>::new();
    let in_vs =
        Altered::new(&host).reading(|host, at| if at == Address::Csr(Csr::SCOUNTOVF) { 0 } else { host.read(at) });
    let driver = Sbi::detect(in_vs, &FEW.announced(), Line::Local, &[]).unwrap();
    let pmu = unit.claim(driver).unwrap();
    let mut session = pmu.open([Request::new(Event::INSTRUCTIONS).every(10_000)]).unwrap();
    session.start().unwrap();
    for period in 1..=3 {
        host.advance(&Work::instructions(Mode::Kernel, 10_000));
        assert_eq!(unit.on_overflow(Interrupted::new(period, Mode::Kernel)), Handled::Overflow);
    }
    assert_eq!(session.read(), Ok([30_000]));
    assert_eq!(unit.samples().unwrap().count(), 3);
}
