//! How few events a counter can wait for.
//!
//! Sources: torvalds/linux arch/x86/events/core.c, `x86_perf_event_set_period`, for all processors, and
//! arch/x86/events/intel/core.c, `nhm_limit_period`, `hsw_limit_period` and `bdw_limit_period`, which cite errata
//! HSW11, BDM11 and BDM55.

use super::model::Microarchitecture;
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
    const fn new(any: u64, retired: u64, multiple: u64) -> Self {
        Self { any, retired, multiple }
    }

    pub(super) const fn of(microarchitecture: Option<Microarchitecture>, model: u32) -> &'static Self {
        match microarchitecture {
            Some(Microarchitecture::Nehalem) => &const { Self::new(32, 32, 1) },
            Some(Microarchitecture::Haswell) if is_haswell(model) => &const { Self::new(32, 128, 1) },
            Some(Microarchitecture::Haswell) if is_broadwell(model) => &const { Self::new(LEAST, 128, 64) },
            _ => &const { Self::new(LEAST, LEAST, 1) },
        }
    }

    /// Returns the shortest period of the event with this code.
    #[inline(always)]
    pub(super) const fn period(&self, code: u64) -> u64 {
        if code == ALL_RETIRED { self.retired } else { self.any }
    }

    /// Returns how many events a counter waits for that should wait for `events`: as many or more. `code` says which
    /// event it counts. `events` is less than 2^63.
    #[inline(always)]
    pub(super) fn lengthen(&self, code: impl Fn() -> u64, events: u64) -> u64 {
        let events = events.max(self.any);
        if self.retired == self.any { events } else { self.lengthen_retired(code(), events) }
    }

    /// The same on a model where INST_RETIRED.ALL needs more than other events.
    #[cold]
    #[inline(never)]
    const fn lengthen_retired(&self, code: u64, events: u64) -> u64 {
        match code {
            ALL_RETIRED if events < self.retired => self.retired,
            ALL_RETIRED => events.wrapping_add(self.multiple - 1) & !(self.multiple - 1),
            _ => events,
        }
    }
}

/// Haswell, of those that [`Microarchitecture::Haswell`] describes.
const fn is_haswell(model: u32) -> bool {
    matches!(model, 0x3C | 0x3F | 0x45 | 0x46)
}

const fn is_broadwell(model: u32) -> bool {
    matches!(model, 0x3D | 0x47 | 0x4F | 0x56)
}
