//! Says what a generic event is on a unit: one of the processor's own events, with its name, code, unit mask
//! and counters, or several whose counts are added or subtracted.
//!
//! Generic events have the names of PAPI, in upper or lower case. [`Native::of`] looks one up, and
//! [`Native::all`] lists all that the unit can count. No register is accessed.
//!
//! ```
//! use pmu::arch::x86::Unattached;
//! use pmu::arch::x86::intel::{Device, Identity, Intel};
//! use pmu::text::{native::Derivation, native::Native};
//! use pmu::virt::{Kinds, Unconnected};
//!
//! let device = Device::new(&Identity::SKYLAKE, Kinds::CLOCK, Unconnected);
//! let driver = Intel::<_, _>::detect(&Identity::SKYLAKE, &device, Unattached)?; // or Pmu::driver, of a unit that is claimed
//!
//! let branches = Native::of(&driver, "PAPI_br_ins").unwrap();
//! let term = branches.terms().next().unwrap();
//! assert_eq!((term.code, term.mask, term.named.unwrap().name), (0xC4, 0x00, "BR_INST_RETIRED.ALL_BRANCHES".into()));
//!
//! let predicted = Native::of(&driver, "PAPI_br_prc").unwrap();
//! assert_eq!(predicted.derivation(), Derivation::Difference);
//! assert_eq!(predicted.value(&[100, 7]), Some(93)); // the counts of its requests, in their order
//!
//! let refusal = Native::of(&driver, "PAPI_fma_ins").unwrap_err().to_string();
//! assert!(refusal.starts_with("PAPI_fma_ins: no event of this processor is known to count it"));
//! # Ok::<(), pmu::Error>(())
//! ```

use core::fmt;

use crate::contract::{Plan, counters_for};
use crate::event::catalogue::{Catalogue, EventName, GenericEvent, NamedEvent, Preset, PresetTerm};
use crate::event::{CounterSet, Event, Generic, Refusal, Request};

/// A generic event, as the unit of one driver counts it.
pub struct Native<'d, P> {
    driver: &'d P,
    made: Made,
}

/// How a generic event is made.
#[derive(Clone, Copy, Debug)]
enum Made {
    Alone(GenericEvent),
    Own(NamedEvent, Event),
    Of(Preset),
}

/// How many of the processor's own events make up a generic event, and how their counts are combined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Derivation {
    /// One event.
    One,
    /// The sum of several events.
    Sum,
    /// The sum of the first events minus that of the last ones.
    Difference,
    /// A sum or a difference, in which the counts of some events are multiplied first.
    Multiple,
}

/// Whether a term's count is added or subtracted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sign {
    /// The count is added.
    Plus,
    /// The count is subtracted.
    Minus,
}

/// One of the processor's own events that make up a generic event.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Term {
    /// Whether its count is added or subtracted.
    pub sign: Sign,
    /// What its count is multiplied by first.
    pub factor: u64,
    /// The event's name, if the catalogue has one.
    pub named: Option<NamedEvent>,
    /// The event with its whole code, as [`Event::raw`] takes it.
    pub event: Event,
    /// Its code without the unit mask, in the layout that the family's `events` describes.
    pub code: u64,
    /// Its unit mask; 0 if codes have none.
    pub mask: u64,
    /// The value that it needs in an auxiliary register; 0 if it needs none.
    pub auxiliary: u64,
    /// The request that counts it.
    pub request: Request,
    /// The counters that the request can have while nothing else is counted.
    pub counters: CounterSet,
}

/// The error for a generic event that this unit cannot count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Absent<'n> {
    /// The name that was looked up.
    pub name: &'n str,
    /// Why the unit cannot count it.
    pub reason: Refusal,
    /// The generic event that was probably meant, if PAPI has none of this name.
    pub nearest: Option<EventName>,
}

impl fmt::Display for Absent<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.reason, self.nearest) {
            (_, Some(nearest)) => write!(f, "{}: PAPI has no such preset; the nearest name is {nearest}", self.name)?,
            (Refusal::UnknownEvent, None) if Preset::is_papi(self.name) => {
                write!(f, "{}: no event of this processor is known to count it", self.name)?;
            }
            (reason, None) => write!(f, "{}: {reason}", self.name)?,
        }
        f.write_str("; Native::all lists the generic events of this unit")
    }
}

