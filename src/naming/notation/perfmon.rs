//! libpfm's notation.

mod combined;
mod draft;
mod perf;

use core::fmt;

use self::draft::{Draft, mode_of};
use super::names::{Found, first_of};
use super::scan::Piece;
use super::words::{self, Spelling, Words};
use super::{Error, Inexpressible, Problem, Processor};
use crate::event::catalogue::{Catalogue, Effect, EventName, NamedEvent, UnitMasks};
use crate::event::{Event, Modes, Request, Set};

/// libpfm's notation: `skl::INST_RETIRED:ANY_P:u:c=2`, with commas or spaces between several events.
///
/// ```text
/// text  := event { ( "," | " " | tab | newline ) event }
/// event := [ unit "::" ] name { ":" unit-mask } { ":" modifier [ "=" value ] }
/// ```
/// `.` may replace `:`. Case does not matter, and unit masks and modifiers may come in any order. A modifier that is on
/// or off is on if it has no value. Several unit masks are combined if the event allows that; a mask without a name is
/// written as a hexadecimal number. Without `u`, `k` and `h`, or several of them as perf's `uk`, an event is counted in user
/// programs and in the kernel, with any of them only in those that are given. A mode that only this processor has, such
/// as MIPS' `e` (the kernel at exception level), is given beside these or alone.
///
/// A name may be that of a generic event, as `cycles` or perf's `branch-instructions`, and perf's `r01c4` is the code 1C4H.
/// After libpfm's `perf::` these alone are meant, also as `PERF_COUNT_HW_CPU_CYCLES`.
///
/// An event that needs a value in an auxiliary register either has it in its name or is a code with the value
/// after it, the unit mask first: `0x1b7:offcore_rsp=0x10001`. libpfm's words for off-core responses are combined as libpfm
/// does, before any modifier: `OFFCORE_RESPONSE_0:DMND_DATA_RD:L3_HIT:SNP_MISS`.
///
/// A value prints requests in this notation. Parsing the text returns the same requests.
///
/// The unit has libpfm's name, if libpfm has it, and libpfm reads the text as the same event. A generic event whose name the
/// processor has for another one is written as perf's. The unit masks come first, then
/// the modifiers in the catalogue's order, always with the modes.
#[derive(Clone, Copy, Debug)]
pub struct Perfmon<'a> {
    requests: &'a [Request],
    processor: Processor,
}

impl Perfmon<'_> {
    /// Parses events.
    ///
    /// # Errors
    /// The place where the text is wrong, and what was expected.
    pub fn parse<const N: usize>(text: &str, processor: Processor) -> Result<Set<N>, Error> {
        read(Piece::whole(text), processor)
    }
}

#[inline(never)]
pub(super) fn read<const N: usize>(text: Piece, processor: Processor) -> Result<Set<N>, Error> {
    let mut set = Set::new();
    read_into(&mut set, text, processor.catalogue)?;
    Ok(set.of_codes(processor.codes))
}

#[inline(always)]
fn read_into<const N: usize>(set: &mut Set<N>, text: Piece, catalogue: &'static Catalogue) -> Result<(), Error> {
    let mut rest = text;
    loop {
        let next = rest.trim_start(is_between_events);
        if next.text.is_empty() {
            break;
        }
        let Some(request) = set.grow() else { return Err(first_event(next).error(Problem::TooMany { room: N })) };
        event(next, &mut rest, catalogue, request)?;
    }
    if set.is_empty() { Err(text.error(Problem::Expected("an event"))) } else { Ok(()) }
}

const fn is_between_events(byte: u8) -> bool {
    matches!(byte, b',' | b' ' | b'\t' | b'\n')
}

const fn is_between_words(byte: u8) -> bool {
    matches!(byte, b':' | b'.')
}

const fn ends_word(byte: u8) -> bool {
    is_between_words(byte) || is_between_events(byte)
}

const fn ends_modifier(byte: u8) -> bool {
    byte == b'=' || ends_word(byte)
}

/// Returns the words of the first event of a text.
#[cold]
fn first_event(text: Piece) -> Piece {
    text.until(is_between_events).0
}

/// Parses the first event of a text. Sets `rest` to what follows it.
#[inline(never)]
fn event<'t>(
    text: Piece<'t>,
    rest: &mut Piece<'t>,
    catalogue: &'static Catalogue,
    request: &mut Request,
) -> Result<(), Error> {
    let draft = match named(text, rest, catalogue) {
        Some(named) => Draft::of_named(catalogue, request, named),
        None => match after_unit(text, rest, catalogue) {
            Ok(found) => Draft::of(catalogue, request, found),
            Err(error) => return Err(perf::of_debug_store(catalogue, first_event(text), error)),
        },
    };
    refined(draft, text, rest).or_else(|error| {
        let wrong = error.at.start;
        let libpfms = by_libpfm(text, rest, catalogue, request, wrong).unwrap_or(Err(error));
        libpfms.map_err(|error| perf::of_debug_store(catalogue, first_event(text), error))
    })
}

