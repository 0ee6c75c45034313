//! Finds the kind of work that a counter counts.
//!
//! The driver has tables of its own. This one was written separately, so that a wrong number in either is found. It has the
//! events that are kinds of [`Work`](crate::virt::Work).
//!
//! Sources: "RISC-V Supervisor Binary Interface Specification", "Hardware General Events"; FU740-C000 Manual, table of the
//! events in mhpmevent, as OpenSBI's docs/pmu_support.md has them; T-Head's
//! descriptions in hardware (openc910, ct_hpcp_top.v; openc906, aq_hpcp_top.v); CV32E40P User Manual, "Event Selector"; Ibex
//! Reference Guide, "Event Selector", whose numbers of bits are 3 above those of its description in hardware
//! (ibex_cs_registers.sv).

use crate::arch::riscv::hpm::Model;
use crate::virt::Kind;

/// Returns what a counter counts by this event, or `None` if it is no kind of work.
pub(super) const fn kind(model: Model, event: u64) -> Option<Kind> {
    match model {
        Model::Other => None,
        Model::Indexed => by_index(event),
        Model::Qemu => clock(event),
        Model::U74 => of_u74(event),
        Model::Bullet07 | Model::Bullet0D => of_bullet(event),
        Model::C910 | Model::C906 | Model::D1 => of_thead(event),
        Model::P550 => of_p550(event),
        Model::P650 => of_p650(event),
        Model::Ax45 => of_ax45(event),
        Model::Dubhe80 => branches(event, 0xA, 0xB),
        Model::Cva6 => of_cva6(event),
        Model::Cv32e40p => of_cv32e40p(event),
        Model::Ibex => of_ibex(event),
    }
}

const fn clock(event: u64) -> Option<Kind> {
    match event {
        1 => Some(Kind::Cycles),
        2 => Some(Kind::Instructions),
        _ => None,
    }
}

const fn by_index(event: u64) -> Option<Kind> {
    match event {
        3 => Some(Kind::CacheReferences),
        4 => Some(Kind::CacheMisses),
        5 => Some(Kind::Branches),
        6 => Some(Kind::MispredictedBranches),
        10 => Some(Kind::ReferenceCycles),
        _ => clock(event),
    }
}

/// Loads and stores are those of integers and floats together. Branches are the conditional ones, as in OpenSBI's table.
const fn of_u74(event: u64) -> Option<Kind> {
    match event {
        0x0008_0200 => Some(Kind::Loads),
        0x0010_0400 => Some(Kind::Stores),
        0x4000 => Some(Kind::Branches),
        0x6001 => Some(Kind::MispredictedBranches),
        _ => None,
    }
}

/// Loads and stores of integers and floats together.
const fn of_p550(event: u64) -> Option<Kind> {
    match event {
        0x202 => Some(Kind::CacheMisses),
        0x2001 => Some(Kind::MispredictedBranches),
        0x6001 => None,
        _ => of_u74(event),
    }
}

/// Version 7 and later.
const fn of_bullet(event: u64) -> Option<Kind> {
    match event {
        0x165 => Some(Kind::Cycles),
        0x265 => Some(Kind::Instructions),
        _ => of_u74(event),
    }
}

const fn of_p650(event: u64) -> Option<Kind> {
    match event {
        0x165 => Some(Kind::Cycles),
        0x265 => Some(Kind::Instructions),
        _ => of_p550(event),
    }
}

const fn of_ax45(event: u64) -> Option<Kind> {
    match event {
        0x10 => Some(Kind::Cycles),
        0x20 => Some(Kind::Instructions),
        0x41 => Some(Kind::CacheReferences),
        0x51 => Some(Kind::CacheMisses),
        _ => branches(event, 0x80, 0x02),
    }
}

const fn of_cva6(event: u64) -> Option<Kind> {
    match event {
        5 => Some(Kind::Loads),
        6 => Some(Kind::Stores),
        _ => branches(event, 9, 10),
    }
}

/// By the numbers of the bits in the manual's table.
const fn of_cv32e40p(event: u64) -> Option<Kind> {
    match event {
        0x001 => Some(Kind::Cycles),
        0x002 => Some(Kind::Instructions),
        0x020 => Some(Kind::Loads),
        0x040 => Some(Kind::Stores),
        0x100 => Some(Kind::Branches),
        _ => None,
    }
}

/// What counters 5, 6 and 8 count by what their selectors read.
const fn of_ibex(event: u64) -> Option<Kind> {
    match event {
        0x04 => Some(Kind::Loads),
        0x08 => Some(Kind::Stores),
        0x20 => Some(Kind::Branches),
        _ => None,
    }
}

const fn branches(event: u64, all: u64, mispredicted: u64) -> Option<Kind> {
    match event {
        _ if event == all => Some(Kind::Branches),
        _ if event == mispredicted => Some(Kind::MispredictedBranches),
        _ => None,
    }
}

const fn of_thead(event: u64) -> Option<Kind> {
    match event {
        6 => Some(Kind::MispredictedBranches),
        7 => Some(Kind::Branches),
        11 => Some(Kind::Stores),
        _ => None,
    }
}