impl core::error::Error for Absent<'_> {}

impl<P> Clone for Native<'_, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P> Copy for Native<'_, P> {}

impl<P> fmt::Debug for Native<'_, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Native").field("made", &self.made).finish_non_exhaustive()
    }
}

impl<'d, P: Plan> Native<'d, P> {
    /// Looks up a generic event by its PAPI name. Case does not matter.
    ///
    /// # Errors
    /// The processor has no such event, or this unit has no counter for it.
    pub fn of<'n>(driver: &'d P, name: &'n str) -> Result<Self, Absent<'n>> {
        let catalogue = driver.catalogue();
        let alone = catalogue.generic(name).map(|generic| Made::Alone(*generic));
        let made = alone.or_else(|| catalogue.preset(name).map(Made::Of));
        let native = made.map(|made| Self { driver, made }).ok_or(Refusal::UnknownEvent);
        native.and_then(Self::counted).map_err(|reason| Absent { name, reason, nearest: near(catalogue, name) })
    }

    /// Returns this generic event, with the name that reports print.
    ///
    /// # Errors
    /// The processor has no such event, or this unit has no counter for it.
    pub fn of_generic(driver: &'d P, generic: Generic) -> Result<Self, Absent<'static>> {
        let name = generic.name();
        let made = Made::Alone(GenericEvent::new(name, Event::Generic(generic)));
        Self { driver, made }.counted().map_err(|reason| Absent { name, reason, nearest: None })
    }

    /// Returns one of the processor's own events, which stands for itself.
    ///
    /// # Errors
    /// The processor has no such event, or this unit has no counter for it.
    pub(crate) fn of_own<'n>(driver: &'d P, name: &'n str) -> Result<Self, Absent<'n>> {
        let catalogue = driver.catalogue();
        let own = catalogue.named(name).ok_or(Refusal::UnknownEvent);
        let native = own.map(|named| Self { driver, made: Made::Own(named, catalogue.event(named)) });
        native.and_then(Self::counted).map_err(|reason| Absent { name, reason, nearest: None })
    }

    /// Returns all generic events of the processor that this unit can count, like
    /// `cpc_walk_generic_events_all`.
    pub fn all(driver: &'d P) -> impl Iterator<Item = Self> {
        let catalogue = driver.catalogue();
        let alone = catalogue.generic.iter().map(|generic| Made::Alone(*generic));
        let made = alone.chain(catalogue.presets.iter().map(Made::Of));
        made.filter_map(move |made| Self { driver, made }.counted().ok())
    }

    /// Returns the name.
    #[must_use]
    pub const fn name(&self) -> EventName {
        match &self.made {
            Made::Alone(generic) => EventName::new(generic.name),
            Made::Own(named, _) => named.name,
            Made::Of(preset) => EventName::new(preset.name),
        }
    }

    /// Returns how the event is made of the processor's own.
    #[must_use]
    pub fn derivation(&self) -> Derivation {
        match self.made {
            Made::Of(preset) if preset.terms().any(|term| term.factor.unsigned_abs() != 1) => Derivation::Multiple,
            Made::Of(preset) if preset.terms().any(|term| term.factor < 0) => Derivation::Difference,
            Made::Of(preset) if !preset.is_one() => Derivation::Sum,
            Made::Of(_) | Made::Own(..) | Made::Alone(_) => Derivation::One,
        }
    }

    /// Returns the events that it is made of; those that are subtracted come last.
    pub fn terms(&self) -> impl Iterator<Item = Term> + use<'d, P> {
        self.tried().filter_map(Result::ok)
    }

