//! The tests, in the order in which they run: one behaviour each, in a file of its own.
//!
//! To add one, write `tests/<its sentence>.rs` with a `pub fn test()` that panics if the sentence is not
//! true, and add the sentence to the list here, in the world that it is true of.

use harness::{End, Report, Test, statics};

use crate::guest::Here;
use crate::masking::Masking;
use crate::platform::Console;
use crate::{family, guest};

/// In which worlds a test runs, and how it is to end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Group {
    /// In both, expected to fail: the harness tests itself.
    ExpectedFailure,
    /// Above the host, expected to fail.
    HostsFailure,
    /// On QEMU's own unit.
    Native,
    /// On the crate's device.
    Host,
    /// The same where QEMU lets the host see what problem state reads: not on the classic processors, whose
    /// copies for user programs do not trap.
    HostOfCopies,
    /// On the device of a unit that notes where an overflow came.
    HostOfAddresses,
    /// On the crate's device: where operations keep the exception off, and where it may come amid them.
    Amid,
    /// On either unit.
    Both,
}

impl Group {
    fn is_native(self) -> bool {
        matches!(self, Self::ExpectedFailure | Self::Native | Self::Both)
    }

    fn is_hosted(self, masking: Masking) -> bool {
        let is_everywhere =
            matches!(self, Self::ExpectedFailure | Self::HostsFailure | Self::Host | Self::Amid | Self::Both);
        match self {
            _ if masking == Masking::Lazy => self == Self::Amid,
            Self::HostOfCopies => family::shows_copies(),
            Self::HostOfAddresses => family::notes_addresses(),
            _ => is_everywhere,
        }
    }

    /// How the test's body is to end.
    pub fn end(self) -> End {
        if matches!(self, Self::ExpectedFailure | Self::HostsFailure) { End::ExpectedFailure } else { End::Return }
    }
}

/// The tests of the host's world whose names contain this, where the guest keeps interrupts off so.
pub fn of_host(filter: &str, masking: Masking) -> impl Iterator<Item = &'static Test<Group>> {
    ALL.iter().filter(move |test| test.group.is_hosted(masking) && test.name.contains(filter))
}

/// Runs the tests of QEMU's own unit whose names contain this.
pub fn run_natively(filter: &str, report: &mut Report<Console>) {
    for test in ALL.iter().filter(|test| test.group.is_native() && test.name.contains(filter)) {
        statics::restore();
        let outcome = guest::run_natively(test.body);
        report.ended(format_args!("{}, on QEMU's unit", test.name), test.meets(test.group.end(), outcome));
    }
}

mod clocked;
mod here;
mod threaded;

harness::tests! {
    Group:
    own {
        HostsFailure {
            an_unexpected_exception_fails_the_test
        }
        Native {
            qemus_unit_is_not_the_processors
        }
        Host {
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
        HostOfAddresses {
            a_sample_knows_its_instruction
        }
        HostOfCopies {
            a_threshold_is_one_for_all_counters
            user_programs_read_counters_if_they_may
            a_program_reads_its_threads_counts_by_itself
            programs_read_their_own_counts_while_they_are_preempted
        }
        Both {
            an_overflow_is_taken_and_acknowledged
            a_late_interrupt_waits_for_the_kernel
            counts_go_on_beyond_the_top_bit
            a_preset_reaches_as_far_as_the_unit_says
            what_is_no_known_unit_is_refused
            all_counters_share_the_modes_before_power8
        }
    }
    of Here {
        ExpectedFailure {
            a_panic_fails_the_test
        }
        HostsFailure {
            an_unexpected_interrupt_fails_the_test
        }
        Host {
            known_loops_have_their_length
            a_session_counts_in_the_modes_it_was_asked_for
            a_generic_event_is_counted_by_its_own_code_too
            the_least_period_in_the_kernel_samples_exactly
            a_kernel_with_a_slow_entry_gets_on_at_every_period
            counters_that_overflow_at_once_are_all_sampled
            sessions_beside_each_other_do_not_disturb
            sets_that_take_turns_are_counted_exactly_and_estimate_the_whole
            a_created_thread_is_notified_before_it_counts
            an_evicted_threads_counts_are_an_error_until_it_is_bound_anew
            another_period_ends_on_its_own_nth_event
            a_tick_is_blind_to_what_passes_while_interrupts_are_off
            a_sample_knows_who_called
            an_interrupt_that_was_held_back_is_an_overflows
        }
        Amid {
            an_overflow_on_any_instruction_of_a_sleep_is_kept
            an_overflow_on_any_instruction_of_a_switch_is_kept
            an_overflow_on_any_instruction_of_another_session_is_kept
            an_overflow_on_any_instruction_of_its_own_stop_and_resume_is_kept
            a_one_shot_that_ends_on_any_instruction_of_another_session_stays_ended
            a_reading_is_right_whichever_of_its_instructions_overflows
            a_late_interrupt_on_any_instruction_is_claimed
            a_late_interrupt_is_claimed_once
            a_spurious_interrupt_is_nobodys_and_disturbs_nothing
            every_register_survives_an_interrupt
            threads_that_use_sessions_are_preempted_anywhere_and_every_count_is_right
            a_tick_on_any_instruction_of_an_operation_waits_for_its_end
        }
        Both {
            threads_counts_are_their_own
            counts_of_known_loops_are_exact
            a_period_ends_on_its_nth_event
            a_one_shot_period_counts_again_to_order
            a_million_samples_are_all_accounted_for
            a_sleep_that_loses_every_register_loses_no_count
            a_release_restores_every_register
            another_processor_is_refused
            a_second_claim_is_refused
            a_request_that_the_unit_cannot_do_is_refused
            requests_that_cannot_be_together_are_refused
        }
    }
    without {}
}
