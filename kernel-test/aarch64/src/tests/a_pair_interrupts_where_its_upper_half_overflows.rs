//! A period beyond 32 bits interrupts as its upper half overflows, not at a lower half's; the sample is a pair's where
//! counters have 32 bits. On the device: QEMU's processors have no CHAIN.

use harness::Guest;
use harness::accounts::accounted;
use pmu::arch::aarch64::SystemRegister;
use pmu::driver::Registers;
use pmu::{CounterId, Event, Request};

use crate::gic;
use crate::guest::instructions::exactly;
use crate::guest::unit::{self, Unit};
use crate::guest::{Here, enter_interrupts_at};

static UNIT: Unit<8> = unit::new();

pmu::irq_entry!(Irq, |at| gic::service(|| _ = UNIT.on_overflow(at)));

const PERIOD: u64 = 1 << 40;
/// How far from its end the counter is put.
const BEFORE: u64 = 4096;
const LOW: u64 = 0xffff_ffff;

pub fn test() {
    enter_interrupts_at!(Irq);
    let pmu = unit::claim(&UNIT);
    let mut session = pmu.open([Request::new(Event::INSTRUCTIONS).every(PERIOD)]).expect("the period is possible");
    let counter = session.counter(0).expect("it has a counter");
    let is_pair = pmu.description().general_width.bits() == 32;
    let put = |value| if is_pair { put_pair(counter, value) } else { unit::hardware().write(register(counter), value) };
    session.start().expect("it is stopped");

    put(LOW - BEFORE);
    exactly(3 * BEFORE);
    assert_eq!((Here::interrupts(), samples(counter)), (0, 0), "a lower half's overflow is nobody's");

    put(BEFORE.wrapping_neg());
    exactly(3 * BEFORE);
    session.stop().expect("it runs");
    assert_eq!((Here::interrupts(), samples(counter)), (1, 1));
    assert_eq!(accounted(&UNIT), 1);
    let past = session.read().expect("this is its CPU")[0] - PERIOD;
    assert!((2 * BEFORE..2 * BEFORE + 300).contains(&past), "it has gone on {past} beyond the period");
}

fn register(counter: CounterId) -> SystemRegister {
    SystemRegister::any_counter(counter)
}

fn put_pair(upper: CounterId, value: u64) {
    let lower = CounterId::new(upper.number() & !1).expect("it is the one below");
    unit::hardware().write(register(lower), value & LOW);
    unit::hardware().write(register(upper), value >> 32);
}

/// How many samples wait, all of this counter.
fn samples(counter: CounterId) -> usize {
    let samples = UNIT.samples().expect("nobody else reads");
    samples.inspect(|sample| assert_eq!(sample.counter, counter)).count()
}
