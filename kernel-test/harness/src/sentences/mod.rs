//! What is true of every kernel that can show it: one behaviour each, in a file of its own.
//!
//! To add one, write `sentences/<its sentence>.rs` with a `pub fn test<K: Kernel>()` that panics if the sentence is not
//! true, add it here, and list it in every kernel: under what it runs, or with the reason why not.

macro_rules! sentences {
    ($($name:ident)*) => {
        $(pub mod $name;)*

        /// How many there are.
        pub const NUMBER: usize = [$(stringify!($name)),*].len();
    };
}

sentences! {
    a_created_thread_is_notified_before_it_counts
    a_generic_event_is_counted_by_its_own_code_too
    a_kernel_with_a_slow_entry_gets_on_at_every_period
    a_late_interrupt_is_claimed_once
    a_late_interrupt_on_any_instruction_is_claimed
    a_million_samples_are_all_accounted_for
    a_one_shot_period_counts_again_to_order
    a_one_shot_that_ends_on_any_instruction_of_another_session_stays_ended
    a_panic_fails_the_test
    a_period_ends_on_its_nth_event
    a_reading_is_right_whichever_of_its_instructions_overflows
    a_release_restores_every_register
    a_request_that_the_unit_cannot_do_is_refused
    a_sample_knows_who_called
    a_second_claim_is_refused
    a_session_counts_in_the_modes_it_was_asked_for
    a_sleep_that_loses_every_register_loses_no_count
    a_spurious_interrupt_is_nobodys_and_disturbs_nothing
    a_tick_is_blind_to_what_passes_while_interrupts_are_off
    a_tick_on_any_instruction_of_an_operation_waits_for_its_end
    an_evicted_threads_counts_are_an_error_until_it_is_bound_anew
    an_interrupt_that_was_held_back_is_an_overflows
    an_overflow_on_any_instruction_of_a_sleep_is_kept
    an_overflow_on_any_instruction_of_a_switch_is_kept
    an_overflow_on_any_instruction_of_another_session_is_kept
    an_overflow_on_any_instruction_of_its_own_stop_and_resume_is_kept
    an_unexpected_interrupt_fails_the_test
    another_period_ends_on_its_own_nth_event
    another_processor_is_refused
    counters_that_overflow_at_once_are_all_sampled
    counts_of_known_loops_are_exact
    every_register_survives_an_interrupt
    known_loops_have_their_length
    requests_that_cannot_be_together_are_refused
    sessions_beside_each_other_do_not_disturb
    sets_that_take_turns_are_counted_exactly_and_estimate_the_whole
    the_least_period_in_the_kernel_samples_exactly
    threads_counts_are_their_own
    threads_that_use_sessions_are_preempted_anywhere_and_every_count_is_right
}
