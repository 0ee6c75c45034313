//! Finds the kind of work that a counter counts.
//!
//! The driver has tables of its own. This one was written separately from the manual, so that a wrong code in either is
//! found. It has the events that count what the processor retired, its cycles, its misaligned references and its
//! second-level cache. Loads and stores are not among it: DATA_MEM_REFS counts both, and retries too.
//!
//! Source: SDM vol. 3, table "Events That Can Be Counted with the P6 Family Performance-Monitoring Counters".

use crate::arch::x86::device;
use crate::arch::x86::p6::Select;
use crate::virt::Kind;

/// The events without unit masks.
const PLAIN: [(u64, Kind); 6] = [
    (0x05, Kind::MisalignedReferences),
    (0x79, Kind::Cycles),
    (0xC0, Kind::Instructions),
    (0xC4, Kind::Branches),
    (0xC5, Kind::MispredictedBranches),
    (0xC9, Kind::TakenBranches),
];

/// L2_RQSTS by its unit mask: of lines in any state, and of invalid ones, which are misses.
const L2_REQUESTS: [(u64, Kind); 2] = [(0x0F2E, Kind::CacheReferences), (0x012E, Kind::CacheMisses)];

/// Returns what a counter with this selector counts, or `None` if it is not a kind of work.
pub(super) fn kind(select: Select) -> Option<Kind> {
    let event = select.code() & Select::EVENT.bits();
    let plain = PLAIN.iter().find(|(known, _)| *known == event);
    let known = plain.or_else(|| L2_REQUESTS.iter().find(|(known, _)| *known == select.code()));
    known.map(|&(_, kind)| kind).filter(|&kind| device::is_plain(select.bits(), kind))
}
