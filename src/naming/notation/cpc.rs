//! The notation of cputrack and cpustat.

mod first;
mod masked;

use core::fmt;

use super::names::{event_of, is_no_code, unknown, unknown_attribute};
use super::scan::Piece;
use super::words::{self, Words};
use super::{Error, Inexpressible, Problem, Processor};
use crate::contract::{Slot, Steps};
use crate::event::catalogue::{Attribute, Effect};
use crate::event::{CounterId, CounterSet, Event, Modes, Request, Set};
use crate::placement::match_masks;

pub use first::Pentium;

/// The modes, which are attributes of every processor.
const MODES: [Attribute; 2] = [
    Attribute { name: "nouser", effect: Effect::User, largest: 1 },
    Attribute { name: "sys", effect: Effect::Kernel, largest: 1 },
];

/// The attributes of some processor's events in libcpc, as far as they are given without a value too.
const OF_OTHERS: &str =
    "anythr cmask compare complement edge emask equal hpriv int inv l2ctl noedge pc sample threshold umask";

/// The notation of cputrack and cpustat: `pic0=DC_miss,umask0=0x1e,pic1=0x76,sys`.
///
/// ```text
/// text  := item { "," item }
/// item  := "pic" N "=" event | event      the bare one: the first free counter that has it
///        | "nouser" [N] | "sys" [N]       without N: every counter
///        | attribute [N] [ "=" number ]   without N: every counter; without number: 1
/// event := name | number                   0 only where it is an event's own
/// ```
/// Requests count only in user programs by default, and `nouser` needs `sys`. Counter N is the N-th of the unit, where the general
/// counters come before the fixed ones, and each request is pinned to its counter. A name that is both an event's
/// and an attribute's is the event's. A generic event (`cycles`, `PAPI_tot_cyc`) takes no attributes but modes.
///
/// Where an attribute clears a flag (`noedge` of the P6 family), each event but a generic one has that flag unless the
/// attribute is given, as with libcpc (illumos-gate, p123_pcbe.c, `ptm_pcbe_configure`).
///
/// The parts of a named event, its unit mask among them, stay as they are until an attribute replaces them, as
/// in illumos-gate (usr/src/uts/intel/pcbe/core_pcbe.c, `configure_gpc`): `INST_RETIRED.ANY_P,umask0=1` is
/// another event, and is printed as that one.
///
/// Two forms of libcpc's first version are for two counters: [`parse_ultrasparc`](Self::parse_ultrasparc) and [`parse_pentium`](Self::parse_pentium).
///
/// A value prints requests in this notation. Parsing the text returns the same requests.
///
/// The events come first, each with its counter, then the attributes of each counter.
#[derive(Clone, Copy, Debug)]
pub struct Cpc<'a> {
    requests: &'a [Request],
    processor: Processor,
}

impl Cpc<'_> {
    /// Parses the notation of the second version.
    ///
    /// # Errors
    /// The place where the text is wrong, and what was expected.
    pub fn parse<const N: usize>(text: &str, processor: Processor) -> Result<Set<N>, Error> {
        read(Piece::whole(text), processor)
    }
}

pub(super) fn read<const N: usize>(text: Piece, processor: Processor) -> Result<Set<N>, Error> {
    Reader { processor, attributes: processor.catalogue.attributes }.read(text)
}

/// Returns a request with the flags that these attributes clear.
fn flagged(attributes: &[Attribute], request: Request) -> Request {
    attributes.iter().fold(request, |request, attribute| match attribute.effect {
        Effect::NoFlag(flag) => request.flag(flag),
        _ => request,
    })
}

/// The last of 64 places for counters.
const LAST_PLACE: u64 = 63;

/// Parses one of the forms.
struct Reader<'a> {
    processor: Processor,
    attributes: &'a [Attribute],
}

