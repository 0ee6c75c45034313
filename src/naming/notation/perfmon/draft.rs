//! A request in libpfm's notation while it is parsed: its event, and the words that follow.

use super::super::names::{Found, is_no_code};
use super::super::scan::Piece;
use super::super::{Error, Problem};
use super::{ends_modifier, ends_word};
use crate::event::catalogue::{
    Attribute, Catalogue, Effect, EventName, MaskKind, MaskNames, NamedEvent, Text, UnitMask, UnitMasks,
};
use crate::event::{Modes, Request};

/// A request that is refined word by word.
pub(super) struct Draft<'a> {
    catalogue: &'static Catalogue,
    pub(super) request: &'a mut Request,
    named: Option<NamedEvent>,
    is_generic: bool,
    /// The unit masks that were given so far, with the default where they decide nothing.
    chosen: Option<u64>,
    /// The bits that they decide.
    decided: u64,
    /// Whether modes were given.
    has_modes: bool,
}

impl<'a> Draft<'a> {
    #[inline(always)]
    pub(super) fn of_named(catalogue: &'static Catalogue, request: &'a mut Request, named: NamedEvent) -> Self {
        *request = catalogue.request(named);
        Self { catalogue, request, named: Some(named), is_generic: false, chosen: None, decided: 0, has_modes: false }
    }

    #[cold]
    pub(super) fn of(catalogue: &'static Catalogue, request: &'a mut Request, found: Found) -> Self {
        *request = found.request(catalogue);
        let (named, is_generic) = (found.own(), found.is_generic());
        Self { catalogue, request, named, is_generic, chosen: None, decided: 0, has_modes: false }
    }

