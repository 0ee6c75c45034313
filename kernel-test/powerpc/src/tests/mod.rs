//! The tests of this kernel alone, in the order in which they run, before the harness's: one behaviour each, in a file of its
//! own.
//!
//! To add one, write `tests/<its sentence>.rs` with a `pub fn test()` that panics if the sentence is not true, and add the
//! sentence to the list here, under what it needs.

mod clocked;
mod here;
mod threaded;

use harness::Need::{self, Amid, Orders, Own};
use harness::{Guest, Report, Test, statics};

use crate::guest::Here;
use crate::masking::Masking;
use crate::platform::Console;
use crate::world::as_native;
use crate::{family, guest};

/// QEMU's own unit.
const NATIVE: Need = Own(|| Here::has_book().then_some("it is of QEMU's unit"));
/// QEMU lets the host see what problem state reads: not on the classic processors, whose copies for user programs do not trap.
const COPIES: Need = Own(|| (!family::shows_copies()).then_some("the copies for user programs do not trap"));
/// The unit notes where an overflow came.
const ADDRESSES: Need = Own(|| (!family::notes_addresses()).then_some("the unit notes no address"));

/// The tests of the host's world whose names contain this, where the guest keeps interrupts off so: lazily, where an
/// exception may come amid operations, those alone that bring it there.
pub fn of_host(filter: &str, masking: Masking) -> impl Iterator<Item = &'static Test> {
    let is_amid = |test: &Test| test.needs.iter().any(|need| matches!(need, Amid));
    named(filter).filter(move |test| test.left_out().is_none() && (masking == Masking::Hard || is_amid(test)))
}

/// Runs the tests of QEMU's own unit whose names contain this.
pub fn run_natively(filter: &str, report: &mut Report<Console>) {
    for test in named(filter).filter(|test| as_native(|| test.left_out().is_none())) {
        statics::restore();
        let outcome = guest::run_natively(test.body);
        report.ended(format_args!("{}, on QEMU's unit", test.name), test.meets(outcome));
    }
}

fn named(filter: &str) -> impl Iterator<Item = &'static Test> {
    all().filter(move |test| test.name.contains(filter))
}

harness::tests! {
    Here:
    [Orders] {
        an_unexpected_exception_fails_the_test
    }
    [NATIVE] {
        qemus_unit_is_not_the_processors
    }
    [Orders] {
        an_interrupt_comes_to_order
        problem_state_comes_back
        an_absent_register_is_refused
        a_counter_that_nobody_feeds_is_reported
        the_least_period_of_user_programs_samples_exactly
        an_atomic_operation_ends_under_every_period_that_is_let
        a_counter_wraps_at_32_bits
        a_sample_knows_its_mode
        threads_counts_follow_them_over_switches
        a_session_counts_threads_and_their_kernel
        a_hypervisors_instructions_count_where_they_were_asked_for
    }
    [Orders, ADDRESSES] {
        a_sample_knows_its_instruction
    }
    [Orders, COPIES] {
        a_threshold_is_one_for_all_counters
        user_programs_read_counters_if_they_may
        a_program_reads_its_threads_counts_by_itself
        programs_read_their_own_counts_while_they_are_preempted
    }
    [] {
        an_overflow_is_taken_and_acknowledged
        a_late_interrupt_waits_for_the_kernel
        counts_go_on_beyond_the_top_bit
        a_preset_reaches_as_far_as_the_unit_says
        what_is_no_known_unit_is_refused
        all_counters_share_the_modes_before_power8
    }
}
