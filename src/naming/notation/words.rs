//! Finds the words that express a request.

use core::fmt;

use super::names::{code_counts_on, event_of, is_no_code};
use super::scan::Piece;
use crate::event::catalogue::{Attribute, Catalogue, Effect, EventName, GroupPlace, MaskKind, NamedEvent};
use crate::event::{CounterId, CounterSet, Event, Flags, Generic, Modes, Request};

/// How an event is written.
#[derive(Clone, Copy, Debug)]
pub(super) enum Spelling {
    /// By its name, with its default unit mask or with another.
    Name { name: EventName, mask: Option<u64> },
    /// By libpfm's name, with its default unit mask or with another.
    Libpfm { named: NamedEvent, mask: Option<u64> },
    /// By its name and its group.
    Placed { named: NamedEvent, place: GroupPlace },
    /// By its code.
    Code(u64),
    /// A generic event, by its name among perf's.
    Perfs(Generic),
}

impl Spelling {
    /// Writes a request by the name of the event that covers most of it. `masks_can_be_written` says whether the
    /// notation can write unit masks.
    fn by_name(catalogue: &'static Catalogue, request: &Request, masks_can_be_written: bool) -> Option<Self> {
        if let Event::Generic(generic) = request.event {
            return Some(generic_name(catalogue, generic));
        }
        let (named, mask) = catalogue.of_request(request)?;
        let mask = beside_the_default(named, mask);
        (mask.is_none() || masks_can_be_written && mask != Some(0)).then_some(Self::Name { name: named.name, mask })
    }

    /// Writes a request by the name that libpfm has for the event that covers most of it.
    fn by_libpfm(catalogue: &'static Catalogue, request: &Request) -> Option<Self> {
        let (named, mask) = catalogue.of_request_in(catalogue.libpfm, request)?;
        let mask = beside_the_default(named, mask);
        (mask != Some(0)).then_some(Self::Libpfm { named, mask })
    }

    /// Writes a request by its code. The code 0 must be an event's.
    fn by_code(catalogue: &'static Catalogue, request: &Request) -> Option<Self> {
        match request.event {
            Event::Raw { code, .. } if !is_no_code(catalogue, request) => Some(Self::Code(code)),
            _ => None,
        }
    }

    /// Writes a request by the name of the event in a group that has it on the request's counter.
    #[cold]
    fn by_place(catalogue: &'static Catalogue, request: &Request) -> Option<Self> {
        catalogue.placed(request).map(|(named, place)| Self::Placed { named, place })
    }

    /// Returns the request that it is parsed as.
    pub(super) fn request(self, catalogue: &'static Catalogue) -> Option<Request> {
        let (request, mask) = match self {
            Self::Name { name, mask } => (event_of(catalogue, Piece::whole(&name.text()))?.request(catalogue), mask),
            Self::Libpfm { named, mask } => (catalogue.request(named), mask),
            Self::Placed { named, place } => return Some(catalogue.request_at(named, place)),
            Self::Code(code) => return Some(Request::new(Event::raw(code))),
            Self::Perfs(generic) => return Some(Request::new(Event::Generic(generic))),
        };
        Some(mask.map_or(request, |mask| Effect::UnitMask.apply(request, mask, catalogue.mask)))
    }

    /// Returns false if it is a name or a code that is refused for this counter.
    pub(super) fn is_read_on(self, catalogue: &'static Catalogue, counter: CounterId) -> bool {
        match self {
            Self::Code(code) => code_counts_on(catalogue, code, counter),
            Self::Name { name, .. } => {
                event_of(catalogue, Piece::whole(&name.text())).is_none_or(|event| event.counts_on(catalogue, counter))
            }
            _ => true,
        }
    }

    /// Returns true if its code has a unit mask that is not part of its name.
    pub(super) fn has_masks(self, catalogue: &'static Catalogue) -> bool {
        match self {
            Self::Name { name, .. } => {
                catalogue.named(&name.text()).is_some_and(|named| named.masks.kind != MaskKind::None)
            }
            Self::Libpfm { named, .. } | Self::Placed { named, .. } => named.masks.kind != MaskKind::None,
            Self::Code(_) => true,
            Self::Perfs(_) => false,
        }
    }

    /// Returns the least count of the name; 0 for a code.
    pub(super) fn least(self, catalogue: &'static Catalogue) -> u64 {
        match self {
            Self::Name { name, .. } => catalogue.named(&name.text()).map_or(0, |named| named.least),
            Self::Libpfm { named, .. } | Self::Placed { named, .. } => named.least,
            Self::Code(_) | Self::Perfs(_) => 0,
        }
    }

    /// Returns the unit mask that must be written.
    pub(super) fn mask(self) -> Option<u64> {
        match self {
            Self::Name { mask, .. } | Self::Libpfm { mask, .. } => mask,
            Self::Placed { .. } | Self::Code(_) | Self::Perfs(_) => None,
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
            Self::Perfs(generic) => generic.fmt(f),
        }
    }
}

/// Returns the unit mask of an event if it is not the default.
fn beside_the_default(named: NamedEvent, mask: u64) -> Option<u64> {
    (named.masks.kind != MaskKind::None && mask != named.masks.default).then_some(mask)
}

