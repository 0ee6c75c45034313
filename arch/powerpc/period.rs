//! Which periods can be asked for, on counters of 32 bits that fire as their top bit sets.

use crate::counter::Width;
use crate::error::{Refusal, Result};
use crate::event::{Mode, Repeat, Request};

/// The shortest period of instructions, or of what instructions do, that repeats while the kernel
/// is counted.
///
/// An interrupt counts those of its own instructions that come before its counters are frozen, and
/// those after they are let go on. A period of no more than those would end before the handler has
/// returned, and what was interrupted would never go on; and one that leaves less than the way from a
/// load that reserves to its conditional store would let no atomic operation end, since each
/// interrupt gives the reservation up.
///
/// Behind the library's own entry those are 152 with registers of 64 bits and 189 with 32, on one
/// counter (`cargo xtask boot --identity power9 -- run=test test=the_least_period`, or another
/// identity, prints one more). A kernel whose own entry is much longer needs a longer period. It was
/// not measured on silicon.
pub const LEAST_IN_KERNEL: u64 = 256;

/// The shortest period of anything else, cycles above all, that repeats while the kernel is counted.
///
/// A clock runs on through the delivery of the interrupt, the MTSPRs and ISYNCs that freeze the unit
/// and the RFI behind the one that lets it go on, none of which takes more than some tens of
/// cycles. It was not measured on silicon.
pub const LEAST_OF_OTHERS_IN_KERNEL: u64 = 2_000;

/// How long after an overflow was accounted for its interrupt may still come, in ticks of the time
/// base: some hundred milliseconds at a few ten megahertz. It waits for MSR\[EE\], which the kernel
/// may keep clear for as long as it likes.
pub const LATE: u64 = 1 << 24;

/// Can the request's period be had? `in_kernel` is the shortest that may repeat while the kernel is
/// counted, the interrupt's own instructions among it.
#[inline(always)]
pub(super) fn check_period(request: &Request, width: Width, in_kernel: u64) -> Result<(), Refusal> {
    let Some(sampling) = request.sampling else { return Ok(()) };
    let repeats = sampling.repeat == Repeat::Continuous;
    let least = if repeats && request.modes.contains(Mode::Kernel) { in_kernel } else { 1 };
    match sampling.period {
        0 => Err(Refusal::PeriodZero),
        period if period < least => Err(Refusal::PeriodTooShort { least }),
        period if period > width.longest() => Err(Refusal::PeriodTooLong { longest: width.longest() }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{Event, Modes};

    const WIDTH: Width = Width::top_bit(32).unwrap();
    const REQUEST: Request = Request::new(Event::CYCLES);

    #[test]
    fn a_period_that_the_interrupt_itself_would_end_is_refused_in_the_kernel_only() {
        let short = Err(Refusal::PeriodTooShort { least: 128 });
        assert_eq!(check_period(&REQUEST.every(127), WIDTH, 128), short);
        assert_eq!(check_period(&REQUEST.every(128), WIDTH, 128), Ok(()));
        assert_eq!(check_period(&REQUEST.every(1).modes(Modes::USER), WIDTH, 128), Ok(()));
        assert_eq!(check_period(&REQUEST.once_after(1), WIDTH, 128), Ok(()));
    }

    #[test]
    fn a_period_reaches_as_far_as_the_top_bit() {
        assert_eq!(check_period(&REQUEST.every(1 << 31), WIDTH, 128), Ok(()));
        let long = Err(Refusal::PeriodTooLong { longest: 1 << 31 });
        assert_eq!(check_period(&REQUEST.every((1 << 31) + 1), WIDTH, 128), long);
        assert_eq!(check_period(&REQUEST.every(0), WIDTH, 128), Err(Refusal::PeriodZero));
    }
}
