//! Finds the event that a word names, and the words that express a request.

use core::fmt;

use super::nearest::nearest;
use super::scan::Piece;
use super::{Error, Problem};
use crate::event::catalogue::{
    Attribute, Catalogue, Effect, EventName, GenericEvent, MaskKind, NamedEvent, Place, Preset, UnitMasks, is_papi,
};
use crate::event::{CounterId, Event, Flags, Generic, Request};

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
    Placed(NamedEvent, Place),
    /// A code of one of the processor's own events.
    Code(u64),
}

impl Found {
    /// Returns a request for the event without anything else.
    #[inline]
    pub(super) fn request(self, catalogue: &Catalogue) -> Request {
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

    pub(super) fn counts_on(self, catalogue: &Catalogue, counter: CounterId) -> bool {
        match self {
            Self::Placed(_, place) => place.counter() == counter,
            Self::Generic(generic) => generic_counts_on(catalogue, generic, counter),
            Self::Code(code) => code_counts_on(catalogue, code, counter),
            _ => self.own().is_none_or(|named| is_on(named, counter)),
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
fn generic_counts_on(catalogue: &Catalogue, generic: &GenericEvent, counter: CounterId) -> bool {
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
fn code_counts_on(catalogue: &Catalogue, code: u64, counter: CounterId) -> bool {
    catalogue.of_code(code).is_none_or(|(named, _)| is_on(named, counter))
}

/// Returns true if a counter has an event, or if none has it: the driver says why.
fn is_on(named: NamedEvent, counter: CounterId) -> bool {
    named.counters.is_empty() || named.counters.contains(counter)
}

/// Finds the event that a word names: one of the processor's own, a generic one, or a code. The code 0 must be an event's.
pub(super) fn event_of(catalogue: &Catalogue, word: Piece) -> Option<Found> {
    let own = catalogue.named_by(word.text).map(Found::Own);
    let found = own.or_else(|| generic_of(catalogue, word)).or_else(|| code(catalogue, word));
    let libpfms = || catalogue.libpfm_by(word.text).map(Found::Own);
    found.or_else(libpfms).or_else(|| other(catalogue, word)).or_else(|| placed(catalogue, word))
}

/// Finds the event that another name names: one of the processor's own, or a code that is in no list. Of events with the
/// same code it is the one that counts each occurrence, without a flag or a threshold.
#[cold]
fn other(catalogue: &Catalogue, word: Piece) -> Option<Found> {
    let other = catalogue.other_names.iter().find(|other| word.is(other.name))?;
    let is_meant = |named: &NamedEvent| named.code == other.code && named.flags == Flags::NONE && named.threshold == 0;
    let own = catalogue.events.iter().find(is_meant);
    Some(own.map_or(Found::Code(other.code), Found::Own))
}

/// Finds the event that a word names together with its group.
#[cold]
fn placed(catalogue: &Catalogue, word: Piece) -> Option<Found> {
    catalogue.grouped_by(word.text).map(|(named, place)| Found::Placed(named, place))
}

/// Finds the generic event that a word names, be it one itself or another name of the processor's own.
fn generic_of(catalogue: &Catalogue, word: Piece) -> Option<Found> {
    let generic = catalogue.generic_by(word.text).map(Found::Generic);
    generic.or_else(|| alias(catalogue, word))
}

/// Finds the event that a word names by a preset.
fn alias(catalogue: &Catalogue, word: Piece) -> Option<Found> {
    catalogue.alias(word.text).map(|(preset, named)| Found::Preset(preset, named))
}

/// Returns what is wrong with a word that names no event. `whole` is the word with what may be part of the name, and
/// `attributes` may have been meant in its place.
#[cold]
pub(super) fn unknown<'a>(
    catalogue: &Catalogue,
    word: Piece,
    whole: Piece,
    attributes: impl Iterator<Item = &'a Attribute>,
) -> Error {
    if str::from_utf8(word.text).is_ok_and(|name| catalogue.preset(name).is_some()) {
        return word.error(Problem::MadeOfSeveral);
    }
    let attributes = attributes.map(|attribute| EventName::new(attribute.name));
    if str::from_utf8(word.text).is_ok_and(is_papi) {
        return word.error(Problem::NotMapped);
    }
    let ungrouped = catalogue.ungrouped_by(word.text).map(|named| named.name);
    let meant = ungrouped.or_else(|| nearest(whole.text, catalogue.names().chain(attributes)));
    word.error(Problem::UnknownEvent).near(meant.or_else(|| nearest(word.text, catalogue.names())))
}

/// Returns the error for a word that names no attribute.
#[cold]
pub(super) fn unknown_attribute<'a>(word: Piece, attributes: impl Iterator<Item = &'a Attribute>) -> Error {
    let name = word.split_digits().map_or(word, |(name, _)| name);
    let names = attributes.map(|attribute| EventName::new(attribute.name));
    word.error(Problem::UnknownAttribute).near(nearest(name.text, names))
}

/// Finds the longest event name that a text begins with, up to the end of a word, or else a code. Returns
/// what follows too.
pub(super) fn first_of<'t>(
    catalogue: &Catalogue,
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
    let (word, rest) = text.until(ends_word);
    let found = code(catalogue, word).or_else(|| alias(catalogue, word));
    let found = found.or_else(|| other(catalogue, word)).or_else(|| placed(catalogue, word))?;
    Some((found, rest))
}

/// Returns true if a unit mask has left a request the code 0, which no notation can write unless it is an event's own.
pub(super) fn is_no_code(catalogue: &Catalogue, request: &Request) -> bool {
    matches!(request.event, Event::Raw { code: 0, .. }) && !names_zero(catalogue)
}

/// Returns true if the code 0 is an event's own, as on UltraSPARC, where it counts cycles.
#[cold]
pub(super) fn names_zero(catalogue: &Catalogue) -> bool {
    let zero = Event::raw(0);
    catalogue.events.iter().any(|named| catalogue.event(named) == zero)
}

fn code(catalogue: &Catalogue, word: Piece) -> Option<Found> {
    word.number().filter(|&code| code != 0 || names_zero(catalogue)).map(Found::Code)
}

/// How an event is written.
#[derive(Clone, Copy, Debug)]
pub(super) enum Spelling {
    /// By its name, with its default unit mask or with another.
    Name { name: EventName, mask: Option<u64> },
    /// By libpfm's name, with its default unit mask or with another.
    Libpfm { named: NamedEvent, mask: Option<u64> },
    /// By its name and its group.
    Placed { named: NamedEvent, place: Place },
    /// By its code.
    Code(u64),
}

impl Spelling {
    /// Writes a request by the name of the event that covers most of it. `masks_can_be_written` says whether the
    /// notation can write unit masks.
    fn by_name(catalogue: &Catalogue, request: &Request, masks_can_be_written: bool) -> Option<Self> {
        if let Event::Generic(_) = request.event {
            return generic_name(catalogue, request.event);
        }
        let (named, mask) = catalogue.of_request(request)?;
        let mask = beside_the_default(named, mask);
        (mask.is_none() || masks_can_be_written && mask != Some(0)).then_some(Self::Name { name: named.name, mask })
    }

    /// Writes a request by the name that libpfm has for the event that covers most of it.
    fn by_libpfm(catalogue: &Catalogue, request: &Request) -> Option<Self> {
        let (named, mask) = catalogue.of_request_in(catalogue.libpfm, request)?;
        let mask = beside_the_default(named, mask);
        (mask != Some(0)).then_some(Self::Libpfm { named, mask })
    }

    /// Writes a request by its code. The code 0 must be an event's.
    fn by_code(catalogue: &Catalogue, request: &Request) -> Option<Self> {
        match request.event {
            Event::Raw { code, .. } if !is_no_code(catalogue, request) => Some(Self::Code(code)),
            _ => None,
        }
    }

    /// Writes a request by the name of the event in a group that has it on the request's counter.
    #[cold]
    fn by_place(catalogue: &Catalogue, request: &Request) -> Option<Self> {
        catalogue.placed(request).map(|(named, place)| Self::Placed { named, place })
    }

    /// Returns the request that it is parsed as.
    pub(super) fn request(self, catalogue: &Catalogue) -> Option<Request> {
        let (request, mask) = match self {
            Self::Name { name, mask } => (event_of(catalogue, Piece::whole(&name.text()))?.request(catalogue), mask),
            Self::Libpfm { named, mask } => (catalogue.request(named), mask),
            Self::Placed { named, place } => return Some(catalogue.request_at(named, place)),
            Self::Code(code) => return Some(Request::new(Event::raw(code))),
        };
        Some(mask.map_or(request, |mask| Effect::UnitMask.apply(request, mask, catalogue.mask)))
    }

    /// Returns false if it is a code that is refused for this counter.
    pub(super) fn is_read_on(self, catalogue: &Catalogue, counter: CounterId) -> bool {
        !matches!(self, Self::Code(code) if !code_counts_on(catalogue, code, counter))
    }

    /// Returns true if its code has a unit mask that is not part of its name.
    pub(super) fn has_masks(self, catalogue: &Catalogue) -> bool {
        match self {
            Self::Name { name, .. } => {
                catalogue.named(&name.text()).is_some_and(|named| named.masks.kind != MaskKind::None)
            }
            Self::Libpfm { named, .. } | Self::Placed { named, .. } => named.masks.kind != MaskKind::None,
            Self::Code(_) => true,
        }
    }

    /// Returns the least count of the name; 0 for a code.
    pub(super) fn least(self, catalogue: &Catalogue) -> u64 {
        match self {
            Self::Name { name, .. } => catalogue.named(&name.text()).map_or(0, |named| named.least),
            Self::Libpfm { named, .. } | Self::Placed { named, .. } => named.least,
            Self::Code(_) => 0,
        }
    }

    /// Returns the unit mask that must be written.
    pub(super) fn mask(self) -> Option<u64> {
        match self {
            Self::Name { mask, .. } | Self::Libpfm { mask, .. } => mask,
            Self::Placed { .. } | Self::Code(_) => None,
        }
    }
}

impl fmt::Display for Spelling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name { name, .. } => f.write_str(&name.text()),
            Self::Libpfm { named, .. } => f.write_str(&named.name.text()),
            Self::Placed { named, place } => write!(f, "{}_GRP{}", named.name, place.group()),
            Self::Code(code) => write!(f, "{code:#x}"),
        }
    }
}

