//! The P6 family's identities, as the suite's subjects.

use pmu::arch::x86::p6::{Device, Identity, P6};

use crate::Processor;
use crate::machine::{Machine, Wire, observed};

macro_rules! subjects {
    ($($name:ident: $identity:ident, $wire:ident;)*) => { $(
        pub(crate) struct $name;

        impl Processor for $name {
            type Device = Device<&'static Wire>;
            type Driver = P6<&'static Machine<Self::Device>, &'static Wire>;

            const ROOM: usize = 2;
            const LEAST: u64 = 2;

            fn machine() -> &'static Machine<Self::Device> {
                Machine::new(Wire::$wire(), |wire| Device::new(&Identity::$identity, observed(), wire))
            }

            fn driver(machine: &'static Machine<Self::Device>) -> Self::Driver {
                P6::detect(&Identity::$identity, machine, machine.wire).expect("the identity has a unit")
            }
        }
    )* };
}

subjects! {
    PentiumPro: PENTIUM_PRO, that_brings_each;
    PentiumII: PENTIUM_II, that_brings_each;
    PentiumIII: PENTIUM_III, that_brings_each;
    PentiumM: PENTIUM_M, that_masks_itself;
}
