//! Finds the kind of work that a counter counts.
//!
//! The driver has numbers of its own. These were written separately, so that a wrong number in either is found. They are the
//! events that are kinds of [`Work`](crate::virt::Work): the caches of the first level are none of them.
//!
//! Source: torvalds/linux arch/loongarch/kernel/perf_event.c, `loongson_event_map` and `loongson_cache_map`.

use crate::virt::Kind;

/// Returns what is counted by this event, or `None` if it is no kind of work.
pub(super) const fn kind(event: u16) -> Option<Kind> {
    match event {
        0x00 => Some(Kind::Cycles),
        0x01 => Some(Kind::Instructions),
        0x02 => Some(Kind::Branches),
        0x03 => Some(Kind::MispredictedBranches),
        0x0C => Some(Kind::CacheReferences),
        0x0D => Some(Kind::CacheMisses),
        _ => None,
    }
}
