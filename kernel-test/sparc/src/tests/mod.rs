//! The tests of this kernel alone, in the order in which they run, before the harness's: one behaviour each, in a file of its
//! own.
//!
//! To add one, write `tests/<its sentence>.rs` with a `pub fn test()` that panics if the sentence is not true, and add the
//! sentence to the list here, under what it needs.

use harness::Need::{Interrupt, Pair};

use crate::guest::Here;

mod here;
mod threaded;

harness::tests! {
    Here:
    [] {
        an_unexpected_exception_fails_the_test
        a_counter_that_nobody_feeds_is_reported
        a_function_that_spills_retires_what_it_retires_without
        user_programs_read_counters_if_they_may
    }
    [Pair] {
        loads_stores_and_branches_of_a_known_loop_are_counted
    }
    [Interrupt, Pair] {
        a_preset_of_one_half_costs_the_other_few_events
    }
}
