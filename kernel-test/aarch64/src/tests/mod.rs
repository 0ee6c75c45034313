//! The tests of this kernel alone, in the order in which they run, before the harness's: one behaviour each, in a file of its
//! own.
//!
//! To add one, write `tests/<its sentence>.rs` with a `pub fn test()` that panics if the sentence is not true, and add the
//! sentence to the list here, under what it needs.

mod clocked;
mod guests;
mod here;
mod threaded;

use harness::Need::{Amid, Book, Orders, Own, Threads};
use harness::Test;

use crate::guest::Here;
use crate::guest::place::{self, Place};

/// The tests of this place whose names contain this; the kernel is there from now on.
pub fn of(place: Place, filter: &str) -> impl Iterator<Item = &'static Test> {
    place::enter(place);
    all().filter(move |test| test.name.contains(filter) && test.left_out().is_none() && is_for(test, place))
}

/// Where interrupts are NMIs, what the machine's unit shows is not shown again.
fn is_for(test: &Test, place: Place) -> bool {
    place != Place::Nmi || test.needs.iter().any(|need| matches!(need, Amid | Book | Orders | Threads))
}

/// Why a test of these places is not shown in another one.
fn only(places: &[Place]) -> Option<&'static str> {
    (!places.iter().any(|&there| place::is(there))).then_some("it is shown in another place")
}

harness::tests! {
    Here:
    [] {
        an_unexpected_exception_fails_the_test
    }
    [Own(|| only(&[Place::El1, Place::Model]))] {
        a_halt_fails_the_test
    }
    [] {
        the_processor_is_the_one_presented
        software_increments_are_counted_and_overflow
        a_count_goes_on_beyond_its_counter
        a_period_is_as_long_as_its_counter
    }
    [Own(|| only(&[Place::El1, Place::Vhe, Place::Model]))] {
        user_programs_read_counters_if_they_may
    }
    [Own(|| only(&[Place::El1, Place::Vhe]))] {
        programs_and_the_kernel_are_counted_apart
    }
    [Own(|| only(&[Place::El2]))] {
        a_guest_has_the_real_counters_while_it_runs
        a_guest_is_fed_from_the_machines_counters
    }
    [Own(|| only(&[Place::Vhe]))] {
        a_hosts_samples_say_whether_it_or_a_program_was_interrupted
    }
    [Own(|| only(&[Place::El1]))] {
        each_cpu_has_a_unit_of_its_own
        a_thread_has_its_counts_on_whichever_cpu_it_runs
        threads_read_their_own_counts_on_every_cpu_at_once
    }
    [Own(|| only(&[Place::El2, Place::Vhe]))] {
        a_kernel_has_the_counters_that_its_hypervisor_lends
        a_hypervisor_tells_its_own_instructions_from_its_guests
    }
    [Own(|| only(&[Place::Model]))] {
        two_counters_count_as_one_of_64_bits
        what_is_no_known_unit_is_refused
        a_threshold_compares_if_the_unit_can
        calibration_leaves_no_residue
    }
    [Orders] {
        a_pair_interrupts_where_its_upper_half_overflows
        an_overflow_freezes_the_others_if_the_unit_can
        an_exclusive_pair_ends_under_every_period_that_is_let
    }
}
