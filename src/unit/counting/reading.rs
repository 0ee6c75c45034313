//! Reading counts, which an interrupt may change meanwhile.

use crate::contract::Driver;
use crate::event::CounterSet;
use crate::unit::{Operation, Pmu};

/// How often counts are read before their counters are stopped for it.
const ATTEMPTS: u32 = 3;

impl<D: Driver> Pmu<'_, D> {
    /// Reads once. Returns `None` if an interrupt changed an account meanwhile.
    #[inline(always)]
    pub(crate) fn attempt<T>(self, read: impl FnOnce() -> T) -> Option<T> {
        let before = self.shared.counting.overflows.get();
        self.fence();
        let counts = read();
        self.fence();
        (self.shared.counting.overflows.get() == before).then_some(counts)
    }
}

impl<D: Driver> Operation<'_, D> {
    /// Reads again until no interrupt comes meanwhile. After several attempts, stops the counters and reads them.
    #[cold]
    #[inline(never)]
    pub(crate) fn read_again<T>(&self, counters: CounterSet, read: impl Fn() -> T) -> T {
        (0..ATTEMPTS).find_map(|_| self.attempt(&read)).unwrap_or_else(|| {
            let armed = self.armed().and(counters);
            self.disarm(armed);
            let counts = read();
            self.arm(armed);
            counts
        })
    }
}