/// Parses the words that follow an event.
#[inline(always)]
fn refined<'t>(mut draft: Draft, text: Piece<'t>, rest: &mut Piece<'t>) -> Result<(), Error> {
    while let Some(words) = rest.strip_first(is_between_words) {
        draft.refine(words, rest)?;
    }
    if draft.lacks_mask() {
        return Err(first_event(text).error_after(Problem::Expected("a unit mask")));
    }
    let counts = draft.counts();
    if counts { Ok(()) } else { Err(first_event(text).error(Problem::Expected("a mode to count in"))) }
}

/// Parses an event by libpfm's name, which may be that of one of the processor's own events too, but with other unit masks.
/// Returns `None` if libpfm has no such event, or if what is known to be wrong, from the byte `wrong` on, says more.
#[cold]
fn by_libpfm<'t>(
    text: Piece<'t>,
    rest: &mut Piece<'t>,
    catalogue: &'static Catalogue,
    request: &mut Request,
    wrong: usize,
) -> Option<Result<(), Error>> {
    let event = without_unit(text, catalogue).ok()?;
    let named = match combined::event(catalogue, event, rest) {
        Some(Ok(named)) => named,
        Some(Err(error)) => return Some(Err(error)),
        None => {
            let (named, length) = catalogue.libpfm_longest(event.text, ends_word)?;
            *rest = event.from(length);
            named
        }
    };
    match refined(Draft::of_named(catalogue, request, named), text, rest) {
        Ok(()) => Some(Ok(())),
        Err(error)
            if error.problem == Problem::UnknownAttribute
                && named.masks.named.is_empty()
                && error.at.start >= wrong =>
        {
            let meant = EventName::nearest(first_event(event).text, catalogue.names())?;
            Some(Err(event.until(ends_word).0.error(Problem::UnknownEvent).near(Some(meant))))
        }
        Err(_) => None,
    }
}

/// Finds the processor's own event that a text begins with.
#[inline(always)]
fn named<'t>(text: Piece<'t>, rest: &mut Piece<'t>, catalogue: &'static Catalogue) -> Option<NamedEvent> {
    let (named, length) = catalogue.named_longest(text.text, ends_word)?;
    *rest = text.from(length);
    let is_unit = matches!(rest.text, [b':', b':', ..]);
    (!is_unit).then_some(named)
}

/// Finds the event that follows an optional `unit::`.
#[cold]
fn after_unit<'t>(text: Piece<'t>, rest: &mut Piece<'t>, catalogue: &'static Catalogue) -> Result<Found, Error> {
    let named = unit(text).map(|(_, event)| event.until(ends_word).0);
    if let Some(nothing) = named.filter(|word| word.text.is_empty()) {
        return Err(nothing.error(Problem::Expected("the name of an event after ::")));
    }
    let perfs = unit(text).filter(|(unit, _)| perf::is_unit(*unit)).map(|(_, event)| event);
    let event = perfs.map_or_else(|| without_unit(text, catalogue), Ok)?;
    let (word, after) = event.until(ends_word);
    let own = if perfs.is_none() { first_of(catalogue, event, ends_word) } else { None };
    let first = own.or_else(|| Some((perf::event_of(catalogue, word)?, after)));
    let (found, after) = first.ok_or_else(|| perf::unknown(catalogue, word, first_event(event)))?;
    *rest = after;
    Ok(found)
}

/// Returns the unit that a text begins with, and what follows the `::` behind it.
fn unit(text: Piece) -> Option<(Piece, Piece)> {
    let (unit, rest) = text.until(|byte| byte == b':' || is_between_events(byte));
    let event = rest.strip_first(|byte| byte == b':')?.strip_first(|byte| byte == b':')?;
    Some((unit, event))
}

/// Returns what follows `unit::`, which must be this processor's unit.
fn without_unit<'t>(text: Piece<'t>, catalogue: &'static Catalogue) -> Result<Piece<'t>, Error> {
    match unit(text) {
        Some((unit, event)) if str::from_utf8(unit.text).is_ok_and(|unit| catalogue.is_unit(unit)) => Ok(event),
        Some((name, event))
            if first_of(catalogue, name, |_| false).is_some() || perf::event_of(catalogue, name).is_some() =>
        {
            let word = event.until(ends_word).0;
            Err(word.error(Problem::Expected("one colon between an event and what belongs to it")))
        }
        Some((unit, _)) => {
            let own = catalogue.aliases.first().unwrap_or(&catalogue.unit);
            Err(unit.error(Problem::OtherUnit { unit: own }))
        }
        None => Ok(text),
    }
}