impl Reader<'_> {
    /// Parses the events first, wherever they are, because an attribute may be for any of them.
    fn read<const N: usize>(&self, text: Piece) -> Result<Set<N>, Error> {
        let mut set = Set::new();
        let mut slots = [Slot::EMPTY; N];
        let mut are_generic = 0_u64;
        let items = || text.split(|byte| byte == b',');
        for item in items() {
            let number = set.len();
            if let Some((counter, event)) = self.as_event(item)? {
                let is_generic = self.add(&mut set, &mut slots, counter, event)?;
                are_generic |= u64::from(is_generic) << number;
            }
        }
        let event = |number| items().filter(|&item| self.is_event(item)).nth(number).unwrap_or(text);
        let generic = self.pin(&mut set, &mut slots, are_generic, event)?;
        for item in items().filter(|&item| !self.is_event(item)) {
            self.refine(&mut set, item, generic)?;
        }
        self.check_masks(&set, event)?;
        let is_silent = |request: &&Request| !counts(self.processor, request);
        set.requests().iter().find(is_silent).map_or(Ok(()), |request| Err(self.silent(request, text)))?;
        Ok(set.of_codes(self.processor.codes))
    }

    /// Returns the error for a request that counts in no mode, at the last word that says so.
    #[cold]
    fn silent(&self, request: &Request, text: Piece) -> Error {
        let is_its = |counter| request.counters.contains(counter);
        let silences = |item: &Piece| {
            self.attribute(*item).is_some_and(|(attribute, digits)| {
                attribute.effect == Effect::User
                    && digits.is_none_or(|digits| self.nth(digits.number()).is_some_and(is_its))
            })
        };
        let word = text.split(|byte| byte == b',').filter(silences).last().unwrap_or(text);
        word.error(Problem::Expected("sys too: without it nothing is counted"))
    }

    fn is_event(&self, item: Piece) -> bool {
        match item.split_once(b'=') {
            Some((word, _)) => counter_word(word).is_some(),
            None => self.attribute(item).is_none() || event_of(self.processor.catalogue, item).is_some(),
        }
    }

    /// Returns the counter, if it is named, and the event that an item names, or `None` if the item is an attribute.
    fn as_event<'t>(&self, item: Piece<'t>) -> Result<Option<(Option<CounterId>, Piece<'t>)>, Error> {
        if item.text.is_empty() {
            return Err(item.error(Problem::Expected("an event or an attribute")));
        }
        if !self.is_event(item) {
            return Ok(None);
        }
        match item.split_once(b'=') {
            Some((word, event)) => Ok(Some((Some(self.counter(word)?), event))),
            None => Ok(Some((None, item))),
        }
    }

    /// Adds a request, and the counters that it could be on as places in the slot's bits. Returns true if the event is a
    /// generic one.
    fn add<const N: usize>(
        &self,
        set: &mut Set<N>,
        slots: &mut [Slot; N],
        counter: Option<CounterId>,
        name: Piece,
    ) -> Result<bool, Error> {
        if name.text.is_empty() {
            return Err(name.error(Problem::Expected("the name of an event, or its code")));
        }
        let event = self.found(name).ok_or_else(|| self.unknown(counter, name))?;
        let bits = match counter {
            Some(counter) if !event.counts_on(self.processor.catalogue, counter) => {
                let able = numbered(self.places(|other| event.counts_on(self.processor.catalogue, other)));
                return Err(name.error(Problem::CounterCannot { able }));
            }
            Some(counter) => self.places(|other| other == counter),
            None => self.places(|counter| {
                event.counts_on(self.processor.catalogue, counter) && (!event.is_code() || self.is_general(counter))
            }),
        };
        if counter.is_some() && slots.iter().take(set.len()).any(|slot| slot.bits == bits) {
            return Err(name.error(Problem::CounterRepeated));
        }
        let number = set.len();
        let request = event.request(self.processor.catalogue).modes(Modes::USER);
        let request = if event.is_generic() { request } else { flagged(self.attributes, request) };
        set.add(request).map_err(|_| name.error(Problem::TooMany { room: N }))?;
        if let Some(slot) = slots.get_mut(number) {
            slot.bits = bits;
        }
        Ok(event.is_generic())
    }

    /// Pins each request to a counter of its own: the first that has its event, unless another request can do with that
    /// one alone. Returns the counters of those that are generic.
    fn pin<'t, const N: usize>(
        &self,
        set: &mut Set<N>,
        slots: &mut [Slot; N],
        are_generic: u64,
        event: impl Fn(usize) -> Piece<'t>,
    ) -> Result<CounterSet, Error> {
        let slots = slots.get_mut(..set.len()).unwrap_or_default();
        let all = CounterSet::from_bits(self.places(|_| true));
        if let Err(conflict) = match_masks(all, Steps::OPEN, slots) {
            let last = conflict.requests.bits().checked_ilog2().unwrap_or(0) as usize;
            let able = numbered(slots.get(last).map_or(0, |slot| slot.bits));
            return Err(event(last).error(Problem::NoCounterLeft { able }));
        }
        let mut generic = CounterSet::EMPTY;
        for (number, (request, slot)) in set.requests_mut().iter_mut().zip(slots).enumerate() {
            let place = LAST_PLACE - u64::from(slot.counter.number());
            let Some(counter) = self.nth(Some(place)) else { continue };
            *request = request.pinned_to(counter);
            if are_generic >> number & 1 != 0 {
                generic = generic.or(counter.only());
            }
        }
        Ok(generic)
    }

    /// Returns the places of some counters, the first place in the highest bit: a matching takes the highest that is open.
    fn places(&self, is_wanted: impl Fn(CounterId) -> bool) -> u64 {
        let counters = self.processor.description.counters().enumerate();
        counters
            .filter(|&(_, counter)| is_wanted(counter))
            .fold(0, |places, (place, _)| places | 1 << LAST_PLACE >> place)
    }

    fn is_general(&self, counter: CounterId) -> bool {
        self.processor.description.general.contains(counter)
    }

    /// Returns the counter that `picN` names.
    fn counter(&self, word: Piece) -> Result<CounterId, Error> {
        let digits = counter_word(word).ok_or_else(|| word.error(Problem::Expected("pic and the counter's number")))?;
        self.nth(digits.number()).ok_or_else(|| digits.error(self.unknown_counter()))
    }

    /// Returns the error for a word that names no event. Without a counter it may have been meant as an attribute, be another
    /// processor's, or be the counter without its event.
    #[cold]
    fn unknown(&self, counter: Option<CounterId>, name: Piece) -> Error {
        if counter.is_none() && counter_word(name).is_some() {
            return name.error(Problem::Expected("the counter's event too: pic0=EVENT, a name or a code"));
        }
        let attributes = self.all_attributes().filter(|_| counter.is_none());
        let word = name.split_digits().map_or(name, |(word, _)| word);
        if counter.is_none() && OF_OTHERS.split(' ').any(|other| word.is(other)) {
            return unknown_attribute(name, attributes);
        }
        unknown(self.processor.catalogue, name, name, attributes)
    }

    fn nth(&self, place: Option<u64>) -> Option<CounterId> {
        let place = usize::try_from(place?).ok()?;
        self.processor.description.counters().nth(place)
    }

    fn unknown_counter(&self) -> Problem {
        let description = self.processor.description;
        Problem::UnknownCounter { counters: description.general.len() + description.fixed.len() }
    }

    /// Returns the attribute that a word names, and the counter's number after it.
    fn attribute<'t>(&self, word: Piece<'t>) -> Option<(&Attribute, Option<Piece<'t>>)> {
        let is = |attribute: &Attribute, name: &[u8]| attribute.name.as_bytes() == name;
        let find = |name| self.all_attributes().find(|attribute| is(attribute, name));
        let whole = find(word.text).map(|attribute| (attribute, None));
        whole.or_else(|| {
            let (name, digits) = word.split_digits()?;
            find(name.text).map(|attribute| (attribute, Some(digits)))
        })
    }

    fn all_attributes(&self) -> impl Iterator<Item = &Attribute> {
        MODES.iter().chain(self.attributes)
    }

    /// Applies an attribute to the request that it is for, or to all requests.
    fn refine<const N: usize>(&self, set: &mut Set<N>, item: Piece, generic: CounterSet) -> Result<(), Error> {
        let (word, value) = item.split_once(b'=').map_or((item, None), |(word, value)| (word, Some(value)));
        let (attribute, digits) = self.attribute(word).ok_or_else(|| unknown_attribute(word, self.all_attributes()))?;
        let number = self.value(attribute, value)?;
        let counter =
            digits.map(|digits| self.nth(digits.number()).ok_or_else(|| digits.error(self.unknown_counter())));
        let counter = counter.transpose()?;
        let mut chosen = CounterSet::EMPTY;
        for request in set.requests_mut() {
            let Some(pin) = request.counters.lowest().filter(|&pin| counter.is_none_or(|counter| pin == counter))
            else {
                continue;
            };
            *request = attribute.effect.apply(*request, number, self.processor.catalogue.mask);
            if attribute.effect == Effect::UnitMask && is_no_code(self.processor.catalogue, request) {
                return Err(item.error(Problem::UnitMask));
            }
            chosen = chosen.or(pin.only());
        }
        if chosen.is_empty() {
            return Err(item.error(Problem::NoEventThere));
        }
        let is_mode = MODES.contains(attribute);
        if !is_mode && !chosen.and(generic).is_empty() { Err(item.error(Problem::GenericTakesNone)) } else { Ok(()) }
    }

    fn value(&self, attribute: &Attribute, value: Option<Piece>) -> Result<u64, Error> {
        let Some(value) = value else { return Ok(if attribute.effect == Effect::User { 0 } else { 1 }) };
        if MODES.contains(attribute) {
            return Err(value.error(Problem::Expected("no value after a mode")));
        }
        let largest = attribute.largest;
        let number = value.number().ok_or_else(|| value.no_number(largest))?;
        if number > largest { Err(value.error(Problem::OutOfRange { largest })) } else { Ok(number) }
    }
}

