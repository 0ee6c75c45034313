//! The shortest periods: the next overflow must not come before the handler of the last one has returned.

use crate::event::{Refusal, Repeat, Request, Result, Sampling};

/// How often an event happens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rate {
    /// At most once for each instruction.
    Instructions,
    /// Once for each cycle.
    Cycles,
    /// Up to once for each cycle, or not known.
    Others,
}

/// The shortest periods that may repeat on a family's processors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shortest {
    /// Of instructions while the kernel, and so the handler, is counted.
    pub(crate) in_kernel: u64,
    /// Of other events while the kernel is counted.
    pub(crate) others_in_kernel: u64,
    /// Of instructions and cycles while only programs are counted.
    pub(crate) in_user: u64,
}

impl Shortest {
    /// Checks that a request's period, if it has one, is not too short for an event of this rate.
    #[inline(always)]
    pub(crate) fn check(
        &self,
        request: &Request,
        counts_kernel: bool,
        rate: impl FnOnce() -> Rate,
    ) -> Result<(), Refusal> {
        match request.sampling {
            None => Ok(()),
            Some(sampling) => self.check_period(sampling, counts_kernel, rate()),
        }
    }

    #[inline(never)]
    fn check_period(&self, sampling: Sampling, counts_kernel: bool, rate: Rate) -> Result<(), Refusal> {
        let least = match rate {
            _ if sampling.repeat == Repeat::OneShot => 1,
            Rate::Instructions if counts_kernel => self.in_kernel,
            _ if counts_kernel => self.others_in_kernel,
            Rate::Instructions | Rate::Cycles => self.in_user,
            Rate::Others => 1,
        };
        if sampling.period < least { Err(Refusal::PeriodTooShort { least }) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Event;

    const REQUEST: Request = Request::new(Event::CYCLES);
    const SHORTEST: Shortest = Shortest { in_kernel: 256, others_in_kernel: 2_000, in_user: 128 };

    /// Checks that this is the shortest period of events that come at this rate.
    fn assert_least(counts_kernel: bool, rate: Rate, least: u64) {
        let check = |period| SHORTEST.check(&REQUEST.every(period), counts_kernel, || rate);
        assert_eq!(check(least), Ok(()), "{rate:?}");
        assert_eq!(check(least - 1), Err(Refusal::PeriodTooShort { least }), "{rate:?}");
    }

    #[test]
    fn a_period_that_the_interrupt_itself_would_end_is_refused_in_the_kernel() {
        assert_least(true, Rate::Instructions, 256);
        assert_least(true, Rate::Cycles, 2_000);
        assert_least(true, Rate::Others, 2_000);
    }

    #[test]
    fn a_period_in_which_no_reservation_comes_to_its_store_is_refused_in_programs() {
        assert_least(false, Rate::Instructions, 128);
        assert_least(false, Rate::Cycles, 128);
        assert_least(false, Rate::Others, 1);
    }

    #[test]
    fn a_period_that_does_not_repeat_is_as_short_as_anyone_likes() {
        for counts_kernel in [true, false] {
            assert_eq!(SHORTEST.check(&REQUEST.once_after(1), counts_kernel, || Rate::Instructions), Ok(()));
        }
    }

    #[test]
    fn a_period_may_be_as_long_as_anyone_likes() {
        assert_eq!(SHORTEST.check(&REQUEST.every(u64::MAX), true, || Rate::Instructions), Ok(()));
    }
}
