//! Intel's identities, as the suite's subjects.

use pmu::arch::x86::intel::{Device, Identity, Intel};
use pmu::virt::Kinds;

use crate::Subject;
use crate::machine::{Machine, Wire};

macro_rules! subjects {
    ($($name:ident: $identity:ident, $room:literal, $least:literal;)*) => { $(
        pub(crate) struct $name;

        impl Subject for $name {
            type Device = Device<&'static Wire>;
            type Driver = Intel<&'static Machine<Self::Device>, &'static Wire>;

            const ROOM: usize = $room;
            const LEAST: u64 = $least;

            fn machine() -> &'static Machine<Self::Device> {
                Machine::new(Wire::that_masks_itself(), |wire| Device::new(&Identity::$identity, Kinds::CLOCK, wire))
            }

            fn driver(machine: &'static Machine<Self::Device>) -> Self::Driver {
                Intel::detect(&Identity::$identity, machine, machine.wire).expect("the identity announces a unit")
            }
        }
    )* };
}

// The general counters, and where there are fixed ones, the one that counts instructions.
subjects! {
    CoreDuo: CORE_DUO, 2, 2;
    Core2: CORE_2, 3, 2;
    Nehalem: NEHALEM, 5, 32;
    Skylake: SKYLAKE, 9, 2;
    SapphireRapids: SAPPHIRE_RAPIDS, 9, 2;
    LionCove: LION_COVE, 11, 2;
}
