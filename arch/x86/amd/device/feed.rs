//! What makes a counter count: from its selector to the work that the host reports.
//!
//! The driver has tables of its own. This one is written for the other side, from the manuals and
//! not from the driver's, so that a wrong code in either shows. It has the events that count what
//! the processor retired, or its cycles; of those that count what was dispatched or looked up
//! beforehand no [`Work`] can speak, nor of the misaligned loads of Zen, which leave out stores.
//!
//! Sources: for K7 "AMD Athlon Processor x86 Code Optimization Guide" (22007), table
//! "Performance-Monitoring Counters"; for K8 BKDG 26094 and for family 10h BKDG 31116, "Performance
//! Counter Events"; for family 15h BKDG 42301, "Core Performance Counter Events", whose events
//! name their counters; for family 16h BKDG 48751; for Zen the PPRs of family 17h model 31h (55803)
//! and of family 19h model 11h (55901), "Core Performance Monitor Counters".

use crate::arch::x86::amd::{Generation, Select};
use crate::arch::x86::device;
use crate::counter::{CounterId, CounterSet};
use crate::virt::{Kind, Kinds};

/// An event whose occurrences some kind of work is.
#[derive(Clone, Copy, Debug)]
struct Known {
    event: u16,
    /// The unit mask with which it is that kind; `None` if the event has no unit masks.
    unit_mask: Option<u8>,
    kind: Kind,
}

const fn known(event: u16, kind: Kind) -> Known {
    Known { event, unit_mask: None, kind }
}

const fn masked(event: u16, unit_mask: u8, kind: Kind) -> Known {
    Known { event, unit_mask: Some(unit_mask), kind }
}

/// What all generations have by the same numbers.
const COMMON: &[Known] = &[
    known(0x076, Kind::Cycles),
    known(0x0C0, Kind::Instructions),
    known(0x0C2, Kind::Branches),
    known(0x0C3, Kind::MispredictedBranches),
    known(0x0C4, Kind::TakenBranches),
];

/// K7: misaligned accesses; no counter sees its second-level cache.
const K7: &[Known] = &[known(0x047, Kind::MisalignedReferences)];

/// From K8 to family 15h: misaligned accesses, and requests to the second-level cache and misses
/// in it, the last level that these counters see, for instructions, data and translations.
const K8: &[Known] = &[
    known(0x047, Kind::MisalignedReferences),
    masked(0x07D, 0x07, Kind::CacheReferences),
    masked(0x07E, 0x07, Kind::CacheMisses),
];

/// Family 16h: misaligned accesses by their unit mask; its second-level cache has its own counters.
const FAMILY_16H: &[Known] = &[masked(0x047, 0x01, Kind::MisalignedReferences)];

/// Zen 1 and 2: requests to the second-level cache, and those of the core that missed.
const ZEN: &[Known] = &[masked(0x060, 0xFF, Kind::CacheReferences), masked(0x064, 0x09, Kind::CacheMisses)];

/// Zen 3 and later, of which Zen 4 and later have a clock of constant rate besides.
const ZEN_3: &[Known] = &[
    masked(0x060, 0xFF, Kind::CacheReferences),
    masked(0x064, 0x09, Kind::CacheMisses),
    masked(0x120, 0x01, Kind::ReferenceCycles),
];

/// Which events this processor has, and what of them the host observes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Feed {
    generation: Generation,
    observed: Kinds,
}

impl Feed {
    pub(super) fn new(generation: Generation, observed: Kinds) -> Self {
        Self { generation, observed }
    }

    /// Does the host observe this?
    pub(super) fn observes(&self, kind: Kind) -> bool {
        self.observed.contains(kind)
    }

    /// What this counter counts with this selector; `None` if no work says so.
    pub(super) fn kind(&self, counter: CounterId, select: Select) -> Option<Kind> {
        let known = self.known().find(|known| known.is_meant_by(select))?;
        let is_there = self.counters(known.event).contains(counter);
        (is_there && device::is_plain(select.bits(), known.kind)).then_some(known.kind)
    }

    fn known(&self) -> impl Iterator<Item = &'static Known> {
        let own = match self.generation {
            Generation::K7 => K7,
            Generation::K8 | Generation::Family10h | Generation::Family15h => K8,
            Generation::Family16h => FAMILY_16H,
            Generation::Zen => ZEN,
            Generation::Zen3 => ZEN_3,
        };
        COMMON.iter().chain(own)
    }

    /// The counters that count an event: all of them, but in family 15h three for what the cores
    /// of a module share, the clock among it (PERF_CTL[2:0]).
    fn counters(&self, event: u16) -> CounterSet {
        let is_shared = matches!(event, 0x076 | 0x07D | 0x07E);
        CounterSet::first(if self.generation == Generation::Family15h && is_shared { 3 } else { 64 })
    }
}

impl Known {
    fn is_meant_by(&self, select: Select) -> bool {
        self.event == select.event() && self.unit_mask.is_none_or(|mask| mask == select.unit_mask())
    }
}
