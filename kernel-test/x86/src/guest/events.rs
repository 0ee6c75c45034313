//! The events that the host has to look at each instruction for, as the presented processor codes
//! them.
//!
//! Sources: SDM volume 3, chapter "Performance Monitoring Events", and intel/perfmon's lists; AMD's
//! BKDG 26094, 31116 and 42301, and the PPRs of families 17h and 19h.

use pmu::Event;
use pmu::arch::x86::netburst::CounterGroup;
use pmu::virt::Kind;

use crate::identity;

/// Branches retired (branch_retired: MMNP, MMNM, MMTP, MMTM).
const NETBURST_BRANCHES: Event = Event::raw(CounterGroup::Iq.code(0x06, 5, 0xF));
/// Branches retired that were taken (branch_retired: MMTP, MMTM).
const NETBURST_TAKEN_BRANCHES: Event = Event::raw(CounterGroup::Iq.code(0x06, 5, 0xC));

/// What counts this kind here; `None` if the processor has no such event, or its manual does not
/// say well enough what it counts.
pub fn of(kind: Kind) -> Option<Event> {
    let code = match (identity::presented().name, kind) {
        ("core-duo" | "pentium-ii" | "pentium-iii" | "pentium-m", Kind::TakenBranches) => 0x00c9,
        ("core-duo", Kind::Loads | Kind::Stores) => return None,
        ("core2", Kind::TakenBranches) => 0x0cc4,
        ("core2", Kind::Loads) => 0x01c0,
        ("core2", Kind::Stores) => 0x02c0,
        ("core-duo" | "core2" | "pentium-ii" | "pentium-iii" | "pentium-m", Kind::MisalignedReferences) => 0x0005,
        ("nehalem", Kind::Loads) => 0x010b,
        ("nehalem", Kind::Stores) => 0x020b,
        ("skylake" | "sapphire-rapids" | "lion-cove", Kind::TakenBranches) => 0x20c4,
        ("skylake" | "sapphire-rapids" | "lion-cove", Kind::Loads) => 0x81d0,
        ("skylake" | "sapphire-rapids" | "lion-cove", Kind::Stores) => 0x82d0,
        ("core-duo" | "core2" | "nehalem" | "skylake" | "sapphire-rapids" | "lion-cove", Kind::Branches) => 0x00c4,
        ("pentium-ii" | "pentium-iii" | "pentium-m", Kind::Branches) => 0x00c4,
        ("k7" | "k8" | "family10h" | "family15h" | "zen2" | "zen3" | "zen4", Kind::Branches) => 0x00c2,
        ("k7" | "k8" | "family10h" | "family15h" | "zen2" | "zen3" | "zen4", Kind::TakenBranches) => 0x00c4,
        ("k8" | "family10h" | "family15h", Kind::MisalignedReferences) => 0x0047,
        ("pentium4" | "prescott", Kind::Branches) => return Some(NETBURST_BRANCHES),
        ("pentium4" | "prescott", Kind::TakenBranches) => return Some(NETBURST_TAKEN_BRANCHES),
        ("p5" | "p5-mmx", Kind::Branches) => 0x12,
        ("p5-mmx", Kind::TakenBranches) => 0x1_0032,
        _ => return None,
    };
    Some(Event::raw(code))
}
