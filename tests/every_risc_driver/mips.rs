//! The MIPS identities, as the suite's subjects.

use pmu::arch::mips::mipsxx::{Device, Identity, Mipsxx};
use pmu::virt::Strict;

use crate::Processor;
use crate::machine::{Machine, Wire, observed};

macro_rules! subjects {
    ($($name:ident: $identity:expr, $room:literal;)*) => { $(
        pub(crate) struct $name;

        impl Processor for $name {
            type Device = Strict<Device<&'static Wire>>;
            type Driver = Mipsxx<&'static Machine<Self::Device>>;

            const ROOM: usize = $room;
            const LATCHES: bool = false;

            fn machine() -> &'static Machine<Self::Device> {
                Machine::new(Wire::that_is_sampled(), |wire| Strict(Device::new(&$identity, observed(), wire)))
            }

            fn driver(machine: &'static Machine<Self::Device>) -> Self::Driver {
                Mipsxx::detect(machine).expect("the identity has a unit")
            }
        }
    )* };
}

subjects! {
    R10000V2: Identity::R10000_V2, 2;
    R10000: Identity::R10000, 2;
    R12000: Identity::R12000, 2;
    M5k: Identity::M5K, 2;
    M20k: Identity::M20K, 1;
    M24k: Identity::M24K, 2;
    M34k: Identity::M34K, 4;
    M74k: Identity::M74K, 4;
    OcteonII: Identity::OCTEON_II, 2;
}
