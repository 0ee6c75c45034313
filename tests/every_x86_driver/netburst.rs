//! The Pentium 4's identities, as the suite's subjects: both views, the whole unit and one thread's.

use pmu::arch::x86::netburst::{Device, Identity, Netburst, Share, View};

use crate::Processor;
use crate::machine::{Machine, Wire, observed};

macro_rules! subjects {
    ($($name:ident: $identity:ident, $view:ident, $share:ident, $room:literal;)*) => { $(
        pub(crate) struct $name;

        impl Processor for $name {
            type Device = Device<&'static Wire>;
            type Driver = Netburst<&'static Machine<Self::Device>, &'static Wire>;

            const ROOM: usize = $room;
            const LEAST: u64 = 2;

            fn machine() -> &'static Machine<Self::Device> {
                let identity = Identity::$identity.with_share(Share::$share);
                Machine::new(Wire::that_masks_itself(), |wire| Device::new(&identity, observed(), wire))
            }

            fn driver(machine: &'static Machine<Self::Device>) -> Self::Driver {
                let identity = Identity::$identity.with_share(Share::$share);
                Netburst::detect_as(&identity, machine, machine.wire, View::$view, None).expect("the identity has a unit")
            }
        }
    )* };
}

subjects! {
    Pentium4: PENTIUM_4, Bank, Whole, 2;
    Pentium4All: PENTIUM_4, All, Whole, 6;
    Prescott: PRESCOTT, Bank, Whole, 2;
    PrescottThread: PRESCOTT, All, Thread1, 3;
}
