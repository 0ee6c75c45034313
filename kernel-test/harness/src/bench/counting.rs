//! Registers that count how often they are reached.

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use pmu::{Masked, Registers};

use super::Accesses;

/// Reads, writes, and reads of counters so far. The overflow interrupt may come between any two accesses.
static TALLY: [AtomicU32; 3] = [const { AtomicU32::new(0) }; 3];

/// Returns the accesses so far.
pub(super) fn tally() -> Accesses {
    Accesses(TALLY.each_ref().map(|kind| kind.load(Relaxed)))
}

/// The registers `R`, each access to which is counted.
#[derive(Clone, Copy, Debug)]
pub struct Counting<R>(R);

impl<R: Registers> Counting<R> {
    /// Counts the accesses to these.
    pub const fn new(registers: R) -> Self {
        Self(registers)
    }
}

impl<R: Registers> Registers for Counting<R> {
    type Address = R::Address;
    type Index = R::Index;
    type Kernel = R::Kernel;

    fn kernel(&self) -> R::Kernel {
        self.0.kernel()
    }

    fn read(&self, at: R::Address) -> u64 {
        TALLY[0].fetch_add(1, Relaxed);
        self.0.read(at)
    }

    fn write(&self, at: R::Address, value: u64) {
        TALLY[1].fetch_add(1, Relaxed);
        self.0.write(at, value);
    }

    fn read_counter(&self, index: R::Index) -> u64 {
        TALLY[2].fetch_add(1, Relaxed);
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
