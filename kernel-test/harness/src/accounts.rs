//! What became of overflows, and of the counters that had them.

use pmu::Unit;
use pmu::driver::Driver;

use crate::kernel::{Claimed, Kernel};

/// What became of overflows.
#[derive(PartialEq, Debug)]
pub struct Accounts {
    overflows: u64,
    /// Samples, and overflows that are said to have left none.
    kept: u64,
    unclaimed: u64,
}

impl Accounts {
    /// No overflow.
    pub const NOTHING: Self = Self { overflows: 0, kept: 0, unclaimed: 0 };
    /// One overflow, and it is accounted for.
    pub const ONE: Self = Self::kept(1);

    /// So many overflows, and each is accounted for.
    pub const fn kept(overflows: u64) -> Self {
        Self { overflows, kept: overflows, unclaimed: 0 }
    }

    /// Is each of so many accounted for? Without a host's book overflows are counted by their interrupts, and one that a stop
    /// has accounted for has none.
    pub fn keep<K: Kernel>(&self, overflows: u64) -> bool {
        let is_counted = if K::has_book() { self.overflows == overflows } else { self.overflows <= overflows };
        is_counted && self.kept == overflows && self.unclaimed == 0
    }

    /// Is each accounted for?
    pub fn are_all_kept(&self) -> bool {
        self.overflows == self.kept && self.unclaimed == 0
    }

    /// What becomes of those that happen in `body`.
    pub fn around<K: Kernel, T>(body: impl FnOnce() -> T) -> (T, Self) {
        let before = Self::of::<K>();
        let result = body();
        let after = Self::of::<K>();
        let accounts = Self {
            overflows: after.overflows - before.overflows,
            kept: after.kept - before.kept,
            unclaimed: after.unclaimed - before.unclaimed,
        };
        (result, accounts)
    }

    fn of<K: Kernel>() -> Self {
        Self { overflows: K::overflows(), kept: accounted(K::unit()), unclaimed: K::unit().spurious().foreign }
    }
}

/// How many samples a unit has received and lost; those that wait are dropped.
pub fn accounted<B: Driver, const SAMPLES: usize>(unit: &Unit<B, SAMPLES>) -> u64 {
    let mut samples = unit.samples().expect("nobody else reads");
    samples.by_ref().for_each(drop);
    samples.received() + samples.lost().total()
}

/// Each counter can be opened: nobody has kept one.
pub fn assert_all_free<K: Kernel>(pmu: &Claimed<K>) {
    let mut sessions = [const { None }; 64];
    let counters = K::counters(&pmu.description());
    for (session, counter) in sessions.iter_mut().zip(counters) {
        *session = Some(pmu.open([K::request(counter)]).expect("every counter is free"));
    }
}
