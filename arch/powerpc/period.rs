//! Which periods can be asked for, on counters of 32 bits that fire as their top bit sets.

use crate::event::{Mode, Refusal, Repeat, Request, Result, Sampling};

/// The shortest period of instructions, or of what instructions do, that repeats while the kernel
/// is counted.
///
/// An interrupt counts those of its own instructions that come before its counters are frozen, and
/// those after they are let go on. A period of no more than those would end before the handler has
/// returned, and what was interrupted would never go on; and one that leaves less than the way from a
/// load that reserves to its conditional store would let no atomic operation end, since each
/// interrupt gives the reservation up.
///
/// Behind the library's own entry those are 149 with registers of 64 bits and at most 130 with 32, on one
/// counter; `cargo xtask boot --identity power9 -- run=test test=the_least_period`, or another identity,
/// fails if they leave too few. A kernel whose own entry is much longer needs a longer period. It was not
/// measured on silicon.
pub const LEAST_IN_KERNEL: u64 = 256;

/// The shortest period of anything else, cycles above all, that repeats while the kernel is counted.
///
/// A clock runs on through the delivery of the interrupt, the MTSPRs and ISYNCs that freeze the unit
/// and the RFI behind the one that lets it go on, none of which takes more than some tens of
/// cycles. It was not measured on silicon.
pub const LEAST_OF_OTHERS_IN_KERNEL: u64 = 2_000;

/// The shortest period of instructions or cycles that repeats where the kernel is not counted.
///
/// The interrupt and its return give a reservation up. A program that is interrupted each few instructions
/// never gets from a load that reserves (LWARX) to its conditional store (STWCX.): it tries again for ever,
/// and its atomic operation does not end. The architecture sets no bound to what is in between; compilers
/// put one to three instructions there, and a program that tries again does so after a few more, so that
/// this leaves some for what is written by hand. It was not measured on silicon.
///
/// Of other events, of which most are rarer, any period can be had: whoever asks for a short one of an event
/// that each instruction brings sees to it that programs get on.
pub const LEAST_IN_USER: u64 = 128;

/// How long after an overflow was accounted for its interrupt may still come, in ticks of the time
/// base: some hundred milliseconds at a few ten megahertz. It waits for MSR\[EE\], which the kernel
/// may keep clear for as long as it likes.
pub const LATE: u64 = 1 << 24;

/// How often what is counted happens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rate {
    /// As often as instructions do, or what instructions do, and no oftener.
    Instructions,
    /// With each cycle.
    Cycles,
    /// As often as it happens.
    Others,
}

impl Rate {
    /// The shortest period that may repeat while the kernel is counted, the interrupt's own instructions among
    /// it, or while it is not.
    const fn least(self, in_kernel: bool) -> u64 {
        match self {
            Self::Instructions if in_kernel => LEAST_IN_KERNEL,
            _ if in_kernel => LEAST_OF_OTHERS_IN_KERNEL,
            Self::Instructions | Self::Cycles => LEAST_IN_USER,
            Self::Others => 1,
        }
    }
}

/// Can the request's period be had?
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
    match sampling.period {
        0 => Err(Refusal::PeriodZero),
        period if period < least => Err(Refusal::PeriodTooShort { least }),
        _ => Ok(()),
    }
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
        let refused = if least == 1 { Refusal::PeriodZero } else { Refusal::PeriodTooShort { least } };
        assert_eq!(check(least - 1), Err(refused), "{rate:?}");
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
        assert_eq!(check(0), Err(Refusal::PeriodZero));
    }
}
