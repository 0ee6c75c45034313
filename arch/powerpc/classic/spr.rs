//! The special-purpose registers of the classic units.
//!
//! Source: "MPC7450 RISC Microprocessor Family Reference Manual", chapter 11, tables "Performance
//! Monitor SPRs - Supervisor Level" and "Performance Monitor SPRs - User Level (Read-Only)".

use crate::arch::powerpc::Spr;

/// The control of all counters, and the selectors of the first two.
pub const MMCR0: Spr = Spr::at(952);
/// The selectors of the third and further counters; from the 604e on.
pub const MMCR1: Spr = Spr::at(956);
/// The bits that the 7400 added.
pub const MMCR2: Spr = Spr::at(944);
/// The address of the sampled instruction (SIA; SIAR).
pub const SIAR: Spr = Spr::at(955);
/// The address of the sampled data (SDA; SDAR); 604 and 604e.
pub const SDAR: Spr = Spr::at(959);
/// The counters: PMC1 to PMC6.
pub const PMCS: [Spr; 6] = [Spr::at(953), Spr::at(954), Spr::at(957), Spr::at(958), Spr::at(945), Spr::at(946)];

/// The distance of a register from the copy that user programs can read.
const USER: u16 = 16;

/// Returns true if it is a copy that user programs can read.
#[inline(always)]
#[must_use]
pub const fn is_user(register: Spr) -> bool {
    register.number() & USER == 0
}

/// Returns the register that this one shows: itself, or the one that it is a copy of.
#[inline(always)]
#[must_use]
pub const fn supervisor(register: Spr) -> Spr {
    Spr::at(register.number() | USER)
}
