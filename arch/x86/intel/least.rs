//! How few events a counter can wait for.
//!
//! Sources: torvalds/linux arch/x86/events/core.c, `x86_perf_event_set_period`, for all processors, and
//! arch/x86/events/intel/core.c, `nhm_limit_period`, `hsw_limit_period` and `bdw_limit_period`, which cite errata
//! HSW11, BDM11 and BDM55.

use super::model::Microarchitecture;
use crate::arch::x86::LEAST;
use crate::event::Remaining;

/// INST_RETIRED.ALL, which later models call INST_RETIRED.PREC_DIST.
const ALL_RETIRED: u64 = 0x01C0;

/// The fewest events that a counter can be preset to wait for, on one model.
#[derive(Clone, Copy, Debug)]
pub(super) struct Least {
    /// Of any event but INST_RETIRED.ALL.
    any: Remaining,
    /// From here on a counter waits for exactly as many as it should, of any event.
    exact: Remaining,
    /// What INST_RETIRED.ALL needs, if it is more.
    retired: Option<Retired>,
}

/// What INST_RETIRED.ALL needs.
#[derive(Clone, Copy, Debug)]
struct Retired {
    least: u64,
    /// A counter waits for multiples of this number, which is a power of two.
    multiple: u64,
}

impl Least {
    const fn new(any: u64, retired: Option<Retired>) -> Self {
        let exact = match &retired {
            None => any,
            Some(Retired { least, multiple: 1 }) => *least,
            Some(_) => u64::MAX,
        };
        Self { any: Remaining::events(any), exact: Remaining::events(exact), retired }
    }

    pub(super) const fn of(microarchitecture: Option<Microarchitecture>, model: u32) -> Self {
        match microarchitecture {
            Some(Microarchitecture::Nehalem) => Self::new(32, None),
            Some(Microarchitecture::Haswell) => Self::of_haswell(model),
            _ => Self::new(LEAST, None),
        }
    }

    /// Of those that [`Microarchitecture::Haswell`] describes.
    const fn of_haswell(model: u32) -> Self {
        match model {
            // Haswell.
            0x3C | 0x3F | 0x45 | 0x46 => Self::new(32, Some(Retired { least: 128, multiple: 1 })),
            // The servers of Sandy Bridge and Ivy Bridge.
            0x2D | 0x3E => Self::new(LEAST, None),
            // Broadwell.
            _ => Self::new(LEAST, Some(Retired { least: 128, multiple: 64 })),
        }
    }

    /// Returns the number of events from which on none has to be lengthened.
    #[inline(always)]
    pub(super) const fn exact(&self) -> Remaining {
        self.exact
    }

    /// Returns the shortest period of the event with this code.
    pub(super) const fn period(&self, code: u64) -> u64 {
        match &self.retired {
            Some(retired) if code == ALL_RETIRED => retired.least,
            _ => self.any.count(),
        }
    }

    /// Returns how many events a counter waits for that should wait for `events`: as many or more. `code` says which
    /// event it counts. `events` is less than 2^63.
    pub(super) fn lengthen(&self, code: u64, events: Remaining) -> Remaining {
        let events = events.max(self.any);
        match &self.retired {
            Some(retired) if code == ALL_RETIRED => retired.lengthen(events),
            _ => events,
        }
    }
}

impl Retired {
    const fn lengthen(&self, events: Remaining) -> Remaining {
        let events = if events.count() < self.least { self.least } else { events.count() };
        Remaining::events(events.wrapping_add(self.multiple - 1) & !(self.multiple - 1))
    }
}
