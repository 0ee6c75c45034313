//! When a counter overflows, and what its host hears of it.

use pmu::virt::Device as _;

use super::{Family, each, rises, sample, value};
use crate::support::work::instructions;

pub(crate) fn the_nth_event_interrupts_and_the_one_before_does_not<F: Family>() {
    each::<F>(|identity, counter| {
        for n in (1..=500).chain([2000]) {
            let unit = F::unit(identity);
            sample::<F, _>(&unit, identity, counter, n);
            unit.advance(&instructions(n - 1));
            assert_eq!(rises::<F>(&unit), 0, "{n}");
            unit.advance(&instructions(1));
            assert_eq!(rises::<F>(&unit), 1, "{n}");
        }
    });
}

pub(crate) fn a_counter_goes_on_from_where_it_overflows<F: Family>() {
    each::<F>(|identity, counter| {
        let (unit, edge) = (F::unit(identity), F::edge(identity, counter));
        sample::<F, _>(&unit, identity, counter, 3);
        for (expected, risen) in [(edge.before(2), 0), (edge.before(1), 0), (edge.behind(0), 1), (edge.behind(1), 1)] {
            unit.advance(&instructions(1));
            let found = (value::<F>(&unit, identity, counter), rises::<F>(&unit));
            assert_eq!(found, (expected, risen));
        }
    });
}

/// One of 64 bits overflows once: there is no work in which it wraps again.
pub(crate) fn several_wraps_at_once_leave_the_right_count_and_one_interrupt<F: Family>() {
    each::<F>(|identity, counter| {
        let (unit, edge) = (F::unit(identity), F::edge(identity, counter));
        let wraps = if edge.bits < 64 { 5 << edge.bits } else { 0 };
        sample::<F, _>(&unit, identity, counter, 3);
        unit.advance(&instructions(3 + wraps + 11));
        assert_eq!((value::<F>(&unit, identity, counter), rises::<F>(&unit)), (edge.behind(11), 1));
    });
}

pub(crate) fn the_most_work_there_is_does_no_harm<F: Family>() {
    each::<F>(|identity, counter| {
        let unit = F::unit(identity);
        sample::<F, _>(&unit, identity, counter, 1);
        unit.advance(&instructions(u64::MAX));
        let expected = F::edge(identity, counter).before(2);
        assert_eq!((value::<F>(&unit, identity, counter), rises::<F>(&unit)), (expected, 1));
    });
}

pub(crate) fn counters_that_overflow_at_once_interrupt_once<F: Family>() {
    for identity in F::interrupting() {
        let unit = F::unit(&identity);
        let counters: Vec<_> = F::counters(&identity).into_iter().take(2).collect();
        counters.iter().for_each(|&counter| sample::<F, _>(&unit, &identity, counter, 100));
        unit.advance(&instructions(99));
        assert_eq!(rises::<F>(&unit), 0, "{}", F::name(&identity));
        unit.advance(&instructions(1));
        assert_eq!(rises::<F>(&unit), 1, "{}", F::name(&identity));
        for counter in counters {
            assert_eq!(value::<F>(&unit, &identity, counter), F::edge(&identity, counter).behind(0), "{counter:?}");
        }
    }
}

/// Every overflow interrupts whether or not the kernel has acknowledged the last.
pub(crate) fn every_overflow_interrupts_whether_or_not_the_last_was_seen_to<F: Family>() {
    each::<F>(|identity, counter| {
        let unit = F::unit(identity);
        for risen in 1..=3 {
            sample::<F, _>(&unit, identity, counter, 4);
            unit.advance(&instructions(4));
            assert_eq!((rises::<F>(&unit), F::line(&unit).falls()), (risen, 0));
        }
    });
}

pub(crate) fn until_overflow_agrees_with_single_steps<F: Family>() {
    for identity in F::interrupting() {
        for (step, start) in (1..=7).flat_map(|step| (1..=100).map(move |start| (step, start))) {
            let unit = F::unit(&identity);
            for (counter, events) in F::counters(&identity).into_iter().zip([start, 60]) {
                sample::<F, _>(&unit, &identity, counter, events);
            }
            let foretold = unit.until_overflow(&instructions(step));
            let taken = (1..).find(|_| {
                unit.advance(&instructions(step));
                rises::<F>(&unit) > 0
            });
            assert_eq!(taken, foretold, "{}: in {start} by {step}", F::name(&identity));
        }
    }
}

pub(crate) fn while_the_line_is_high_no_further_rise_is_foretold<F: Family>() {
    each::<F>(|identity, counter| {
        let unit = F::unit(identity);
        for risen in 1..=3 {
            sample::<F, _>(&unit, identity, counter, 5);
            assert_eq!((unit.until_overflow(&instructions(1)), F::is_asserted(&unit)), (Some(5), false));
            unit.advance(&instructions(5));
            assert_eq!((unit.until_overflow(&instructions(1)), F::is_asserted(&unit)), (None, true));
            assert_eq!(rises::<F>(&unit), risen);
        }
    });
}

pub(crate) fn a_reset_lowers_the_line_whose_cause_it_clears<F: Family>() {
    each::<F>(|identity, counter| {
        let unit = F::unit(identity);
        sample::<F, _>(&unit, identity, counter, 1);
        unit.advance(&instructions(1));
        let falls = F::line(&unit).falls();
        assert!(F::is_asserted(&unit) && F::line(&unit).is_high());
        for reset in ["the first", "a second, which changes nothing"] {
            F::reset(&unit);
            assert!(!F::is_asserted(&unit) && !F::line(&unit).is_high(), "{reset}");
            assert_eq!((rises::<F>(&unit), F::line(&unit).falls()), (1, falls + 1), "{reset}");
        }
    });
}

pub(crate) fn a_restored_unit_overflows_where_the_first_would_have<F: Family>() {
    each::<F>(|identity, counter| {
        let (source, target) = (F::unit(identity), F::unit(identity));
        sample::<F, _>(&source, identity, counter, 1000);
        source.advance(&instructions(400));
        target.restore(source.snapshot().as_bytes()).unwrap();
        assert_eq!(target.until_overflow(&instructions(1)), Some(600));
        target.advance(&instructions(600));
        assert_eq!((rises::<F>(&target), rises::<F>(&source)), (1, 0));
        source.advance(&instructions(600));
        assert_eq!(target.state(), source.state());
    });
}

pub(crate) fn a_device_without_a_line_counts_all_the_same<F: Family>() {
    each::<F>(|identity, counter| {
        let (with, without) = (F::unit(identity), F::alone(identity));
        sample::<F, _>(&with, identity, counter, 1);
        sample::<F, _>(&without, identity, counter, 1);
        with.advance(&instructions(2));
        without.advance(&instructions(2));
        assert_eq!((without.state(), rises::<F>(&with)), (with.state(), 1));
    });
}
