//! UltraSPARC I to IV+, as the suite's subjects. I, II and IIi interrupt nobody: what samples is left out.

use pmu::arch::sparc::ultrasparc::{Device, Identity, UltraSparc};
use pmu::virt::{Delivery, Strict};

use crate::Processor;
use crate::machine::{BY_PRIORITY, DELIVERY, Machine, Wire, observed};

macro_rules! subjects {
    ($($name:ident: $identity:ident;)*) => { $(
        pub(crate) struct $name;

        impl Processor for $name {
            type Device = Strict<Device<&'static Wire>>;
            type Driver = UltraSparc<&'static Machine<Self::Device>>;

            const ROOM: usize = 2;
            const SHARES_MODES: bool = true;
            const HALTS: bool = true;

            /// Where the overflow is not held back as other interrupts are, it comes above the kernel's priority.
            fn machine() -> &'static Machine<Self::Device> {
                BY_PRIORITY.set(DELIVERY.get() == Delivery::Nmi);
                Machine::new(Wire::that_keeps_one(), |wire| Strict(Device::new(&Identity::$identity, observed(), wire)))
            }

            fn driver(machine: &'static Machine<Self::Device>) -> Self::Driver {
                UltraSparc::detect(Identity::$identity.version(), machine).expect("the identity has a unit")
            }
        }
    )* };
}

subjects! {
    UltraSparc1: I;
    UltraSparc2: II;
    UltraSparc2i: II_I;
    UltraSparc3: III;
    UltraSparc3i: III_I;
    UltraSparc4Plus: IV_PLUS;
}
