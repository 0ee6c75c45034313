//! A unit with the errata that the driver works around: what a write leaves in a counter, and overflows without OVF.

use std::cell::RefCell;
use std::collections::BTreeMap;

use pmu::arch::x86::netburst::{Cccr, Device, Identity, Netburst};
use pmu::arch::x86::{Msr, Unattached};
use pmu::driver::Registers;
use pmu::virt::{Device as _, Kinds, Unconnected, Work};
use pmu::{Event, Handled, Interrupted, Mode, Pmu, Request, Unit};

use crate::netburst::counter;
use crate::support::registers::Altered;

/// A Pentium 4 with errata.
///
/// - Events that wait at a counter's input are added when the counter is written, and may carry into its upper eight
///   bits: it is then 2^32 too high (Intel Xeon Processor MP Specification Update, O8, which reads as the Pentium 4's N15,
///   for which OProfile's op_model_p4.c and Linux write twice). Here that happens whenever the counter has counted since
///   it was written.
/// - A counter overflows and interrupts, and its CCCR does not say so (torvalds/linux, arch/x86/events/intel/p4.c). Here
///   it never does.
type Flawed = Altered<'static, Device<Unconnected>>;

const CARRY: u64 = 1 << 32;
const LAST: u64 = (1 << 40) - 1;

fn is_counter(at: Msr) -> bool {
    (0x300..=0x311).contains(&at.address())
}

fn is_cccr(at: Msr) -> bool {
    (0x360..=0x371).contains(&at.address())
}

fn flawed() -> &'static Flawed {
    let written = RefCell::new(BTreeMap::new());
    Altered::new(Device::new(&Identity::PENTIUM_4, Kinds::CLOCK, Unconnected))
        .reading(|device, at| device.read(at) & if is_cccr(at) { !Cccr::OVERFLOW.bits() } else { u64::MAX })
        .writing(move |device, at, value| {
            if !is_counter(at) {
                return device.write(at, value);
            }
            let mut written = written.borrow_mut();
            let has_counted = written.get(&at.address()).copied().unwrap_or(0) != device.read(at);
            let value = if has_counted { value.wrapping_add(CARRY) & LAST } else { value & LAST };
            device.write(at, value);
            written.insert(at.address(), value);
        })
        .leaked()
}

fn work(registers: &Flawed, instructions: u64) {
    registers.advance(&Work::instructions(Mode::Kernel, instructions));
}

type Driver = Netburst<&'static Flawed, Unattached>;
type Claimed = &'static Unit<Driver, 16>;

fn claimed(registers: &'static Flawed) -> (Claimed, Pmu<'static, Driver>) {
    let unit: Claimed = Box::leak(Box::new(Unit::new()));
    let driver = Netburst::detect(&Identity::PENTIUM_4, registers, Unattached).expect("it has a unit");
    (unit, unit.claim(driver).expect("nobody has claimed it"))
}

#[test]
fn one_write_of_a_counter_that_has_counted_leaves_it_far_too_high() {
    let registers = flawed();
    let (_, pmu) = claimed(registers);
    let mut session = pmu.open([Request::new(Event::INSTRUCTIONS).pinned_to(counter(17))]).unwrap();
    session.start().unwrap();
    work(registers, 5);
    session.stop().unwrap();
    let at = Cccr::counter_msr(counter(17));
    let left = [1, 2].map(|_| {
        registers.write(at, 7);
        registers.read(at)
    });
    assert_eq!(left, [CARRY + 7, 7]);
}

#[test]
fn every_period_is_exact_although_a_first_write_leaves_a_carry_and_no_cccr_tells_of_an_overflow() {
    let registers = flawed();
    let (unit, pmu) = claimed(registers);
    let requests = [Request::new(Event::INSTRUCTIONS).every(1000), Request::new(Event::CYCLES)];
    let mut session = pmu.open(requests).unwrap();
    session.start().unwrap();
    for period in 1..=20 {
        work(registers, 999);
        assert_eq!(unit.on_overflow(Interrupted::default()), Handled::NotMine, "period {period}");
        work(registers, 1);
        let handled = unit.on_overflow(Interrupted::default());
        assert!(handled.is_mine(), "period {period}: {handled:?}");
    }
    session.stop().unwrap();
    assert_eq!((session.read(), unit.samples().unwrap().count()), (Ok([20_000; 2]), 16));
}

#[test]
fn a_release_puts_back_what_a_counter_held_before_it_counted() {
    let registers = flawed();
    let at = Cccr::counter_msr(counter(17));
    for _ in 0..2 {
        registers.write(at, 0x12_3456_789A);
    }
    let (_, pmu) = claimed(registers);
    assert_eq!(
        pmu.count([Request::new(Event::INSTRUCTIONS).pinned_to(counter(17))], || work(registers, 40)).unwrap().0,
        [40]
    );
    pmu.release().unwrap();
    assert_eq!(registers.read(at), 0x12_3456_789A);
    assert_eq!(registers.read(Cccr::msr(counter(17))) & Cccr::ENABLE.bits(), 0);
}
