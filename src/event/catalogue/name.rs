//! The name that a request was made by, and what the same name asks for on another processor.
//!
//! A hybrid processor has cores of two kinds, and each has events of its own. Their codes differ, and so do the unit
//! masks, flags and counters that are part of an event. What they have in common is the names.

use core::num::NonZeroU16;
use core::{fmt, ptr};

use super::event_name::Text;
use super::{Catalogue, EventName, GenericEvent, MaskKind, NamedEvent, Preset, UnitMasks};
use crate::event::{Event, Request};

/// The name of an event in a [`Catalogue`]: one of the processor's own events, libpfm's name of one, a generic one or a
/// preset.
///
/// It prints as the catalogue writes it. A [`Request`] keeps the name that it was made by.
// A request has six bytes to spare, and names are compared nowhere where time matters.
#[derive(Clone, Copy)]
#[repr(Rust, packed(2))]
pub struct Name {
    catalogue: &'static Catalogue,
    number: Number,
}

/// The number of a name in its catalogue: the processor's own events come first, then the generic ones, then libpfm's
/// names, and then the presets. Another catalogue has other names under the same numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Number(NonZeroU16);

/// What a name stands for.
enum Entry {
    Own(NamedEvent),
    Generic(&'static GenericEvent),
    Preset(Preset),
}

impl Number {
    fn from_index(index: usize) -> Option<Self> {
        u16::try_from(index + 1).ok().and_then(NonZeroU16::new).map(Self)
    }

    fn index(self) -> usize {
        usize::from(self.0.get()) - 1
    }
}

impl Name {
    /// Returns the letters of the name.
    #[must_use]
    pub fn text(self) -> Text {
        self.catalogue.entry(self.number).map_or(Text::EMPTY, |entry| entry.name())
    }

    /// Returns true if it is one of libpfm's, which the processor's own events have beside their own.
    pub(crate) fn is_libpfms(self) -> bool {
        let before = self.catalogue.events.len() + self.catalogue.generic.len();
        (before..before + self.catalogue.libpfm.len()).contains(&self.number.index())
    }

    /// Returns the request for what it stands for. A preset that is made of several events has none.
    pub(crate) fn plain(self) -> Option<Request> {
        self.catalogue.request_by_name(self.number).map(|(plain, _)| plain)
    }

    /// Writes the name, and what `event` has beside it that is not the default: a unit mask, a mode that only its processor
    /// has, or another value of the auxiliary register.
    pub(crate) fn write_with_mask(self, event: Event, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())?;
        let catalogue = self.catalogue;
        let Some((plain, masks)) = catalogue.request_by_name(self.number) else { return Ok(()) };
        let (Event::Raw { code, auxiliary }, Event::Raw { code: usual, .. }) = (event, plain.event) else {
            return if event == plain.event { Ok(()) } else { write!(f, " as {event}") };
        };
        let usual_value = plain.event.auxiliary();
        match catalogue.mask_beside(plain.event, Event::raw_with(code, usual_value)) {
            _ if code == usual => {}
            Some(mask) => match masks.named.iter().find(|named| named.alone(masks.default) == mask) {
                Some(named) => write!(f, ":{}", named.name)?,
                None => write!(f, ":{mask:#x}")?,
            },
            None => write!(f, " as event {code:#x}")?,
        }
        match catalogue.own_mode(auxiliary ^ usual_value) {
            _ if auxiliary == usual_value => Ok(()),
            Some(own) => write!(f, ":{}", own.name),
            None => write!(f, " with {auxiliary:#x}"),
        }
    }
}

impl PartialEq for Name {
    fn eq(&self, other: &Self) -> bool {
        *self.text() == *other.text()
    }
}

impl Eq for Name {}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&*self.text(), f)
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&*self.text(), f)
    }
}

impl Entry {
    fn name(&self) -> Text {
        match self {
            Self::Own(named) => named.name.text(),
            Self::Generic(generic) => EventName::new(generic.name).text(),
            Self::Preset(preset) => EventName::new(preset.name).text(),
        }
    }
}

impl Catalogue {
    /// Returns an event's name, if the event is one of this catalogue's.
    pub(crate) fn name_of(&'static self, named: NamedEvent) -> Option<Name> {
        self.name(Number::from_index(self.index_of(named)?)?)
    }

    /// Returns a generic event's name.
    pub(crate) fn name_of_generic(&'static self, generic: &GenericEvent) -> Option<Name> {
        self.name(self.number_of_generic(generic)?)
    }

    /// Returns a preset's name.
    pub(crate) fn name_of_preset(&'static self, preset: Preset) -> Option<Name> {
        self.name(self.number_of_preset(preset)?)
    }

    const fn name(&'static self, number: Number) -> Option<Name> {
        Some(Name { catalogue: self, number })
    }

