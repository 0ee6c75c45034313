//! The events that the host has to look at each instruction for, as the presented processor codes
//! them, and how many of them a piece of code has.
//!
//! Sources: SDM volume 3, chapter "Performance Monitoring Events", and intel/perfmon's lists; AMD's
//! BKDG 26094, 31116 and 42301, and the PPRs of families 17h and 19h.

use core::hint::black_box;

use pmu::virt::Kind;
use pmu::{CounterSet, Event, Pmu, Request};

use super::programs;
use crate::guest::truth;
use crate::guest::unit::Driver;
use crate::identity;

/// What counts this kind here; `None` if the processor has no such event, or its manual does not
/// say well enough what it counts.
pub fn event(kind: Kind) -> Option<Event> {
    let code = match (identity::presented().name, kind) {
        ("core-duo", Kind::TakenBranches) => 0x00c9,
        ("core-duo", Kind::Loads | Kind::Stores) => return None,
        ("core2", Kind::TakenBranches) => 0x0cc4,
        ("core2", Kind::Loads) => 0x01c0,
        ("core2", Kind::Stores) => 0x02c0,
        ("core-duo" | "core2", Kind::MisalignedReferences) => 0x0005,
        ("nehalem", Kind::Loads) => 0x010b,
        ("nehalem", Kind::Stores) => 0x020b,
        ("skylake" | "sapphire-rapids" | "lion-cove", Kind::TakenBranches) => 0x20c4,
        ("skylake" | "sapphire-rapids" | "lion-cove", Kind::Loads) => 0x81d0,
        ("skylake" | "sapphire-rapids" | "lion-cove", Kind::Stores) => 0x82d0,
        ("core-duo" | "core2" | "nehalem" | "skylake" | "sapphire-rapids" | "lion-cove", Kind::Branches) => 0x00c4,
        ("k7" | "k8" | "family10h" | "family15h" | "zen2" | "zen4", Kind::Branches) => 0x00c2,
        ("k7" | "k8" | "family10h" | "family15h" | "zen2" | "zen4", Kind::TakenBranches) => 0x00c4,
        ("k8" | "family10h" | "family15h", Kind::MisalignedReferences) => 0x0047,
        _ => return None,
    };
    Some(Event::raw(code))
}

/// Counts `body`, called with `argument`, and nothing around it.
pub fn count(pmu: &Pmu<Driver>, event: Event, body: extern "C" fn(u64), argument: u64) -> u64 {
    let count = |body: extern "C" fn(u64)| {
        let ([count], ()) = pmu.count([Request::new(event)], || black_box(body)(argument)).expect("the event is known");
        count
    };
    count(body) - count(nothing)
}

#[unsafe(naked)]
extern "C" fn nothing(_: u64) {
    core::arch::naked_asm!("ret")
}

/// Where the processor has no event for a kind, the code that others have is silence with a reason.
pub fn is_reported(others_code: u64) {
    /// USR, OS, EN.
    const COUNTING: u64 = 0x43_0000;
    programs::set(COUNTING | others_code).expect("any event can be selected");
    assert_eq!(truth::unfed(), CounterSet::first(1));
    programs::stop();
}
