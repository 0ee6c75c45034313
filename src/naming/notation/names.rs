//! Finds the event that a word names.

use super::scan::Piece;
use super::{Error, Problem};
use crate::event::catalogue::{
    Attribute, Catalogue, EventName, GenericEvent, GroupPlace, NamedEvent, Preset, UnitMasks,
};
use crate::event::{CounterId, Event, Flags, Generic, Request};

/// perf's further names of generic events (perf-list(1), "hardware events").
const PERF: [(&str, Generic); 4] = [
    ("branch-instructions", Generic::Branches),
    ("cpu-cycles", Generic::Cycles),
    ("ref-cycles", Generic::ReferenceCycles),
    ("ref-cpu-cycles", Generic::ReferenceCycles),
];

/// Returns the names of generic events that do not depend on the processor, perf's further ones last.
pub(super) fn generics() -> impl Iterator<Item = (&'static str, Generic)> {
    Generic::ALL.into_iter().map(|generic| (generic.name(), generic)).chain(PERF)
}

/// What a word names.
#[derive(Clone, Copy, Debug)]
pub(super) enum Found {
    /// One of the processor's own events, by its own name or by libpfm's.
    Own(NamedEvent),
    /// A generic event, by PAPI's name.
    Generic(&'static GenericEvent),
    /// A generic event, by its own name or perf's.
    Common(Generic),
    /// One of the processor's own events, by the name of a preset.
    Preset(Preset, NamedEvent),
    /// One of the processor's own events, in a group.
    Placed(NamedEvent, GroupPlace),
    /// A code of one of the processor's own events.
    Code(u64),
}

impl Found {
    /// Returns a request for the event without anything else.
    #[inline]
    pub(super) fn request(self, catalogue: &'static Catalogue) -> Request {
        match self {
            Self::Own(named) => catalogue.request(named),
            Self::Preset(preset, named) => catalogue.alias_request(preset).unwrap_or_else(|| catalogue.request(named)),
            Self::Generic(generic) => catalogue.generic_request(generic),
            Self::Common(generic) => Request::new(Event::Generic(generic)),
            Self::Placed(named, place) => catalogue.request_at(named, place),
            Self::Code(code) => Request::new(Event::raw(code)),
        }
    }

    /// Returns the unit masks of the event.
    pub(super) fn masks(self) -> UnitMasks {
        self.own().map_or(UnitMasks::UNLISTED, |named| named.masks)
    }

    pub(super) fn own(self) -> Option<NamedEvent> {
        match self {
            Self::Own(named) | Self::Preset(_, named) | Self::Placed(named, _) => Some(named),
            Self::Generic(_) | Self::Common(_) | Self::Code(_) => None,
        }
    }

    pub(super) fn counts_on(self, catalogue: &'static Catalogue, counter: CounterId) -> bool {
        match self {
            Self::Placed(_, place) if catalogue.groups.uses(place.counter()) => place.counter() == counter,
            Self::Generic(generic) => generic_counts_on(catalogue, generic, counter),
            Self::Common(generic) => match catalogue.generic.iter().find(|own| own.event == Event::Generic(generic)) {
                Some(own) => generic_counts_on(catalogue, own, counter),
                None => true,
            },
            Self::Code(code) => code_counts_on(catalogue, code, counter),
            _ => self.own().is_none_or(|named| is_on(named, counter)),
        }
    }

    /// Returns the code, without a unit mask that can be chosen.
    pub(super) fn code(self) -> Option<u64> {
        match self {
            Self::Code(code) => Some(code),
            found => found.own().map(|own| own.code),
        }
    }

    pub(super) const fn is_code(self) -> bool {
        matches!(self, Self::Code(_))
    }