/// Returns the name of a generic event: the processor's PAPI name of it, or its own.
fn generic_name(catalogue: &Catalogue, generic: Generic) -> Spelling {
    let papis = catalogue.generic.iter().find(|own| own.event == Event::Generic(generic));
    Spelling::Name { name: EventName::new(papis.map_or(generic.name(), |own| own.name)), mask: None }
}

/// Returns true if a counter has an event, as far as the tables say.
pub(super) fn has(catalogue: &'static Catalogue, counter: CounterId, event: Event) -> bool {
    match event {
        Event::Raw { code, .. } => code_counts_on(catalogue, code, counter),
        Event::Generic(generic) => generic_name(catalogue, generic).is_read_on(catalogue, counter),
    }
}

/// Returns true if the event can be given the attribute: a generic one takes modes alone.
const fn takes(event: Event, effect: Effect) -> bool {
    matches!(event, Event::Raw { .. }) || matches!(effect, Effect::User | Effect::Kernel | Effect::Hypervisor)
}

/// A part of a request that a notation may have no words for, and the request without it.
type Part = (&'static str, fn(Request) -> Request);

const PARTS: [Part; 6] = [
    ("no attribute says its threshold or one of its flags", |request| Request {
        threshold: 0,
        flags: Flags::NONE,
        ..request
    }),
    ("nothing says the value that its event needs in an auxiliary register", |request| match request.event {
        Event::Raw { code, .. } => Request { event: Event::raw(code), ..request },
        Event::Generic(_) => request,
    }),
    ("its count does not begin at 0", |request| Request { preset: 0, ..request }),
    ("it has a period that is not written in this notation", |request| Request { sampling: None, ..request }),
    ("it counts in modes that are not written in this notation", |request| request.modes(Modes::USER)),
    ("it is limited to counters, which this notation does not name", |request| request.on(CounterSet::ALL)),
];

/// Returns why a request cannot be written. Leaves out one part after the other, and returns the part without which the rest
/// can be written. `can_be_written` keeps the parts that the notation always writes.
#[cold]
pub(super) fn reason(request: &Request, can_be_written: impl Fn(&Request) -> bool) -> &'static str {
    let mut rest = *request;
    let missing = PARTS.iter().find(|(_, without)| {
        rest = without(rest);
        can_be_written(&rest)
    });
    missing.map_or("nothing names its event", |(part, _)| part)
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
        catalogue: &'static Catalogue,
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
        catalogue: &'static Catalogue,
        attributes: &'a [Attribute],
        request: &Request,
        plain: impl Fn(Request) -> Request,
    ) -> Option<Self> {
        let is_own = request.name.is_some_and(|name| !name.is_libpfms());
        let event = if is_own { None } else { Spelling::by_libpfm(catalogue, request) };
        let words = event.and_then(|event| Self::spelled(event, catalogue, attributes, request, &plain));
        words.or_else(|| Self::of_masked(catalogue, attributes, request, plain))
    }

    /// Like [`Words::of`], for a notation that has words of its own for unit masks.
    pub(super) fn of_masked(
        catalogue: &'static Catalogue,
        attributes: &'a [Attribute],
        request: &Request,
        plain: impl Fn(Request) -> Request,
    ) -> Option<Self> {
        Self::with_masks(true, catalogue, attributes, request, plain)
    }

    fn with_masks(
        can_mask: bool,
        catalogue: &'static Catalogue,
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
        catalogue: &'static Catalogue,
        request: &Request,
        plain: impl Fn(Request) -> Request,
    ) -> Option<Self> {
        Self::spelled(Spelling::by_code(catalogue, request)?, catalogue, &[], request, plain)
    }

    /// Returns the words with this spelling, or `None` if they are not parsed as the request.
    pub(super) fn spelled(
        event: Spelling,
        catalogue: &'static Catalogue,
        attributes: &'a [Attribute],
        request: &Request,
        plain: impl Fn(Request) -> Request,
    ) -> Option<Self> {
        let read = plain(event.request(catalogue)?);
        let words = Self { event, attributes, plain: read, request: *request };
        (words.read(catalogue, read) == *request).then_some(words)
    }

    /// Returns what the words are parsed as.
    fn read(&self, catalogue: &'static Catalogue, plain: Request) -> Request {
        self.given().fold(plain, |read, (attribute, value)| attribute.effect.apply(read, value, catalogue.mask))
    }

    /// Returns the attributes that must be given, with their values: those that are not part of the event.
    pub(super) fn given(&self) -> impl Iterator<Item = (&'a Attribute, u64)> {
        let (mask, plain, request) = (self.event.mask().unwrap_or(0), self.plain, self.request);
        let taken = self.attributes.iter().filter(move |attribute| takes(request.event, attribute.effect));
        taken.filter_map(move |attribute| {
            let value = attribute.effect.value_in(&request, mask)?;
            let is_had = attribute.effect != Effect::UnitMask && attribute.effect.value_in(&plain, mask) == Some(value);
            (!is_had).then_some((attribute, value))
        })
    }
}
