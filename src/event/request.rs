//! A request: an event, where and how it is counted, and how often it interrupts.

use core::fmt;
use core::hash::{Hash, Hasher};

use super::catalogue::Name;
use super::{Event, Flag, Flags, Modes};
use crate::event::{CounterId, CounterSet, Refusal};

/// What happens after the overflow of a sampling counter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Repeat {
    /// The next period begins at once.
    Continuous,
    /// The counter stops until its session is started again.
    OneShot,
}

/// The period of a request that samples.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Sampling {
    /// The number of events in a period. The interrupt comes on the last of them.
    pub period: u64,
    /// Whether further periods follow.
    pub repeat: Repeat,
}

/// Whose codes an event has: those of one kind of unit. Another kind's mean something else.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Codes(u64);

impl Codes {
    /// It is not known whose.
    pub(crate) const UNKNOWN: Self = Self(0);

    /// Those of the kind with this number, which is not 0.
    pub(crate) const fn of_kind(number: u64) -> Self {
        Self(number)
    }
}

/// A request to count an event.
///
/// A request that a [`notation`](crate::text::notation) or [`Native`](crate::text::native::Native) makes knows the kind of unit that its
/// code is of. Another kind of unit, such as a hybrid processor's other cores, refuses it.
///
/// ```
/// use pmu::{Event, Modes, Request};
///
/// let cycles = Request::from(Event::CYCLES);
/// let profile = Request::from(Event::INSTRUCTIONS).modes(Modes::KERNEL).every(100_000);
/// assert_ne!(cycles, profile);
/// assert_eq!(profile.to_string(), "instructions in kernel, every 100000");
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Request {
    /// The event.
    pub event: Event,
    /// The modes in which it is counted.
    pub modes: Modes,
    /// The flags.
    pub flags: Flags,
    /// If not 0, count the cycles with at least this many events.
    pub threshold: u8,
    /// The period, if the request samples.
    pub sampling: Option<Sampling>,
    /// The counters that it may use: by default any that count its event.
    pub counters: CounterSet,
    /// The value that its count starts at.
    pub preset: u64,
    /// The name that it was made by, if it was made by one of its processor's catalogue. It is printed by it.
    pub name: Option<Name>,
    /// Whose code its event has, as far as whoever made it knew.
    pub(crate) codes: Codes,
}

impl Request {
    /// Creates a request that counts `event` in user programs and in the kernel, on any counter.
    #[must_use]
    pub const fn new(event: Event) -> Self {
        Self {
            event,
            modes: Modes::ALL,
            flags: Flags::NONE,
            threshold: 0,
            sampling: None,
            counters: CounterSet::ALL,
            preset: 0,
            name: None,
            codes: Codes::UNKNOWN,
        }
    }

    /// Sets whose code its event has.
    pub(crate) const fn of_codes(mut self, codes: Codes) -> Self {
        self.codes = codes;
        self
    }

    /// Returns true if its event has a code that is not one of these.
    #[inline(always)]
    pub(crate) fn is_foreign_to(&self, codes: Codes) -> bool {
        self.codes != codes && self.codes != Codes::UNKNOWN && matches!(self.event, Event::Raw { .. })
    }

    /// Returns true if only the event and its modes are requested.
    #[inline(always)]
    pub(crate) const fn is_plain(&self) -> bool {
        !self.is_refined() && self.sampling.is_none() && self.is_anywhere()
    }

    /// Returns true if the request may use any counter that counts its event.
    #[inline(always)]
    pub(crate) const fn is_anywhere(&self) -> bool {
        self.counters.covers(CounterSet::ALL)
    }

    /// Returns the counters that the request can use. `all` are the counters of the unit, and `able` those that
    /// can count the event as requested.
    ///
    /// # Errors
    /// Returns [`Refusal::NoSuchCounter`], [`Refusal::CounterCannot`] or [`Refusal::CountersCannot`] if the
    /// request is limited to other counters.
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

    /// Checks that the request has no flags and no threshold, for units that do not have them.
    pub(crate) fn check_unrefined(&self) -> Result<(), Refusal> {
        match self.flags.beyond(Flags::NONE) {
            Some(flag) => Err(Refusal::Flag(flag)),
            None if self.threshold != 0 => Err(Refusal::ThresholdTooLarge { largest: 0 }),
            None => Ok(()),
        }
    }

    /// Returns true if the request has a threshold or flags.
    #[inline(always)]
    pub(crate) const fn is_refined(&self) -> bool {
        !self.flags.is_empty() || self.threshold != 0
    }

    /// Counts only in these modes.
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

