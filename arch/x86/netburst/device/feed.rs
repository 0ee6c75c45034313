//! Finds the kind of work that a counter counts.
//!
//! The driver has tables of its own. This one was written separately from the manual, by the ESCRs, so that a wrong code in
//! either is found. It has the events that count what the processor retired, its cycles, and its second-level cache.
//!
//! Source: SDM vol. 3, "Performance Monitoring Events", tables for processors based on the Intel NetBurst microarchitecture.

use super::{Cccr, Escr};
use crate::virt::Kind;

/// An event: the numbers of its two ESCRs in the order of their addresses, its number, its mask, and what it counts.
type Known = ([usize; 2], u8, u16, Kind);

/// MSR_BSU_ESCR0 and 1, MSR_FSB_ESCR0 and 1, MSR_CRU_ESCR0 and 1, and MSR_CRU_ESCR2 and 3.
const BSU: [usize; 2] = [0, 1];
const FSB: [usize; 2] = [2, 3];
const CRU_0: [usize; 2] = [24, 25];
const CRU_2: [usize; 2] = [41, 42];
/// MSR_TBPU_ESCR0 and 1.
const TBPU: [usize; 2] = [33, 34];

const KNOWN: [Known; 12] = [
    (FSB, 0x13, 0x001, Kind::Cycles),
    // Nothing is tagged, so all that retires is not tagged.
    (CRU_0, 0x02, 0x003, Kind::Instructions),
    (CRU_0, 0x02, 0x001, Kind::Instructions),
    // Those that were started in vain as well, which Linux counts (arch/x86/events/intel/p4.c, the generic event): a
    // host observes none.
    (CRU_0, 0x02, 0x005, Kind::Instructions),
    (CRU_0, 0x03, 0x001, Kind::MispredictedBranches),
    (CRU_2, 0x06, 0x00F, Kind::Branches),
    (CRU_2, 0x06, 0x00C, Kind::TakenBranches),
    (CRU_2, 0x06, 0x00A, Kind::MispredictedBranches),
    (TBPU, 0x04, 0x01F, Kind::Branches),
    (TBPU, 0x05, 0x01F, Kind::MispredictedBranches),
    (BSU, 0x0C, 0x507, Kind::CacheReferences),
    (BSU, 0x0C, 0x500, Kind::CacheMisses),
];

/// Returns what a counter counts that is joined to this ESCR, or `None` if it is not a kind of work.
pub(super) fn kind(number: usize, escr: Escr, cccr: Cccr) -> Option<Kind> {
    if is_every_cycle(cccr) {
        return Some(Kind::Cycles);
    }
    let is = |known: &&Known| known.0.contains(&number) && (known.1, known.2) == (escr.event(), escr.event_mask());
    let kind = KNOWN.iter().find(is).map(|known| known.3)?;
    is_plain(cccr, kind).then_some(kind)
}

/// Returns true if no number of events exceeds the threshold, and the complement of that counts ("Non-Sleep Clockticks").
fn is_every_cycle(cccr: Cccr) -> bool {
    let compares = Cccr::COMPARE | Cccr::COMPLEMENT;
    cccr.contains(compares | Cccr::THRESHOLD) && !cccr.contains(Cccr::EDGE)
}

/// Returns true if each event is counted once. A cycle contains one cycle, which is more than 0.
fn is_plain(cccr: Cccr, kind: Kind) -> bool {
    let refined = Cccr::COMPLEMENT | Cccr::EDGE | Cccr::THRESHOLD;
    !cccr.contains(Cccr::COMPARE) || kind == Kind::Cycles && !cccr.intersects(refined)
}
