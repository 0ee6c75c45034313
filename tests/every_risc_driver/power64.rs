//! Book3S 64's identities, as the suite's subjects.

use pmu::arch::powerpc::book3s::{Book3s, Device, Identity};
use pmu::virt::Strict;

use crate::Processor;
use crate::machine::{Machine, Wire, observed};

macro_rules! subjects {
    ($($name:ident: $identity:ident, $room:literal, $shares_modes:literal, $halts_all:literal;)*) => { $(
        pub(crate) struct $name;

        impl Processor for $name {
            type Device = Strict<Device<&'static Wire>>;
            type Driver = Book3s<&'static Machine<Self::Device>>;

            const ROOM: usize = $room;
            const SHARES_MODES: bool = $shares_modes;
            const HALTS: bool = true;
            const RESTORES_AT_ONCE: bool = $halts_all;

            fn machine() -> &'static Machine<Self::Device> {
                Machine::new(Wire::that_is_held(), |wire| {
                    Strict(Device::new(&Identity::$identity, observed(), wire))
                })
            }

            fn driver(machine: &'static Machine<Self::Device>) -> Self::Driver {
                let capabilities = Identity::$identity.capabilities();
                Book3s::detect(capabilities.pvr, capabilities.privilege, machine).expect("the identity has a unit")
            }
        }
    )* };
}

// The counters that count instructions; before POWER8 all count in the same states, and nothing halts PMC5 and PMC6 of POWER5
// and POWER6.
subjects! {
    Power4: POWER4, 5, true, true;
    Ppc970: PPC970, 8, true, true;
    Power5: POWER5, 2, true, false;
    Power5Plus: POWER5_PLUS, 2, true, false;
    Power6: POWER6, 4, true, false;
    Power7: POWER7, 4, true, true;
    Power8: POWER8, 5, false, true;
    Power9: POWER9, 5, false, true;
    Microwatt: MICROWATT, 2, false, true;
    Power10: POWER10, 5, false, true;
}