    /// Parses the first word of a text. Sets `rest` to what follows it.
    #[inline(always)]
    pub(super) fn refine<'t>(&mut self, text: Piece<'t>, rest: &mut Piece<'t>) -> Result<(), Error> {
        let has_masks = self.named.is_some_and(|named| !named.masks.named.is_empty());
        if has_masks && let Some(done) = self.mask(text, rest) {
            return done;
        }
        let Some((modifier, after)) =
            text.first_of(self.catalogue.modifiers.iter(), |modifier| modifier.name, ends_modifier)
        else {
            return self.number(text, rest);
        };
        match mode_of(modifier.effect) {
            Some(mode) if !after.text.starts_with(b"=") => {
                *rest = after;
                self.count_in(mode, true);
                Ok(())
            }
            _ => self.modify(modifier, text, rest),
        }
    }

    /// Returns true if the event has no default unit mask, and none was given.
    pub(super) fn lacks_mask(&self) -> bool {
        let has_default = |named: NamedEvent| named.masks.named.is_empty() || named.masks.allows(named.masks.default);
        !self.is_generic && self.chosen.is_none() && !self.named.is_none_or(has_default)
    }

    /// Returns true if there is a mode to count in.
    pub(super) fn counts(&self) -> bool {
        self.request.modes != Modes::NONE || self.catalogue.counts_in_own_mode(self.request)
    }

    fn masks(&self) -> UnitMasks {
        self.named.map_or(UnitMasks::UNLISTED, |named| named.masks)
    }

    /// Parses the name of a unit mask, if the text begins with one.
    #[inline(never)]
    fn mask<'t>(&mut self, text: Piece<'t>, rest: &mut Piece<'t>) -> Option<Result<(), Error>> {
        let masks = self.masks();
        let named = if self.is_generic { MaskNames::NONE } else { masks.named };
        let found = text.first_of(named.iter(), |mask| mask.name, ends_word);
        let (mask, after) = found.or_else(|| all_of(masks, text))?;
        *rest = after;
        Some(self.choose(mask.value, mask.field, text.up_to(after)))
    }

    /// Parses a modifier, which the text begins with, and its value if it has one.
    #[inline(never)]
    fn modify<'t>(&mut self, modifier: &Attribute, text: Piece<'t>, rest: &mut Piece<'t>) -> Result<(), Error> {
        let mode = mode_of(modifier.effect);
        let after = text.from(modifier.name.len());
        let value = after.strip_first(|byte| byte == b'=');
        *rest = value.map_or(after, |value| value.trim_start(|byte| !ends_word(byte)));
        let (value, word) = (value.map(|value| value.up_to(*rest)), text.up_to(*rest));
        let value = value_of(modifier, value, word)?;
        if matches!(modifier.effect, Effect::OwnMode(_)) {
            self.count_in(Modes::NONE, value != 0);
        }
        match mode {
            Some(mode) => self.count_in(mode, value != 0),
            None if modifier.effect.value_in(self.request, 0).unwrap_or(0) == value => {}
            None => {
                self.check(modifier, word)?;
                modifier.effect.refine(self.request, value, self.catalogue.mask);
            }
        }
        Ok(())
    }

    /// Checks that the event can have this modifier, which is not a mode, with another value than it has.
    fn check(&self, modifier: &Attribute, word: Piece) -> Result<(), Error> {
        let problem = if self.is_generic {
            Problem::GenericTakesNone
        } else if self.named.is_some_and(|named| named.fixes(modifier.effect)) {
            Problem::PartOfEvent
        } else if !modifier.effect.is_for(self.request.event) {
            Problem::OtherEvents
        } else {
            return Ok(());
        };
        Err(word.error(problem))
    }

    /// Parses the number of a unit mask, or returns an error about the word.
    #[cold]
    fn number<'t>(&mut self, text: Piece<'t>, rest: &mut Piece<'t>) -> Result<(), Error> {
        let (name, after) = text.until(ends_modifier);
        *rest = after.until(ends_word).1;
        let word = text.up_to(*rest);
        match name.number().filter(|_| matches!(name.text, [b'0', b'x' | b'X', ..])) {
            Some(mask) if name == word && !self.is_generic => self.choose(mask, u64::MAX, word),
            _ if is_off(word) || self.count_in_each(word) => Ok(()),
            _ => Err(self.unknown(word)),
        }
    }

    /// Counts in several modes that one word of perf's names, each by a letter. Returns false if it names something else.
    fn count_in_each(&mut self, word: Piece) -> bool {
        let mode = |letter: &u8| {
            let its = |modifier: &&Attribute| modifier.name.as_bytes() == [letter.to_ascii_lowercase()];
            self.catalogue.modifiers.iter().find(its).and_then(|modifier| mode_of(modifier.effect))
        };
        let modes = word.text.iter().try_fold(Modes::NONE, |modes, letter| Some(modes.set(mode(letter)?, true)));
        let Some(modes) = modes.filter(|modes| *modes != Modes::NONE) else { return false };
        self.count_in(modes, true);
        true
    }

    /// Returns what is wrong with a word that is not a modifier.
    #[cold]
    fn unknown(&self, word: Piece) -> Error {
        if word.text.is_empty() {
            return word.error(Problem::Expected("a unit mask or a modifier"));
        }
        if word.text.iter().all(|letter| *letter == b'p') {
            return word.error(Problem::Expected("a modifier that is no request for precise samples"));
        }
        if self.is_generic {
            return word.error(Problem::GenericTakesNone);
        }
        if self.is_another_mask(word) {
            return word.error(Problem::SecondUnitMask);
        }
        let masks = self.named.map_or(MaskNames::NONE, |named| named.masks.named).iter().map(|mask| mask.name);
        let names = masks.chain(self.catalogue.modifiers.iter().map(|modifier| modifier.name));
        word.error(Problem::UnknownAttribute).near(EventName::nearest(word.text, names.map(EventName::new)))
    }

    /// Returns true if the event has a unit mask in its name, and another event has this one.
    fn is_another_mask(&self, word: Piece) -> bool {
        let name = self.named.map(|named| named.name.text());
        let event = name.as_ref().and_then(|name| name.as_bytes().split(|byte| *byte == b'.').next());
        event.is_some_and(|event| {
            let other = Text::joined(event, word.text);
            self.catalogue.named_by(other.as_bytes()).or_else(|| self.catalogue.libpfm_by(other.as_bytes())).is_some()
        })
    }

    /// Counts in this mode or not. The first mode that is given replaces the default.
    fn count_in(&mut self, mode: Modes, is_on: bool) {
        let others = if self.has_modes { self.request.modes } else { Modes::NONE };
        self.request.modes = others.set(mode, is_on);
        self.has_modes = true;
    }

    /// Takes a unit mask, which decides the bits of its field.
    fn choose(&mut self, mask: u64, field: u64, word: Piece) -> Result<(), Error> {
        let masks = self.masks();
        let before = match (self.chosen, masks.kind) {
            (None, _) => masks.default,
            (Some(others), MaskKind::Bitmask | MaskKind::Unlisted) => others,
            (Some(others), MaskKind::Exclusive) if self.decided & field == 0 => others,
            (Some(_), _) => return Err(word.error(Problem::SecondUnitMask)),
        };
        let others = if self.decided & field == 0 { before & !field } else { before };
        let together = others | mask & field;
        self.decided |= field;
        let fits = together <= self.catalogue.mask.largest && masks.allows(together);
        if !fits {
            return Err(word.error(Problem::UnitMask));
        }
        self.chosen = Some(together);
        if masks.kind != MaskKind::None {
            Effect::UnitMask.refine(self.request, together, self.catalogue.mask);
            if is_no_code(self.catalogue, self.request) {
                return Err(word.error(Problem::UnitMask));
            }
        }
        Ok(())
    }
}

