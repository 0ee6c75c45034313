//! What is asked for: an event, where and how it counts, and how often it interrupts.

use super::{Event, Flag, Flags, Modes};
use crate::counter::{CounterId, CounterSet};
use crate::error::Refusal;

/// What happens after the overflow that a request asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Repeat {
    /// The next period begins at once.
    Continuous,
    /// The counter stops, until its session is started again.
    OneShot,
}

/// Interrupt on every n-th event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sampling {
    /// n: the interrupt comes on the n-th event, not on the one after.
    pub period: u64,
    /// Once or for ever.
    pub repeat: Repeat,
}

/// One thing to measure: an event, where it counts, and how.
///
/// ```
/// use pmu::{Event, Modes, Request};
///
/// let cycles = Request::from(Event::CYCLES);
/// let profile = Request::from(Event::INSTRUCTIONS).modes(Modes::KERNEL).every(100_000);
/// assert_ne!(cycles, profile);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Request {
    /// What to count.
    pub event: Event,
    /// In which modes.
    pub modes: Modes,
    /// Refinements.
    pub flags: Flags,
    /// Count the cycles with at least this many events; 0 counts the events themselves.
    pub threshold: u8,
    /// Whether, and how often, to interrupt.
    pub sampling: Option<Sampling>,
    /// The counters that it may use: any that count its event, unless it is kept to some.
    pub counters: CounterSet,
}

impl Request {
    /// Counts `event` in user programs and in the kernel, on any counter.
    #[must_use]
    pub const fn new(event: Event) -> Self {
        Self { event, modes: Modes::ALL, flags: Flags::NONE, threshold: 0, sampling: None, counters: CounterSet::ALL }
    }

    /// Does it ask for anything but its event, in its modes?
    #[inline(always)]
    pub(crate) const fn is_plain(&self) -> bool {
        !self.is_refined() && self.sampling.is_none() && self.is_anywhere()
    }

    /// May it use any counter that counts its event?
    #[inline(always)]
    pub(crate) const fn is_anywhere(&self) -> bool {
        self.counters.covers(CounterSet::ALL)
    }

    /// Those of a unit's counters that it can use: `all` are the unit's, and `able` those that count
    /// its event as it asks.
    ///
    /// # Errors
    /// It is kept to others: [`Refusal::NoSuchCounter`], [`Refusal::CounterCannot`],
    /// [`Refusal::CountersCannot`].
    #[inline(always)]
    pub(crate) fn usable(&self, all: CounterSet, able: CounterSet) -> Result<CounterSet, Refusal> {
        let usable = able.and(self.counters);
        if usable.is_empty() { Err(self.unusable(all, able)) } else { Ok(usable) }
    }

    #[cold]
    fn unusable(&self, all: CounterSet, able: CounterSet) -> Refusal {
        match self.counters.lowest().filter(|_| !self.counters.has_several()) {
            Some(pin) if all.contains(pin) => Refusal::CounterCannot(pin),
            Some(pin) => Refusal::NoSuchCounter(pin),
            None if able.is_empty() => Refusal::UnknownEvent,
            None => Refusal::CountersCannot { asked: self.counters, able },
        }
    }

    /// Does it count by a threshold or with flags?
    #[inline(always)]
    pub(crate) const fn is_refined(&self) -> bool {
        !self.flags.is_empty() || self.threshold != 0
    }

    /// Counts in these modes only.
    #[must_use]
    pub const fn modes(mut self, modes: Modes) -> Self {
        self.modes = modes;
        self
    }

    /// Sets a flag.
    #[must_use]
    pub const fn flag(mut self, flag: Flag) -> Self {
        self.flags = self.flags.with(flag);
        self
    }

    /// Counts the cycles with at least `events` events.
    #[must_use]
    pub const fn threshold(mut self, events: u8) -> Self {
        self.threshold = events;
        self
    }

    /// Interrupts on every `period`-th event.
    #[must_use]
    pub const fn every(mut self, period: u64) -> Self {
        self.sampling = Some(Sampling { period, repeat: Repeat::Continuous });
        self
    }

    /// Interrupts on the `period`-th event and stops the counter there.
    #[must_use]
    pub const fn once_after(mut self, period: u64) -> Self {
        self.sampling = Some(Sampling { period, repeat: Repeat::OneShot });
        self
    }

    /// Uses this counter and no other.
    #[must_use]
    pub const fn pinned_to(mut self, counter: CounterId) -> Self {
        self.counters = counter.only();
        self
    }

    /// Uses one of these counters and no other.
    #[must_use]
    pub const fn on(mut self, counters: CounterSet) -> Self {
        self.counters = counters;
        self
    }
}

impl From<Event> for Request {
    fn from(event: Event) -> Self {
        Self::new(event)
    }
}
