//! The tests, in the order in which they run: one behaviour each, in a file of its own.
//!
//! To add one, write `tests/<its sentence>.rs` with a `pub fn test()` that panics if the sentence
//! is not true, and add the sentence to the list here.

mod clocked;
mod here;
mod observed;
mod programs;
mod threaded;

use harness::End;

use crate::guest::Here;
use crate::identity::{self, Processor};
use crate::width::by_width;

/// On which units a test is shown, and how it is to end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Group {
    /// On all, expected to fail: the harness tests itself.
    ExpectedFailure,
    /// On all.
    Return,
    /// On those that interrupt on overflow.
    Interrupt,
    /// On those that do not.
    NoInterrupt,
    /// Where programs can read counters.
    Rdpmc,
    /// Where they can, and registers have 32 bits.
    NarrowRdpmc,
    /// On a Pentium 4.
    Netburst,
}

impl Group {
    /// How the test's body is to end.
    pub fn end(self) -> End {
        if self == Self::ExpectedFailure { End::ExpectedFailure } else { End::Return }
    }

    /// Why the test is not shown on the presented processor; `None` if it is.
    pub fn left_out(self) -> Option<&'static str> {
        let processor = &identity::presented().processor;
        let is_netburst = matches!(processor, Processor::Netburst(_));
        match self {
            Self::Interrupt if !processor.has_interrupts() => Some("the unit has no overflow interrupt"),
            Self::NoInterrupt if processor.has_interrupts() => Some("the unit has an overflow interrupt"),
            Self::NarrowRdpmc if by_width!(true, false) => Some("its registers have 64 bits"),
            Self::Rdpmc | Self::NarrowRdpmc if !processor.has_rdpmc() => Some("the processor has no RDPMC"),
            Self::Netburst if !is_netburst => Some("the processor is no Pentium 4"),
            _ => None,
        }
    }
}

harness::tests! {
    Group:
    own {
        ExpectedFailure {
            an_unexpected_exception_fails_the_test
            a_triple_fault_fails_the_test
            a_halt_fails_the_test
        }
        Return {
            a_register_beside_the_counters_holds_one_value
            the_processor_is_the_one_presented
            an_absent_register_faults
            the_line_is_reached_through_x2apic
            an_interrupt_waits_for_the_last_ones_return
            an_interrupt_comes_to_order
            an_interrupt_costs_its_handler_and_no_more
            writes_are_swallowed_to_order
            the_unit_hides_to_order
            a_session_counts_threads_and_their_kernel
            programs_and_their_kernel_are_all_that_runs
            user_programs_read_counters_if_they_may
            a_version_has_what_it_announces
            what_is_no_known_unit_is_refused
            a_unit_that_counts_nothing_is_found_out
            calibration_leaves_no_residue
            a_loop_counts_exactly
            the_engines_agree
            the_host_looks_only_where_it_must
            a_counter_that_nobody_feeds_is_reported
            counters_tell_user_from_kernel
            branches_are_counted_taken_or_not
            loads_and_stores_are_counted
            misaligned_references_are_counted_by_the_processors_rule
            what_a_handler_does_first_is_its_own
            a_count_goes_on_beyond_its_counter
        }
        Interrupt {
            the_nth_event_interrupts
            the_line_masks_itself
            the_line_delivers_a_vector
            the_nth_misaligned_reference_interrupts
            the_nth_branch_interrupts
            the_least_period_of_user_programs_samples_exactly
            a_stack_that_makes_no_sense_costs_a_chain_its_callers_alone
            the_line_may_be_a_register
            the_line_may_raise_a_vector
            a_kernel_may_keep_the_line_to_itself
            a_programs_period_ends_on_its_very_instruction_over_switches
            a_threads_period_goes_on_over_switches
            a_notification_freezes_its_thread_alone
            a_thread_has_its_counts_on_whichever_cpu_it_runs
            each_cpu_has_a_unit_of_its_own
            a_preset_reaches_as_far_as_the_unit_says
            an_acknowledgement_clears_its_own_overflow
            a_unit_that_freezes_at_an_overflow_counts_on_once_it_is_acknowledged
        }
        NoInterrupt {
            a_unit_without_an_interrupt_refuses_periods_and_names_the_timer
        }
        Netburst {
            all_counters_of_a_pentium_4_count_and_sample
        }
        Rdpmc {
            programs_count_their_own_and_read_it_while_they_are_switched
            a_program_sees_its_sessions_counters_alone
        }
        NarrowRdpmc {
            a_program_reads_its_page_where_nobody_can_write_it
        }
    }
    of Here {
        ExpectedFailure {
            a_panic_fails_the_test
            an_unexpected_interrupt_fails_the_test
        }
        Return {
            a_generic_event_is_counted_by_its_own_code_too
            a_release_restores_every_register
            a_request_that_the_unit_cannot_do_is_refused
            a_second_claim_is_refused
            a_session_counts_in_the_modes_it_was_asked_for
            a_sleep_that_loses_every_register_loses_no_count
            a_spurious_interrupt_is_nobodys_and_disturbs_nothing
            a_tick_is_blind_to_what_passes_while_interrupts_are_off
            a_tick_on_any_instruction_of_an_operation_waits_for_its_end
            an_evicted_threads_counts_are_an_error_until_it_is_bound_anew
            another_processor_is_refused
            counts_of_known_loops_are_exact
            every_register_survives_an_interrupt
            known_loops_have_their_length
            requests_that_cannot_be_together_are_refused
            sessions_beside_each_other_do_not_disturb
            sets_that_take_turns_are_counted_exactly_and_estimate_the_whole
            threads_counts_are_their_own
            threads_that_use_sessions_are_preempted_anywhere_and_every_count_is_right
        }
        Interrupt {
            a_created_thread_is_notified_before_it_counts
            a_late_interrupt_is_claimed_once
            a_late_interrupt_on_any_instruction_is_claimed
            a_million_samples_are_all_accounted_for
            a_one_shot_period_counts_again_to_order
            a_one_shot_that_ends_on_any_instruction_of_another_session_stays_ended
            a_period_ends_on_its_nth_event
            a_reading_is_right_whichever_of_its_instructions_overflows
            a_sample_knows_who_called
            an_interrupt_that_was_held_back_is_an_overflows
            an_overflow_on_any_instruction_of_a_sleep_is_kept
            an_overflow_on_any_instruction_of_a_switch_is_kept
            an_overflow_on_any_instruction_of_another_session_is_kept
            an_overflow_on_any_instruction_of_its_own_stop_and_resume_is_kept
            another_period_ends_on_its_own_nth_event
            counters_that_overflow_at_once_are_all_sampled
            the_least_period_in_the_kernel_samples_exactly
            a_kernel_with_a_slow_entry_gets_on_at_every_period
        }
    }
    without {}
}
