//! AMD's identities, as the suite's subjects.

use pmu::Event;
use pmu::arch::x86::amd::{Amd, Device, Identity};
use pmu::arch::x86::{Either, Global, Single};

use crate::Processor;
use crate::machine::{Machine, Wire, observed};

/// FLOPs retired, all (PMCx003), which Zen counts on two merged counters.
const ZEN_FLOPS: Event = Event::raw(0xFF03);

macro_rules! subjects {
    ($($name:ident: $identity:ident, $generation:ident, $room:literal;)*) => { $(
        pub(crate) struct $name;

        impl Processor for $name {
            type Device = Device<&'static Wire>;
            type Driver = Amd<&'static Machine<Self::Device>, &'static Wire, $generation>;

            const ROOM: usize = $room;
            const LEAST: u64 = 2;
            const PAIR: Option<(Event, u64)> = Some((ZEN_FLOPS, 1 << 48));

            fn machine() -> &'static Machine<Self::Device> {
                Machine::new(Wire::that_brings_each(), |wire| Device::new(&Identity::$identity, observed(), wire))
            }

            fn driver(machine: &'static Machine<Self::Device>) -> Self::Driver {
                Amd::detect(&Identity::$identity, machine, machine.wire).expect("the identity has a unit")
            }
        }
    )* };
}

subjects! {
    K7: K7, Either, 4;
    K8: K8, Either, 4;
    Family10h: FAMILY_10H, Either, 4;
    Family15h: FAMILY_15H, Either, 6;
    Zen2: ZEN_2, Either, 6;
    Zen2Single: ZEN_2, Single, 6;
    Zen3: ZEN_3, Either, 6;
    Zen4: ZEN_4, Either, 6;
    Zen4Global: ZEN_4, Global, 6;
}
