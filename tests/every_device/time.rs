//! What time and a reset do to a unit, and that the rules for drivers do nothing to it.

use pmu::Mode;
use pmu::driver::Registers as _;
use pmu::virt::{Device as _, Kind, Strict, Work};

use super::{Family, sample};
use crate::support::put::put;
use crate::support::work::instructions;

pub(crate) fn the_clock_ticks_with_the_cycles_and_goes_on_over_a_reset<F: Family>() {
    for identity in F::identities() {
        let unit = F::unit(&identity);
        unit.advance(&Work::instructions(Mode::Kernel, 12));
        unit.advance(&Work::none(Mode::User).with(Kind::Cycles, 30));
        assert_eq!(unit.ticks(), 42, "{}", F::name(&identity));
        F::reset(&unit);
        assert_eq!(unit.ticks(), 42, "{}", F::name(&identity));
    }
}

pub(crate) fn a_reset_clears_all_but_the_clock_and_the_processors_own_state<F: Family>() {
    for identity in F::identities() {
        let unit = F::unit(&identity);
        let (new, full) = (unit.state(), F::contents(&identity)[0]);
        assert_eq!(put(&unit, &full), Ok(()), "{}", F::name(&identity));
        F::reset(&unit);
        assert_eq!(unit.state(), F::after_reset(new, &full), "{}", F::name(&identity));
    }
}

/// `Strict` judges what a driver writes, and nothing that a host does.
pub(crate) fn beneath_its_rules_it_is_the_device<F: Family>() {
    for identity in F::interrupting() {
        let (strict, plain) = (Strict(F::unit(&identity)), F::unit(&identity));
        let step = instructions(3);
        for counter in F::counters(&identity) {
            for _ in 0..2 {
                sample::<F, _>(&strict, &identity, counter, 1000);
                sample::<F, _>(&plain, &identity, counter, 1000);
                strict.advance(&step);
                plain.advance(&step);
            }
            assert_eq!(strict.state(), plain.state(), "{}", F::name(&identity));
            assert_eq!((strict.until_overflow(&step), strict.unfed()), (plain.until_overflow(&step), plain.unfed()));
            assert_eq!((strict.ticks(), strict.wanted()), (plain.ticks(), plain.wanted()));
            assert_eq!(strict.snapshot(), plain.snapshot());
        }
    }
}
