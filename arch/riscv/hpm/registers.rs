//! The bits of mhpmevent, mcyclecfg and minstretcfg, and of the pending interrupts.
//!
//! Sources: "The RISC-V Instruction Set Manual, volume II: Privileged Architecture", chapters "Sscofpmf", "Count Overflow
//! Control", and "Smcntrpmf", "Machine Counter Configuration Registers"; torvalds/linux
//! arch/riscv/include/asm/csr.h and OpenSBI's riscv_encoding.h (MHPMEVENT_*) have the same positions.

use super::Capabilities;
use crate::contract::bit_set;

use crate::arch::riscv::Csr;

bit_set! {
    /// What a counter counts, and where it does not (mhpmevent; mcyclecfg and minstretcfg have the modes alone).
    #[derive(Clone, Copy, PartialEq, Eq, Default)]
    pub struct Select: u64 {
        /// The event. Its layout is the processor's own.
        const EVENT as "event" = (1 << 56) - 1;
        /// Do not count in user mode under a hypervisor (VUINH).
        const NOT_GUEST_USER as "VUINH" = 1 << 58;
        /// Do not count in supervisor mode under a hypervisor (VSINH).
        const NOT_GUEST_KERNEL as "VSINH" = 1 << 59;
        /// Do not count in user mode (UINH).
        const NOT_USER as "UINH" = 1 << 60;
        /// Do not count in supervisor mode (SINH).
        const NOT_SUPERVISOR as "SINH" = 1 << 61;
        /// Do not count in machine mode (MINH).
        const NOT_MACHINE as "MINH" = 1 << 62;
        /// The counter has overflowed, and does not interrupt until this is cleared (OF).
        const OVERFLOWED as "OF" = 1 << 63;
    }
}

impl Select {
    /// The modes.
    pub const FILTERS: Self = Self::NOT_GUEST_USER
        .union(Self::NOT_GUEST_KERNEL)
        .union(Self::NOT_USER)
        .union(Self::NOT_SUPERVISOR)
        .union(Self::NOT_MACHINE);
    /// Those of them that Andes' 45 series have, in registers of their own ([`MASKS`]).
    pub(super) const MASKED: Self = Self::NOT_USER.union(Self::NOT_SUPERVISOR).union(Self::NOT_MACHINE);
}

/// The registers of Andes' 45 series that have a bit for each counter which does not count in a mode, and what that is in a
/// selection.
pub(super) const MASKS: [(Csr, Select); 3] = [
    (Csr::MCOUNTERMASK_M, Select::NOT_MACHINE),
    (Csr::MCOUNTERMASK_S, Select::NOT_SUPERVISOR),
    (Csr::MCOUNTERMASK_U, Select::NOT_USER),
];

/// The interrupt's bit in mip, mie, sip and sie.
pub(super) const PENDING: u64 = 1 << Capabilities::INTERRUPT;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_filters_share_no_bit_with_the_event_or_the_overflow() {
        assert_eq!(Select::FILTERS.bits(), 0x7C00_0000_0000_0000);
        assert!(!Select::FILTERS.intersects(Select::EVENT | Select::OVERFLOWED));
    }
}
