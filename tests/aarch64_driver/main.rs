//! What the driver of PMUv3 does to its unit: finding it, encoding, placing, presetting, sharing,
//! lending to user programs, taking over and giving back; each against registers that keep what is
//! written to them.

#[path = "../bare/mod.rs"]
mod bare;
mod detecting;
mod encoding;
mod file;
mod names;
mod placing;
mod sharing;
mod switching;
mod unit;
mod users;

pub(crate) use bare::counter;
use file::{File, PLAIN};
use pmu::arch::aarch64::pmuv3::{Announced, Facts, Machine, Pmuv3, Share};
use pmu::{Backend, CounterSet, Remaining};

/// A driver over a unit's registers.
pub(crate) type Bench = bare::Bench<Pmuv3<&'static File>>;

impl Bench {
    pub(crate) fn new(facts: Facts) -> Self {
        Self::sharing(facts, Share::WHOLE)
    }

    pub(crate) fn sharing(facts: Facts, share: Share) -> Self {
        Self::of(Pmuv3::new(File::new(facts), facts, share))
    }

    pub(crate) fn file(&self) -> &'static File {
        self.driver.registers()
    }

    /// Presets these counters and lets them and no others count.
    pub(crate) fn start(&self, counters: CounterSet, remaining: u64) {
        self.driver.run(&self.image, CounterSet::EMPTY);
        for id in counters {
            self.driver.preset(&self.image, id, Remaining::events(remaining));
        }
        self.driver.run(&self.image, counters);
    }
}

/// The same with event counters of 64 bits.
pub(crate) const LONG: Facts = Facts { version: 5, ..PLAIN };

/// With thresholds of four bits, edges, and an instruction counter.
pub(crate) const NEWEST: Facts =
    Facts { version: 9, has_instruction_counter: true, machine: Machine(1 << 24 | 4 << 20), ..PLAIN };

/// PLAIN without some of the common events.
pub(crate) const fn without(low: u64, high: u64) -> Facts {
    Facts { announced: Announced { low: !low, high: !high }, ..PLAIN }
}
