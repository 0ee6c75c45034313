//! The tests, in the order in which they run: one behaviour each, in a file of its own.
//!
//! To add one, write `tests/<its sentence>.rs` with a `pub fn test()` that panics if the sentence is not true, and add the
//! sentence to the list here.

mod here;

use harness::End;

use crate::csr;
use crate::width::by_width;
use here::Here;

/// Where a test runs, and how it is to end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Group {
    /// Everywhere, where it comes to grief: the harness tests itself.
    Grief,
    /// Everywhere.
    Everywhere,
    /// In machine mode, where the kernel has the registers themselves.
    Machine,
    /// Where registers have 64 bits. With 32 QEMU's counters count in every mode.
    Wide,
    /// Where registers have 32 bits.
    Narrow,
}

impl Group {
    /// Does it run here?
    pub fn is_shown(self) -> bool {
        match self {
            Self::Machine => csr::is_machine(),
            Self::Wide => by_width!(true, false),
            Self::Narrow => by_width!(false, true),
            Self::Grief | Self::Everywhere => true,
        }
    }

    /// How it is to end.
    pub const fn end(self) -> End {
        match self {
            Self::Grief => End::Grief,
            _ => End::Return,
        }
    }
}

harness::tests! {
    Group:
    own {
        Grief {
            an_unexpected_exception_fails_the_test
        }
        Everywhere {
            a_counter_that_has_counted_samples_from_its_first_period
            mcycle_and_minstret_count_known_loops_exactly
            qemu_filters_by_mode_where_registers_have_64_bits
        }
        Machine {
            qemu_counts_an_event_on_one_counter
            qemu_counts_the_old_event_until_its_selection_was_0
        }
        Narrow {
            qemu_reads_the_halves_of_a_running_counter_without_a_carry
        }
    }
    of Here {
        Grief {
            a_panic_fails_the_test
            an_unexpected_interrupt_fails_the_test
        }
        Everywhere {
            known_loops_have_their_length
            counts_of_known_loops_are_exact
            a_generic_event_is_counted_by_its_own_code_too
            a_period_ends_on_its_nth_event
            a_one_shot_period_counts_again_to_order
            another_processor_is_refused
            a_second_claim_is_refused
            a_sample_knows_who_called
            a_sleep_that_loses_every_register_loses_no_count
            a_release_restores_every_register
            a_request_that_the_unit_cannot_do_is_refused
            requests_that_cannot_be_together_are_refused
            sets_that_take_turns_are_counted_exactly_and_estimate_the_whole
            counters_that_overflow_at_once_are_all_sampled
            the_least_period_in_the_kernel_samples_exactly
            a_created_thread_notifies_on_its_first_event
            an_evicted_threads_counts_are_an_error_until_it_is_bound_anew
            another_period_ends_on_its_own_nth_event
            threads_counts_are_their_own
            a_million_samples_are_all_accounted_for
        }
        Wide {
            a_session_counts_in_the_modes_it_was_asked_for
        }
    }
    without {
        threads_that_use_sessions_are_preempted_anywhere_and_every_count_is_right: "it takes a host with a book"
        sessions_beside_each_other_do_not_disturb: "it takes a host with a book"
        every_register_survives_an_interrupt: "it takes a host with a book"
        an_overflow_on_any_instruction_of_a_sleep_is_kept: "it takes a host with a book"
        an_overflow_on_any_instruction_of_a_switch_is_kept: "it takes a host with a book"
        an_overflow_on_any_instruction_of_another_session_is_kept: "it takes a host with a book"
        an_overflow_on_any_instruction_of_its_own_stop_and_resume_is_kept: "it takes a host with a book"
        a_one_shot_that_ends_on_any_instruction_of_another_session_stays_ended: "it takes a host with a book"
        a_reading_is_right_whichever_of_its_instructions_overflows: "it takes a host with a book"
        a_late_interrupt_on_any_instruction_is_claimed: "it takes a host that holds interrupts back"
        a_late_interrupt_is_claimed_once: "it takes a host that holds interrupts back"
        a_spurious_interrupt_is_nobodys_and_disturbs_nothing: "it takes a host that orders interrupts"
        an_interrupt_that_was_held_back_is_an_overflows: "it takes a host that holds interrupts back"
        a_tick_is_blind_to_what_passes_while_interrupts_are_off: "QEMU's timer ticks each 100 instructions, and not to order"
        a_tick_on_any_instruction_of_an_operation_waits_for_its_end: "QEMU's timer ticks each 100 instructions, and not to order"
    }
}

/// Tells which of the harness's sentences are left out, of those whose name contains this, and why.
pub fn each_left_out(filter: &str, mut tell: impl FnMut(&str, &str)) {
    LEFT_OUT.iter().filter(|(name, _)| name.contains(filter)).for_each(|(name, reason)| tell(name, reason));
}
