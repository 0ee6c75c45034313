//! The tests of this kernel alone, in the order in which they run, before the harness's: one behaviour each, in a file of its
//! own.
//!
//! To add one, write `tests/<its sentence>.rs` with a `pub fn test()` that panics if the sentence is not true, and add the
//! sentence to the list here, under what it needs.

pub mod firmware;
mod harts;
mod here;
pub mod records;

use harness::Need::{self, Interrupt, Orders, Own, Processors};

use crate::boot::HARTS;
use crate::csr;
use crate::identity::{self, has_host};
use harness::by_width;
pub use here::{Here, On, UnderFirmware};

/// QEMU's own unit.
const QEMU: Need = Own(|| has_host().then_some("it is of QEMU's own unit"));
/// The same where overflows interrupt.
const QEMU_INTERRUPT: Need = Own(|| only(interrupts(), "it is of QEMU's own unit, where that interrupts"));
/// The same in machine mode.
const QEMU_MACHINE_INTERRUPT: Need =
    Own(|| only(csr::is_machine() && interrupts(), "it is of QEMU's own unit, in machine mode, where that interrupts"));
/// QEMU's own unit in machine mode.
const QEMU_MACHINE: Need = Own(|| only(csr::is_machine(), "it is of QEMU's own unit, in machine mode"));
/// QEMU's own unit with registers of 32 bits.
const QEMU_NARROW: Need = Own(|| only(by_width!(false, true), "it is of QEMU's own unit, with registers of 32 bits"));

/// The reason why a test of QEMU's own unit is not shown, unless it is.
fn only(is_shown: bool, reason: &'static str) -> Option<&'static str> {
    (has_host() || !is_shown).then_some(reason)
}

fn interrupts() -> bool {
    identity::present().has_interrupts()
}

harness::tests! {
    Here:
    [] {
        an_unexpected_exception_fails_the_test
        mcycle_and_minstret_count_known_loops_exactly
    }
    [Interrupt] {
        a_counter_that_has_counted_samples_from_its_first_period
    }
    [Orders] {
        an_instruction_that_traps_is_counted_once
    }
    [Orders, Processors(HARTS)] {
        four_harts_count_and_sample_their_own_at_once
        threads_counts_are_their_own_on_whichever_hart_they_run
    }
    [QEMU] {
        qemu_filters_by_mode_where_registers_have_64_bits
    }
    [QEMU_INTERRUPT] {
        an_overflow_of_the_instruction_that_stops_its_counter_is_kept
    }
    [QEMU_MACHINE_INTERRUPT] {
        a_supervisor_reads_scountovf_without_a_trap
    }
    [QEMU_MACHINE] {
        qemu_counts_an_event_on_one_counter
        qemu_counts_the_instructions_of_all_harts_together
        qemu_counts_the_old_event_until_its_selection_was_0
    }
    [QEMU_NARROW] {
        qemu_reads_the_halves_of_a_running_counter_without_a_carry
    }
}
