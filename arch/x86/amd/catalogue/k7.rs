//! The events of Athlon by name.
//!
//! Sources: names, codes, unit masks and shortest periods as in OProfile, events/i386/athlon/events and
//! unit_masks. A unit mask without a name there is named by its value.

use super::{bitmask, mask, masked, timed};
use crate::event::catalogue::{NamedEvent, UnitMasks};

pub(super) const EVENTS: &[NamedEvent] = &[
    timed("CPU_CLK_UNHALTED", 0x76, 0b1111, 3000),
    timed("DATA_CACHE_ACCESSES", 0x40, 0b1111, 500),
    timed("DATA_CACHE_MISSES", 0x41, 0b1111, 500),
    masked("DATA_CACHE_REFILLS_FROM_L2", 0x42, 0b1111, 500, MOESI),
    masked("DATA_CACHE_REFILLS_FROM_SYSTEM", 0x43, 0b1111, 500, MOESI),
    masked("DATA_CACHE_WRITEBACKS", 0x44, 0b1111, 500, MOESI),
    timed("HARDWARE_INTERRUPTS", 0xCF, 0b1111, 10),
    timed("ICACHE_FETCHES", 0x80, 0b1111, 500),
    timed("ICACHE_MISSES", 0x81, 0b1111, 500),
    timed("INTERRUPTS_MASKED", 0xCD, 0b1111, 500),
    timed("INTERRUPTS_MASKED_PENDING", 0xCE, 0b1111, 500),
    timed("L1_AND_L2_DTLB_MISSES", 0x46, 0b1111, 500),
    timed("L1_AND_L2_ITLB_MISSES", 0x85, 0b1111, 500),
    timed("L1_DTLB_MISSES_L2_DTLD_HITS", 0x45, 0b1111, 500),
    timed("L1_ITLB_MISSES_L2_ITLB_HITS", 0x84, 0b1111, 500),
    timed("MISALIGNED_DATA_REFS", 0x47, 0b1111, 500),
    timed("RETIRED_BRANCHES", 0xC2, 0b1111, 500),
    timed("RETIRED_BRANCHES_MISPREDICTED", 0xC3, 0b1111, 500),
    timed("RETIRED_FAR_CONTROL_TRANSFERS", 0xC6, 0b1111, 500),
    timed("RETIRED_INSNS", 0xC0, 0b1111, 3000),
    timed("RETIRED_OPS", 0xC1, 0b1111, 500),
    timed("RETIRED_RESYNC_BRANCHES", 0xC7, 0b1111, 500),
    timed("RETIRED_TAKEN_BRANCHES", 0xC4, 0b1111, 500),
    timed("RETIRED_TAKEN_BRANCHES_MISPREDICTED", 0xC5, 0b1111, 500),
];

const MOESI: UnitMasks = bitmask(
    0x1F,
    &[
        mask("invalid", 0x01),
        mask("shared", 0x02),
        mask("exclusive", 0x04),
        mask("owned", 0x08),
        mask("modified", 0x10),
        mask("all", 0x1F),
    ],
);
