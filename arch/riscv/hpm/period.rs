//! The shortest periods.
//!
//! They leave the handler's instructions and a loop of LR and SC between two interrupts. The handler's length is that of the
//! other families' whose registers have 64 or 32 bits. Nothing was measured on silicon.

use crate::event::{Mode, Modes, Refusal, Repeat, Request, Result, Sampling};

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

/// How often an event happens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rate {
    /// At most once for each instruction.
    Instructions,
    /// Once for each cycle.
    Cycles,
    /// Not known.
    Others,
}

impl Rate {
    const fn least(self, in_kernel: bool) -> u64 {
        match self {
            Self::Instructions if in_kernel => LEAST_IN_KERNEL,
            _ if in_kernel => LEAST_OF_OTHERS_IN_KERNEL,
            Self::Instructions | Self::Cycles => LEAST_IN_USER,
            Self::Others => 1,
        }
    }
}

/// Checks that the request's period is not too short for the modes that it counts in.
#[inline(always)]
pub(super) fn check_period(request: &Request, rate: Rate) -> Result<(), Refusal> {
    match request.sampling {
        None => Ok(()),
        Some(sampling) => check(sampling, request.modes, rate),
    }
}

#[inline(never)]
fn check(sampling: Sampling, modes: Modes, rate: Rate) -> Result<(), Refusal> {
    let is_repeated = sampling.repeat == Repeat::Continuous;
    let least = if is_repeated { rate.least(modes.contains(Mode::Kernel)) } else { 1 };
    if sampling.period < least { Err(Refusal::PeriodTooShort { least }) } else { Ok(()) }
}
