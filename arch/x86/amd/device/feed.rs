//! Finds the kind of work that a counter counts.
//!
//! The driver has tables of its own. This one was written separately from the manuals, so that a wrong code in
//! either is found. It has the events that count what the processor retired, or its cycles. Events of
//! what was dispatched or looked up are not kinds of [`Work`], nor are the misaligned loads of Zen, which do not
//! include stores.
//!
//! Sources: for K7 "AMD Athlon Processor x86 Code Optimization Guide" (22007), table
//! "Performance-Monitoring Counters"; for K8 BKDG 26094 and for family 10h BKDG 31116, "Performance
//! Counter Events"; for family 15h BKDG 42301, "Core Performance Counter Events", whose events
//! name their counters; for family 16h BKDG 48751; for Zen the PPRs of family 17h model 31h (55803)
//! and of family 19h model 11h (55901), "Core Performance Monitor Counters".

use crate::arch::x86::amd::{Capabilities, Microarchitecture, Select};
use crate::arch::x86::device;
use crate::event::{CounterId, CounterSet};
use crate::virt::Kind;

/// An event that counts a kind of work.
#[derive(Clone, Copy, Debug)]
struct Known {
    event: u16,
    /// The unit mask that selects this kind, or `None` if the event has no unit masks.
    unit_mask: Option<u8>,
    kind: Kind,
}

const fn known(event: u16, kind: Kind) -> Known {
    Known { event, unit_mask: None, kind }
}

const fn masked(event: u16, unit_mask: u8, kind: Kind) -> Known {
    Known { event, unit_mask: Some(unit_mask), kind }
}

/// The events that all generations have with the same numbers.
const COMMON: &[Known] = &[
    known(0x076, Kind::Cycles),
    known(0x0C0, Kind::Instructions),
    known(0x0C2, Kind::Branches),
    known(0x0C3, Kind::MispredictedBranches),
    known(0x0C4, Kind::TakenBranches),
];

/// K7: misaligned accesses. No counter counts its second-level cache.
const K7: &[Known] = &[known(0x047, Kind::MisalignedReferences)];

/// From K8 to family 15h: misaligned accesses, and requests to and misses in the second-level cache, the last
/// level that these counters count, for instructions, data and translations.
const K8: &[Known] = &[
    known(0x047, Kind::MisalignedReferences),
    masked(0x07D, 0x07, Kind::CacheReferences),
    masked(0x07E, 0x07, Kind::CacheMisses),
];

/// Family 16h: misaligned accesses by their unit mask. Its second-level cache has counters of its own.
const FAMILY_16H: &[Known] = &[masked(0x047, 0x01, Kind::MisalignedReferences)];

/// Zen 1 to 3: requests to the second-level cache, and those of the core that missed.
const ZEN: &[Known] = &[masked(0x060, 0xFF, Kind::CacheReferences), masked(0x064, 0x09, Kind::CacheMisses)];

/// Zen 4 and later also have a clock with a constant rate.
const ZEN_4: &[Known] = &[
    masked(0x060, 0xFF, Kind::CacheReferences),
    masked(0x064, 0x09, Kind::CacheMisses),
    masked(0x120, 0x01, Kind::ReferenceCycles),
];

/// The events of the processor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Feed {
    microarchitecture: Microarchitecture,
    has_global: bool,
}

impl Feed {
    pub(super) const fn new(capabilities: &Capabilities) -> Self {
        Self { microarchitecture: capabilities.microarchitecture, has_global: capabilities.has_global() }
    }

    /// Returns what a counter with this selector counts, or `None` if it is not a kind of work.
    pub(super) fn kind(&self, counter: CounterId, select: Select) -> Option<Kind> {
        let known = self.known().find(|known| known.is_meant_by(select))?;
        let is_there = self.counters(known.event).contains(counter);
        (is_there && device::is_plain(select.bits(), known.kind)).then_some(known.kind)
    }

    fn known(&self) -> impl Iterator<Item = &'static Known> {
        let own = match self.microarchitecture {
            Microarchitecture::K7 => K7,
            Microarchitecture::K8 | Microarchitecture::Family10h | Microarchitecture::Family15h => K8,
            Microarchitecture::Family16h => FAMILY_16H,
            Microarchitecture::Zen3 if self.has_global => ZEN_4,
            Microarchitecture::Zen | Microarchitecture::Zen3 => ZEN,
        };
        COMMON.iter().chain(own)
    }

    /// Returns the counters that can count an event. Of family 15h's only three count what the cores of a module
    /// share, such as the clock (PERF_CTL[2:0]); otherwise all do.
    fn counters(&self, event: u16) -> CounterSet {
        let is_shared = matches!(event, 0x076 | 0x07D | 0x07E);
        CounterSet::first(if self.microarchitecture == Microarchitecture::Family15h && is_shared { 3 } else { 64 })
    }
}

impl Known {
    fn is_meant_by(&self, select: Select) -> bool {
        self.event == select.event() && self.unit_mask.is_none_or(|mask| mask == select.unit_mask())
    }
}