    fn index_of(&self, named: NamedEvent) -> Option<usize> {
        let own = named.name.number_in(self.events).map(usize::from);
        let before = self.events.len() + self.generic.len();
        own.or_else(|| Some(before + usize::from(named.name.number_in(self.libpfm)?)))
    }

    fn number_of_generic(&self, generic: &GenericEvent) -> Option<Number> {
        Number::from_index(self.events.len() + index_among(self.generic, generic)?)
    }

    fn number_of_preset(&self, preset: Preset) -> Option<Number> {
        let place = self.presets.iter().position(|other| other == preset)?;
        Number::from_index(self.events.len() + self.generic.len() + self.libpfm.len() + place)
    }

    /// Looks up the name of another catalogue in this one.
    pub(crate) fn number_like(&self, name: Name) -> Option<Number> {
        let text = name.text();
        let own = || Number::from_index(self.index_of(self.named(&text)?)?);
        let generic = || self.number_of_generic(self.generic(&text)?);
        own().or_else(generic).or_else(|| self.number_of_preset(self.preset(&text)?))
    }

    fn entry(&self, number: Number) -> Option<Entry> {
        let index = number.index();
        let own = self.events.get(index).map(Entry::Own);
        let index = index.wrapping_sub(self.events.len());
        let own = own.or_else(|| self.generic.get(index).map(Entry::Generic));
        let index = index.wrapping_sub(self.generic.len());
        let libpfms = own.or_else(|| self.libpfm.get(index).map(Entry::Own));
        libpfms.or_else(|| self.presets.iter().nth(index.wrapping_sub(self.libpfm.len())).map(Entry::Preset))
    }

    /// Returns the request for what a name stands for, and its unit masks. A preset that is made of several events has
    /// none.
    fn request_by_name(&'static self, number: Number) -> Option<(Request, UnitMasks)> {
        Some(match self.entry(number)? {
            Entry::Own(named) => (self.request(named), named.masks),
            Entry::Generic(generic) => (self.generic_request(generic), UnitMasks::NONE),
            Entry::Preset(preset) => (self.alias_request(preset)?, UnitMasks::NONE),
        })
    }

    /// Returns what a request for another processor asks for on this one, where its event has the name `here`.
    ///
    /// Unit masks are those of the same names. A flag or a threshold that is not part of the event stays. Returns `None`
    /// if the request was not made by a name, or if this processor's event has no such unit mask or threshold.
    pub(crate) fn translate(&'static self, request: &Request, here: Number) -> Option<Request> {
        let Name { catalogue: home, number } = request.name?;
        let (theirs, their_masks) = home.request_by_name(number)?;
        let (ours, our_masks) = self.request_by_name(here)?;
        let event = match their_masks.kind {
            MaskKind::Exclusive | MaskKind::Bitmask => {
                let mask = home.mask_beside(theirs.event, request.event)?;
                self.with_mask(ours.event, our_masks.alike(&their_masks, mask)?)?
            }
            _ if request.event == theirs.event => ours.event,
            _ => return None,
        };
        let threshold = match request.threshold {
            threshold if threshold == theirs.threshold => ours.threshold,
            threshold if theirs.threshold == 0 && ours.threshold == 0 => threshold,
            _ => return None,
        };
        let flags = request.flags.moved(theirs.flags, ours.flags)?;
        let is_kept = request.counters == theirs.counters;
        let counters = if is_kept { ours.counters } else { request.counters.and(ours.counters) };
        Some(Request { event, threshold, flags, counters, name: self.name(here), ..*request })
    }

    /// Returns the unit mask with which `event` is `masked`.
    fn mask_beside(&self, event: Event, masked: Event) -> Option<u64> {
        let Event::Raw { code, .. } = masked else { return None };
        let mask = self.mask.of(code);
        (self.with_mask(event, mask)? == masked).then_some(mask)
    }

    fn with_mask(&self, event: Event, mask: u64) -> Option<Event> {
        match event {
            Event::Raw { code, auxiliary } => Some(Event::raw_with(self.mask.put(code, mask), auxiliary)),
            Event::Generic(_) => None,
        }
    }
}

impl UnitMasks {
    /// Returns the unit mask that has the same names here as `mask` has among others.
    fn alike(&self, others: &Self, mask: u64) -> Option<u64> {
        let ours = match others.named.iter().find(|other| other.value == mask) {
            Some(other) => self.value_of(other.name)?,
            None => self.alike_bits(others, mask)?,
        };
        self.allows(ours).then_some(ours)
    }

