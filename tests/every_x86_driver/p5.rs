//! The Pentiums, as the suite's subjects. Nothing interrupts: what samples is left out.

use pmu::arch::x86::p5::{Device, Identity, P5};

use crate::Processor;
use crate::machine::{Machine, Wire, observed};

macro_rules! subjects {
    ($($name:ident: $identity:ident;)*) => { $(
        pub(crate) struct $name;

        impl Processor for $name {
            type Device = Device;
            type Driver = P5<&'static Machine<Self::Device>>;

            const ROOM: usize = 2;

            fn machine() -> &'static Machine<Self::Device> {
                Machine::new(Wire::that_keeps_one(), |_| Device::new(&Identity::$identity, observed()))
            }

            fn driver(machine: &'static Machine<Self::Device>) -> Self::Driver {
                P5::detect(&Identity::$identity, machine).expect("the identity has a unit")
            }
        }
    )* };
}

subjects! {
    Pentium: P5;
    PentiumMmx: P5_MMX;
}