    pub(super) const fn is_generic(self) -> bool {
        matches!(self, Self::Generic(_) | Self::Common(_) | Self::Preset(..))
    }
}

/// Returns true if a counter has a generic event: one of those that it is limited to, and of those that have the one of
/// the processor's own events that it is.
fn generic_counts_on(catalogue: &'static Catalogue, generic: &GenericEvent, counter: CounterId) -> bool {
    if !generic.counters.contains(counter) {
        return false;
    }
    let mut own = catalogue.events.iter().filter(|named| catalogue.event(*named) == generic.event).peekable();
    match (own.peek(), generic.event) {
        (None, Event::Raw { code, .. }) => code_counts_on(catalogue, code, counter),
        (None, Event::Generic(_)) => true,
        _ => own.any(|named| named.counters.contains(counter)),
    }
}

/// Returns true if a counter has the event of this code, or if no event is known to have the code.
pub(super) fn code_counts_on(catalogue: &'static Catalogue, code: u64, counter: CounterId) -> bool {
    catalogue.of_code(code).is_none_or(|(named, _)| is_on(named, counter))
}

/// Returns true if a counter has an event, or if none has it: the driver says why.
fn is_on(named: NamedEvent, counter: CounterId) -> bool {
    named.counters.is_empty() || named.counters.contains(counter)
}

/// Finds the event that a word names: one of the processor's own, a generic one, or a code. The code 0 must be an event's.
pub(super) fn event_of(catalogue: &'static Catalogue, word: Piece) -> Option<Found> {
    let own = catalogue.named_by(word.text).map(Found::Own);
    let found = own.or_else(|| generic_of(catalogue, word)).or_else(|| code(catalogue, word));
    let libpfms = || catalogue.libpfm_by(word.text).map(Found::Own);
    let found = found.or_else(libpfms).or_else(|| other(catalogue, word)).or_else(|| placed(catalogue, word));
    found.or_else(|| common(word)).or_else(|| alike(catalogue, word))
}

/// Finds the event whose name has the same letters and digits, if the word is no generic event's: LIKWID writes
/// `L1D_REPLACEMENT` for L1D.REPLACEMENT.
#[cold]
fn alike(catalogue: &'static Catalogue, word: Piece) -> Option<Found> {
    let own = || catalogue.alike(&[word.text]).map(Found::Own);
    let other = || catalogue.other_alike(word.text).map(|other| of_code(catalogue, other.code));
    if common(word).is_some() { None } else { own().or_else(other) }
}

/// Finds the generic event that a name of no processor's names.
#[cold]
fn common(word: Piece) -> Option<Found> {
    generics().find(|(name, _)| word.is(name)).map(|(_, generic)| Found::Common(generic))
}

/// Finds the event that another name names: one of the processor's own, or a code that is in no list. Of events with the
/// same code it is the one that counts each occurrence, without a flag or a threshold.
#[cold]
pub(super) fn other(catalogue: &'static Catalogue, word: Piece) -> Option<Found> {
    if let Some((named, _)) = catalogue.renamed_longest(word.text, |_| false) {
        return Some(Found::Own(named));
    }
    let other = catalogue.other_names.iter().find(|other| word.is(other.name))?;
    Some(of_code(catalogue, other.code))
}

/// Returns the processor's own event with the code of another name, or that code.
#[cold]
fn of_code(catalogue: &'static Catalogue, code: u64) -> Found {
    let is_meant = |named: &NamedEvent| named.code == code && named.flags == Flags::NONE && named.threshold == 0;
    catalogue.events.iter().find(is_meant).map_or(Found::Code(code), Found::Own)
}

/// Finds the event that a word names together with its group.
#[cold]
fn placed(catalogue: &'static Catalogue, word: Piece) -> Option<Found> {
    catalogue.grouped_by(word.text).map(|(named, place)| Found::Placed(named, place))
}

/// Finds the generic event that a word names, be it one itself or another name of the processor's own.
fn generic_of(catalogue: &'static Catalogue, word: Piece) -> Option<Found> {
    let generic = catalogue.generic_by(word.text).map(Found::Generic);
    generic.or_else(|| alias(catalogue, word))
}

/// Finds the event that a word names by a preset.
fn alias(catalogue: &'static Catalogue, word: Piece) -> Option<Found> {
    catalogue.alias(word.text).map(|(preset, named)| Found::Preset(preset, named))
}

/// Returns what is wrong with a word that names no event. `whole` is the word with what may be part of the name, and
/// `attributes` may have been meant in its place.
#[cold]
pub(super) fn unknown<'a>(
    catalogue: &'static Catalogue,
    word: Piece,
    whole: Piece,
    attributes: impl Iterator<Item = &'a Attribute>,
) -> Error {
    let error = unknown_here(catalogue, word, whole, attributes);
    if error.nearest.is_some() || error.problem != Problem::UnknownEvent {
        return error;
    }
    error.near(EventName::nearest(word.text, generics().map(|(name, _)| EventName::new(name))))
}

