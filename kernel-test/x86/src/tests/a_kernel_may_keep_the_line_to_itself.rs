//! A kernel that owns its APIC lends the driver no line: it opens the line again itself, after each
//! overflow; and where it does not, interrupts are lost and counts are not.

use core::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

use harness::Guest;
use pmu::Pmu;
use pmu::arch::x86::{Apic, Lvtpc};

use super::{clocked, programs};
use crate::guest::{Here, instructions, lvt, on_nmi, unit};
use crate::identity;
use crate::trap::Frame;

static UNIT: unit::Unit<64> = unit::Unit::new();
static TAKEN: AtomicU32 = AtomicU32::new(0);
static REARMS: AtomicBool = AtomicBool::new(true);

const PERIOD: u64 = 1000;

pub fn test() {
    on_nmi(on_interrupt);
    let driver = unit::detect_on(Apic::unattached()).expect("the unit is there");
    let pmu = UNIT.claim(driver).expect("nobody has it");
    assert_eq!(lvt::read(), lvt::MASK, "it is not the driver's");
    assert_eq!(interrupts_of(&pmu), 0, "it is masked");
    lvt::write(Lvtpc::NMI.bits());
    assert!(interrupts_of(&pmu) >= 10);
    REARMS.store(false, Relaxed);
    let masks_itself = identity::presented().processor.masks_line();
    assert_eq!(interrupts_of(&pmu) == 1, masks_itself, "the first has masked it");
    pmu.release().expect("nothing is open");
    let mask = if masks_itself { lvt::MASK } else { 0 };
    assert_eq!(lvt::read(), lvt::NMI | mask, "it is not the driver's");
}

/// How many interrupts there were in ten periods; however many, the count is right, and each period
/// is accounted for.
fn interrupts_of(pmu: &Pmu<'static, unit::Driver>) -> u64 {
    let (interrupts, before) = (TAKEN.load(Relaxed), kept());
    let mut session = pmu.open([clocked::request(programs::number()).every(PERIOD)]).expect("the counter is free");
    let booked = Here::counted(programs::number());
    session.start().expect("it can start");
    instructions::exactly(10 * PERIOD);
    session.stop().expect("it runs");
    let [count] = session.read().expect("this is its CPU");
    assert_eq!((count, kept() - before), (Here::counted(programs::number()) - booked, count / PERIOD));
    (TAKEN.load(Relaxed) - interrupts).into()
}

/// Samples, and overflows that left none.
fn kept() -> u64 {
    let samples = UNIT.samples().expect("nobody else reads");
    samples.received() + samples.lost().total()
}

fn on_interrupt(frame: &mut Frame) {
    assert!(UNIT.on_overflow(unit::interrupted(frame)).is_mine());
    TAKEN.fetch_add(1, Relaxed);
    if REARMS.load(Relaxed) {
        lvt::write(Lvtpc::NMI.bits());
    }
}
