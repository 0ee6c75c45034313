//! What is shown on the core.

mod counting;
mod interrupts;
mod registers;

use pmu::Pmu;

use crate::unit::Driver;

type Unit = Pmu<'static, Driver>;

macro_rules! sentences {
    ($($module:ident: $($name:ident)*;)*) => {
        /// The sentences, by their names. A count comes first: the core that loses events fails there.
        pub const ALL: &[(&str, fn(Unit))] = &[$($((stringify!($name), $module::$name as fn(Unit)),)*)*];
    };
}

sentences! {
    counting: instructions_count_what_the_core_reports;
    interrupts: as_many_overflows_as_interrupts_as_samples_each_inside_the_loop
        nothing_interrupts_while_the_unit_is_frozen;
    registers: the_core_is_detected_as_its_identity
        what_the_core_cannot_do_is_refused
        registers_keep_what_the_identity_says
        in_supervisor_state_its_own_freeze_alone_stops_a_counter;
    counting: counters_of_one_event_agree
        loads_and_stores_count_what_the_core_reports
        what_the_pipeline_waits_for_counts_what_the_core_reports;
    registers: a_release_restores_every_register;
}
