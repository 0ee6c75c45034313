//! The host's books: the guest's time, what is due when, and what its counters should have counted.

use harness::host::Counted;
use pmu::CounterSet;

/// What the host knows of the guest's time; all in instructions of the guest.
#[derive(Default)]
pub struct Ledger {
    /// Retired so far.
    pub clock: u64,
    /// Retired when the guest's time-stamp counter was 0.
    pub reset: u64,
    /// Those of them that the unit has not been told of yet.
    pub untold: u64,
    /// The clock at which the unit overflows next, if nobody writes to it.
    pub overflow_due: u64,
    /// The clock at the last overflow.
    pub overflowed: u64,
    /// When to interrupt by an NMI that no counter asked for.
    pub alarm: Option<u64>,
    /// When to send the threads' tick.
    pub tick: Option<u64>,
    /// Until when NMIs are kept back.
    pub release: Option<u64>,
    /// How long after the last overflow its NMI was delivered.
    pub skid: u64,
    /// How often the wire was pulled.
    pub overflows: u64,
    /// How often it was pulled in vain.
    pub masked: u64,
    /// The counters that are on, and select what this host observes.
    pub counting: CounterSet,
    /// How many instructions each counter has been on for.
    pub counted: Counted,
}

impl Ledger {
    /// How many instructions the guest may retire before the host wants to see it.
    pub fn quantum(&self) -> u64 {
        let due = [self.alarm, self.tick, self.release, Some(self.overflow_due)];
        due.into_iter().flatten().min().map_or(0, |next| next - self.clock)
    }
}
