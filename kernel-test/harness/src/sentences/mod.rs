//! What is true of every kernel that can show it: one behaviour each, in a file of its own.
//!
//! To add one, write `sentences/<its sentence>.rs` with a `pub fn test<K: Kernel>()` that panics if the sentence is not
//! true, and add it here with what it needs. Every kernel shows it then, or says why it [lacks](crate::Kernel::lacks) that.

use crate::Test;
use crate::need::Need::{
    Amid, Apart, Book, Callers, Instructions, Interrupt, Late, Line, Modes, Orders, Pair, Threads, Ticks, Time,
};
use crate::threads::Preempting;

macro_rules! sentences {
    ($($name:ident $needs:tt)*) => {
        $(pub mod $name;)*

        /// Returns all of them, as this kernel's.
        pub fn of<K: Preempting>() -> &'static [Test] {
            const { &[$(Test { name: stringify!($name), body: $name::test::<K>, needs: &$needs, lacks: K::lacks }),*] }
        }
    };
}

sentences! {
    a_created_thread_is_notified_before_it_counts [Book, Interrupt]
    a_generic_event_is_counted_by_its_own_code_too [Instructions, Pair]
    a_kernel_with_a_slow_entry_gets_on_at_every_period [Book, Interrupt]
    a_late_interrupt_is_claimed_once [Amid, Interrupt, Late]
    a_late_interrupt_on_any_instruction_is_claimed [Amid, Interrupt, Late, Pair]
    a_million_samples_are_all_accounted_for [Interrupt, Time]
    a_one_shot_period_counts_again_to_order [Interrupt]
    a_one_shot_that_ends_on_any_instruction_of_another_session_stays_ended [Amid, Interrupt, Pair]
    a_panic_fails_the_test []
    a_period_ends_on_its_nth_event [Interrupt]
    a_reading_is_right_whichever_of_its_instructions_overflows [Amid, Interrupt]
    a_release_restores_every_register []
    a_request_that_the_unit_cannot_do_is_refused []
    a_sample_knows_who_called [Instructions, Interrupt, Callers]
    a_second_claim_is_refused []
    a_session_counts_in_the_modes_it_was_asked_for [Modes]
    a_sleep_that_loses_every_register_loses_no_count [Pair, Apart]
    a_spurious_interrupt_is_nobodys_and_disturbs_nothing [Amid]
    a_tick_is_blind_to_what_passes_while_interrupts_are_off [Orders, Ticks]
    a_tick_on_any_instruction_of_an_operation_waits_for_its_end [Amid, Ticks, Pair]
    an_evicted_threads_counts_are_an_error_until_it_is_bound_anew [Book]
    an_interrupt_that_was_held_back_is_an_overflows [Orders, Interrupt]
    an_overflow_on_any_instruction_of_a_sleep_is_kept [Amid, Interrupt]
    an_overflow_on_any_instruction_of_a_switch_is_kept [Amid, Interrupt, Pair]
    an_overflow_on_any_instruction_of_another_session_is_kept [Amid, Interrupt]
    an_overflow_on_any_instruction_of_its_own_stop_and_resume_is_kept [Amid, Interrupt]
    an_unexpected_interrupt_fails_the_test [Line]
    another_period_ends_on_its_own_nth_event [Book, Interrupt]
    another_processor_is_refused [Pair]
    counters_that_overflow_at_once_are_all_sampled [Book, Interrupt]
    counts_of_known_loops_are_exact []
    every_register_survives_an_interrupt [Amid]
    known_loops_have_their_length [Instructions]
    requests_that_cannot_be_together_are_refused [Pair]
    sessions_beside_each_other_do_not_disturb [Orders, Pair, Apart]
    sets_that_take_turns_are_counted_exactly_and_estimate_the_whole [Book, Pair, Apart]
    the_least_period_in_the_kernel_samples_exactly [Book, Interrupt]
    threads_counts_are_their_own [Threads]
    threads_that_use_sessions_are_preempted_anywhere_and_every_count_is_right [Amid, Threads, Pair]
}
