//! The host's book: the guest's time, what is due when, and what its counters should have counted.

use pmu::CounterSet;

/// What the host knows of the guest's time; all in instructions of the guest.
#[derive(Debug, Default)]
pub struct Ledger {
    /// Retired so far.
    pub clock: u64,
    /// When the guest's timer interrupts. It is up from then on, until the guest writes to it or has taken it.
    pub tick: Option<u64>,
    /// Those of the retired that the unit has not been told of yet.
    pub(super) untold: u64,
    /// The clock at which the unit overflows next, if nobody writes to it.
    pub(super) overflow_due: u64,
    /// When to raise an interrupt that no counter asked for.
    pub(super) alarm: Option<u64>,
    /// Until when interrupts are kept back.
    pub(super) release: Option<u64>,
    /// When another of the machine's processors is to go on.
    pub(super) turn_ends: u64,
    /// How often counters have overflowed, if some do on the same instruction once.
    pub(super) overflows: u64,
    /// The clock at the guest's last two marks.
    pub(super) marks: [u64; 2],
    /// The counters that are on.
    pub(super) counting: CounterSet,
    /// How many instructions each counter has been on for.
    pub(super) counted: Counted,
}

impl Ledger {
    /// Does the guest's timer ask for an interrupt?
    pub fn ticks(&self) -> bool {
        self.tick.is_some_and(|tick| tick <= self.clock)
    }

    /// So many instructions have retired, or have not after all, while these counters were on.
    pub(super) fn book(&mut self, instructions: u64) {
        self.counted.add(self.counting, instructions);
    }

    /// How many instructions the guest may retire before the host wants to see it: up to what will happen next.
    pub(super) fn quantum(&self) -> u64 {
        let tick = self.tick.filter(|&tick| tick > self.clock);
        let due = [self.alarm, self.release, tick, Some(self.overflow_due), Some(self.turn_ends)];
        due.into_iter().flatten().min().unwrap_or_default().saturating_sub(self.clock).max(1)
    }

    /// The guest marks the time.
    pub(super) fn mark(&mut self) {
        self.marks = [self.marks[1], self.clock];
    }
}

/// How many instructions each counter has been on for: what it should have counted, whatever was written to it.
#[derive(Debug)]
pub struct Counted([u64; 64]);

impl Counted {
    /// So many instructions have retired, or have not after all, while these counters were on.
    pub fn add(&mut self, counters: CounterSet, instructions: u64) {
        for counter in counters {
            let book = &mut self.0[usize::from(counter.number())];
            *book = book.wrapping_add(instructions);
        }
    }

    /// Returns how many the counter with this number has been on for.
    pub fn of(&self, counter: u64) -> u64 {
        self.0.get(counter as usize).copied().unwrap_or(0)
    }
}

impl Default for Counted {
    fn default() -> Self {
        Self([0; 64])
    }
}

/// Is it time?
pub(super) fn is_due(due: &mut Option<u64>, clock: u64) -> bool {
    due.take_if(|due| *due <= clock).is_some()
}
