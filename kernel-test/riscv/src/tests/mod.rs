//! The tests, in the order in which they run: one behaviour each, in a file of its own.
//!
//! To add one, write `tests/<its sentence>.rs` with a `pub fn test()` that panics if the sentence is not true, and add the
//! sentence to the list here.

pub mod firmware;
mod harts;
mod here;

use harness::End;

use crate::boot::HARTS;
use crate::csr;
use crate::identity::{self, has_host};
use harness::by_width;
pub use here::{Here, On, UnderFirmware};

/// Where a test runs, and how it is to end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Group {
    /// Everywhere, where it is expected to fail: the harness tests itself.
    ExpectedFailure,
    /// The same where overflows interrupt.
    InterruptFailure,
    /// Everywhere.
    Everywhere,
    /// Where overflows interrupt.
    Interrupt,
    /// Where modes are told apart.
    Filtered,
    /// Above a host, which knows what happens and does it to order.
    Host,
    /// Above a host, on each of its harts at once.
    Harts,
    /// On QEMU's own unit.
    Qemu,
    /// On QEMU's own unit, where overflows interrupt.
    QemuInterrupt,
    /// On QEMU's own unit, in machine mode, where overflows interrupt.
    QemuMachineInterrupt,
    /// On QEMU's own unit, in machine mode.
    QemuMachine,
    /// On QEMU's own unit, with registers of 32 bits.
    QemuNarrow,
}

impl harness::Group for Group {
    fn end(self) -> End {
        match self {
            Self::ExpectedFailure | Self::InterruptFailure => End::ExpectedFailure,
            _ => End::Return,
        }
    }

    fn left_out(self) -> Option<&'static str> {
        let is_narrow = by_width!(false, true);
        let interrupts = identity::present().has_interrupts();
        let (is_shown, why) = match self {
            Self::ExpectedFailure | Self::Everywhere => (true, ""),
            Self::Filtered => {
                (has_host() || !is_narrow, "with registers of 32 bits QEMU's counters count in every mode")
            }
            Self::Host | Self::Harts => (has_host(), "it takes a host that keeps a book and takes orders"),
            Self::Interrupt | Self::InterruptFailure => (interrupts, "its unit does not interrupt"),
            Self::QemuInterrupt => (!has_host() && interrupts, "it is of QEMU's own unit, where that interrupts"),
            Self::QemuMachineInterrupt => (
                !has_host() && csr::is_machine() && interrupts,
                "it is of QEMU's own unit, in machine mode, where that interrupts",
            ),
            Self::Qemu => (!has_host(), "it is of QEMU's own unit"),
            Self::QemuMachine => (!has_host() && csr::is_machine(), "it is of QEMU's own unit, in machine mode"),
            Self::QemuNarrow => (!has_host() && is_narrow, "it is of QEMU's own unit, with registers of 32 bits"),
        };
        (!is_shown).then_some(why)
    }

    fn processors(self) -> usize {
        if self == Self::Harts { HARTS } else { 1 }
    }
}

harness::tests! {
    Group:
    own {
        ExpectedFailure {
            an_unexpected_exception_fails_the_test
        }
        Everywhere {
            mcycle_and_minstret_count_known_loops_exactly
        }
        Interrupt {
            a_counter_that_has_counted_samples_from_its_first_period
        }
        Host {
            an_instruction_that_traps_is_counted_once
        }
        Harts {
            four_harts_count_and_sample_their_own_at_once
            threads_counts_are_their_own_on_whichever_hart_they_run
        }
        Qemu {
            qemu_filters_by_mode_where_registers_have_64_bits
        }
        QemuInterrupt {
            an_overflow_of_the_instruction_that_stops_its_counter_is_kept
        }
        QemuMachineInterrupt {
            a_supervisor_reads_scountovf_without_a_trap
        }
        QemuMachine {
            qemu_counts_an_event_on_one_counter
            qemu_counts_the_instructions_of_all_harts_together
            qemu_counts_the_old_event_until_its_selection_was_0
        }
        QemuNarrow {
            qemu_reads_the_halves_of_a_running_counter_without_a_carry
        }
    }
    of Here {
        ExpectedFailure {
            a_panic_fails_the_test
        }
        InterruptFailure {
            an_unexpected_interrupt_fails_the_test
        }
        Everywhere {
            known_loops_have_their_length
            counts_of_known_loops_are_exact
            a_generic_event_is_counted_by_its_own_code_too
            another_processor_is_refused
            a_second_claim_is_refused
            a_sleep_that_loses_every_register_loses_no_count
            a_release_restores_every_register
            a_request_that_the_unit_cannot_do_is_refused
            requests_that_cannot_be_together_are_refused
            sets_that_take_turns_are_counted_exactly_and_estimate_the_whole
            an_evicted_threads_counts_are_an_error_until_it_is_bound_anew
            threads_counts_are_their_own
        }
        Interrupt {
            a_period_ends_on_its_nth_event
            a_one_shot_period_counts_again_to_order
            a_sample_knows_who_called
            counters_that_overflow_at_once_are_all_sampled
            the_least_period_in_the_kernel_samples_exactly
            a_kernel_with_a_slow_entry_gets_on_at_every_period
            a_created_thread_is_notified_before_it_counts
            another_period_ends_on_its_own_nth_event
            a_million_samples_are_all_accounted_for
        }
        Filtered {
            a_session_counts_in_the_modes_it_was_asked_for
        }
        Host {
            threads_that_use_sessions_are_preempted_anywhere_and_every_count_is_right
            sessions_beside_each_other_do_not_disturb
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
            an_interrupt_that_was_held_back_is_an_overflows
            a_tick_is_blind_to_what_passes_while_interrupts_are_off
            a_tick_on_any_instruction_of_an_operation_waits_for_its_end
        }
    }
    without {
    }
}
