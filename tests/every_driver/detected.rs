//! Detected drivers, as the suite's subjects.

use pmu::arch::x86::{Detected, amd, detect, intel};
use pmu::virt::Kinds;

use crate::Subject;
use crate::machine::{Machine, Wire};

macro_rules! subjects {
    ($($name:ident: $family:ident $identity:ident, $wire:ident, $room:literal;)*) => { $(
        pub(crate) struct $name;

        impl Subject for $name {
            type Device = $family::Device<&'static Wire>;
            type Driver = Detected<&'static Machine<Self::Device>, &'static Wire>;

            const ROOM: usize = $room;
            const LEAST: u64 = 2;

            fn machine() -> &'static Machine<Self::Device> {
                let identity = &$family::Identity::$identity;
                Machine::new(Wire::$wire(), |wire| $family::Device::new(identity, Kinds::CLOCK, wire))
            }

            fn driver(machine: &'static Machine<Self::Device>) -> Self::Driver {
                detect(&$family::Identity::$identity, machine, machine.wire).expect("the identity has a unit")
            }
        }
    )* };
}

subjects! {
    Skylake: intel SKYLAKE, that_masks_itself, 9;
    Family10h: amd FAMILY_10H, that_brings_each, 4;
}
