//! What the host knows of the kernel's time; all in instructions of the kernel.

use harness::host::Counted;
use pmu::arch::aarch64::pmuv3::{Pmcr, Select};
use pmu::{CounterId, CounterSet, Mode};

use super::meter::Done;

/// The contents of a device.
type State = <pmu::arch::aarch64::pmuv3::Device<pmu::virt::Unconnected> as pmu::virt::Device>::State;

/// The book.
#[derive(Default)]
pub struct Ledger {
    /// Retired so far.
    pub clock: u64,
    /// Retired when the kernel's system counter was 0.
    pub reset: u64,
    /// When to raise an interrupt that no counter asked for.
    pub alarm: Option<u64>,
    /// When the tick comes.
    pub tick: Option<u64>,
    /// Until when interrupts are kept back.
    pub release: Option<u64>,
    /// How often the line rose.
    pub overflows: u64,
    /// The counters that are on, at EL1 and at EL0.
    on: [CounterSet; 2],
    /// How many instructions each counter has been on for.
    pub counted: Counted,
}

impl Ledger {
    /// So much was done.
    pub fn add(&mut self, done: Done) {
        self.clock += done.total();
        for (on, (_, instructions)) in self.on.into_iter().zip(done.by_mode()) {
            self.counted.add(on, instructions);
        }
    }

    /// The unit was written to: these counters are on now, by what stands in its registers.
    pub fn look(&mut self, unit: &State) {
        self.on = [Mode::Kernel, Mode::User].map(|mode| counters_on(unit, mode));
    }

    /// How many instructions the kernel may retire before something is to happen.
    pub fn until_next(&self) -> Option<u64> {
        let due = [self.alarm, self.tick, self.release].into_iter().flatten().min()?;
        Some(due.saturating_sub(self.clock))
    }
}

fn counters_on(unit: &State, mode: Mode) -> CounterSet {
    if !Pmcr::from_bits_retain(unit.control).contains(Pmcr::ENABLE) {
        return CounterSet::EMPTY;
    }
    let excluded = if mode == Mode::User { Select::NOT_USER } else { Select::NOT_KERNEL };
    let counts = |counter: &CounterId| {
        let select = unit.selects.get(usize::from(counter.number())).copied().unwrap_or(0);
        !Select::from_bits_retain(select).contains(excluded)
    };
    CounterSet::from_bits(unit.enable).into_iter().filter(counts).collect()
}
