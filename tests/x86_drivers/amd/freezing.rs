//! A unit that its kernel lets freeze at an overflow: DebugCtl's bit for that is not the driver's.

use std::cell::Cell;

use pmu::arch::x86::amd::{Amd, Device, Identity};
use pmu::arch::x86::{Msr, Unattached};
use pmu::driver::Registers as _;
use pmu::virt::{Device as _, Unconnected, Work};
use pmu::{Event, Handled, Interrupted, Mode, Pmu, Request, Unit};

use crate::amd::device;
use crate::support::registers::{Altered, Step};

/// PMC_FROZEN of PerfCntrGlobalStatus (APM vol. 2, "Performance Monitoring Counters").
const FROZEN: u64 = 1 << 59;

/// Zen 4, whose counters stand still from an overflow on until the status is cleared of it.
struct Freezing {
    device: &'static Device<Unconnected>,
    frozen: &'static Cell<bool>,
    unit: &'static Unit<Driver, 16>,
}

type Registers = Altered<'static, &'static Device<Unconnected>>;
type Driver = Amd<&'static Registers, Unattached>;

impl Freezing {
    fn new(frozen: bool) -> Self {
        let frozen: &'static Cell<bool> = Box::leak(Box::new(Cell::new(frozen)));
        Self { device: device(&Identity::ZEN_4), frozen, unit: Box::leak(Box::new(Unit::new())) }
    }

    fn registers(&self) -> &'static Registers {
        let frozen = self.frozen;
        let status = move |at| if at == Msr::CORE_STATUS && frozen.get() { FROZEN } else { 0 };
        let acknowledge = move |step| match step {
            Step::Write(Msr::CORE_RESET, value) if value & FROZEN != 0 => frozen.set(false),
            Step::Write(Msr::CORE_SET, value) if value & FROZEN != 0 => frozen.set(true),
            _ => {}
        };
        let registers = Altered::new(self.device).before(move |_, step| acknowledge(step));
        registers.reading(move |device, at| device.read(at) | status(at)).leaked()
    }

    fn claim(&self) -> Pmu<'static, Driver> {
        let mut capabilities = Identity::ZEN_4.capabilities();
        capabilities.freezes = true;
        self.unit.claim(Amd::new(self.registers(), Unattached, capabilities)).unwrap()
    }

    fn work(&self, instructions: u64) {
        if !self.frozen.get() {
            self.device.advance(&Work::instructions(Mode::Kernel, instructions));
            self.frozen.set(self.device.read(Msr::CORE_STATUS) != 0);
        }
    }
}

#[test]
fn counters_that_froze_at_an_overflow_count_again_once_it_is_acknowledged() {
    let processor = Freezing::new(false);
    let pmu = processor.claim();
    let mut session = pmu.open([Request::new(Event::INSTRUCTIONS).every(1000)]).unwrap();
    session.start().unwrap();
    for _ in 0..3 {
        processor.work(1000);
        assert!(processor.frozen.get());
        assert_eq!(processor.unit.on_overflow(Interrupted::default()), Handled::Overflow);
    }
    processor.work(10);
    assert_eq!(session.read().unwrap(), [3010]);
}

/// The overflow was accounted for already, and no acknowledgement follows.
#[test]
fn counters_that_froze_count_again_after_an_interrupt_that_finds_no_overflow() {
    let processor = Freezing::new(false);
    let pmu = processor.claim();
    let mut session = pmu.open([Request::new(Event::INSTRUCTIONS).every(1000)]).unwrap();
    session.start().unwrap();
    processor.frozen.set(true);
    assert_eq!(processor.unit.on_overflow(Interrupted::default()), Handled::NotMine);
    processor.work(10);
    assert_eq!(session.read().unwrap(), [10]);
}

#[test]
fn a_unit_that_is_claimed_frozen_counts_and_is_given_back_frozen() {
    let processor = Freezing::new(true);
    let pmu = processor.claim();
    let mut session = pmu.open([Request::new(Event::INSTRUCTIONS)]).unwrap();
    session.start().unwrap();
    processor.work(10);
    assert_eq!(session.read().unwrap(), [10]);
    drop(session);
    pmu.release().unwrap();
    assert!(processor.frozen.get());
}