/// Returns true if there is a mode in which a request counts.
fn counts(processor: Processor, request: &Request) -> bool {
    request.modes != Modes::NONE || processor.catalogue.counts_in_own_mode(request)
}

/// Returns the counters at these places, by the numbers that the notation has for them.
const fn numbered(places: u64) -> CounterSet {
    CounterSet::from_bits(places.reverse_bits())
}

/// Returns the digits of `picN`.
fn counter_word(word: Piece) -> Option<Piece> {
    let (name, digits) = word.split_digits()?;
    (name.text == b"pic").then_some(digits)
}

impl<'a> Cpc<'a> {
    /// Prepares these requests for printing.
    ///
    /// # Errors
    /// The first request that the notation cannot express: it is not pinned to a counter of this unit that has its event,
    /// samples, counts in a hypervisor, or needs an attribute that the processor does not have.
    pub fn of(requests: &'a [Request], processor: Processor) -> Result<Self, Inexpressible> {
        let text = Self { requests, processor };
        Inexpressible::first(requests, |request| text.reason(request))?;
        Ok(text)
    }

    /// Returns why a request cannot be written, if it cannot.
    fn reason(&self, request: &Request) -> Option<&'static str> {
        let counters = request.counters;
        let can_be_written = |request: &Request| self.words(&request.on(counters)).is_some();
        let Processor { catalogue, description, .. } = self.processor;
        match request.counters.lowest().filter(|_| !request.counters.has_several()) {
            _ if can_be_written(request) => None,
            None => Some("it is not pinned to a counter"),
            Some(pin) if description.counters().all(|counter| counter != pin) => {
                Some("this processor does not have its counter")
            }
            Some(pin) if !words::has(catalogue, pin, request.event) => Some("its counter does not have its event"),
            Some(_) => Some(words::reason(request, can_be_written)),
        }
    }

    /// Returns the place of a request's counter, and the request's words.
    fn words(&self, request: &Request) -> Option<(usize, Words<'a>)> {
        let counter = request.counters.lowest().filter(|_| !request.counters.has_several())?;
        let place = self.processor.description.counters().position(|other| other == counter)?;
        let modes = request.modes;
        let attributes = self.processor.catalogue.attributes;
        let plain = |request: Request| match request.event {
            Event::Generic(_) => request.modes(modes).pinned_to(counter),
            Event::Raw { .. } => flagged(attributes, request).modes(modes).pinned_to(counter),
        };
        let words = Words::of(self.processor.catalogue, attributes, request, plain)?;
        (!modes.covers(Modes::HYPERVISOR)
            && counts(self.processor, request)
            && words.event.is_read_on(self.processor.catalogue, counter))
        .then_some((place, words))
    }
}

impl fmt::Display for Cpc<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = || self.requests.iter().filter_map(|request| Some((request, self.words(request)?)));
        for (number, (_, (place, words))) in all().enumerate() {
            write!(f, "{}pic{place}={}", if number > 0 { "," } else { "" }, words.event)?;
        }
        for (request, (place, words)) in all() {
            for (attribute, value) in words.given() {
                match attribute.largest {
                    1 => write!(f, ",{}{place}", attribute.name)?,
                    _ => write!(f, ",{}{place}={value:#x}", attribute.name)?,
                }
            }
            if !request.modes.covers(Modes::USER) {
                write!(f, ",nouser{place}")?;
            }
            if request.modes.covers(Modes::KERNEL) {
                write!(f, ",sys{place}")?;
            }
        }
        Ok(())
    }
}
