//! Where overflows are ordinary interrupts, one that finds interrupts off waits until they are on
//! again: no event is lost, and what passed meanwhile is said.

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use harness::Guest;
use pmu::arch::x86::{Apic, Lvtpc};

use super::{clocked, programs};
use crate::guest::{Here, instructions, on_nmi, unit};
use crate::machine_code::{disable_interrupts, enable_interrupts};
use crate::trap::{FIXED_VECTOR, Frame};
use crate::width::by_width;

static UNIT: unit::Unit<64> = unit::Unit::new();
static TAKEN: AtomicU32 = AtomicU32::new(0);

const PERIOD: u64 = 1000;
/// With what the handler adds to it, it ends between two overflows.
const FIVE_PERIODS: u64 = by_width!(5 * PERIOD, 5 * PERIOD + PERIOD / 2);

pub fn test() {
    on_nmi(on_interrupt);
    let line = Apic::xapic(unit::line(), Lvtpc::vector(FIXED_VECTOR).expect("the APIC takes it"));
    let driver = unit::detect_on(line).expect("the unit is there");
    let pmu = UNIT.claim(driver).expect("nobody has it");
    let mut session = pmu.open([clocked::request(programs::number()).every(PERIOD)]).expect("the counter is free");
    let booked = Here::counted(programs::number());
    session.start().expect("it can start");
    enable_interrupts();
    instructions::exactly(FIVE_PERIODS);
    disable_interrupts();
    let taken = u64::from(TAKEN.load(Relaxed));
    assert_eq!((taken >= 5, taken), (true, Here::overflows()));

    instructions::exactly(3 * PERIOD);
    assert_eq!((TAKEN.load(Relaxed).into(), Here::overflows()), (taken, taken + 1), "interrupts are off");
    enable_interrupts();
    instructions::exactly(instructions::FEWEST);
    disable_interrupts();
    session.stop().expect("it runs");
    let [count] = session.read().expect("this is its CPU");
    assert_eq!(count, Here::counted(programs::number()) - booked);
    let samples = UNIT.samples().expect("nobody else reads");
    assert_eq!(samples.received() + samples.lost().total(), count / PERIOD);
    assert!(samples.received() > taken && samples.lost().outrun >= 2, "{:?}", samples.lost());
}

fn on_interrupt(frame: &mut Frame) {
    assert_eq!(frame.vector, FIXED_VECTOR.into());
    assert!(UNIT.on_overflow(unit::interrupted(frame)).is_mine());
    TAKEN.fetch_add(1, Relaxed);
}
