//! Registers that count how they are reached.

use core::marker::PhantomData;
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use pmu::driver::{Masked, Registers};

use super::Accesses;

/// Reads, writes, and reads of counters so far. The overflow interrupt may come between any two accesses.
static TALLY: [AtomicU32; 3] = [const { AtomicU32::new(0) }; 3];

/// Returns the accesses so far.
pub(super) fn tally() -> Accesses {
    Accesses(TALLY.each_ref().map(|kind| kind.load(Relaxed)))
}

/// What is counted of accesses to registers whose addresses are `A`.
pub trait Counted<A> {
    /// A register is read.
    fn read(_: &A) {}
    /// A register is written.
    fn write(_: &A) {}
    /// A counter is read by the fast path.
    fn read_counter() {}
}

impl<A> Counted<A> for Accesses {
    fn read(_: &A) {
        TALLY[0].fetch_add(1, Relaxed);
    }

    fn write(_: &A) {
        TALLY[1].fetch_add(1, Relaxed);
    }

    fn read_counter() {
        TALLY[2].fetch_add(1, Relaxed);
    }
}

/// The registers `R`, of each access to which `C` is counted.
#[derive(Clone, Copy, Debug)]
pub struct Counting<R, C = Accesses>(R, PhantomData<C>);

impl<R: Registers> Counting<R> {
    /// Counts the accesses to these.
    pub const fn new(registers: R) -> Self {
        Self::of(registers)
    }
}

impl<R: Registers, C> Counting<R, C> {
    /// Counts something else of the accesses to these.
    pub const fn of(registers: R) -> Self {
        Self(registers, PhantomData)
    }
}

impl<R: Registers, C: Counted<R::Address>> Registers for Counting<R, C> {
    type Address = R::Address;
    type Index = R::Index;
    type Kernel = R::Kernel;

    fn kernel(&self) -> R::Kernel {
        self.0.kernel()
    }

    fn read(&self, at: R::Address) -> u64 {
        C::read(&at);
        self.0.read(at)
    }

    fn write(&self, at: R::Address, value: u64) {
        C::write(&at);
        self.0.write(at, value);
    }

    fn read_counter(&self, index: R::Index) -> u64 {
        C::read_counter();
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