    /// Returns the requests that count it, one for each term. Open them together, so that their counts are of
    /// the same time.
    pub fn requests(&self) -> impl Iterator<Item = Request> + use<'d, P> {
        self.terms().map(|term| term.request)
    }

    /// Computes its count from those of its requests. Returns `None` if their number is wrong. A difference is
    /// at least 0 ([`Preset::value`]).
    #[must_use]
    pub fn value(&self, counts: &[u64]) -> Option<u64> {
        match (self.made, counts) {
            (Made::Of(preset), counts) => preset.value(counts),
            (_, &[count]) => Some(count),
            (_, _) => None,
        }
    }

    /// Returns the event if the unit can count all of its terms.
    fn counted(self) -> Result<Self, Refusal> {
        self.tried().find_map(Result::err).map_or(Ok(self), Err)
    }

    fn tried(&self) -> impl Iterator<Item = Result<Term, Refusal>> + use<'d, P> {
        let driver = self.driver;
        let (alone, preset) = match self.made {
            Made::Alone(GenericEvent { event, .. }) | Made::Own(_, event) => (Some(event), None),
            Made::Of(preset) => (None, Some(preset)),
        };
        let terms = preset.into_iter().flat_map(|preset| preset.terms());
        let terms = terms.map(move |term| Term::of_text(driver, term));
        alone.map(|event| Term::of_event(driver, 1, event)).into_iter().chain(terms)
    }
}

impl<P: Plan> fmt::Display for Native<'_, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.name())?;
        for (place, term) in self.terms().enumerate() {
            let between = match (place, term.sign) {
                (0, _) => "",
                (_, Sign::Plus) => " + ",
                (_, Sign::Minus) => " - ",
            };
            write!(f, "{between}{term}")?;
        }
        Ok(())
    }
}

/// Returns the generic event of the processor that was probably meant by a name that PAPI does not have.
#[cold]
fn near(catalogue: &Catalogue, name: &str) -> Option<EventName> {
    let generic = catalogue.generic.iter().map(|generic| generic.name);
    let names = generic.chain(catalogue.presets.iter().map(|preset| preset.name)).map(EventName::new);
    if Preset::is_papi(name) { None } else { EventName::nearest(name.as_bytes(), names) }
}

impl Term {
    fn of_text<P: Plan>(driver: &P, term: PresetTerm) -> Result<Self, Refusal> {
        let (catalogue, factor) = (driver.catalogue(), term.factor);
        let request = catalogue.request_of(term).ok_or(Refusal::UnknownEvent)?;
        if let Event::Generic(_) = request.event {
            return Self::of_event(driver, factor, request.event);
        }
        let named = catalogue.named(term.event).or_else(|| Some(catalogue.of_request(&request)?.0));
        Self::of_request(driver, factor, request, request.event, named)
    }

    fn of_event<P: Plan>(driver: &P, factor: i64, event: Event) -> Result<Self, Refusal> {
        let own = match event {
            Event::Generic(generic) => driver.native(generic)?,
            own @ Event::Raw { .. } => own,
        };
        let named = driver.catalogue().of_request(&Request::new(own)).map(|(named, _)| named);
        Self::of_request(driver, factor, Request::new(event), own, named)
    }

    /// Returns the term for a request of the processor's `own` event.
    fn of_request<P: Plan>(
        driver: &P,
        factor: i64,
        request: Request,
        own: Event,
        named: Option<NamedEvent>,
    ) -> Result<Self, Refusal> {
        driver.encode(&request)?;
        let event @ Event::Raw { code, auxiliary } = own else { return Err(Refusal::UnknownEvent) };
        let (field, counters) = (driver.catalogue().mask, counters_for(driver, &request));
        let (sign, factor) = (if factor < 0 { Sign::Minus } else { Sign::Plus }, factor.unsigned_abs());
        let (code, mask) = (field.put(code, 0), field.of(code));
        let request = request.of_codes(driver.kind().codes());
        Ok(Self { sign, factor, named, event, code, mask, auxiliary, request, counters })
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { factor, code, mask, auxiliary, .. } = *self;
        if factor != 1 {
            write!(f, "{factor} ")?;
        }
        write!(f, "{} (event {code:#x}", self.named.map_or(EventName::new("unnamed"), |named| named.name))?;
        if mask != 0 {
            write!(f, ", mask {mask:#x}")?;
        }
        if auxiliary != 0 {
            write!(f, ", with {auxiliary:#x}")?;
        }
        f.write_str(")")
    }
}
