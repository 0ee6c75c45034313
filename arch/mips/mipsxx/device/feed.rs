//! Finds the kind of work that a counter counts.
//!
//! The driver has tables of its own. This one was written separately, so that a wrong number in either is found. It has the
//! events that are kinds of [`Work`](crate::virt::Work). Issued, fetched and decoded instructions are none of them: they are
//! more than those that complete. R10000's graduated store conditionals are among its stores, and multiplies and divides,
//! which graduate as two, are one here.
//!
//! Sources: "MIPS R10000 Microprocessor User's Manual", section 14.20, second-hand; IRIX' r10k_counters(5); OProfile's
//! events/mips (GPL data; numbers alone); Cavium's cvmx-core.h. The manuals of the other cores were not at hand.

use crate::arch::mips::mipsxx::Model;
use crate::virt::Kind;

/// Returns what an odd or an even counter of this core counts by this event, or `None` if it is no kind of work.
pub(super) const fn kind(model: Model, is_odd: bool, event: u16) -> Option<Kind> {
    match model {
        Model::R10000V2 | Model::R10000 if is_odd => of_r10000_counter_1(event),
        Model::R10000V2 | Model::R10000 => of_r10000_counter_0(model, event),
        Model::R12000 => of_r12000(event),
        Model::M5K => of_5k(is_odd, event),
        Model::M20K => of_20k(event),
        Model::M24K | Model::M34K | Model::M1004K => of_24k(is_odd, event),
        Model::M74K => of_74k(is_odd, event),
        Model::Octeon | Model::OcteonII => of_octeon(event),
    }
}

/// Up to revision 2.x branches are counted when they are decoded, and not all of these complete.
const fn of_r10000_counter_0(model: Model, event: u16) -> Option<Kind> {
    match event {
        0 => Some(Kind::Cycles),
        6 if matches!(model, Model::R10000) => Some(Kind::Branches),
        15 => Some(Kind::Instructions),
        _ => None,
    }
}

const fn of_r10000_counter_1(event: u16) -> Option<Kind> {
    match event {
        0 => Some(Kind::Cycles),
        1 => Some(Kind::Instructions),
        2 => Some(Kind::Loads),
        3 => Some(Kind::Stores),
        8 => Some(Kind::MispredictedBranches),
        10 => Some(Kind::CacheMisses),
        _ => None,
    }
}

const fn of_r12000(event: u16) -> Option<Kind> {
    match event {
        0 => Some(Kind::Cycles),
        15 => Some(Kind::Instructions),
        18 => Some(Kind::Loads),
        19 => Some(Kind::Stores),
        24 => Some(Kind::MispredictedBranches),
        26 => Some(Kind::CacheMisses),
        _ => None,
    }
}

const fn of_5k(is_odd: bool, event: u16) -> Option<Kind> {
    match (is_odd, event) {
        (_, 0) => Some(Kind::Cycles),
        (_, 2) => Some(Kind::Loads),
        (_, 3) => Some(Kind::Stores),
        (false, 15) | (true, 1) => Some(Kind::Instructions),
        (false, 6) => Some(Kind::Branches),
        (true, 8) => Some(Kind::MispredictedBranches),
        _ => None,
    }
}

const fn of_20k(event: u16) -> Option<Kind> {
    match event {
        0 => Some(Kind::Cycles),
        5 => Some(Kind::MispredictedBranches),
        6 => Some(Kind::Branches),
        15 => Some(Kind::Instructions),
        _ => None,
    }
}

const fn of_24k(is_odd: bool, event: u16) -> Option<Kind> {
    match (is_odd, event) {
        (_, 0) => Some(Kind::Cycles),
        (_, 1) => Some(Kind::Instructions),
        (false, 2) => Some(Kind::Branches),
        (true, 2) => Some(Kind::MispredictedBranches),
        (false, 15) => Some(Kind::Loads),
        (true, 15) => Some(Kind::Stores),
        (true, 21) => Some(Kind::CacheReferences),
        (false, 22) => Some(Kind::CacheMisses),
        _ => None,
    }
}

const fn of_74k(is_odd: bool, event: u16) -> Option<Kind> {
    match (is_odd, event) {
        (_, 0) => Some(Kind::Cycles),
        (_, 1) => Some(Kind::Instructions),
        (true, 28) => Some(Kind::CacheReferences),
        (false, 29) => Some(Kind::CacheMisses),
        (false, 39) => Some(Kind::Branches),
        (true, 39) => Some(Kind::MispredictedBranches),
        (false, 41) => Some(Kind::Loads),
        (true, 41) => Some(Kind::Stores),
        _ => None,
    }
}

/// Its loads and stores are counted as they are issued.
const fn of_octeon(event: u16) -> Option<Kind> {
    match event {
        1 => Some(Kind::Cycles),
        3 => Some(Kind::Instructions),
        8 => Some(Kind::Branches),
        9 => Some(Kind::MispredictedBranches),
        _ => None,
    }
}