    /// The same for a mask that is put together from several.
    fn alike_bits(&self, others: &Self, mask: u64) -> Option<u64> {
        let (mut named, mut ours) = (0, 0);
        for other in others.named.iter().filter(|other| other.value & !mask == 0) {
            (named, ours) = (named | other.value, ours | self.value_of(other.name)?);
        }
        (named == mask).then_some(ours)
    }
}

/// Returns the index of an entry of a table, or `None` if it is not in the table. The address tells: a search would take
/// as long as the look-up did that found the entry.
#[inline]
fn index_among<T>(table: &[T], entry: &T) -> Option<usize> {
    let distance = ptr::from_ref(entry).addr().wrapping_sub(table.as_ptr().addr());
    Some(distance / size_of::<T>()).filter(|&index| index < table.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::catalogue::{Events, MaskField, Presets};
    use crate::event::{Flag, Modes};
    use std::sync::LazyLock;

    const MASK: MaskField = MaskField { shift: 8, largest: 0xFF };

    fn toy(events: &str, generic: &'static [GenericEvent], presets: &'static str) -> Catalogue {
        Catalogue {
            events: Events::of_text(events),
            generic,
            presets: Presets::of(presets),
            mask: MASK,
            ..Catalogue::EMPTY
        }
    }

    static LARGE: LazyLock<Catalogue> = LazyLock::new(|| {
        let events = "masks cache bitmask HIT=1 MISS=2 OLD=4\nCACHE 0x80 0-3 masks=cache:1\nLOADS 0x01D0 0-1 only\n\
                      STALLS 0x010E 0-3 threshold=1 invert\nSTORES 0x02D0 0-3";
        toy(events, const { &[GenericEvent::new("papi_l1_dcm", Event::raw(0x0451))] }, "papi_ld_ins LOADS")
    });
    static SMALL: LazyLock<Catalogue> = LazyLock::new(|| {
        let events = "masks cache bitmask MISS=8 HIT=16\nCACHE 0x33 0-3 masks=cache:8\nLOADS 0x05C0 0-3\n\
                      STALLS 0x0003 0-3 threshold=2\nUOPS 0x00C2 0-3";
        toy(events, const { &[GenericEvent::new("papi_l1_dcm", Event::CACHE_MISSES)] }, "papi_ld_ins UOPS")
    });

    fn large(name: &str) -> Request {
        LARGE.request(LARGE.named(name).expect("it is in the table"))
    }

    fn on_the_small_one(request: Request) -> Option<Request> {
        SMALL.translate(&request, SMALL.number_like(request.name?)?)
    }

    #[test]
    fn a_name_asks_for_the_event_that_has_it_here() {
        let asked = large("LOADS").modes(Modes::USER).every(1000);
        let here = Request::new(Event::raw(0x05C0)).modes(Modes::USER).every(1000);
        assert_eq!(on_the_small_one(asked), Some(here), "on all counters, as here");
        assert_eq!(on_the_small_one(large("STORES")), None);
    }

    #[test]
    fn a_code_has_no_name() {
        assert_eq!(on_the_small_one(Request::new(Event::raw(0x01D0))), None);
        let elsewhere = SMALL.named("LOADS").expect("it is in the table");
        assert_eq!(LARGE.request(elsewhere).name, None, "it is not of this table");
    }

    #[test]
    fn unit_masks_have_the_same_names() {
        let asked = |mask: u64| Request { event: Event::raw(0x80 | mask << 8), ..large("CACHE") };
        let code = |mask: u64| on_the_small_one(asked(mask)).map(|request| request.event);
        assert_eq!([code(1), code(2), code(3)], [0x1033, 0x0833, 0x1833].map(|code| Some(Event::raw(code))));
        assert_eq!([code(4), code(8)], [None, None], "one has no such name here, the other has none at all");
    }

    #[test]
    fn what_is_part_of_the_event_is_that_of_the_event_here_and_the_rest_stays() {
        let stalls = on_the_small_one(large("STALLS").flag(Flag::AnyThread)).expect("both have it");
        assert_eq!((stalls.threshold, stalls.flags.contains(Flag::Invert)), (2, false));
        assert!(stalls.flags.contains(Flag::AnyThread));
        assert_eq!(on_the_small_one(large("LOADS").threshold(3)).map(|request| request.threshold), Some(3));
        assert_eq!(on_the_small_one(large("STALLS").threshold(3)), None, "that is another event");
    }

    #[test]
    fn a_generic_name_is_what_it_is_on_each_processor() {
        let misses = LARGE.generic_request(&LARGE.generic[0]);
        assert_eq!(on_the_small_one(misses), Some(Request::new(Event::CACHE_MISSES)));
        let preset = LARGE.preset("PAPI_LD_INS").expect("it is one event");
        assert_eq!(
            LARGE.alias_request(preset).and_then(on_the_small_one).map(|request| request.event),
            Some(Event::raw(0x00C2))
        );
    }
}
