//! libpfm's notation: `skl::INST_RETIRED:ANY_P:u:c=2`, several with commas or spaces between them.
//!
//! ```text
//! text  := event { ( "," | " " | tab | newline ) event }
//! event := [ unit "::" ] name { ":" unit-mask } { ":" modifier [ "=" value ] }
//! ```
//! `.` may replace `:`, upper and lower case are alike, and unit masks and modifiers may come in any
//! order. A modifier that is on or off is on if it has no value. Several unit masks are chosen
//! together where the event lets them; a mask without a name is written as a number. Without `u`,
//! `k` and `h` an event counts in user programs and in the kernel, with any of them in those only.
//!
//! An event that needs a value in a register beside its counter is one that has it in its name, or a code
//! with the value behind it, unit mask first: `0x1b7:offcore_rsp=0x10001`.

use core::fmt;

use super::names::{Found, Spelling, Words, first_of, unknown};
use super::scan::Piece;
use super::{Error, Inexpressible, Problem, Processor};
use crate::catalogue::{Attribute, Catalogue, Effect, MaskKind, UnitMasks};
use crate::event::{Modes, Request};
use crate::set::Set;

/// Reads events.
///
/// # Errors
/// Where the text is wrong, and what was expected.
pub fn parse<const N: usize>(text: &str, processor: Processor) -> Result<Set<N>, Error> {
    read(Piece::whole(text), processor)
}

#[inline(always)]
pub(super) fn read<const N: usize>(text: Piece, processor: Processor) -> Result<Set<N>, Error> {
    let mut set = Set::new();
    read_into(&mut set, text, processor.catalogue)?;
    Ok(set)
}

#[inline(never)]
fn read_into<const N: usize>(set: &mut Set<N>, text: Piece, catalogue: &Catalogue) -> Result<(), Error> {
    let mut rest = text.behind_all(is_between_events);
    while !rest.text.is_empty() {
        let Some(request) = set.grow() else { return Err(first_event(rest).error(Problem::TooMany { room: N })) };
        rest = event(rest, catalogue, request)?.behind_all(is_between_events);
    }
    if set.is_empty() { Err(text.error(Problem::Expected("an event"))) } else { Ok(()) }
}

const fn is_between_events(byte: u8) -> bool {
    matches!(byte, b',' | b' ' | b'\t' | b'\n')
}

const fn is_between_words(byte: u8) -> bool {
    matches!(byte, b':' | b'.')
}

const fn is_behind_word(byte: u8) -> bool {
    is_between_words(byte) || is_between_events(byte)
}

/// The words of the event that a text begins with.
#[cold]
fn first_event(text: Piece) -> Piece {
    text.until(is_between_events).0
}

/// Reads the event that a text begins with; what is left of the text is behind it.
#[inline(always)]
fn event<'t>(text: Piece<'t>, catalogue: &Catalogue, request: &mut Request) -> Result<Piece<'t>, Error> {
    let (found, mut rest) = match first_of(catalogue, text, is_behind_word).filter(|(_, rest)| !is_behind_unit(*rest)) {
        Some(first) => first,
        None => behind_unit(text, catalogue)?,
    };
    *request = found.request(catalogue);
    let mut draft = Draft { catalogue, found, request, chosen: None, has_modes: false };
    while let Some(words) = rest.behind(is_between_words) {
        rest = draft.refine(words)?;
    }
    let counts = request.modes != Modes::NONE;
    if counts { Ok(rest) } else { Err(first_event(text).error(Problem::Expected("a mode to count in"))) }
}

/// Was it no event's name after all, but the unit's?
fn is_behind_unit(rest: Piece) -> bool {
    matches!(rest.text, [b':', b':', ..])
}

