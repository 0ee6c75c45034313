//! The contract fits units for which there is no driver yet: each of these miniatures is placed, programmed, counted
//! with and interrupted through the same [`pmu::Unit`] and [`pmu::Session`].
//!
//! A miniature is a driver in the shape that its family imposes, and a chip that counts what its registers say. Its
//! counters have few bits and otherwise the real unit's registers. The Pentium 4 shares event selectors among counters;
//! the UltraSPARC has both counters in one register, and one control register for both.

mod conflicts;
mod contract;
mod counting;
mod image;
mod pentium4;
mod processor;
mod ultrasparc;

use crate::placement::demand::Demand;
use pmu::{CounterId, Request};
use processor::{Chip, File, Processor};

/// A miniature unit.
pub(crate) trait Shape: Chip + Sized {
    type Driver: pmu::driver::Driver<Demand = Demand<2, 1>, Occupancy = image::Occupancy, Image = image::Memory>
        + 'static;

    /// The unit's registers, whose contents a sleep loses.
    const REGISTERS: &'static [u32];

    /// Requests whose combinations show what is awkward about it.
    const REQUESTS: &'static [Request];

    fn driver(processor: &'static Processor<Self>) -> Self::Driver;

    /// What the registers make this counter count, once it is enabled.
    fn selected(file: &File, counter: CounterId) -> Option<u64>;

    /// What [`Shape::selected`] has to be for this request.
    fn wanted(request: &Request) -> u64;

    /// The event happens on every n-th step.
    fn every(request: &Request) -> u64;
}

/// One module for each unit: the whole contract.
macro_rules! shapes {
    ($($unit:ident::$shape:ident)*) => {$(
        mod $unit {
            crate::shapes::shapes!(@ contract crate::shapes::$unit::$shape:
                placement_agrees_with_brute_force
                placement_beside_others_agrees_with_brute_force
                a_load_makes_each_counter_count_its_event
                an_added_request_disturbs_none_that_is_there
                what_is_released_can_be_had_again
            );
            crate::shapes::shapes!(@ counting crate::shapes::$unit::$shape:
                counts_are_right_over_many_wraps
                a_read_is_of_its_moment
                the_nth_event_interrupts
                a_one_shot_stops_at_its_overflow
                an_interrupt_of_somebody_else_is_not_claimed
                a_neighbour_comes_and_goes_unnoticed
                a_one_shot_that_ends_amid_a_neighbour_stays_ended
                counts_go_on_after_a_sleep_that_loses_every_register
                what_the_registers_held_is_back_after_a_release
            );
        }
    )*};
    (@ $suite:ident $shape:path: $($name:ident)*) => {$(
        #[test]
        fn $name() {
            crate::shapes::$suite::$name::<$shape>();
        }
    )*};
}
pub(crate) use shapes;

mod the_contract_fits {
    crate::shapes::shapes! {
        pentium4::Pentium4
        ultrasparc::UltraSparc
    }
}