/// Returns the unit mask of an event if it is not the default.
fn beside_the_default(named: NamedEvent, mask: u64) -> Option<u64> {
    (named.masks.kind != MaskKind::None && mask != named.masks.default).then_some(mask)
}

fn generic_name(catalogue: &Catalogue, event: Event) -> Option<Spelling> {
    let generic = catalogue.generic.iter().find(|generic| generic.event == event)?;
    Some(Spelling::Name { name: EventName::new(generic.name), mask: None })
}

/// The words of a request: its event, and the attributes that must be given with it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Words<'a> {
    pub(super) event: Spelling,
    attributes: &'a [Attribute],
    /// What the event without attributes is parsed as.
    plain: Request,
    request: Request,
}

impl<'a> Words<'a> {
    /// Finds the words for a request. `plain` says how the notation parses an event without attributes; a
    /// unit mask is an attribute like others. Returns `None` if these attributes cannot express the request.
    pub(super) fn of(
        catalogue: &Catalogue,
        attributes: &'a [Attribute],
        request: &Request,
        plain: impl Fn(Request) -> Request,
    ) -> Option<Self> {
        let can_mask = attributes.iter().any(|attribute| attribute.effect == Effect::UnitMask);
        Self::with_masks(can_mask, catalogue, attributes, request, plain)
    }

