//! A counter that wraps while it only counts goes on in 64 bits: the overflow interrupt carries it on, and a reading
//! before that interrupt is right as well.

use pmu::CounterId;
use pmu::arch::aarch64::SystemRegister;
use pmu::driver::Registers;

use super::clocked;
use crate::guest::enter_interrupts_at;
use crate::guest::instructions::exactly;
use crate::guest::unit::{self, Unit};
use crate::{gic, system};

static UNIT: Unit<0> = unit::new();

pmu::irq_entry!(Irq, |at| gic::service(|| _ = UNIT.on_overflow(at)));

/// The counter stands so far before its end.
const BEFORE: u64 = 5000;

pub fn test() {
    enter_interrupts_at!(Irq);
    let pmu = unit::claim(&UNIT);
    let width = pmu.description().general_width;
    let mut session = pmu.open([clocked::request(CounterId::ZERO)]).expect("the counter is free");
    session.start().expect("it is stopped");
    // As if so many events had been counted.
    unit::hardware().write(SystemRegister::counter(0).unwrap(), BEFORE.wrapping_neg() & width.mask());
    let read = || session.read().expect("this is its CPU")[0];
    let first = read();
    exactly(1000);
    let second = read();
    let pending = system::without_interrupts(|| {
        exactly(2 * BEFORE);
        read()
    });
    exactly(1000);
    let last = read();
    let around = second - first - 1000;
    assert!(around < 100, "{first} {second}");
    assert!((2 * BEFORE..2 * BEFORE + 200).contains(&(pending - second)), "{second} {pending}");
    assert!((1000..1400).contains(&(last - pending)), "{pending} {last}");
}
