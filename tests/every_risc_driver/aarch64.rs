//! PMUv3's identities, as the suite's subjects.

use pmu::arch::aarch64::pmuv3::{Device, Identity, Pmuv3};
use pmu::{Event, Mode};

use crate::Processor;
use crate::machine::{Machine, Wire, observed};

macro_rules! subjects {
    ($($name:ident: $identity:expr, $mode:ident, $room:literal;)*) => { $(
        pub(crate) struct $name;

        impl Processor for $name {
            type Device = Device<&'static Wire>;
            type Driver = Pmuv3<&'static Machine<Self::Device>>;

            const ROOM: usize = $room;
            const PAIR: Option<(Event, u64)> = Some((Event::INSTRUCTIONS, 1 << 32));

            fn machine() -> &'static Machine<Self::Device> {
                let device = |wire| Device::new(&$identity, observed(), wire).driven_from(Mode::$mode);
                Machine::new(Wire::that_is_held(), device)
            }

            fn driver(machine: &'static Machine<Self::Device>) -> Self::Driver {
                Pmuv3::detect(machine).expect("the identity has a unit")
            }
        }
    )* };
}

// The event counters, and where there is one, the counter of instructions.
subjects! {
    CortexA57: Identity::CORTEX_A57, Kernel, 6;
    NeoverseN1: Identity::NEOVERSE_N1, Kernel, 6;
    NeoverseN1Guest: Identity::NEOVERSE_N1.for_guest(), Kernel, 6;
    NeoverseN2: Identity::NEOVERSE_N2, Kernel, 6;
    NeoverseN2Hypervisor: Identity::NEOVERSE_N2, Hypervisor, 6;
    Armv8_8: Identity::ARMV8_8, Kernel, 20;
    Armv9_4: Identity::ARMV9_4, Kernel, 32;
}