    /// Finds the words of libpfm's notation. A request that was not made by the name of one of the processor's own events has
    /// libpfm's name.
    pub(super) fn of_libpfm(
        catalogue: &Catalogue,
        attributes: &'a [Attribute],
        request: &Request,
        plain: impl Fn(Request) -> Request,
    ) -> Option<Self> {
        let is_own = request.name.is_some();
        let event = if is_own { None } else { Spelling::by_libpfm(catalogue, request) };
        let words = event.and_then(|event| Self::spelled(event, catalogue, attributes, request, &plain));
        words.or_else(|| Self::of_masked(catalogue, attributes, request, plain))
    }

    /// Like [`Words::of`], for a notation that has words of its own for unit masks.
    pub(super) fn of_masked(
        catalogue: &Catalogue,
        attributes: &'a [Attribute],
        request: &Request,
        plain: impl Fn(Request) -> Request,
    ) -> Option<Self> {
        Self::with_masks(true, catalogue, attributes, request, plain)
    }

    fn with_masks(
        can_mask: bool,
        catalogue: &Catalogue,
        attributes: &'a [Attribute],
        request: &Request,
        plain: impl Fn(Request) -> Request,
    ) -> Option<Self> {
        let words = |event: Spelling| Self::spelled(event, catalogue, attributes, request, &plain);
        let by_name = Spelling::by_name(catalogue, request, can_mask).and_then(words);
        let by_code = || Spelling::by_code(catalogue, request).and_then(words);
        by_name.or_else(by_code).or_else(|| Spelling::by_place(catalogue, request).and_then(words))
    }

    /// Finds the words that express the event by its code, even if it has a name.
    pub(super) fn of_code(
        catalogue: &Catalogue,
        request: &Request,
        plain: impl Fn(Request) -> Request,
    ) -> Option<Self> {
        Self::spelled(Spelling::by_code(catalogue, request)?, catalogue, &[], request, plain)
    }

    /// Returns the words with this spelling, or `None` if they are not parsed as the request.
    pub(super) fn spelled(
        event: Spelling,
        catalogue: &Catalogue,
        attributes: &'a [Attribute],
        request: &Request,
        plain: impl Fn(Request) -> Request,
    ) -> Option<Self> {
        let read = plain(event.request(catalogue)?);
        let words = Self { event, attributes, plain: read, request: *request };
        (words.read(catalogue, read) == *request).then_some(words)
    }

    /// Returns what the words are parsed as.
    fn read(&self, catalogue: &Catalogue, plain: Request) -> Request {
        self.given().fold(plain, |read, (attribute, value)| attribute.effect.apply(read, value, catalogue.mask))
    }

    /// Returns the attributes that must be given, with their values: those that are not part of the event.
    pub(super) fn given(&self) -> impl Iterator<Item = (&'a Attribute, u64)> {
        let (mask, plain, request) = (self.event.mask().unwrap_or(0), self.plain, self.request);
        self.attributes.iter().filter_map(move |attribute| {
            let value = attribute.effect.value_in(&request, mask)?;
            let is_had = attribute.effect != Effect::UnitMask && attribute.effect.value_in(&plain, mask) == Some(value);
            (!is_had).then_some((attribute, value))
        })
    }
}
