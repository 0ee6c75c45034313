//! The unit in software: its faults, its overflows, and the rules that it holds the driver to.

use pmu::arch::x86::netburst::CounterGroup;
use pmu::arch::x86::netburst::{Cccr, Device, Escr, EscrId, Identity, Netburst, Share, View};
use pmu::arch::x86::{Index, Unattached};
use pmu::virt::{Device as _, Fault, Kinds, Strict, Trigger, Unconnected, Work};
use pmu::{Event, Mode, Request, Unit};

use crate::netburst::counter;
use crate::support::line::Line;

/// Cycles while not halted (global_power_events: RUNNING).
const CYCLES: Event = Event::raw(CounterGroup::Bpu.code(0x13, 6, 1));

fn device(identity: Identity) -> Device<Unconnected> {
    Device::new(&identity, Kinds::CLOCK, Unconnected)
}

/// Counter 0 counts clocks in the kernel, with these bits in its CCCR beside.
fn clocks<T: Trigger>(device: &Device<T>, more: Cccr) {
    device.try_write(EscrId::Fsb0.msr(), (Escr::of(0x13, 1) | Escr::T0_KERNEL).bits()).unwrap();
    let counting = Cccr::ENABLE | Cccr::select(6) | Cccr::active(3) | more;
    device.try_write(Cccr::msr(counter(0)), counting.bits()).unwrap();
}

#[test]
fn each_identity_is_detected_as_its_model() {
    let detected = Identity::ALL.map(|identity| {
        let driver = Netburst::detect(&identity, Box::leak(Box::new(device(identity))) as &_, Unattached);
        driver.unwrap().capabilities().model
    });
    assert_eq!(detected, [1, 2, 3, 4]);
}

#[test]
fn reserved_bits_fault_and_those_of_an_absent_thread_are_dropped() {
    let alone = device(Identity::PENTIUM_4);
    assert_eq!(alone.try_write(EscrId::Fsb0.msr(), 1 << 31), Err(Fault::Reserved));
    assert_eq!(alone.try_write(Cccr::msr(counter(3)), 1 << 11), Err(Fault::Reserved));
    alone.try_write(EscrId::Fsb0.msr(), 0xF).unwrap();
    assert_eq!(alone.try_read(EscrId::Fsb0.msr()), Ok(0xC));
    let thread = device(Identity::PENTIUM_4.with_share(Share::Thread1));
    thread.try_write(EscrId::Fsb0.msr(), 0xF).unwrap();
    assert_eq!(thread.try_read(EscrId::Fsb0.msr()), Ok(0xF));
}

#[test]
fn an_overflow_sets_ovf_until_it_is_written_and_interrupts_its_own_thread_alone() {
    for (more, interrupts) in [(Cccr::INTERRUPT_T0, 1), (Cccr::INTERRUPT_T1, 0), (Cccr::empty(), 0)] {
        let identity = Identity::PENTIUM_4.with_share(Share::Thread0);
        let device = Device::new(&identity, Kinds::CLOCK, Line::default());
        device.try_write(Cccr::counter_msr(counter(0)), 0xFF_FFFF_FFFE).unwrap();
        clocks(&device, more);
        device.advance(&Work::instructions(Mode::Kernel, 3));
        let cccr = Cccr::from_bits_retain(device.try_read(Cccr::msr(counter(0))).unwrap());
        assert!(cccr.contains(Cccr::OVERFLOW));
        assert_eq!((device.trigger().rises(), device.try_read(Cccr::counter_msr(counter(0)))), (interrupts, Ok(1)));
        device.try_write(Cccr::msr(counter(0)), (cccr - Cccr::OVERFLOW).bits()).unwrap();
        let after = Cccr::from_bits_retain(device.try_read(Cccr::msr(counter(0))).unwrap());
        assert!(!after.contains(Cccr::OVERFLOW));
    }
}

#[test]
fn a_counter_that_compares_for_more_than_all_events_counts_every_cycle() {
    let device = device(Identity::PENTIUM_4);
    clocks(&device, Cccr::COMPARE | Cccr::COMPLEMENT | Cccr::than(15));
    device.advance(&Work::instructions(Mode::Kernel, 40));
    assert_eq!(device.try_read(Cccr::counter_msr(counter(0))), Ok(40));
    clocks(&device, Cccr::COMPARE | Cccr::than(1));
    device.advance(&Work::instructions(Mode::Kernel, 40));
    assert_eq!(device.try_read(Cccr::counter_msr(counter(0))), Ok(40));
    assert!(device.unfed().contains(counter(0)));
}

#[test]
fn a_fast_read_returns_the_low_half_of_a_counter() {
    let device = device(Identity::PENTIUM_4);
    device.try_write(Cccr::counter_msr(counter(17)), 0x12_3456_789A).unwrap();
    let read = |ecx| device.try_read_counter(Index::from_raw(ecx).unwrap());
    assert_eq!([read(17), read(1 << 31 | 17)], [Ok(0x12_3456_789A), Ok(0x3456_789A)]);
    assert_eq!(read(1 << 31 | 18), Err(Fault::Absent));
}

/// A unit that panics where a driver breaks a rule.
#[test]
fn the_driver_keeps_every_rule_in_each_view() {
    for (view, share) in [(View::Bank, Share::Whole), (View::All, Share::Whole), (View::All, Share::Thread1)] {
        let identity = Identity::PENTIUM_4.with_share(share);
        let device = Strict(Device::new(&identity, Kinds::CLOCK, Unconnected));
        let unit: &Unit<_, 16> = Box::leak(Box::new(Unit::new()));
        let mut capabilities = identity.capabilities();
        capabilities.view = view;
        let pmu = unit.claim(Netburst::new(&device, Unattached, capabilities)).unwrap();
        let mut first = pmu.open([Request::new(Event::INSTRUCTIONS)]).unwrap();
        first.start().unwrap();
        device.0.advance(&Work::instructions(Mode::Kernel, 100));
        let mut second = pmu.open([Request::new(CYCLES), Request::new(Event::INSTRUCTIONS)]).unwrap();
        second.start().unwrap();
        device.0.advance(&Work::instructions(Mode::Kernel, 10));
        first.stop().unwrap();
        device.0.advance(&Work::instructions(Mode::Kernel, 1));
        assert_eq!((first.read().unwrap(), second.read().unwrap()), ([110], [11, 11]));
        drop((first, second));
        pmu.release().unwrap();
    }
}

#[test]
fn a_counter_counts_in_the_states_of_the_threads_that_it_is_told() {
    let counted = |identity: Identity, active| {
        let device = device(identity);
        device.try_write(EscrId::Fsb0.msr(), (Escr::of(0x13, 1) | Escr::T0_KERNEL).bits()).unwrap();
        let counting = Cccr::ENABLE | Cccr::select(6) | Cccr::active(active);
        device.try_write(Cccr::msr(counter(0)), counting.bits()).unwrap();
        device.advance(&Work::instructions(Mode::Kernel, 10));
        device.try_read(Cccr::counter_msr(counter(0))).unwrap()
    };
    assert_eq!([0, 1, 2, 3].map(|active| counted(Identity::PENTIUM_4, active)), [0, 0, 0, 10]);
    let thread = Identity::PENTIUM_4.with_share(Share::Thread0);
    assert_eq!([0, 1, 2, 3].map(|active| counted(thread, active)), [0, 10, 0, 10], "the other thread does nothing");
}
