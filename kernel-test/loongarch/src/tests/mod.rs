//! The tests of this kernel alone, in the order in which they run, before the harness's: one behaviour each, in a file of its
//! own.
//!
//! To add one, write `tests/<its sentence>.rs` with a `pub fn test()` that panics if the sentence is not true, and add the
//! sentence to the list here, under what it needs.

use crate::guest::Here;

mod here;
mod threaded;

harness::tests! {
    Here:
    [] {
        an_unexpected_exception_fails_the_test
        calibration_leaves_no_residue
        the_processor_is_asked_by_cpucfg
        a_user_program_may_not_reach_the_unit
        a_counter_that_nobody_feeds_is_reported
        a_stop_takes_an_interrupt_back
    }
}
