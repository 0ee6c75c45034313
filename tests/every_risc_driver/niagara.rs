//! UltraSPARC T1 to SPARC T3, as the suite's subjects.

use pmu::Event;
use pmu::arch::sparc::niagara::{Device, Identity, Niagara};
use pmu::virt::{Delivery, Strict};

use crate::Processor;
use crate::machine::{BY_PRIORITY, DELIVERY, Machine, Wire, observed};

macro_rules! subjects {
    ($($name:ident: $identity:ident over $wire:ident, $room:literal;)*) => { $(
        pub(crate) struct $name;

        impl Processor for $name {
            type Device = Strict<Device<&'static Wire>>;
            type Driver = Niagara<&'static Machine<Self::Device>>;

            const ROOM: usize = $room;
            const SHARES_MODES: bool = true;
            const HALTS: bool = true;
            /// There are no cycles.
            const OTHER: Event = Event::INSTRUCTIONS;

            /// Where the overflow is not held back as other interrupts are, it comes above the kernel's priority.
            fn machine() -> &'static Machine<Self::Device> {
                BY_PRIORITY.set(DELIVERY.get() == Delivery::Nmi);
                Machine::new(Wire::$wire(), |wire| Strict(Device::new(&Identity::$identity, observed(), wire)))
            }

            fn driver(machine: &'static Machine<Self::Device>) -> Self::Driver {
                let identity = &Identity::$identity;
                Niagara::detect(identity.compatible(), identity.capabilities().privilege, machine)
                    .expect("the identity has a unit")
            }
        }
    )* };
}

subjects! {
    T1: T1 over that_keeps_one, 1;
    T2: T2 over that_is_held, 2;
    T2Hypervisor: T2_HYPERVISOR over that_is_held, 2;
    T3: T3 over that_is_held, 2;
}
