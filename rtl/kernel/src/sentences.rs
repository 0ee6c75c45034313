//! What is shown on each core.

mod counting;
mod registers;
mod threads;

use crate::unit::Core;

macro_rules! sentences {
    ($($module:ident: $($name:ident)*;)*) => {
        /// The sentences, by their names.
        pub const ALL: &[(&str, fn(&Core))] = &[$($((stringify!($name), $module::$name as fn(&Core)),)*)*];
    };
}

sentences! {
    registers: the_core_is_detected_as_its_identity
        a_selector_keeps_what_its_core_says
        mhpmevent_has_no_upper_half
        what_the_core_cannot_do_is_refused
        a_release_restores_every_register;
    counting: every_event_on_every_counter_counts_what_the_cores_wires_report
        loops_have_their_length
        all_counters_count_the_same_window
        a_count_stays_after_a_stop_and_a_start_goes_on
        a_count_goes_on_over_the_wrap_of_its_counter
        a_count_is_read_without_a_tear_while_its_halves_carry;
    threads: threads_count_what_is_their_own;
}