impl<'a> Perfmon<'a> {
    /// Prepares these requests for printing.
    ///
    /// # Errors
    /// The first request that the notation cannot express: it is pinned to a counter, has a one-shot
    /// period, or needs a modifier that the processor does not have.
    pub fn of(requests: &'a [Request], processor: Processor) -> Result<Self, Inexpressible> {
        let text = Self { requests, processor };
        Inexpressible::first(requests, |request| text.reason(request))?;
        Ok(text)
    }

    /// Returns why a request cannot be written, if it cannot.
    fn reason(&self, request: &Request) -> Option<&'static str> {
        let can_be_written = |request: &Request| self.words(request).is_some();
        (!can_be_written(request)).then(|| words::reason(request, can_be_written))
    }

    fn words(&self, request: &Request) -> Option<Words<'a>> {
        let Catalogue { modifiers, .. } = *self.processor.catalogue;
        let can_say = modifiers.iter().filter_map(|modifier| mode_of(modifier.effect)).fold(Modes::NONE, Modes::and);
        let modes = if can_say == Modes::NONE { Modes::ALL } else { Modes::NONE };
        if request.modes == Modes::NONE && !self.processor.catalogue.counts_in_own_mode(request) {
            return None;
        }
        let (catalogue, plain) = (self.processor.catalogue, |request: Request| request.modes(modes));
        let combined = combined::of_request(catalogue, request).map(|named| Spelling::Libpfm { named, mask: None });
        let words = combined.and_then(|event| Words::spelled(event, catalogue, modifiers, request, plain));
        let words = words.or_else(|| Words::of_libpfm(catalogue, modifiers, request, plain));
        // The processor may have another event of a generic one's name.
        words.or_else(|| match request.event {
            Event::Generic(generic) => Words::spelled(Spelling::Perfs(generic), catalogue, modifiers, request, plain),
            Event::Raw { .. } => None,
        })
    }

    /// Returns the unit masks of an event that is written so.
    fn masks(&self, event: Spelling) -> UnitMasks {
        match event {
            Spelling::Name { name, .. } => {
                self.processor.catalogue.named(&name.text()).map_or(UnitMasks::NONE, |named| named.masks)
            }
            Spelling::Libpfm { named, .. } => named.masks,
            Spelling::Placed { .. } | Spelling::Code(_) | Spelling::Perfs(_) => UnitMasks::NONE,
        }
    }

    fn mask(&self, f: &mut fmt::Formatter<'_>, event: Spelling) -> fmt::Result {
        if let Spelling::Libpfm { named, .. } = event
            && named.auxiliary != 0
        {
            return combined::print(f, self.processor.catalogue, named);
        }
        let (masks, mask) = (self.masks(event), event.mask());
        let wanted = mask.unwrap_or(masks.default);
        // libpfm's name is the last of several, and libpfm has no default for some events.
        match (masks.named.iter().filter(|entry| entry.alone(masks.default) == wanted).last(), mask) {
            (Some(entry), _) => write!(f, ":{}", entry.name),
            (None, Some(mask)) => write!(f, ":{mask:#x}"),
            (None, None) => Ok(()),
        }
    }
}

impl fmt::Display for Perfmon<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Catalogue { unit, aliases, .. } = self.processor.catalogue;
        let unit = aliases.first().unwrap_or(unit);
        let all = self.requests.iter().filter_map(|request| self.words(request));
        for (number, words) in all.enumerate() {
            let unit = if let Spelling::Perfs(_) = words.event { perf::UNIT } else { unit };
            write!(f, "{}{unit}::{}", if number > 0 { "," } else { "" }, words.event)?;
            self.mask(f, words.event)?;
            // With a value it is no unit mask of the same name.
            let masks = self.masks(words.event);
            let is_mask = |word: &str| masks.named.iter().any(|mask| mask.name.eq_ignore_ascii_case(word));
            for (modifier, value) in words.given() {
                match (modifier.largest, modifier.effect) {
                    (1, _) if !is_mask(modifier.name) => write!(f, ":{}", modifier.name)?,
                    (_, Effect::Auxiliary(_)) => write!(f, ":{}={value:#x}", modifier.name)?,
                    _ => write!(f, ":{}={value}", modifier.name)?,
                }
            }
        }
        Ok(())
    }
}
