//! What is asked of the firmware: the calls, and how many of them give a counter an event.

use core::array;
use core::fmt::{Display, Write};
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use harness::bench::{Bench, Cost, Reached};
use pmu::arch::riscv::hpm::sbi::{Address, Call};
use pmu::{Masked, Registers};

/// So many calls, and so many of them that configured a counter.
#[derive(Clone, Copy, Debug)]
pub struct Called([u32; 2]);

/// The calls so far, and those of them that configured a counter.
static TALLY: [AtomicU32; 2] = [const { AtomicU32::new(0) }; 2];

impl Called {
    fn now() -> Self {
        Self(TALLY.each_ref().map(|calls| calls.load(Relaxed)))
    }
}

impl Cost for Called {
    fn measure<B: Bench, T>(work: impl FnOnce() -> T) -> (Self, T) {
        let before = Self::now();
        let result = work();
        (Self::now().beyond(before), result)
    }

    fn beyond(self, other: Self) -> Self {
        Self(array::from_fn(|kind| self.0[kind].saturating_sub(other.0[kind])))
    }

    fn or_more(self, other: Self) -> Self {
        Self(array::from_fn(|kind| self.0[kind].max(other.0[kind])))
    }

    fn print<B: Bench>(self, name: impl Display, _: Reached) {
        let Self([calls, configurations]) = self;
        writeln!(B::console(), "calls {name} {calls} {configurations}").expect("a console takes everything");
    }
}

/// The firmware `R`, each call to which is counted.
#[derive(Clone, Copy, Debug)]
pub struct Calling<R>(pub R);

impl<R: Registers<Address = Address>> Registers for Calling<R> {
    type Address = Address;
    type Index = R::Index;
    type Kernel = R::Kernel;

    fn kernel(&self) -> R::Kernel {
        self.0.kernel()
    }

    fn read(&self, at: Address) -> u64 {
        if let Address::Call(call) = at {
            TALLY[0].fetch_add(1, Relaxed);
            TALLY[1].fetch_add(matches!(call, Call::Configure { .. }).into(), Relaxed);
        }
        self.0.read(at)
    }

    fn write(&self, at: Address, value: u64) {
        self.0.write(at, value);
    }

    fn read_counter(&self, index: R::Index) -> u64 {
        self.0.read_counter(index)
    }

    fn ticks(&self) -> u64 {
        self.0.ticks()
    }

    fn mask(&self) -> Masked {
        self.0.mask()
    }

    fn unmask(&self, before: Masked) {
        self.0.unmask(before);
    }

    fn fence(&self) {
        self.0.fence();
    }
}
