//! Detected drivers, as the suite's subjects.

use pmu::arch::x86::{Detected, Detected32, amd, intel, p5, p6};

use crate::Processor;
use crate::machine::{Machine, Wire, observed};

macro_rules! subjects {
    ($($name:ident: $family:ident $identity:ident, $wire:ident, $room:literal;)*) => { $(
        pub(crate) struct $name;

        impl Processor for $name {
            type Device = $family::Device<&'static Wire>;
            type Driver = Detected<&'static Machine<Self::Device>, &'static Wire>;

            const ROOM: usize = $room;
            const LEAST: u64 = 2;

            fn machine() -> &'static Machine<Self::Device> {
                let identity = &$family::Identity::$identity;
                Machine::new(Wire::$wire(), |wire| $family::Device::new(identity, observed(), wire))
            }

            fn driver(machine: &'static Machine<Self::Device>) -> Self::Driver {
                Detected::detect(&$family::Identity::$identity, machine, machine.wire).expect("the identity has a unit")
            }
        }
    )* };
}

subjects! {
    Skylake: intel SKYLAKE, that_masks_itself, 9;
    Family10h: amd FAMILY_10H, that_brings_each, 4;
}

macro_rules! subjects_of_32_bits {
    ($($name:ident: $family:ident $identity:ident, $device:ty, |$wire:ident| $kind:ident, $least:literal, $room:literal, $new:expr;)*) => { $(
        pub(crate) struct $name;

        impl Processor for $name {
            type Device = $device;
            type Driver = Detected32<&'static Machine<Self::Device>, &'static Wire>;

            const ROOM: usize = $room;
            const LEAST: u64 = $least;

            fn machine() -> &'static Machine<Self::Device> {
                Machine::new(Wire::$kind(), |$wire| $new)
            }

            fn driver(machine: &'static Machine<Self::Device>) -> Self::Driver {
                Detected32::detect(&$family::Identity::$identity, machine, machine.wire).expect("the identity has a unit")
            }
        }
    )* };
}

type Wired = &'static Wire;

subjects_of_32_bits! {
    CoreDuo32: intel CORE_DUO, intel::Device<Wired>, |wire| that_masks_itself, 2, 2,
        intel::Device::new(&intel::Identity::CORE_DUO, observed(), wire);
    PentiumIII32: p6 PENTIUM_III, p6::Device<Wired>, |wire| that_brings_each, 2, 2,
        p6::Device::new(&p6::Identity::PENTIUM_III, observed(), wire);
    PentiumMmx32: p5 P5_MMX, p5::Device, |_wire| that_keeps_one, 1, 2,
        p5::Device::new(&p5::Identity::P5_MMX, observed());
}
