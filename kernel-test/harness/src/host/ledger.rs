//! The host's book: the guest's time, what is due when, and what its counters should have counted.

use pmu::CounterSet;

/// What the host knows of the guest's time; all in instructions of the guest.
#[derive(Debug)]
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
    pub(super) counted: [u64; 64],
}

impl Ledger {
    /// Nothing has happened.
    pub(super) const NEW: Self = Self {
        clock: 0,
        tick: None,
        untold: 0,
        overflow_due: 0,
        alarm: None,
        release: None,
        turn_ends: 0,
        overflows: 0,
        marks: [0; 2],
        counting: CounterSet::EMPTY,
        counted: [0; 64],
    };

    /// Does the guest's timer ask for an interrupt?
    pub fn ticks(&self) -> bool {
        self.tick.is_some_and(|tick| tick <= self.clock)
    }

    /// So many instructions have retired, or have not after all, while these counters were on.
    pub(super) fn book(&mut self, instructions: u64) {
        for counter in self.counting {
            let book = &mut self.counted[usize::from(counter.number())];
            *book = book.wrapping_add(instructions);
        }
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

/// Is it time?
pub(super) fn is_due(due: &mut Option<u64>, clock: u64) -> bool {
    due.take_if(|due| *due <= clock).is_some()
}
