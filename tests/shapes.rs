//! The contract fits the awkward units: each of these miniatures is placed, programmed, counted
//! with and interrupted through the same [`pmu::Unit`] and [`pmu::Session`].
//!
//! A miniature is a driver in the shape that its family imposes, and a chip that counts what its
//! registers say. Its counters have few bits and otherwise the real unit's registers.

#[path = "shapes/amd.rs"]
mod amd;
#[path = "shapes/arm.rs"]
mod arm;
#[path = "shapes/conflicts.rs"]
mod conflicts;
#[path = "shapes/contract.rs"]
mod contract;
#[path = "shapes/counting.rs"]
mod counting;
#[path = "placement/demand.rs"]
mod demand;
#[path = "shapes/image.rs"]
mod image;
#[path = "shapes/intel.rs"]
mod intel;
#[path = "placement/oracle.rs"]
mod oracle;
#[path = "shapes/pentium4.rs"]
mod pentium4;
#[path = "shapes/power.rs"]
mod power;
#[path = "shapes/processor.rs"]
mod processor;
#[path = "shapes/ultrasparc.rs"]
mod ultrasparc;

use crate::demand::Demand;
use pmu::{Backend, CounterId, Request};
use processor::{Chip, File, Processor};

/// A miniature unit.
pub(crate) trait Shape: Chip + Sized {
    type Backend: Backend<Demand = Demand<2, 1>, Occupancy = image::Occupancy, Image = image::Memory> + 'static;

    /// Requests whose combinations show what is awkward about it.
    const REQUESTS: &'static [Request];

    fn backend(processor: &'static Processor<Self>) -> Self::Backend;

    /// What the registers make this counter count, once it is enabled.
    fn selected(file: &File, counter: CounterId) -> Option<u64>;

    /// What [`Shape::selected`] has to be for this request.
    fn wanted(request: &Request) -> u64;

    /// The event happens on every n-th step.
    fn every(request: &Request) -> u64;

    /// How much it counts each time.
    fn amount(_request: &Request) -> u64 {
        1
    }
}

/// One module for each unit: the whole contract.
macro_rules! shapes {
    ($($unit:ident::$shape:ident)*) => {$(
        mod $unit {
            crate::shapes!(@ contract crate::$unit::$shape:
                placement_agrees_with_brute_force
                placement_beside_others_agrees_with_brute_force
                a_load_makes_each_counter_count_its_event
                an_added_request_disturbs_none_that_is_there
                what_is_released_can_be_had_again
            );
            crate::shapes!(@ counting crate::$unit::$shape:
                counts_are_right_over_many_wraps
                a_read_is_of_its_moment
                the_nth_event_interrupts
                a_one_shot_stops_at_its_overflow
                an_interrupt_of_somebody_else_is_not_claimed
                a_neighbour_comes_and_goes_unnoticed
                a_one_shot_that_ends_amid_a_neighbour_stays_ended
            );
        }
    )*};
    (@ $suite:ident $shape:path: $($name:ident)*) => {$(
        #[test]
        fn $name() {
            crate::$suite::$name::<$shape>();
        }
    )*};
}
pub(crate) use shapes;

mod the_contract_fits {
    crate::shapes! {
        amd::Amd
        arm::Arm
        intel::Intel
        pentium4::Pentium4
        power::Power
        ultrasparc::UltraSparc
    }
}
