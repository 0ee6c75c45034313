//! Where the local APIC is in x2APIC mode, the line is a register like the unit's own.

use harness::Guest;
use pmu::Interrupted;
use pmu::arch::x86::{Apic, Lvtpc};

use super::{clocked, programs};
use crate::guest::{Here, enter_nmi_at, instructions, lvt, unit};

static UNIT: unit::Unit<64> = unit::Unit::new();

pmu::nmi_entry!(Nmi, on_nmi);

fn on_nmi(at: Interrupted) {
    let _ = UNIT.on_overflow(at);
}

pub fn test() {
    enter_nmi_at(Nmi::address());
    lvt::switch_x2apic_on();
    let before = lvt::read();
    let line = Apic::x2apic(unit::hardware(), Lvtpc::NMI);
    let driver = unit::detect_on(line).expect("the unit is there");
    let pmu = UNIT.claim(driver).expect("nobody has it");
    let mut session = pmu.open([clocked::request(programs::number()).every(1000)]).expect("the counter is free");
    session.start().expect("it can start");
    instructions::exactly(10_500);
    session.stop().expect("it runs");
    drop(session);
    let samples = UNIT.samples().expect("nobody else reads");
    assert!(samples.received() >= 10);
    assert_eq!(samples.received() + samples.lost().total(), Here::overflows());
    assert_eq!(lvt::read(), Lvtpc::NMI.bits(), "open for the next");
    pmu.release().expect("nothing is open");
    assert_eq!(lvt::read(), before);
}
