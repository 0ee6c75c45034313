//! The tests of this kernel alone, in the order in which they run, before the harness's: one behaviour each, in a file of its
//! own.
//!
//! To add one, write `tests/<its sentence>.rs` with a `pub fn test()` that panics if the sentence is not true, and add the
//! sentence to the list here, under what it needs.

mod clocked;
mod here;
mod observed;
#[cfg(target_pointer_width = "64")]
pub mod precise;
mod programs;
pub mod records;
mod samplers;
mod threaded;

use harness::Need::{self, Interrupt, Own};

use crate::guest::Here;
use crate::identity::{self, Processor};
use crate::width::by_width;

/// The presented processor.
fn processor() -> &'static Processor {
    &identity::presented().processor
}

/// Overflows do not interrupt.
const NO_INTERRUPT: Need = Own(|| processor().has_interrupts().then_some("the unit has an overflow interrupt"));
/// Programs can read counters.
const RDPMC: Need = Own(|| (!processor().has_rdpmc()).then_some("the processor has no RDPMC"));
/// Registers have 32 bits.
const NARROW: Need = Own(|| by_width!(Some("its registers have 64 bits"), None));
/// Instructions are sampled beside the unit.
const SAMPLING: Need =
    Own(|| (!processor().has_sampling()).then_some("the processor has no instruction-based sampling"));
/// Instructions are sampled, beside the unit or by its counters.
const SAMPLER: Need = Own(|| {
    let has_sampler = processor().has_sampling() || processor().has_precise_sampling();
    (!has_sampler).then_some("the processor samples no instructions")
});
/// A Pentium 4.
const NETBURST: Need = Own(|| (!clocked::is_netburst()).then_some("the processor is no Pentium 4"));

harness::tests! {
    Here:
    [] {
        an_unexpected_exception_fails_the_test
        a_triple_fault_fails_the_test
        a_halt_fails_the_test
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
    [Interrupt] {
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
    [NO_INTERRUPT] {
        a_unit_without_an_interrupt_refuses_periods_and_names_the_timer
    }
    [NETBURST] {
        all_counters_of_a_pentium_4_count_and_sample
    }
    [SAMPLING] {
        the_op_after_each_nth_is_sampled_and_named
        the_fetch_after_each_nth_is_sampled_and_named
        a_loads_data_are_named_with_it
        a_threads_ops_alone_are_sampled
    }
    [SAMPLER] {
        every_sampled_instruction_is_kept_or_lost_and_counted
        an_nmi_after_a_stop_is_the_samplers_once
    }
    [RDPMC] {
        programs_count_their_own_and_read_it_while_they_are_switched
        a_program_sees_its_sessions_counters_alone
    }
    [NARROW, RDPMC] {
        a_program_reads_its_page_where_nobody_can_write_it
    }
}
