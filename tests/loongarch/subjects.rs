//! The LoongArch identities, as the suite's subjects.

use pmu::arch::loongarch::la64::{Device, Identity, La64};
use pmu::virt::Strict;

use crate::Processor;
use crate::machine::{Machine, Wire, observed};

macro_rules! subjects {
    ($($name:ident: $identity:expr, $room:literal;)*) => { $(
        pub(crate) struct $name;

        impl Processor for $name {
            type Device = Strict<Device<&'static Wire>>;
            type Driver = La64<&'static Machine<Self::Device>>;

            const ROOM: usize = $room;
            const LATCHES: bool = false;

            fn machine() -> &'static Machine<Self::Device> {
                Machine::new(Wire::that_is_sampled(), |wire| Strict(Device::new(&$identity, observed(), wire)))
            }

            fn driver(machine: &'static Machine<Self::Device>) -> Self::Driver {
                La64::detect(machine).expect("the identity has a unit")
            }
        }
    )* };
}

subjects! {
    Loongson3A5000: Identity::LOONGSON_3A5000, 4;
    Loongson3C6000: Identity::LOONGSON_3C6000, 4;
    GuestOfTwo: Identity::LOONGSON_3A6000.with_counters(2), 2;
    GuestOfOne: Identity::LOONGSON_3A6000.with_counters(1), 1;
}