/// Returns what is wrong with a word that names no event, with the nearest name of this processor's.
#[cold]
pub(super) fn unknown_here<'a>(
    catalogue: &'static Catalogue,
    word: Piece,
    whole: Piece,
    attributes: impl Iterator<Item = &'a Attribute>,
) -> Error {
    if word.text.starts_with(b"--event=") {
        return word.error(Problem::Expected("an event alone: leave out --event=, which notation::Options reads"));
    }
    if word.is_too_large() {
        return word.error(Problem::OutOfRange { largest: u64::MAX });
    }
    if let Some(b'-') = word.text.first() {
        return word.error(Problem::Expected("an event, and no option: notation::Options reads those"));
    }
    if str::from_utf8(word.text).is_ok_and(|name| catalogue.preset(name).is_some()) {
        return word.error(Problem::MadeOfSeveral);
    }
    let attributes = attributes.map(|attribute| EventName::new(attribute.name));
    if str::from_utf8(word.text).is_ok_and(Preset::is_papi) {
        return word.error(Problem::NotMapped);
    }
    let ungrouped = catalogue.ungrouped_by(word.text).map(|named| named.name);
    let meant = ungrouped.or_else(|| EventName::nearest(whole.text, catalogue.names().chain(attributes)));
    word.error(Problem::UnknownEvent).near(meant.or_else(|| EventName::nearest(word.text, catalogue.names())))
}

/// Returns the error for a word that names no attribute.
#[cold]
pub(super) fn unknown_attribute<'a>(word: Piece, attributes: impl Iterator<Item = &'a Attribute>) -> Error {
    let name = word.split_digits().map_or(word, |(name, _)| name);
    let names = attributes.map(|attribute| EventName::new(attribute.name));
    word.error(Problem::UnknownAttribute).near(EventName::nearest(name.text, names))
}

/// Finds the longest event name that a text begins with, up to the end of a word, or else a code. Returns
/// what follows too.
pub(super) fn first_of<'t>(
    catalogue: &'static Catalogue,
    text: Piece<'t>,
    ends_word: impl Fn(u8) -> bool + Copy,
) -> Option<(Found, Piece<'t>)> {
    if let Some((named, length)) = catalogue.named_longest(text.text, ends_word) {
        return Some((Found::Own(named), text.from(length)));
    }
    if let Some(generic) = catalogue.generic_longest(text.text, ends_word) {
        return Some((Found::Generic(generic), text.from(generic.name.len())));
    }
    if let Some((named, length)) = catalogue.libpfm_longest(text.text, ends_word) {
        return Some((Found::Own(named), text.from(length)));
    }
    if let Some((named, length)) = catalogue.renamed_longest(text.text, ends_word) {
        return Some((Found::Own(named), text.from(length)));
    }
    let (word, rest) = text.until(ends_word);
    let found = code(catalogue, word).or_else(|| alias(catalogue, word));
    let found = found.or_else(|| other(catalogue, word)).or_else(|| placed(catalogue, word));
    Some((found.or_else(|| alike(catalogue, word))?, rest))
}

/// Returns true if a unit mask has left a request the code 0, which no notation can write unless it is an event's own.
pub(super) fn is_no_code(catalogue: &'static Catalogue, request: &Request) -> bool {
    matches!(request.event, Event::Raw { code: 0, .. }) && !names_zero(catalogue)
}

/// Returns true if the code 0 is an event's own, as on UltraSPARC, where it counts cycles.
#[cold]
pub(super) fn names_zero(catalogue: &'static Catalogue) -> bool {
    let zero = Event::raw(0);
    catalogue.events.iter().any(|named| catalogue.event(named) == zero)
}

fn code(catalogue: &'static Catalogue, word: Piece) -> Option<Found> {
    word.number().filter(|&code| code != 0 || names_zero(catalogue)).map(Found::Code)
}
