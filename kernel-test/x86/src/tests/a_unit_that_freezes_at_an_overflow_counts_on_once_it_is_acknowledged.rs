//! A kernel may let overflows freeze its unit; the driver leaves that to it, and thaws the unit in each
//! interrupt.

use harness::Guest;
use pmu::Interrupted;
use pmu::arch::x86::intel::DebugControl;

use super::{clocked, programs};
use crate::guest::unit::{self, Unit};
use crate::guest::{Here, enter_nmi_at, instructions, msr};
use crate::identity::{self, Processor};

/// IA32_DEBUGCTL (SDM vol. 4, table "IA-32 Architectural MSRs").
const DEBUG_CONTROL: u32 = 0x1d9;

static UNIT: Unit<64> = Unit::new();

pmu::nmi_entry!(Nmi, on_nmi);

fn on_nmi(at: Interrupted) {
    let _ = UNIT.on_overflow(at);
}

pub fn test() {
    enter_nmi_at(Nmi::address());
    let pmu = unit::claim(&UNIT);
    let freezes = msr::write(DEBUG_CONTROL, DebugControl::FREEZE_COUNTERS.bits()).is_ok();
    assert_eq!(freezes, is_intels() && pmu.description().version >= 2, "that came with version 2");
    let mut session = pmu.open([clocked::request(programs::number()).every(1000)]).expect("the counter is free");
    let before = Here::overflows();
    session.start().expect("it can start");
    instructions::exactly(10_500);
    let [count] = session.read().expect("it is this processor's");
    assert!(Here::overflows() >= before + 10);
    assert!(count >= 10_500, "{count} of 10500 were counted");
}

fn is_intels() -> bool {
    matches!(identity::presented().processor, Processor::Intel(_))
}
