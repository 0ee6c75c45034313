//! How few events a counter can wait for.
//!
//! Sources: torvalds/linux arch/x86/events/core.c, `x86_perf_event_set_period`, for all processors, and
//! arch/x86/events/intel/core.c, `nhm_limit_period`, `hsw_limit_period` and `bdw_limit_period`, which cite errata
//! HSW11, BDM11 and BDM55.

use super::facts::Facts;
use crate::arch::x86::LEAST;

/// INST_RETIRED.ALL, which later models call INST_RETIRED.PREC_DIST.
const ALL_RETIRED: u64 = 0x01C0;

/// The fewest events that a counter can be preset to wait for, on one model.
#[derive(Clone, Copy, Debug)]
pub(super) struct Least {
    /// Of any event but INST_RETIRED.ALL.
    any: u64,
    /// Of INST_RETIRED.ALL.
    retired: u64,
    /// Of INST_RETIRED.ALL a counter waits for multiples of this number, which is a power of two.
    multiple: u64,
}

impl Least {
    pub(super) const fn of(facts: &Facts) -> Self {
        let (any, retired, multiple) = match (facts.family, facts.model) {
            // Nehalem.
            (6, 0x1A | 0x1E | 0x1F | 0x2E) => (32, 32, 1),
            // Haswell.
            (6, 0x3C | 0x3F | 0x45 | 0x46) => (32, 128, 1),
            // Broadwell.
            (6, 0x3D | 0x47 | 0x4F | 0x56) => (LEAST, 128, 64),
            _ => (LEAST, LEAST, 1),
        };
        Self { any, retired, multiple }
    }

    /// Returns the shortest period of the event with this code.
    #[inline(always)]
    pub(super) const fn period(&self, code: u64) -> u64 {
        if code == ALL_RETIRED { self.retired } else { self.any }
    }

    /// Returns how many events of this code a counter waits for that should wait for `events`: as many or more.
    /// `events` is less than 2^63.
    #[inline(always)]
    pub(super) const fn lengthen(&self, code: u64, events: u64) -> u64 {
        let least = self.period(code);
        let events = if events < least { least } else { events };
        let low = if code == ALL_RETIRED { self.multiple - 1 } else { 0 };
        events.wrapping_add(low) & !low
    }
}
