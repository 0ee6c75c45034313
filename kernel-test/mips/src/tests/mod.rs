//! The tests, in the order in which they run: one behaviour each, in a file of its own.
//!
//! To add one, write `tests/<its sentence>.rs` with a `pub fn test()` that panics if the sentence is not true, and add the
//! sentence to the list here.

use harness::{End, Kernel as _};

use crate::guest::Here;

/// On which processors a test runs, and how it is to end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Group {
    /// On all, expected to fail: the harness tests itself.
    ExpectedFailure,
    /// On all.
    Return,
    /// On those with two counters or more.
    Pair,
}

impl harness::Group for Group {
    fn end(self) -> End {
        if self == Self::ExpectedFailure { End::ExpectedFailure } else { End::Return }
    }

    fn left_out(self) -> Option<&'static str> {
        (self == Self::Pair && !Here::counts_cycles_twice()).then_some("the unit has one counter")
    }
}

mod here;
mod threaded;

harness::tests! {
    Group:
    own {
        ExpectedFailure {
            an_unexpected_exception_fails_the_test
        }
        Return {
            calibration_leaves_no_residue
            the_processor_says_which_line_it_is
            a_user_program_may_not_reach_the_unit
            a_counter_that_nobody_feeds_is_reported
            a_stop_takes_an_interrupt_back
        }
    }
    of Here {
        ExpectedFailure {
            a_panic_fails_the_test
            an_unexpected_interrupt_fails_the_test
        }
        Return {
            known_loops_have_their_length
            counts_of_known_loops_are_exact
            a_session_counts_in_the_modes_it_was_asked_for
            a_period_ends_on_its_nth_event
            a_one_shot_period_counts_again_to_order
            another_period_ends_on_its_own_nth_event
            the_least_period_in_the_kernel_samples_exactly
            a_kernel_with_a_slow_entry_gets_on_at_every_period
            counters_that_overflow_at_once_are_all_sampled
            a_million_samples_are_all_accounted_for
            a_created_thread_is_notified_before_it_counts
            an_evicted_threads_counts_are_an_error_until_it_is_bound_anew
            a_tick_is_blind_to_what_passes_while_interrupts_are_off
            an_interrupt_that_was_held_back_is_an_overflows
            a_spurious_interrupt_is_nobodys_and_disturbs_nothing
            an_overflow_on_any_instruction_of_a_sleep_is_kept
            an_overflow_on_any_instruction_of_another_session_is_kept
            an_overflow_on_any_instruction_of_its_own_stop_and_resume_is_kept
            a_reading_is_right_whichever_of_its_instructions_overflows
            every_register_survives_an_interrupt
            threads_counts_are_their_own
            a_release_restores_every_register
            a_second_claim_is_refused
            a_request_that_the_unit_cannot_do_is_refused
        }
        Pair {
            a_generic_event_is_counted_by_its_own_code_too
            sessions_beside_each_other_do_not_disturb
            sets_that_take_turns_are_counted_exactly_and_estimate_the_whole
            a_tick_on_any_instruction_of_an_operation_waits_for_its_end
            an_overflow_on_any_instruction_of_a_switch_is_kept
            a_one_shot_that_ends_on_any_instruction_of_another_session_stays_ended
            threads_that_use_sessions_are_preempted_anywhere_and_every_count_is_right
            a_sleep_that_loses_every_register_loses_no_count
            another_processor_is_refused
            requests_that_cannot_be_together_are_refused
        }
    }
    without {
        a_late_interrupt_on_any_instruction_is_claimed: "no interrupt is late: nothing latches the line, and a stop takes it back"
        a_late_interrupt_is_claimed_once: "no interrupt is late: nothing latches the line, and a stop takes it back"
        a_sample_knows_who_called: "MIPS has no chain of frames: where a caller's address is, each function's own code decides"
    }
}
