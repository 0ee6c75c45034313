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

pub(super) fn read<const N: usize>(text: Piece, processor: Processor) -> Result<Set<N>, Error> {
    let mut set = Set::new();
    for piece in text.split(is_between_events).filter(|piece| !piece.text.is_empty()) {
        let request = event(piece, processor.catalogue)?;
        set.add(request).map_err(|_| piece.error(Problem::TooMany { room: N }))?;
    }
    if set.is_empty() { Err(text.error(Problem::Expected("an event"))) } else { Ok(set) }
}

const fn is_between_events(byte: u8) -> bool {
    matches!(byte, b',' | b' ' | b'\t' | b'\n')
}

const fn is_between_words(byte: u8) -> bool {
    matches!(byte, b':' | b'.')
}

fn event(piece: Piece, catalogue: &Catalogue) -> Result<Request, Error> {
    let (found, mut rest) = match first_of(catalogue, piece).filter(|(_, rest)| !is_behind_unit(*rest)) {
        Some(first) => first,
        None => behind_unit(piece, catalogue)?,
    };
    let mut draft = Draft::of(found, catalogue);
    while let Some(words) = rest {
        let word;
        (word, rest) = words.cut(is_between_words);
        draft.refine(word)?;
    }
    let counts = draft.request.modes != Modes::NONE;
    if counts { Ok(draft.request) } else { Err(piece.error(Problem::Expected("a mode to count in"))) }
}

/// Was it no event's name after all, but the unit's?
fn is_behind_unit(rest: Option<Piece>) -> bool {
    rest.is_some_and(|rest| rest.text.first() == Some(&b':'))
}

/// The event that an optional `unit::` is followed by.
#[cold]
fn behind_unit<'t>(piece: Piece<'t>, catalogue: &Catalogue) -> Result<(Found, Option<Piece<'t>>), Error> {
    let piece = without_unit(piece, catalogue)?;
    first_of(catalogue, piece).ok_or_else(|| unknown(catalogue, piece.cut(is_between_words).0))
}

/// What is behind `unit::`, which must be this processor's.
fn without_unit<'t>(piece: Piece<'t>, catalogue: &Catalogue) -> Result<Piece<'t>, Error> {
    let Some((unit, rest)) = piece.split_once(b':') else { return Ok(piece) };
    match rest.split_once(b':') {
        Some((between, event)) if between.text.is_empty() => {
            if unit.is(catalogue.unit) {
                Ok(event)
            } else {
                Err(unit.error(Problem::OtherUnit))
            }
        }
        _ => Ok(piece),
    }
}

/// A request that is being refined, word by word.
struct Draft<'a> {
    catalogue: &'a Catalogue,
    found: Found,
    request: Request,
    /// The unit masks so far.
    chosen: Option<u64>,
    /// Were modes given?
    has_modes: bool,
}

impl<'a> Draft<'a> {
    fn of(found: Found, catalogue: &'a Catalogue) -> Self {
        Self { catalogue, found, request: found.request(catalogue), chosen: None, has_modes: false }
    }

    fn refine(&mut self, word: Piece) -> Result<(), Error> {
        if word.text.is_empty() {
            return Err(word.error(Problem::Expected("a unit mask or a modifier")));
        }
        if !self.found.is_generic()
            && let Some(mask) = word.mask_of(self.found.masks())
        {
            return self.choose(mask, word);
        }
        self.modify(word)
    }

    fn modify(&mut self, word: Piece) -> Result<(), Error> {
        let (name, value) = word.split_once(b'=').map_or((word, None), |(name, value)| (name, Some(value)));
        let modifier = self.catalogue.modifiers.iter().find(|modifier| name.is(modifier.name));
        let is_mode = modifier.is_some_and(|modifier| mode_of(modifier.effect).is_some());
        if self.found.is_generic() && !is_mode {
            return Err(word.error(Problem::GenericTakesNone));
        }
        let modifier = modifier.ok_or_else(|| word.error(Problem::UnknownAttribute))?;
        if self.found.own().is_some_and(|named| named.fixes(modifier.effect)) {
            return Err(word.error(Problem::PartOfEvent));
        }
        let value = value_of(modifier, value, word)?;
        if is_mode && !self.has_modes {
            self.request.modes = Modes::NONE;
            self.has_modes = true;
        }
        self.request = modifier.effect.apply(self.request, value, self.catalogue.mask);
        Ok(())
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
            self.request = Effect::UnitMask.apply(self.request, together, self.catalogue.mask);
        }
        Ok(())
    }
}

/// What a modifier is set to, by what is behind its `=` if there is one.
fn value_of(modifier: &Attribute, value: Option<Piece>, word: Piece) -> Result<u64, Error> {
    let Some(value) = value else {
        let is_switch = modifier.largest == 1;
        return if is_switch { Ok(1) } else { Err(word.error_behind(Problem::Expected("= and a number"))) };
    };
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
                match modifier.largest {
                    1 => write!(f, ":{}", modifier.name)?,
                    _ => write!(f, ":{}={value}", modifier.name)?,
                }
            }
        }
        Ok(())
    }
}
