//! The events of the processors before POWER8 that generic events are, by name.
//!
//! Source: the constants of [`events`](crate::arch::powerpc::book3s::events), which name theirs;
//! "CYCLES" is OProfile's name for what it profiles if nobody says what, events/ppc64.

use crate::catalogue::NamedEvent;
use crate::counter::CounterSet;

/// A bit for each counter that has it.
const fn event(name: &'static str, code: u64, counters: u64) -> NamedEvent {
    NamedEvent::new(name, code, CounterSet::from_bits(counters))
}

pub(super) const POWER4: &[NamedEvent] =
    &[event("CYCLES", 0x07, 0xFF), event("PM_CYC", 0x07, 0xFF), event("PM_INST_CMPL", 0x1001, 0b1)];
pub(super) const PPC970: &[NamedEvent] =
    &[event("CYCLES", 0x07, 0xFF), event("PM_CYC", 0x07, 0xFF), event("PM_INST_CMPL", 0x01, 0xFF)];
pub(super) const POWER5: &[NamedEvent] =
    &[event("CYCLES", 0x0F, 0xF), event("PM_CYC", 0x0F, 0xF), event("PM_INST_CMPL", 0x10_0009, 0b1)];
pub(super) const POWER6: &[NamedEvent] =
    &[event("CYCLES", 0x1E, 0xF), event("PM_CYC", 0x1E, 0xF), event("PM_INST_CMPL", 0x02, 0xF)];
pub(super) const POWER7: &[NamedEvent] = &[
    event("CYCLES", 0x1E, 0xF),
    event("PM_BR_MPRED", 0x4_00F6, 0b1000),
    event("PM_BRU_FIN", 0x1_0068, 0b1),
    event("PM_CYC", 0x1E, 0xF),
    event("PM_DATA_FROM_L2MISS", 0x2_00FE, 0b10),
    event("PM_DATA_FROM_L3MISS", 0x3_00FE, 0b100),
    event("PM_INST_CMPL", 0x02, 0xF),
];