/// The event that an optional `unit::` is followed by.
#[cold]
fn behind_unit<'t>(text: Piece<'t>, catalogue: &Catalogue) -> Result<(Found, Piece<'t>), Error> {
    let text = without_unit(text, catalogue)?;
    first_of(catalogue, text, is_behind_word).ok_or_else(|| unknown(catalogue, text.until(is_behind_word).0))
}

/// What is behind `unit::`, which must be this processor's.
fn without_unit<'t>(text: Piece<'t>, catalogue: &Catalogue) -> Result<Piece<'t>, Error> {
    let (unit, rest) = text.until(|byte| byte == b':' || is_between_events(byte));
    match rest.behind(|byte| byte == b':').and_then(|rest| rest.behind(|byte| byte == b':')) {
        Some(event) if unit.is(catalogue.unit) => Ok(event),
        Some(_) => Err(unit.error(Problem::OtherUnit)),
        None => Ok(text),
    }
}

/// A request that is being refined, word by word.
struct Draft<'a> {
    catalogue: &'a Catalogue,
    found: Found,
    request: &'a mut Request,
    /// The unit masks so far.
    chosen: Option<u64>,
    /// Were modes given?
    has_modes: bool,
}

impl Draft<'_> {
    /// Reads the word that the text begins with; what is left of the text is behind it.
    #[inline(never)]
    fn refine<'t>(&mut self, text: Piece<'t>) -> Result<Piece<'t>, Error> {
        let (name, behind) = text.until(|byte| byte == b'=' || is_behind_word(byte));
        let (value, rest) = match behind.behind(|byte| byte == b'=') {
            None => (None, behind),
            Some(value) => {
                let (value, rest) = value.until(is_behind_word);
                (Some(value), rest)
            }
        };
        match name.mask_of(self.found.masks()) {
            Some(mask) if value.is_none() && !self.found.is_generic() => self.choose(mask, name)?,
            _ => self.modify(name, value, text.up_to(rest))?,
        }
        Ok(rest)
    }

    /// The word is a modifier's name, and its value if it has one.
    fn modify(&mut self, name: Piece, value: Option<Piece>, word: Piece) -> Result<(), Error> {
        if word.text.is_empty() {
            return Err(word.error(Problem::Expected("a unit mask or a modifier")));
        }
        let modifier = self.catalogue.modifiers.iter().find(|modifier| name.is(modifier.name));
        match modifier.map(|modifier| (modifier, mode_of(modifier.effect))) {
            Some((modifier, Some(mode))) => self.count_in(mode, value_of(modifier, value, word)? != 0),
            _ if self.found.is_generic() => return Err(word.error(Problem::GenericTakesNone)),
            None => return Err(word.error(Problem::UnknownAttribute)),
            Some((modifier, None)) => {
                if self.found.own().is_some_and(|named| named.fixes(modifier.effect)) {
                    return Err(word.error(Problem::PartOfEvent));
                }
                if !modifier.effect.is_for(self.request.event) {
                    return Err(word.error(Problem::OtherEvents));
                }
                modifier.effect.refine(self.request, value_of(modifier, value, word)?, self.catalogue.mask);
            }
        }
        Ok(())
    }

    /// The first mode that is given is the first that it counts in.
    fn count_in(&mut self, mode: Modes, is_on: bool) {
        let others = if self.has_modes { self.request.modes } else { Modes::NONE };
        self.request.modes = others.set(mode, is_on);
        self.has_modes = true;
    }

    fn choose(&mut self, mask: u64, word: Piece) -> Result<(), Error> {
        let masks = self.found.masks();
        let together = match (self.chosen, masks.kind) {
            (None, _) => mask,
            (Some(others), MaskKind::Bitmask | MaskKind::Unlisted) => others | mask,
            (Some(_), _) => return Err(word.error(Problem::UnitMask)),
        };
        let fits = together <= self.catalogue.mask.largest && masks.allows(together);
        if !fits {
            return Err(word.error(Problem::UnitMask));
        }
        self.chosen = Some(together);
        if masks.kind != MaskKind::None {
            Effect::UnitMask.refine(self.request, together, self.catalogue.mask);
        }
        Ok(())
    }
}

