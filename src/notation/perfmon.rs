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

use super::names::{Spelling, Words, event_of};
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
    let mut set = Set::new();
    for piece in Piece::whole(text).split(is_between_events).filter(|piece| !piece.text.is_empty()) {
        let request = event(piece, processor)?;
        set.add(request).map_err(|_| piece.error(Problem::TooMany { room: N }))?;
    }
    if set.is_empty() { Err(Piece::whole(text).error(Problem::Expected("an event"))) } else { Ok(set) }
}

const fn is_between_events(char: char) -> bool {
    matches!(char, ',' | ' ' | '\t' | '\n')
}

const fn is_between_words(char: char) -> bool {
    matches!(char, ':' | '.')
}

fn event(piece: Piece, processor: Processor) -> Result<Request, Error> {
    let catalogue = processor.catalogue;
    let piece = without_unit(piece, catalogue)?;
    let (name, rest) = split_name(piece, catalogue)
        .ok_or_else(|| piece.split(is_between_words).next().unwrap_or(piece).error(Problem::UnknownEvent))?;
    let found = event_of(catalogue, name).ok_or(name.error(Problem::UnknownEvent))?;
    let masks = catalogue.named(name.text).map_or(UnitMasks::UNLISTED, |named| named.masks);
    let mut draft = Draft { catalogue, request: Request::new(found.event), masks, chosen: None, has_modes: false };
    let words = rest.into_iter().flat_map(|rest| rest.split(is_between_words));
    for word in words {
        if found.is_generic && draft.modifier(word).is_none_or(|modifier| mode_of(modifier.effect).is_none()) {
            return Err(word.error(Problem::GenericTakesNone));
        }
        draft.refine(word)?;
    }
    Ok(draft.request)
}

/// What is behind `unit::`, which must be this processor's.
fn without_unit<'t>(piece: Piece<'t>, catalogue: &Catalogue) -> Result<Piece<'t>, Error> {
    let Some((unit, rest)) = piece.split_once(':') else { return Ok(piece) };
    match rest.split_once(':') {
        Some((between, event)) if between.text.is_empty() => {
            let is_ours = unit.text.eq_ignore_ascii_case(catalogue.unit);
            if is_ours { Ok(event) } else { Err(unit.error(Problem::OtherUnit)) }
        }
        _ => Ok(piece),
    }
}

/// The longest beginning that is an event's name, and what is behind it.
fn split_name<'t>(piece: Piece<'t>, catalogue: &Catalogue) -> Option<(Piece<'t>, Option<Piece<'t>>)> {
    if event_of(catalogue, piece).is_some() {
        return Some((piece, None));
    }
    let ends = piece.text.char_indices().rev().filter(|&(_, char)| is_between_words(char));
    let mut split = ends.filter_map(|(at, _)| piece.split_at(at));
    split.find(|(name, _)| event_of(catalogue, *name).is_some()).map(|(name, rest)| (name, Some(rest)))
}

/// A request that is being refined, word by word.
struct Draft<'a> {
    catalogue: &'a Catalogue,
    request: Request,
    masks: UnitMasks,
    /// The unit masks so far.
    chosen: Option<u64>,
    /// Were modes given?
    has_modes: bool,
}

impl Draft<'_> {
    fn modifier(&self, word: Piece) -> Option<&'static Attribute> {
        let name = word.split_once('=').map_or(word, |(name, _)| name);
        self.catalogue.modifiers.iter().find(|modifier| modifier.name.eq_ignore_ascii_case(name.text))
    }

    fn refine(&mut self, word: Piece) -> Result<(), Error> {
        if word.text.is_empty() {
            return Err(word.error(Problem::Expected("a unit mask or a modifier")));
        }
        if let Some(mask) = self.masks.value_of(word.text).or_else(|| word.number()) {
            return self.choose(mask, word);
        }
        let modifier = self.modifier(word).ok_or(word.error(Problem::UnknownAttribute))?;
        let value = value(modifier, word)?;
        if mode_of(modifier.effect).is_some() && !self.has_modes {
            self.request.modes = Modes::NONE;
            self.has_modes = true;
        }
        self.request = modifier.effect.apply(self.request, value, self.catalogue.mask);
        Ok(())
    }

    fn choose(&mut self, mask: u64, word: Piece) -> Result<(), Error> {
        let together = match (self.chosen, self.masks.kind) {
            (None, _) => mask,
            (Some(others), MaskKind::Bitmask | MaskKind::Unlisted) => others | mask,
            (Some(_), _) => return Err(word.error(Problem::UnitMask)),
        };
        let fits = together <= self.catalogue.mask.largest && self.masks.allows(together);
        if !fits {
            return Err(word.error(Problem::UnitMask));
        }
        self.chosen = Some(together);
        if self.masks.kind != MaskKind::None {
            self.request = Effect::UnitMask.apply(self.request, together, self.catalogue.mask);
        }
        Ok(())
    }
}

fn value(modifier: &Attribute, word: Piece) -> Result<u64, Error> {
    let Some((_, value)) = word.split_once('=') else {
        let is_switch = modifier.largest == 1;
        return if is_switch { Ok(1) } else { Err(word.error_behind(Problem::Expected("= and a number"))) };
    };
    let number = match (value.text, modifier.largest) {
        ("y" | "Y", 1) => Some(1),
        ("n" | "N", 1) => Some(0),
        _ => value.number(),
    };
    let number = number.ok_or(value.error(Problem::Expected("a number")))?;
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
        Words::of_masked(self.processor.catalogue, modifiers, request, |event| Request::new(event).modes(modes))
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
