//! The contract fits the awkward units: each of these miniatures is placed, programmed, counted
//! with and interrupted through the same [`pmu::Unit`] and [`pmu::Session`].
//!
//! A miniature is a driver in the shape that its family imposes, and a chip that counts what its
//! registers say. Its counters have few bits and otherwise the real unit's registers.

#[path = "shapes/amd.rs"]
mod amd;
#[path = "shapes/arm.rs"]
mod arm;
#[path = "shapes/contract.rs"]
mod contract;
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

use pmu::assign::Demand;
use pmu::{Backend, CounterId, Request};
use processor::{Chip, File, Processor};

/// A miniature unit.
pub(crate) trait Shape: Chip + Sized {
    type Backend: Backend<Demand = Demand<2, 1>, Image = image::Memory> + 'static;

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
            crate::shapes!(@ crate::$unit::$shape:
                placement_agrees_with_brute_force
                placement_beside_others_agrees_with_brute_force
                a_load_makes_each_counter_count_its_event
                an_added_request_disturbs_none_that_is_there
                what_is_released_can_be_had_again
            );
        }
    )*};
    (@ $shape:path: $($name:ident)*) => {$(
        #[test]
        fn $name() {
            crate::contract::$name::<$shape>();
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
