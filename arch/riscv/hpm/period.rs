//! The shortest periods.
//!
//! They leave the handler's instructions and a loop of LR and SC between two interrupts. The handler's length is that of the
//! other families' whose registers have 64 or 32 bits. Nothing was measured on silicon.

use super::capabilities::Capabilities;
use crate::family::Shortest;

impl Capabilities {
    /// The shortest period of instructions, or of events that happen at most once for each, that may repeat while the kernel
    /// is counted. The handler counts its own instructions until it has stopped the counter and after it has started it, and a
    /// load-reserved (LR) must reach its conditional store (SC) between two interrupts. With registers of 32 bits a handler is
    /// longer.
    pub const LEAST_IN_KERNEL: u64 = if size_of::<usize>() == 8 { 256 } else { 512 };

    /// The shortest period of other events, such as cycles, that may repeat while the kernel is counted.
    pub const LEAST_OF_OTHERS_IN_KERNEL: u64 = 2_000;

    /// The shortest period of instructions or cycles that may repeat while the kernel is not counted: an interrupt may make an
    /// SC fail, so a loop of LR and SC must fit between two interrupts.
    pub const LEAST_IN_USER: u64 = 128;
}

/// All of them.
pub(super) const SHORTEST: Shortest = Shortest {
    in_kernel: Capabilities::LEAST_IN_KERNEL,
    others_in_kernel: Capabilities::LEAST_OF_OTHERS_IN_KERNEL,
    in_user: Capabilities::LEAST_IN_USER,
};