/// What a modifier is set to, by what is behind its `=` if there is one.
#[inline]
fn value_of(modifier: &Attribute, value: Option<Piece>, word: Piece) -> Result<u64, Error> {
    match value {
        Some(value) => number_of(modifier, value),
        None if modifier.largest == 1 => Ok(1),
        None => Err(word.error_behind(Problem::Expected("= and a number"))),
    }
}

fn number_of(modifier: &Attribute, value: Piece) -> Result<u64, Error> {
    let number = match (value.text, modifier.largest) {
        (b"y" | b"Y", 1) => Some(1),
        (b"n" | b"N", 1) => Some(0),
        _ => value.number(),
    };
    let number = number.ok_or_else(|| value.error(Problem::Expected("a number")))?;
    let largest = modifier.largest;
    if number > largest { Err(value.error(Problem::OutOfRange { largest })) } else { Ok(number) }
}

const fn mode_of(effect: Effect) -> Option<Modes> {
    match effect {
        Effect::User => Some(Modes::USER),
        Effect::Kernel => Some(Modes::KERNEL),
        Effect::Hypervisor => Some(Modes::HYPERVISOR),
        _ => None,
    }
}

/// Requests in this notation; reading what it prints gives the same requests.
///
/// Unit masks come first, then the modifiers in the catalogue's order, modes always.
#[derive(Clone, Copy, Debug)]
pub struct Text<'a> {
    requests: &'a [Request],
    processor: Processor<'a>,
}

impl<'a> Text<'a> {
    /// The text of these requests.
    ///
    /// # Errors
    /// The first of them that the notation cannot say: it is pinned to a counter, has a one-shot
    /// period, or needs what the processor has no modifier for.
    pub fn of(requests: &'a [Request], processor: Processor<'a>) -> Result<Self, Inexpressible> {
        let text = Self { requests, processor };
        match requests.iter().position(|request| text.words(request).is_none()) {
            Some(request) => Err(Inexpressible { request }),
            None => Ok(text),
        }
    }

    fn words(&self, request: &Request) -> Option<Words<'a>> {
        let Catalogue { modifiers, .. } = *self.processor.catalogue;
        let can_say = modifiers.iter().filter_map(|modifier| mode_of(modifier.effect)).fold(Modes::NONE, Modes::and);
        let modes = if can_say == Modes::NONE { Modes::ALL } else { Modes::NONE };
        if request.modes == Modes::NONE {
            return None;
        }
        Words::of_masked(self.processor.catalogue, modifiers, request, |request| request.modes(modes))
    }

    fn mask(&self, f: &mut fmt::Formatter<'_>, words: &Words) -> fmt::Result {
        let (Some(mask), Spelling::Name { name, .. }) = (words.event.mask(), words.event) else { return Ok(()) };
        let masks = self.processor.catalogue.named(name).map_or(UnitMasks::UNLISTED, |named| named.masks);
        match masks.named.iter().find(|entry| entry.value == mask) {
            Some(entry) => write!(f, ":{}", entry.name),
            None => write!(f, ":{mask:#x}"),
        }
    }
}

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = self.processor.catalogue.unit;
        let all = self.requests.iter().filter_map(|request| self.words(request));
        for (number, words) in all.enumerate() {
            write!(f, "{}{unit}::{}", if number > 0 { "," } else { "" }, words.event)?;
            self.mask(f, &words)?;
            for (modifier, value) in words.given() {
                match (modifier.largest, modifier.effect) {
                    (1, _) => write!(f, ":{}", modifier.name)?,
                    (_, Effect::Auxiliary(_)) => write!(f, ":{}={value:#x}", modifier.name)?,
                    _ => write!(f, ":{}={value}", modifier.name)?,
                }
            }
        }
        Ok(())
    }
}
