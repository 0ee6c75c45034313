//! The special-purpose registers of the classic units.
//!
//! Source: "MPC7450 RISC Microprocessor Family Reference Manual", chapter 11, tables "Performance
//! Monitor SPRs - Supervisor Level" and "Performance Monitor SPRs - User Level (Read-Only)".

use crate::arch::powerpc::Spr;

/// The registers of the classic units.
impl Spr {
    /// The control of all counters, and the selectors of the first two.
    pub const CLASSIC_MMCR0: Self = Self::at(952);
    /// The selectors of the third and further counters; from the 604e on.
    pub const CLASSIC_MMCR1: Self = Self::at(956);
    /// The bits that the 7400 added.
    pub const CLASSIC_MMCR2: Self = Self::at(944);
    /// The address of the sampled instruction (SIA; SIAR).
    pub const CLASSIC_SIAR: Self = Self::at(955);
    /// The address of the sampled data (SDA; SDAR); 604 and 604e.
    pub const CLASSIC_SDAR: Self = Self::at(959);
    /// The counters: PMC1 to PMC6.
    pub const CLASSIC_PMCS: [Self; 6] =
        [Self::at(953), Self::at(954), Self::at(957), Self::at(958), Self::at(945), Self::at(946)];
}

/// The distance of a register from the copy that user programs can read.
const USER: u16 = 16;

/// Returns true if it is a copy that user programs can read.
#[inline(always)]
pub(super) const fn is_user(register: Spr) -> bool {
    register.number() & USER == 0
}

/// Returns the register that this one shows: itself, or the one that it is a copy of.
#[inline(always)]
pub(super) const fn supervisor(register: Spr) -> Spr {
    Spr::at(register.number() | USER)
}
