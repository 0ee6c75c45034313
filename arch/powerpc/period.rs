//! The shortest periods, for counters of 32 bits that overflow when their top bit becomes 1.

use crate::event::{Mode, Refusal, Repeat, Request, Result, Sampling};

/// The shortest period of instructions, or of events that happen at most once for each, that may repeat while the kernel
/// is counted.
///
/// An interrupt counts its own instructions, except while the counters are frozen. If the period is not longer, it ends
/// again before the handler has returned, and the interrupted code does not continue. If what remains is shorter than the
/// code from a load that reserves (LWARX) to its conditional store (STWCX.), an atomic operation never ends, because each
/// interrupt cancels the reservation.
///
/// In this crate's test kernel, which uses the library's own entry, an interrupt of one counter counts 164
/// instructions with registers of 64 bits (POWER9) and 132 with 32 (7450). This was measured in QEMU, by sampling a row of
/// instructions one by one, and not on silicon. `cargo xtask boot --identity power9 -- run=test test=the_least_period`,
/// or with another identity, measures it again, and fails if the period is too short. A kernel whose own entry is much
/// longer needs a longer period.
pub const LEAST_IN_KERNEL: u64 = 256;

/// The shortest period of other events, such as cycles, that may repeat while the kernel is counted.
///
/// Cycles are counted during the delivery of the interrupt, the MTSPRs and ISYNCs that freeze the unit, and
/// the RFI after it is unfrozen. Each of these is assumed to take at most some tens of cycles. This is an
/// estimate, and was not measured on silicon.
pub const LEAST_OF_OTHERS_IN_KERNEL: u64 = 2_000;

/// The shortest period of instructions or cycles that may repeat while the kernel is not counted.
///
/// The interrupt cancels a reservation. If every load that reserves (LWARX) is interrupted before its conditional
/// store (STWCX.), the program retries for ever. The architecture does not limit the instructions between the two.
/// Compilers put one to three there, and a retry takes a few more. The rest of the period is for code that is written
/// by hand. In QEMU's emulation of POWER9 and 7450 a loop with 32 instructions from load to store hung with periods up to
/// 36 (`cargo xtask boot --identity power9 -- run=test test=an_atomic_operation`). It was not measured on silicon.
///
/// Other events may have any period, because most are rarer. A short period of an event that each instruction causes may
/// stop programs in the same way.
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
    /// Returns the shortest period that may repeat, depending on whether the kernel is counted.
    const fn least(self, in_kernel: bool) -> u64 {
        match self {
            Self::Instructions if in_kernel => LEAST_IN_KERNEL,
            _ if in_kernel => LEAST_OF_OTHERS_IN_KERNEL,
            Self::Instructions | Self::Cycles => LEAST_IN_USER,
            Self::Others => 1,
        }
    }
}

/// Checks that the request's period is not too short.
#[inline(always)]
pub(super) fn check_period(request: &Request, rate: impl FnOnce() -> Rate) -> Result<(), Refusal> {
    match request.sampling {
        None => Ok(()),
        Some(sampling) => check(sampling, request.modes.contains(Mode::Kernel), rate()),
    }
}

#[inline(never)]
fn check(sampling: Sampling, in_kernel: bool, rate: Rate) -> Result<(), Refusal> {
    let least = if sampling.repeat == Repeat::Continuous { rate.least(in_kernel) } else { 1 };
    if sampling.period < least { Err(Refusal::PeriodTooShort { least }) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{Event, Modes};

    const REQUEST: Request = Request::new(Event::CYCLES);

    /// The shortest period that the request may have, of events that come at this rate.
    fn assert_least(request: Request, rate: Rate, least: u64) {
        let check = |period| check_period(&request.every(period), || rate);
        assert_eq!(check(least), Ok(()), "{rate:?}");
        assert_eq!(check(least - 1), Err(Refusal::PeriodTooShort { least }), "{rate:?}");
    }

    #[test]
    fn a_period_that_the_interrupt_itself_would_end_is_refused_in_the_kernel() {
        assert_least(REQUEST, Rate::Instructions, LEAST_IN_KERNEL);
        assert_least(REQUEST, Rate::Cycles, LEAST_OF_OTHERS_IN_KERNEL);
        assert_least(REQUEST, Rate::Others, LEAST_OF_OTHERS_IN_KERNEL);
    }

    #[test]
    fn a_period_in_which_no_reservation_comes_to_its_store_is_refused_in_programs() {
        let programs = REQUEST.modes(Modes::USER);
        assert_least(programs, Rate::Instructions, LEAST_IN_USER);
        assert_least(programs, Rate::Cycles, LEAST_IN_USER);
        assert_least(programs, Rate::Others, 1);
    }

    #[test]
    fn a_period_that_does_not_repeat_is_as_short_as_anyone_likes() {
        for request in [REQUEST, REQUEST.modes(Modes::USER)] {
            assert_eq!(check_period(&request.once_after(1), || Rate::Instructions), Ok(()));
        }
    }

    #[test]
    fn a_period_may_be_as_long_as_anyone_likes() {
        let check = |period| check_period(&REQUEST.every(period), || Rate::Instructions);
        assert_eq!(check(u64::MAX), Ok(()));
    }
}
