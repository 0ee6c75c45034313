//! The tests where the firmware has the unit.

use harness::End;

use super::UnderFirmware;
use crate::identity;

/// Where a test runs, and how it is to end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Group {
    /// Everywhere, where it is expected to fail: the harness tests itself.
    ExpectedFailure,
    /// Everywhere.
    Everywhere,
    /// Under OpenSBI.
    OpenSbi,
    /// Beneath the example hypervisor.
    Vs,
}

impl harness::Group for Group {
    fn end(self) -> End {
        if self == Self::ExpectedFailure { End::ExpectedFailure } else { End::Return }
    }

    fn left_out(self) -> Option<&'static str> {
        match self {
            Self::OpenSbi if identity::is_in_vs() => Some("it is of OpenSBI"),
            Self::Vs if !identity::is_in_vs() => Some("it is of a guest in VS"),
            _ => None,
        }
    }
}

harness::tests! {
    Group:
    own {
        Everywhere {
            code_with_interrupts_off_is_sampled_by_the_software_event_alone
        }
        OpenSbi {
            opensbi_starts_with_every_overflow_set
            opensbi_refuses_snapshot_memory
            opensbi_counts_a_firmware_event_elsewhere_if_the_base_is_not_0
            the_firmwares_own_events_are_counted
        }
        Vs {
            qemu_shows_a_guest_the_machines_overflows
        }
    }
    of UnderFirmware {
        ExpectedFailure {
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
            a_kernel_with_a_slow_entry_gets_on_at_every_period
            a_created_thread_is_notified_before_it_counts
            an_evicted_threads_counts_are_an_error_until_it_is_bound_anew
            another_period_ends_on_its_own_nth_event
            threads_counts_are_their_own
            a_million_samples_are_all_accounted_for
            a_session_counts_in_the_modes_it_was_asked_for
        }
    }
    without {
        threads_that_use_sessions_are_preempted_anywhere_and_every_count_is_right: "it takes a host that keeps a book and takes orders"
        sessions_beside_each_other_do_not_disturb: "it takes a host that keeps a book and takes orders"
        every_register_survives_an_interrupt: "it takes a host that keeps a book and takes orders"
        an_overflow_on_any_instruction_of_a_sleep_is_kept: "it takes a host that keeps a book and takes orders"
        an_overflow_on_any_instruction_of_a_switch_is_kept: "it takes a host that keeps a book and takes orders"
        an_overflow_on_any_instruction_of_another_session_is_kept: "it takes a host that keeps a book and takes orders"
        an_overflow_on_any_instruction_of_its_own_stop_and_resume_is_kept: "it takes a host that keeps a book and takes orders"
        a_one_shot_that_ends_on_any_instruction_of_another_session_stays_ended: "it takes a host that keeps a book and takes orders"
        a_reading_is_right_whichever_of_its_instructions_overflows: "it takes a host that keeps a book and takes orders"
        a_late_interrupt_on_any_instruction_is_claimed: "it takes a host that keeps a book and takes orders"
        a_late_interrupt_is_claimed_once: "it takes a host that keeps a book and takes orders"
        a_spurious_interrupt_is_nobodys_and_disturbs_nothing: "it takes a host that keeps a book and takes orders"
        an_interrupt_that_was_held_back_is_an_overflows: "it takes a host that keeps a book and takes orders"
        a_tick_is_blind_to_what_passes_while_interrupts_are_off: "it takes a host that keeps a book and takes orders"
        a_tick_on_any_instruction_of_an_operation_waits_for_its_end: "it takes a host that keeps a book and takes orders"
    }
}
