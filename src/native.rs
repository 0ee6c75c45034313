//! What a generic event is on the unit that runs: which of the processor's own events, by name, code and
//! unit mask, and on which counters; or several of them, added up and subtracted.
//!
//! A generic event's name is PAPI's, in upper or lower case. [`Native::of`] finds one, and
//! [`Native::all`] has every one that the unit can count. Nothing here touches a register.
//!
//! ```
//! use pmu::arch::x86::Unattached;
//! use pmu::arch::x86::intel::{Device, Identity, Intel};
//! use pmu::native::{Derivation, Native};
//! use pmu::virt::{Kinds, Unconnected};
//!
//! let device = Device::new(&Identity::SKYLAKE, Kinds::CLOCK, Unconnected);
//! let driver = Intel::detect(&Identity::SKYLAKE, &device, Unattached)?; // or Pmu::backend, of a unit that is claimed
//!
//! let branches = Native::of(&driver, "PAPI_br_ins").unwrap();
//! let term = branches.terms().next().unwrap();
//! assert_eq!((term.code, term.mask, term.named.unwrap().name), (0xC4, 0x00, "BR_INST_RETIRED.ALL_BRANCHES"));
//!
//! let predicted = Native::of(&driver, "PAPI_br_prc").unwrap();
//! assert_eq!(predicted.derivation(), Derivation::Difference);
//! assert_eq!(predicted.value(&[100, 7]), Some(93)); // the counts of its requests, in their order
//!
//! let refusal = Native::of(&driver, "PAPI_fma_ins").unwrap_err().to_string();
//! assert!(refusal.starts_with("PAPI_fma_ins: no counter of this unit counts it"));
//! # Ok::<(), pmu::Error>(())
//! ```

use core::fmt;

use crate::backend::Backend;
use crate::catalogue::{GenericEvent, NamedEvent, Preset};
use crate::counter::CounterSet;
use crate::error::Refusal;
use crate::event::{Event, Generic, Request};

/// A generic event, as one driver's unit counts it.
pub struct Native<'d, B> {
    driver: &'d B,
    made: Made,
}

/// What a generic event is made of.
#[derive(Clone, Copy, Debug)]
enum Made {
    Alone(GenericEvent),
    Of(&'static Preset),
}

/// How many of the processor's own events a generic one is, and what becomes of their counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Derivation {
    /// It is one of them.
    One,
    /// Several are added up.
    Sum,
    /// Of the first ones the last ones are subtracted.
    Difference,
}

/// What a term does to the count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sign {
    /// It is added.
    Plus,
    /// It is subtracted.
    Minus,
}

/// One of the processor's own events in a generic one.
#[derive(Clone, Copy, Debug)]
pub struct Term {
    /// What it does to the count.
    pub sign: Sign,
    /// Its name, if the catalogue has one.
    pub named: Option<&'static NamedEvent>,
    /// It, by its whole code, as [`Event::raw`] takes it.
    pub event: Event,
    /// Its code without the unit mask, laid out as the family's `events` says.
    pub code: u64,
    /// Its unit mask; 0 too where codes have none.
    pub mask: u64,
    /// What it needs in a register beside the counter; 0 if it needs nothing.
    pub auxiliary: u64,
    /// What to ask for to count it.
    pub request: Request,
    /// The counters that the request can have while nothing else counts.
    pub counters: CounterSet,
}

/// A generic event that this unit does not count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Absent<'n> {
    /// The name that was asked for.
    pub name: &'n str,
    /// Why it does not.
    pub reason: Refusal,
}

impl fmt::Display for Absent<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}; Native::all has the generic events of this unit", self.name, self.reason)
    }
}

impl core::error::Error for Absent<'_> {}

impl<B> Clone for Native<'_, B> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<B> Copy for Native<'_, B> {}

impl<B> fmt::Debug for Native<'_, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Native").field("made", &self.made).finish_non_exhaustive()
    }
}

impl<'d, B: Backend> Native<'d, B> {
    /// The generic event with this PAPI name, upper and lower case alike.
    ///
    /// # Errors
    /// The processor has no such event, or this unit no counter for it.
    pub fn of<'n>(driver: &'d B, name: &'n str) -> Result<Self, Absent<'n>> {
        let catalogue = driver.catalogue();
        let alone = catalogue.generic(name).map(|generic| Made::Alone(*generic));
        let made = alone.or_else(|| catalogue.preset(name).map(Made::Of));
        let native = made.map(|made| Self { driver, made }).ok_or(Refusal::UnknownEvent);
        native.and_then(Self::counted).map_err(|reason| Absent { name, reason })
    }

