//! Which special-purpose registers the classic units are reached through.
//!
//! Source: "MPC7450 RISC Microprocessor Family Reference Manual", chapter 11, tables "Performance
//! Monitor SPRs - Supervisor Level" and "Performance Monitor SPRs - User Level (Read-Only)".

use crate::arch::powerpc::Spr;

/// What controls all counters, and what the first two count.
pub const MMCR0: Spr = Spr::at(952);
/// What the third counter and those after it count; from the 604e on.
pub const MMCR1: Spr = Spr::at(956);
/// What was added to the 7400.
pub const MMCR2: Spr = Spr::at(944);
/// The address of the instruction that was sampled (SIA; SIAR).
pub const SIAR: Spr = Spr::at(955);
/// The address of the datum that was sampled (SDA; SDAR); 604 and 604e.
pub const SDAR: Spr = Spr::at(959);
/// The counters: PMC1 to PMC6.
pub const PMCS: [Spr; 6] = [Spr::at(953), Spr::at(954), Spr::at(957), Spr::at(958), Spr::at(945), Spr::at(946)];

/// How far a register is from the copy that user programs may read.
const USER: u16 = 16;

/// Is it a copy that user programs may read?
#[inline(always)]
#[must_use]
pub const fn is_user(register: Spr) -> bool {
    register.number() & USER == 0
}

/// The register that this one shows: itself, or what it is the user's copy of.
#[inline(always)]
#[must_use]
pub const fn supervisor(register: Spr) -> Spr {
    Spr::at(register.number() | USER)
}
