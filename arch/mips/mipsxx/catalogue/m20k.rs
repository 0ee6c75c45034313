//! 20K's events.
//!
//! Source: names, numbers and shortest periods are those of OProfile's list mips/20K (GPL).

use super::event;
use crate::event::catalogue::NamedEvent;

pub(super) const EVENTS: &[NamedEvent] = &[
    event("BRANCHES_COMPLETED", 0x06, 0b1, 500),
    event("BRANCHES_MISSPREDICTED", 0x05, 0b1, 500),
    event("CYCLES", 0x00, 0b1, 500),
    event("FETCH_GROUPS", 0x02, 0b1, 500),
    event("FP_INSNS_COMPLETED", 0x03, 0b1, 500),
    event("FPU_EXCEPTIONS_TAKEN", 0x0A, 0b1, 500),
    event("INSN_ISSUED", 0x01, 0b1, 500),
    event("INSN_REQ_FROM_IFU_TO_BIU", 0x09, 0b1, 500),
    event("INSNS_COMPLETED", 0x0F, 0b1, 500),
    event("JR_INSNS_COMPLETED", 0x0D, 0b1, 500),
    event("JTLB_EXCEPTIONS", 0x07, 0b1, 500),
    event("LSU_REPLAYS", 0x0E, 0b1, 500),
    event("REPLAY_DUE_TO_LOAD_DEPENDENT_SPEC_DISPATCH", 0x08, 0b1, 500),
    event("REPLAYS", 0x0B, 0b1, 500),
    event("RPS_MISSPREDICTS", 0x0C, 0b1, 500),
    event("TLB_REFILLS_TAKEN", 0x04, 0b1, 500),
];
