//! What the driver of PMUv3 does to its unit: finding it, encoding, placing, presetting, sharing,
//! lending to user programs, taking over and giving back; each against registers that keep what is
//! written to them.

mod detecting;
mod encoding;
mod names;
mod placing;
mod sharing;
mod switching;
mod unit;
mod users;

use crate::support::{bare, file};
pub(crate) use bare::counter;
use file::{File, plain, with};
use pmu::CounterSet;
use pmu::arch::aarch64::pmuv3::{Announced, Capabilities, Machine, Pmuv3, Share};
use pmu::driver::{Counters, Image as _, Plan, Remaining};

/// A driver over a unit's registers.
pub(crate) type Bench = bare::Bench<Pmuv3<&'static File>>;

impl Bench {
    pub(crate) fn new(capabilities: Capabilities) -> Self {
        Self::sharing(capabilities, Share::WHOLE)
    }

    pub(crate) fn sharing(capabilities: Capabilities, share: Share) -> Self {
        Self::of(Pmuv3::new(File::new(capabilities), capabilities, share))
    }

    pub(crate) fn file(&self) -> &'static File {
        self.driver.registers()
    }

    /// The counters that are loaded.
    pub(crate) fn occupied(&self) -> CounterSet {
        self.image.occupancy()
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
pub(crate) fn of_64_bits() -> Capabilities {
    with(plain(), |it| it.version = 5)
}

/// With thresholds of four bits, edges, and an instruction counter.
pub(crate) fn newest() -> Capabilities {
    with(plain(), |it| (it.version, it.has_instruction_counter, it.machine) = (9, true, Machine(1 << 24 | 4 << 20)))
}

/// `plain()` without some of the common events.
pub(crate) fn without(low: u64, high: u64) -> Capabilities {
    with(plain(), |it| it.announced = Announced { low: !low, high: !high })
}
