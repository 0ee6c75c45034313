//! The 32-bit PowerPC identities, as the suite's subjects.

use std::fmt::Debug;
use std::hash::Hash;

use pmu::arch::powerpc::{Detected, Pmr, Spr, classic, embedded};
use pmu::driver::WithKernel;
use pmu::virt::Strict;

use crate::Processor;
use crate::machine::{Here, Machine, Wire, observed};
use crate::support::memory::Memory;
use crate::support::registers::Altered;

macro_rules! subjects {
    ($($name:ident: $family:ident::$driver:ident over $wire:ident, $identity:ident, $room:literal, $shares_modes:literal;)*) => { $(
        pub(crate) struct $name;

        impl Processor for $name {
            type Device = Strict<$family::Device<&'static Wire>>;
            type Driver = $family::$driver<&'static Machine<Self::Device>>;

            const ROOM: usize = $room;
            const SHARES_MODES: bool = $shares_modes;
            const HALTS: bool = true;

            fn machine() -> &'static Machine<Self::Device> {
                let identity = &$family::Identity::$identity;
                Machine::new(Wire::$wire(), |wire| {
                    Strict($family::Device::new(identity, observed(), wire))
                })
            }

            fn driver(machine: &'static Machine<Self::Device>) -> Self::Driver {
                let pvr = $family::Identity::$identity.pvr();
                $family::$driver::detect(pvr, machine).expect("the identity has a unit")
            }
        }
    )* };
}

// The counters that count instructions; those of the classic units all count in the same states. Their
// interrupt is kept once it was signalled, and the embedded cores' falls with its cause.
subjects! {
    P604: classic::Classic over that_keeps_one, P604, 2, true;
    P604e: classic::Classic over that_keeps_one, P604E, 4, true;
    P750: classic::Classic over that_keeps_one, P750, 4, true;
    P7400: classic::Classic over that_keeps_one, P7400, 4, true;
    P7450: classic::Classic over that_keeps_one, P7450, 4, true;
    E300: embedded::Embedded over that_is_held, E300, 4, false;
    E500V1: embedded::Embedded over that_is_held, E500_V1, 4, false;
    E500V2: embedded::Embedded over that_is_held, E500_V2, 4, false;
    E500mc: embedded::Embedded over that_is_held, E500MC, 4, false;
}

/// The registers of the family that a processor is not of.
pub(crate) type Nowhere<A> = WithKernel<Altered<'static, Memory<A>>, Here>;

fn nowhere<A: Copy + Debug + Eq + Hash + 'static>() -> Nowhere<A> {
    WithKernel::new(Altered::new(Memory::new()).before(|_, step| panic!("{step:?} is another family's")), Here)
}

macro_rules! detected {
    ($($name:ident: $of:ident, $sprs:ty, $pmrs:ty, |$machine:ident| $registers:expr;)*) => { $(
        pub(crate) struct $name;

        impl Processor for $name {
            type Device = <$of as Processor>::Device;
            type Driver = Detected<$sprs, $pmrs>;

            const ROOM: usize = $of::ROOM;
            const SHARES_MODES: bool = $of::SHARES_MODES;
            const HALTS: bool = true;

            fn machine() -> &'static Machine<Self::Device> {
                $of::machine()
            }

            fn driver($machine: &'static Machine<Self::Device>) -> Self::Driver {
                let (pvr, sprs, pmrs) = $registers;
                Detected::detect(pvr, sprs, pmrs).expect("the identity has a unit")
            }
        }
    )* };
}

type Sprs = &'static Machine<<P750 as Processor>::Device>;
type Pmrs = &'static Machine<<E500V2 as Processor>::Device>;

detected! {
    Detected750: P750, Sprs, Nowhere<Pmr>, |machine| (classic::Identity::P750.pvr(), machine, nowhere());
    DetectedE500: E500V2, Nowhere<Spr>, Pmrs, |machine| (embedded::Identity::E500_V2.pvr(), nowhere(), machine);
}