/// Parses libpfm's word for all unit masks together, where no list has it.
#[cold]
fn all_of(masks: UnitMasks, text: Piece<'_>) -> Option<(UnitMask, Piece<'_>)> {
    let (word, after) = text.until(ends_word);
    let all = masks.named.iter().fold(0, |all, mask| all | mask.value);
    (word.is("ALL") && masks.kind == MaskKind::Bitmask)
        .then_some((UnitMask { name: "ALL", value: all, field: u64::MAX }, after))
}

/// Modifiers that libpfm prints with every event of some unit.
const PRINTED: &[&str] = &["c", "e", "fe_thres", "g", "h", "i", "intx", "intxcp", "k", "t", "u"];

/// Returns true if a word says that a modifier which this unit does not have is off.
#[cold]
fn is_off(word: Piece) -> bool {
    word.split_once(b'=').is_some_and(|(name, value)| value.text == b"0" && PRINTED.iter().any(|known| name.is(known)))
}

/// Returns the value of a modifier: the one after its `=`, or its default.
#[inline]
fn value_of(modifier: &Attribute, value: Option<Piece>, word: Piece) -> Result<u64, Error> {
    match value {
        Some(value) => number_of(modifier, value),
        None if modifier.largest == 1 => Ok(1),
        None => Err(word.error_after(Problem::Expected("= and a number"))),
    }
}

fn number_of(modifier: &Attribute, value: Piece) -> Result<u64, Error> {
    let number = match (value.text, modifier.largest) {
        (b"y" | b"Y", 1) => Some(1),
        (b"n" | b"N", 1) => Some(0),
        _ => value.number(),
    };
    let largest = modifier.largest;
    let number = number.ok_or_else(|| value.no_number(largest))?;
    if number > largest { Err(value.error(Problem::OutOfRange { largest })) } else { Ok(number) }
}

pub(super) const fn mode_of(effect: Effect) -> Option<Modes> {
    match effect {
        Effect::User => Some(Modes::USER),
        Effect::Kernel => Some(Modes::KERNEL),
        Effect::Hypervisor => Some(Modes::HYPERVISOR),
        _ => None,
    }
}