    /// Samples every `period`-th event.
    #[must_use]
    pub const fn every(mut self, period: u64) -> Self {
        self.sampling = Some(Sampling { period, repeat: Repeat::Continuous });
        self
    }

    /// Samples the `period`-th event and stops the counter then. Where that is late, a reading has the further events until
    /// the counting is stopped, which takes them back. It replaces the period that [`Request::begin_at`] has set.
    #[must_use]
    pub const fn once_after(mut self, period: u64) -> Self {
        self.sampling = Some(Sampling { period, repeat: Repeat::OneShot });
        self
    }

    /// Returns true if its period is one-shot.
    pub(crate) fn notifies(&self) -> bool {
        self.sampling.is_some_and(|sampling| sampling.repeat == Repeat::OneShot)
    }

    /// Starts the count at `preset`, as libcpc does. A request that samples then interrupts once, when its count exceeds
    /// 2^64 - 1: on the event 2^64 - `preset`.
    ///
    /// ```
    /// use pmu::{Event, Request};
    /// use pmu::request::Repeat;
    ///
    /// let notifies = Request::new(Event::CYCLES).once_after(1).begin_at(u64::MAX - 99);
    /// assert_eq!(notifies.sampling.map(|sampling| sampling.period), Some(100));
    /// ```
    #[must_use]
    pub const fn begin_at(mut self, preset: u64) -> Self {
        self.preset = preset;
        if self.sampling.is_some() {
            self.once_after(if preset == 0 { u64::MAX } else { preset.wrapping_neg() })
        } else {
            self
        }
    }

    /// Uses only this counter.
    #[must_use]
    pub const fn pinned_to(mut self, counter: CounterId) -> Self {
        self.counters = counter.only();
        self
    }

    /// Uses only one of these counters.
    #[must_use]
    pub const fn on(mut self, counters: CounterSet) -> Self {
        self.counters = counters;
        self
    }
}

/// Two requests are equal if they ask for the same, by whatever name.
impl PartialEq for Request {
    fn eq(&self, other: &Self) -> bool {
        let Self { event, modes, flags, threshold, sampling, counters, preset, name: _, codes: _ } = *self;
        (event, modes, flags, threshold) == (other.event, other.modes, other.flags, other.threshold)
            && (sampling, counters, preset) == (other.sampling, other.counters, other.preset)
    }
}

impl Eq for Request {}

impl Hash for Request {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Self { event, modes, flags, threshold, sampling, counters, preset, name: _, codes: _ } = self;
        (event, modes, flags, threshold).hash(state);
        (sampling, counters, preset).hash(state);
    }
}

/// The name that it was made by, or else its event; and what else it asks for, if that is not the default: its modes, its
/// flags, its threshold, its period, its counters and the value that its count starts at.
impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Asked::of(self).fmt(f)?;
        match self.modes {
            Modes::ALL => {}
            Modes::NONE if self.event.auxiliary() != 0 => f.write_str(" in no other mode")?,
            Modes::NONE => f.write_str(" in no mode")?,
            modes => write!(f, " in {modes}")?,
        }
        let plain = self.name.and_then(Name::plain).unwrap_or(Self::new(self.event));
        self.write_refinements(&plain, f)?;
        match self.sampling {
            Some(Sampling { period, repeat: Repeat::Continuous }) => write!(f, ", every {period}")?,
            Some(Sampling { period, repeat: Repeat::OneShot }) => write!(f, ", once after {period}")?,
            None => {}
        }
        if self.counters != plain.counters {
            write!(f, ", on {}", self.counters.named())?;
        }
        if self.preset == 0 { Ok(()) } else { write!(f, ", from {}", self.preset) }
    }
}

impl Request {
    /// Writes the flags and the threshold, as far as they are not those of the event itself.
    fn write_refinements(&self, plain: &Self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for flag in Flag::ALL {
            match (self.flags.contains(flag), plain.flags.contains(flag)) {
                (true, false) => write!(f, ", {}", flag.name())?,
                (false, true) => write!(f, ", no {}", flag.name())?,
                _ => {}
            }
        }
        if self.threshold == plain.threshold { Ok(()) } else { write!(f, ", threshold {}", self.threshold) }
    }
}

/// The event of a request, printed by the name that the request was made by, if it was made by one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Asked {
    pub(crate) event: Event,
    pub(crate) name: Option<Name>,
}

impl Asked {
    pub(crate) const fn of(request: &Request) -> Self {
        Self { event: request.event, name: request.name }
    }
}

impl fmt::Display for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name {
            Some(name) => name.write_with_mask(self.event, f),
            None => self.event.fmt(f),
        }
    }
}

impl From<Event> for Request {
    fn from(event: Event) -> Self {
        Self::new(event)
    }
}
