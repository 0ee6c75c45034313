//! The handler acknowledges the overflow that it has accounted for, by the register that its version
//! has for that, and no flag of somebody else's.

use harness::{Guest, Kernel};
use pmu::arch::x86::Msr;
use pmu::arch::x86::intel::GlobalStatus;
use pmu::driver::Description;
use pmu::{CounterId, Interrupted};

use super::clocked;
use crate::guest::msr::{self, Faulted};
use crate::guest::unit::{self, Unit};
use crate::guest::{Here, enter_nmi_at, instructions};
use crate::identity::{self, Processor};

static UNIT: Unit<64> = Unit::new();

pmu::nmi_entry!(Nmi, on_nmi);

fn on_nmi(at: Interrupted) {
    let _ = UNIT.on_overflow(at);
}

pub fn test() {
    enter_nmi_at(Nmi::address());
    let pmu = unit::claim(&UNIT);
    let somebodys = raise_somebodys(&pmu.description());
    for counter in clocked::kinds(&pmu.description()) {
        let before = Here::overflows();
        let mut session = pmu.open([clocked::request(counter).every(Here::PERIOD)]).expect("the counter is free");
        session.start().expect("it can start");
        instructions::exactly(Here::PERIOD * 5 / 2);
        assert!(Here::overflows() >= before + 2);
        assert_eq!(status(), somebodys, "{counter}");
    }
}

/// A counter that nobody uses here; AMD's status knows of nothing but counters.
const IDLE: CounterId = CounterId::new(2).unwrap();

/// A flag that is not the driver's, where the version lets one raise it.
fn raise_somebodys(unit: &Description) -> Result<u64, Faulted> {
    let (register, flag, since) = match identity::presented().processor {
        Processor::Amd(_) => (Msr::CORE_SET, IDLE.only().bits(), 2),
        _ => (Msr::GLOBAL_SET, GlobalStatus::UNCORE.bits(), 4),
    };
    let raised = msr::write(register.address(), flag);
    assert_eq!(raised.is_ok(), unit.version >= since, "there is a register for that from version {since} on");
    assert_eq!(status().is_ok(), unit.version >= 2, "there is a status from version 2 on");
    status()
}

fn status() -> Result<u64, Faulted> {
    msr::read(match identity::presented().processor {
        Processor::Amd(_) => Msr::CORE_STATUS.address(),
        _ => Msr::GLOBAL_STATUS.address(),
    })
}
