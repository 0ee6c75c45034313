//! Precise sampling by the counters (PEBS): the driver's real instructions, above the crate's own device, which the host tells of
//! each instruction that it has decoded, and which writes its records into the guest's page.

mod a_full_buffer_is_drained_and_says_that_records_are_lost;
mod a_threads_loads_alone_are_recorded_with_their_data;
mod the_instruction_after_each_nth_event_is_recorded_and_named;

use harness::Need::{self, Own};
use harness::{Kernel as _, Test};

use super::processor;
use crate::guest::Here;

macro_rules! tests {
    ($($name:ident)*) => {
        /// The tests of precise sampling.
        pub fn all() -> impl Iterator<Item = &'static Test> {
            const ALL: &[Test] =
                &[$(Test { name: stringify!($name), body: $name::test, needs: &[PRECISE], lacks: Here::lacks },)*];
            ALL.iter()
        }
    };
}

tests! {
    the_instruction_after_each_nth_event_is_recorded_and_named
    a_threads_loads_alone_are_recorded_with_their_data
    a_full_buffer_is_drained_and_says_that_records_are_lost
}

/// The unit's counters are sampled precisely.
const PRECISE: Need = Own(|| (!processor().has_precise_sampling()).then_some("the processor has no precise sampling"));
