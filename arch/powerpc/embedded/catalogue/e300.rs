//! e300's events.
//!
//! Source: names, numbers and shortest periods are those of OProfile's list ppc/e300 (GPL).

use super::event;
use crate::event::catalogue::NamedEvent;

pub(super) const EVENTS: &[NamedEvent] = &[
    event("BIU_MASTER_D_REQUESTS", 0x45, 500),
    event("BIU_MASTER_I_REQUESTS", 0x44, 500),
    event("BIU_MASTER_REQUESTS", 0x43, 500),
    event("BIU_MASTER_RETRIES", 0x47, 500),
    event("BRANCHES_FINISHED", 0x0C, 500),
    event("BRANCHES_MISPREDICTED", 0x0F, 500),
    event("CACHEINHIBITED_ACCESSES_TRANSLATED", 0x1F, 500),
    event("COMPLETED_BRANCHES", 0x08, 500),
    event("COMPLETED_INSNS", 0x02, 3000),
    event("COMPLETED_LOAD_OPS", 0x09, 500),
    event("COMPLETED_STORE_OPS", 0x0A, 500),
    event("CPU_CLK", 0x01, 3000),
    event("CRITICAL_INTERRUPTS", 0x58, 500),
    event("DECODE_STALLED", 0x12, 500),
    event("EXTERNAL_INTERRUPTS", 0x57, 500),
    event("FETCHES", 0x3D, 500),
    event("I_CACHE_HIT", 0x60, 500),
    event("INSTRUCTION_FETCHES", 0x04, 500),
    event("INSTRUCTIONS_FOLDED", 0x61, 500),
    event("INTERRUPTS", 0x56, 500),
    event("ISSUE_STALLED", 0x13, 500),
    event("L_S_HIT", 0x6D, 500),
    event("L_S_SPACE", 0x6C, 500),
    event("MMU_MISSES", 0x3E, 500),
    event("PM_EVENT_CYCLES", 0x07, 500),
    event("PM_EVENT_TRANS", 0x06, 500),
    event("PMC0_OVERFLOW", 0x52, 500),
    event("PMC1_OVERFLOW", 0x53, 500),
    event("PMC2_OVERFLOW", 0x54, 500),
    event("PMC3_OVERFLOW", 0x55, 500),
    event("SC_TRAP_INTERRUPTS", 0x59, 500),
    event("SNOOP_PUSHES", 0x4A, 500),
    event("STALLED_COMPLETION", 0x68, 500),
    event("STALLED_FLOAT", 0x6A, 500),
    event("STALLED_LOAD", 0x69, 500),
    event("STALLS_COM_BUFFER", 0x64, 500),
    event("TAKEN_BRANCHES_FINISHED", 0x0D, 500),
    event("TRANS_TBL", 0x5A, 500),
];
