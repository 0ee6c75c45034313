//! The events of the Pentium by name.
//!
//! Sources: SDM vol. 3, "Pentium Processor Performance Monitoring Events", table "Events That Can Be Counted with Pentium
//! Processor Performance-Monitoring Counters"; checked against perfctr (usr.lib/event_set_p5.c), whose spelling of the names
//! is used: letters, digits and `_`.

use super::event;
use crate::event::catalogue::NamedEvent;

pub(in crate::arch::x86::p5) const EVENTS: &[NamedEvent] = &[
    event("ANY_SEGMENT_REGISTER_LOADED", 0x0F),
    event("BANK_CONFLICTS", 0x0A),
    event("BRANCHES", 0x12),
    event("BREAKPOINT_MATCH_ON_DR0_REGISTER", 0x23),
    event("BREAKPOINT_MATCH_ON_DR1_REGISTER", 0x24),
    event("BREAKPOINT_MATCH_ON_DR2_REGISTER", 0x25),
    event("BREAKPOINT_MATCH_ON_DR3_REGISTER", 0x26),
    event("BTB_HITS", 0x13),
    event("BUS_CYCLE_DURATION", 0x18),
    event("CODE_CACHE_MISS", 0x0E),
    event("CODE_READ", 0x0C),
    event("CODE_TLB_MISS", 0x0D),
    event("DATA_CACHE_LINES_WRITTEN_BACK", 0x06),
    event("DATA_READ", 0x00),
    event("DATA_READ_MISS", 0x03),
    event("DATA_READ_MISS_OR_WRITE_MISS", 0x29),
    event("DATA_READ_OR_WRITE", 0x28),
    event("DATA_TLB_MISS", 0x02),
    event("DATA_WRITE", 0x01),
    event("DATA_WRITE_MISS", 0x04),
    event("EXTERNAL_DATA_CACHE_SNOOP_HITS", 0x08),
    event("EXTERNAL_SNOOPS", 0x07),
    event("FLOPS", 0x22),
    event("HARDWARE_INTERRUPTS", 0x27),
    event("INSTRUCTIONS_EXECUTED", 0x16),
    event("INSTRUCTIONS_EXECUTED_V_PIPE", 0x17),
    event("IO_READ_OR_WRITE_CYCLE", 0x1D),
    event("LOCKED_BUS_CYCLE", 0x1C),
    event("MEMORY_ACCESSES_IN_BOTH_PIPES", 0x09),
    event("MISALIGNED_DATA_MEMORY_OR_IO_REFERENCES", 0x0B),
    event("NONCACHEABLE_MEMORY_READS", 0x1E),
    event("PIPELINE_AGI_STALLS", 0x1F),
    event("PIPELINE_FLUSHES", 0x15),
    event("STALL_ON_WRITE_TO_AN_E_OR_M_STATE_LINE", 0x1B),
    event("TAKEN_BRANCH_OR_BTB_HIT", 0x14),
    event("WAITING_FOR_DATA_MEMORY_READ_STALL_DURATION", 0x1A),
    event("WRITE_BUFFER_FULL_STALL_DURATION", 0x19),
    event("WRITE_HIT_TO_M_OR_E_STATE_LINES", 0x05),
];
