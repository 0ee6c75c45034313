//! The shortest periods.
//!
//! The test kernel's handler takes some 250 instructions with registers of 64 bits, and 314 with registers of 32, from the
//! overflow to the stop of the counter and from its start to the interrupted instruction. A third of them save and restore
//! registers. Nothing was measured on silicon.

use super::capabilities::Capabilities;
use crate::family::Shortest;

impl Capabilities {
    /// The shortest period of instructions, or of events that happen at most once for each, that may repeat while the
    /// kernel is counted. The handler counts its own instructions until it has stopped the counter and after it has started
    /// it, and a load-linked (LL) must reach its conditional store (SC) between two interrupts. With registers of 32 bits a
    /// handler is longer.
    pub const LEAST_IN_KERNEL: u64 = if size_of::<usize>() == 8 { 384 } else { 512 };

    /// The shortest period of other events, such as cycles, that may repeat while the kernel is counted.
    pub const LEAST_OF_OTHERS_IN_KERNEL: u64 = 2_000;

    /// The shortest period of instructions or cycles that may repeat while the kernel is not counted: the interrupt's ERET
    /// makes an SC fail, so a loop of LL and SC must fit between two interrupts.
    pub const LEAST_IN_USER: u64 = 128;
}

/// All of them.
pub(super) const SHORTEST: Shortest = Shortest {
    in_kernel: Capabilities::LEAST_IN_KERNEL,
    others_in_kernel: Capabilities::LEAST_OF_OTHERS_IN_KERNEL,
    in_user: Capabilities::LEAST_IN_USER,
};
