//! The 32-bit PowerPC identities, as the suite's subjects.

use std::fmt::Debug;
use std::marker::PhantomData;

use pmu::arch::powerpc::{Detected, Pmr, Spr, classic, detect, embedded};
use pmu::driver::{Masked, Registers};
use pmu::virt::Strict;

use crate::Processor;
use crate::machine::{Here, Machine, Wire, observed};

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
#[derive(Debug)]
pub(crate) struct Nowhere<A>(PhantomData<A>);

impl<A: Copy + Debug> Registers for Nowhere<A> {
    type Address = A;
    type Index = A;
    type Kernel = Here;

    fn kernel(&self) -> Here {
        Here
    }

    fn read(&self, at: A) -> u64 {
        panic!("this processor has no {at:?}")
    }

    fn write(&self, at: A, _: u64) {
        panic!("this processor has no {at:?}")
    }

    fn read_counter(&self, index: A) -> u64 {
        self.read(index)
    }

    fn ticks(&self) -> u64 {
        panic!("this processor's clock is another family's")
    }

    fn mask(&self) -> Masked {
        Masked::from_bits(0)
    }

    fn unmask(&self, _: Masked) {}
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
                detect(pvr, sprs, pmrs).expect("the identity has a unit")
            }
        }
    )* };
}

type Sprs = &'static Machine<<P750 as Processor>::Device>;
type Pmrs = &'static Machine<<E500V2 as Processor>::Device>;

detected! {
    Detected750: P750, Sprs, Nowhere<Pmr>, |machine| (classic::Identity::P750.pvr(), machine, Nowhere(PhantomData));
    DetectedE500: E500V2, Nowhere<Spr>, Pmrs, |machine| (embedded::Identity::E500_V2.pvr(), Nowhere(PhantomData), machine);
}
