//! Intel's identities, as the suite's subjects.

use pmu::arch::x86::intel::{Device, Identity, Intel};
use pmu::arch::x86::{Either, Global, Single};

use crate::Processor;
use crate::machine::{Machine, Wire, observed};

macro_rules! subjects {
    ($($name:ident: $identity:ident, $generation:ident, $room:literal, $least:literal;)*) => { $(
        pub(crate) struct $name;

        impl Processor for $name {
            type Device = Device<&'static Wire>;
            type Driver = Intel<&'static Machine<Self::Device>, &'static Wire, $generation>;

            const ROOM: usize = $room;
            const LEAST: u64 = $least;

            fn machine() -> &'static Machine<Self::Device> {
                Machine::new(Wire::that_masks_itself(), |wire| Device::new(&Identity::$identity, observed(), wire))
            }

            fn driver(machine: &'static Machine<Self::Device>) -> Self::Driver {
                Intel::detect(&Identity::$identity, machine, machine.wire).expect("the identity announces a unit")
            }
        }
    )* };
}

// The general counters, and where there are fixed ones, the one that counts instructions.
subjects! {
    CoreDuo: CORE_DUO, Either, 2, 2;
    CoreDuoSingle: CORE_DUO, Single, 2, 2;
    Core2: CORE_2, Either, 3, 2;
    Nehalem: NEHALEM, Either, 5, 32;
    Skylake: SKYLAKE, Either, 9, 2;
    SkylakeGlobal: SKYLAKE, Global, 9, 2;
    SapphireRapids: SAPPHIRE_RAPIDS, Either, 9, 2;
    LionCove: LION_COVE, Either, 11, 2;
}
