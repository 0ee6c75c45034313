//! The tests, in the order in which they run: one behaviour each, in a file of its own.
//!
//! To add one, write `tests/<its sentence>.rs` with a `pub fn test()` that panics if the sentence
//! is not true, and add the sentence to the list here, under the places where it is to be true.

mod clocked;
mod guests;
mod here;
mod threaded;

use harness::End;

use crate::guest::Here;
use crate::guest::place::Place;

/// Where a test runs, and how it is to end. Where interrupts are NMIs, only the tests of [`AnyInterrupt`] run.
///
/// [`AnyInterrupt`]: Self::AnyInterrupt
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Group {
    /// In every place, where it is expected to fail: the harness tests itself.
    ExpectedFailure,
    /// At EL1, on either unit, likewise.
    FailureBelow,
    /// In every place.
    Everywhere,
    /// In every place but the one that differs from EL2 in its user programs alone: it takes its time.
    EachUnit,
    /// At EL1, on either unit, and at EL2 as a host: where there are user programs.
    Programs,
    /// There, on the machine's unit.
    MachinesPrograms,
    /// At EL1 on the machine's unit.
    Machine,
    /// At EL2, as a hypervisor and as a host.
    AtEl2,
    /// At EL2 as a hypervisor, where kernels at EL1 are its guests.
    AsHypervisor,
    /// At EL2 as a host.
    AsHost,
    /// On the model, whose host knows the truth and can order bad luck.
    Model,
    /// On the model, with interrupts that an operation masks, and with NMIs.
    AnyInterrupt,
}

impl Group {
    /// Does it run there?
    pub fn is_for(self, place: Place) -> bool {
        match self {
            _ if place == Place::Nmi => self == Self::AnyInterrupt,
            Self::EachUnit => place != Place::Vhe,
            Self::FailureBelow => matches!(place, Place::El1 | Place::Model),
            Self::Programs => place != Place::El2,
            Self::MachinesPrograms => matches!(place, Place::El1 | Place::Vhe),
            Self::AsHypervisor => place == Place::El2,
            Self::AsHost => place == Place::Vhe,
            Self::Machine => place == Place::El1,
            Self::AtEl2 => matches!(place, Place::El2 | Place::Vhe),
            Self::Model | Self::AnyInterrupt => place == Place::Model,
            Self::ExpectedFailure | Self::Everywhere => true,
        }
    }

    /// How it is to end.
    pub const fn end(self) -> End {
        match self {
            Self::ExpectedFailure | Self::FailureBelow => End::ExpectedFailure,
            _ => End::Return,
        }
    }
}

harness::tests! {
    Group:
    own {
        ExpectedFailure {
            an_unexpected_exception_fails_the_test
        }
        FailureBelow {
            a_halt_fails_the_test
        }
        Everywhere {
            the_processor_is_the_one_presented
            software_increments_are_counted_and_overflow
            a_count_goes_on_beyond_its_counter
            a_period_is_as_long_as_its_counter
        }
        Programs {
            user_programs_read_counters_if_they_may
        }
        MachinesPrograms {
            programs_and_the_kernel_are_counted_apart
        }
        AsHypervisor {
            a_guest_has_the_real_counters_while_it_runs
            a_guest_is_fed_from_the_machines_counters
        }
        AsHost {
            a_hosts_samples_say_whether_it_or_a_program_was_interrupted
        }
        Machine {
            each_cpu_has_a_unit_of_its_own
            a_thread_has_its_counts_on_whichever_cpu_it_runs
            threads_read_their_own_counts_on_every_cpu_at_once
        }
        AtEl2 {
            a_kernel_has_the_counters_that_its_hypervisor_lends
            a_hypervisor_tells_its_own_instructions_from_its_guests
        }
        Model {
            two_counters_count_as_one_of_64_bits
            what_is_no_known_unit_is_refused
            a_threshold_compares_if_the_unit_can
            calibration_leaves_no_residue
        }
        AnyInterrupt {
            a_pair_interrupts_where_its_upper_half_overflows
            an_overflow_freezes_the_others_if_the_unit_can
            an_exclusive_pair_ends_under_every_period_that_is_let
        }
    }
    of Here {
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
        }
        EachUnit {
            a_million_samples_are_all_accounted_for
        }
        AnyInterrupt {
            every_register_survives_an_interrupt
            an_overflow_on_any_instruction_of_a_sleep_is_kept
            an_overflow_on_any_instruction_of_a_switch_is_kept
            an_overflow_on_any_instruction_of_another_session_is_kept
            an_overflow_on_any_instruction_of_its_own_stop_and_resume_is_kept
            a_one_shot_that_ends_on_any_instruction_of_another_session_stays_ended
            a_reading_is_right_whichever_of_its_instructions_overflows
            a_late_interrupt_on_any_instruction_is_claimed
            a_late_interrupt_is_claimed_once
            a_spurious_interrupt_is_nobodys_and_disturbs_nothing
            sessions_beside_each_other_do_not_disturb
            sets_that_take_turns_are_counted_exactly_and_estimate_the_whole
            counters_that_overflow_at_once_are_all_sampled
            the_least_period_in_the_kernel_samples_exactly
            a_kernel_with_a_slow_entry_gets_on_at_every_period
            a_created_thread_is_notified_before_it_counts
            an_evicted_threads_counts_are_an_error_until_it_is_bound_anew
            another_period_ends_on_its_own_nth_event
            an_interrupt_that_was_held_back_is_an_overflows
            threads_counts_are_their_own
            threads_that_use_sessions_are_preempted_anywhere_and_every_count_is_right
        }
        Model {
            a_session_counts_in_the_modes_it_was_asked_for
            a_tick_is_blind_to_what_passes_while_interrupts_are_off
            a_tick_on_any_instruction_of_an_operation_waits_for_its_end
        }
    }
    without {}
}