    /// This generic event, under the name that reports print.
    ///
    /// # Errors
    /// The processor has no such event, or this unit no counter for it.
    pub fn of_generic(driver: &'d B, generic: Generic) -> Result<Self, Absent<'static>> {
        let name = generic.name();
        let made = Made::Alone(GenericEvent { name, event: Event::Generic(generic) });
        Self { driver, made }.counted().map_err(|reason| Absent { name, reason })
    }

    /// Every generic event of the processor that this unit counts: what `cpc_walk_generic_events_all`
    /// walked.
    pub fn all(driver: &'d B) -> impl Iterator<Item = Self> {
        let catalogue = driver.catalogue();
        let alone = catalogue.generic.iter().map(|generic| Made::Alone(*generic));
        let made = alone.chain(catalogue.presets.iter().map(Made::Of));
        made.filter_map(move |made| Self { driver, made }.counted().ok())
    }

    /// Its name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match &self.made {
            Made::Alone(generic) => generic.name,
            Made::Of(preset) => preset.name,
        }
    }

    /// How it is made of the processor's own events.
    #[must_use]
    pub const fn derivation(&self) -> Derivation {
        match self.made {
            Made::Of(preset) if !preset.minus.is_empty() => Derivation::Difference,
            Made::Of(preset) if !preset.is_one() => Derivation::Sum,
            Made::Of(_) | Made::Alone(_) => Derivation::One,
        }
    }

    /// What it is made of; what is subtracted comes last.
    pub fn terms(&self) -> impl Iterator<Item = Term> + use<'d, B> {
        self.tried().filter_map(Result::ok)
    }

    /// What to ask for to count it, one request for each term: open them together, so that their counts
    /// are of the same time.
    pub fn requests(&self) -> impl Iterator<Item = Request> + use<'d, B> {
        self.terms().map(|term| term.request)
    }

    /// Its count, from those of its requests; `None` if there are not as many of them. A difference is at
    /// least 0 ([`Preset::value`]).
    #[must_use]
    pub fn value(&self, counts: &[u64]) -> Option<u64> {
        match (self.made, counts) {
            (Made::Of(preset), counts) => preset.value(counts),
            (Made::Alone(_), &[count]) => Some(count),
            (Made::Alone(_), _) => None,
        }
    }

    /// The same, if each of its terms is counted.
    fn counted(self) -> Result<Self, Refusal> {
        self.tried().find_map(Result::err).map_or(Ok(self), Err)
    }

    fn tried(&self) -> impl Iterator<Item = Result<Term, Refusal>> + use<'d, B> {
        let driver = self.driver;
        let (alone, preset) = match self.made {
            Made::Alone(generic) => (Some(generic.event), None),
            Made::Of(preset) => (None, Some(preset)),
        };
        let added = preset.map_or(0, |preset| preset.plus.len());
        let sign = move |place: usize| if place < added { Sign::Plus } else { Sign::Minus };
        let terms = preset.into_iter().flat_map(Preset::terms).enumerate();
        let terms = terms.map(move |(place, name)| Term::of_name(driver, sign(place), name));
        alone.map(|event| Term::of_event(driver, Sign::Plus, event)).into_iter().chain(terms)
    }
}

impl<B: Backend> fmt::Display for Native<'_, B> {
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

impl Term {
    fn of_name<B: Backend>(driver: &B, sign: Sign, name: &str) -> Result<Self, Refusal> {
        let catalogue = driver.catalogue();
        if let Some(named) = catalogue.named(name) {
            let request = catalogue.request(named);
            return Self::of_request(driver, sign, request, request.event, Some(named));
        }
        let generic = catalogue.generic(name).ok_or(Refusal::UnknownEvent)?;
        Self::of_event(driver, sign, generic.event)
    }

    fn of_event<B: Backend>(driver: &B, sign: Sign, event: Event) -> Result<Self, Refusal> {
        let own = match event {
            Event::Generic(generic) => driver.native(generic)?,
            own @ Event::Raw { .. } => own,
        };
        let named = driver.catalogue().of_request(&Request::new(own)).map(|(named, _)| named);
        Self::of_request(driver, sign, Request::new(event), own, named)
    }

    /// The term that this request counts, which is for the processor's `own` event.
    fn of_request<B: Backend>(
        driver: &B,
        sign: Sign,
        request: Request,
        own: Event,
        named: Option<&'static NamedEvent>,
    ) -> Result<Self, Refusal> {
        driver.encode(&request)?;
        let event @ Event::Raw { code, auxiliary } = own else { return Err(Refusal::UnknownEvent) };
        let (field, counters) = (driver.catalogue().mask, driver.counters_for(&request));
        Ok(Self { sign, named, event, code: field.put(code, 0), mask: field.of(code), auxiliary, request, counters })
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { code, mask, auxiliary, .. } = *self;
        write!(f, "{} (event {code:#x}", self.named.map_or("unnamed", |named| named.name))?;
        if mask != 0 {
            write!(f, ", mask {mask:#x}")?;
        }
        if auxiliary != 0 {
            write!(f, ", with {auxiliary:#x}")?;
        }
        f.write_str(")")
    }
}
