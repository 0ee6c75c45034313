//! A unit that its kernel lets freeze at an overflow: DebugCtl's bit for that is not the driver's.

use std::cell::Cell;

use pmu::arch::x86::amd::{Amd, Device, Identity};
use pmu::arch::x86::{Index, Msr, Unattached};
use pmu::driver::Registers;
use pmu::virt::{Device as _, Unconnected, Work};
use pmu::{Event, Handled, Interrupted, Mode, Request, Unit};

use crate::amd::device;
use crate::support::registers;

/// PMC_FROZEN of PerfCntrGlobalStatus (APM vol. 2, "Performance Monitoring Counters").
const FROZEN: u64 = 1 << 59;

/// Zen 4, whose counters stand still from an overflow on until the status is cleared of it.
struct Freezing {
    device: &'static Device<Unconnected>,
    frozen: Cell<bool>,
}

impl Freezing {
    fn new(frozen: bool) -> &'static Self {
        Box::leak(Box::new(Self { device: device(&Identity::ZEN_4), frozen: Cell::new(frozen) }))
    }

    fn work(&self, instructions: u64) {
        if !self.frozen.get() {
            self.device.advance(&Work::instructions(Mode::Kernel, instructions));
            self.frozen.set(self.device.read(Msr::CORE_STATUS) != 0);
        }
    }
}

impl Registers for &Freezing {
    type Address = Msr;
    type Index = Index;

    registers::rest_of!(device);

    fn read(&self, at: Msr) -> u64 {
        let frozen = at == Msr::CORE_STATUS && self.frozen.get();
        self.device.read(at) | if frozen { FROZEN } else { 0 }
    }

    fn write(&self, at: Msr, value: u64) {
        match at {
            Msr::CORE_RESET if value & FROZEN != 0 => self.frozen.set(false),
            Msr::CORE_SET if value & FROZEN != 0 => self.frozen.set(true),
            _ => {}
        }
        self.device.write(at, value);
    }
}

type Driver = Amd<&'static Freezing, Unattached>;

fn unit() -> &'static Unit<Driver, 16> {
    Box::leak(Box::new(Unit::new()))
}

fn driver(processor: &'static Freezing) -> Driver {
    let mut capabilities = Identity::ZEN_4.capabilities();
    capabilities.freezes = true;
    Amd::new(processor, Unattached, capabilities)
}

#[test]
fn counters_that_froze_at_an_overflow_count_again_once_it_is_acknowledged() {
    let (processor, unit) = (Freezing::new(false), unit());
    let pmu = unit.claim(driver(processor)).unwrap();
    let mut session = pmu.open([Request::new(Event::INSTRUCTIONS).every(1000)]).unwrap();
    session.start().unwrap();
    for _ in 0..3 {
        processor.work(1000);
        assert!(processor.frozen.get());
        assert_eq!(unit.on_overflow(Interrupted::default()), Handled::Overflow);
    }
    processor.work(10);
    assert_eq!(session.read().unwrap(), [3010]);
}

/// The overflow was accounted for already, and no acknowledgement follows.
#[test]
fn counters_that_froze_count_again_after_an_interrupt_that_finds_no_overflow() {
    let (processor, unit) = (Freezing::new(false), unit());
    let pmu = unit.claim(driver(processor)).unwrap();
    let mut session = pmu.open([Request::new(Event::INSTRUCTIONS).every(1000)]).unwrap();
    session.start().unwrap();
    processor.frozen.set(true);
    assert_eq!(unit.on_overflow(Interrupted::default()), Handled::NotMine);
    processor.work(10);
    assert_eq!(session.read().unwrap(), [10]);
}

#[test]
fn a_unit_that_is_claimed_frozen_counts_and_is_given_back_frozen() {
    let processor = Freezing::new(true);
    let pmu = unit().claim(driver(processor)).unwrap();
    let mut session = pmu.open([Request::new(Event::INSTRUCTIONS)]).unwrap();
    session.start().unwrap();
    processor.work(10);
    assert_eq!(session.read().unwrap(), [10]);
    drop(session);
    pmu.release().unwrap();
    assert!(processor.frozen.get());
}
