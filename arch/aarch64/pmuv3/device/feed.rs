//! Finds the kind of work that a counter counts.
//!
//! The driver has tables of its own. These were written separately from the manual, so that a wrong code in
//! either is found.

use super::threshold::{Left, Threshold};
use crate::arch::aarch64::pmuv3::{Announced, Select};
use crate::event::Mode;
use crate::virt::{Kind, Kinds, Source as Work};

/// SW_INCR: counts writes to PMSWINC_EL0.
const SOFTWARE_INCREMENT: u16 = 0x0000;
/// CHAIN: counts the overflows of the even counter below.
const CHAIN: u16 = 0x001E;

/// The common events that are kinds of work (DDI 0487, "PMU Event Descriptions", "Common event numbers"; from 40H to
/// BFH those that it recommends). A processor without speculation mispredicts only branches that it retires, so that
/// BR_MIS_PRED and BR_MIS_PRED_RETIRED are the same, and so are what is executed speculatively and what retires. Work
/// does not distinguish reads from the last-level cache, so that LL_CACHE_RD is not included.
const EVENTS: [(u16, Work); 21] = [
    (0x0006, Work::of(Kind::Loads)),                // LD_RETIRED
    (0x0007, Work::of(Kind::Stores)),               // ST_RETIRED
    (0x0008, Work::of(Kind::Instructions)),         // INST_RETIRED
    (0x000C, Work::of(Kind::TakenBranches)),        // PC_WRITE_RETIRED
    (0x000F, Work::of(Kind::MisalignedReferences)), // UNALIGNED_LDST_RETIRED
    (0x0010, Work::of(Kind::MispredictedBranches)), // BR_MIS_PRED
    (0x0011, Work::of(Kind::Cycles)),               // CPU_CYCLES
    (0x0012, Work::of(Kind::Branches)),             // BR_PRED
    (0x0013, Work::MEMORY),                         // MEM_ACCESS
    (0x001B, Work::of(Kind::Instructions)),         // INST_SPEC
    (0x0021, Work::of(Kind::Branches)),             // BR_RETIRED
    (0x0022, Work::of(Kind::MispredictedBranches)), // BR_MIS_PRED_RETIRED
    (0x0032, Work::of(Kind::CacheReferences)),      // LL_CACHE
    (0x0033, Work::of(Kind::CacheMisses)),          // LL_CACHE_MISS
    (0x003F, Work::of(Kind::Slots)),                // SLOTS
    (0x0066, Work::of(Kind::Loads)),                // MEM_ACCESS_RD
    (0x0067, Work::of(Kind::Stores)),               // MEM_ACCESS_WR
    (0x0070, Work::of(Kind::Loads)),                // LD_SPEC
    (0x0071, Work::of(Kind::Stores)),               // ST_SPEC
    (0x0072, Work::MEMORY),                         // LDST_SPEC
    (0x4004, Work::of(Kind::ReferenceCycles)),      // CNT_CYCLES
];

/// Returns the common events that work of these kinds feeds, and those that the unit itself counts.
pub(in super::super) fn announced_by(observed: Kinds) -> Announced {
    let fed = EVENTS.iter().filter(|(_, work)| observed.covers(work.kinds()));
    let own = [SOFTWARE_INCREMENT, CHAIN].into_iter();
    fed.map(|&(event, _)| event).chain(own).fold(Announced::default(), Announced::with)
}

/// What a counter counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Source {
    /// Work, of one kind or several.
    Work(Work),
    /// Overflows of the counter below.
    Chain,
    /// Writes to PMSWINC_EL0.
    Software,
    /// Nothing, because of its selection.
    Nothing,
    /// Something that is not a kind of work.
    Untold,
}

impl Source {
    /// Returns it as a place in the table of what counters count.
    pub(super) const fn in_table(self) -> Work {
        match self {
            Self::Work(work) => work,
            Self::Chain | Self::Software | Self::Nothing => Work::OWN,
            Self::Untold => Work::UNTOLD,
        }
    }
}

/// The events of the processor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Feed {
    announced: Announced,
}

impl Feed {
    pub(super) const fn new(announced: Announced) -> Self {
        Self { announced }
    }

    /// Returns what an event counter with this selection counts. An event that PMCEID0_EL0 and PMCEID1_EL0 do not
    /// announce counts nothing, in every version. Before PMUv3p8 that is one of the permitted behaviours
    /// (PMEVTYPERn_EL0, evtCount).
    pub(super) fn source(&self, select: Select) -> Source {
        match self.of_event(select.event()) {
            Source::Untold => Source::Untold,
            source => with_threshold(source, select),
        }
    }

    fn of_event(&self, event: u16) -> Source {
        if self.announced.says(event) == Some(false) {
            return Source::Untold;
        }
        match event {
            SOFTWARE_INCREMENT => Source::Software,
            CHAIN => Source::Chain,
            _ => EVENTS
                .iter()
                .find(|&&(known, _)| known == event)
                .map_or(Source::Untold, |&(_, work)| Source::Work(work)),
        }
    }

    /// Returns true for a common event that the processor does not have.
    pub(super) fn is_missing(&self, select: Select) -> bool {
        self.announced.says(select.event()) == Some(false)
    }
}

fn with_threshold(source: Source, select: Select) -> Source {
    let Some(threshold) = Threshold::of(select) else { return source };
    let left = match source {
        Source::Work(work) if work == Work::of(Kind::Cycles) => threshold.of_cycles(),
        _ => threshold.of_events(),
    };
    match left {
        Left::All => source,
        Left::Cycles => Source::Work(Work::of(Kind::Cycles)),
        Left::Nothing => Source::Nothing,
        Left::Untold => Source::Untold,
    }
}

/// Returns true if the counter with this selection or filter counts at the level, in Non-secure state. NSU and NSK
/// are 0 without EL3, and NSH is 0 without EL2 (pseudocode CountPMUEvents()).
pub(super) fn counts_in(select: Select, mode: Mode) -> bool {
    let are_equal = |one, other| select.contains(one) == select.contains(other);
    match mode {
        Mode::User => are_equal(Select::NOT_USER, Select::NON_SECURE_USER),
        Mode::Kernel => are_equal(Select::NOT_KERNEL, Select::NON_SECURE_KERNEL),
        Mode::Hypervisor => select.contains(Select::HYPERVISOR),
    }
}

/// Returns true for the event by which an odd counter counts the overflows of the even one below.
pub(super) const fn is_chain(select: Select) -> bool {
    select.event() == CHAIN
}
