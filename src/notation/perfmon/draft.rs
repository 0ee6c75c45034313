//! A request that is read in libpfm's notation: its event, and the words behind that.

use super::super::names::Found;
use super::super::scan::Piece;
use super::super::{Error, Problem};
use super::{is_behind_modifier, is_behind_word};
use crate::catalogue::{Attribute, Catalogue, Effect, MaskKind, NamedEvent, UnitMasks};
use crate::event::{Modes, Request};

/// A request that is being refined, word by word.
pub(super) struct Draft<'a> {
    catalogue: &'a Catalogue,
    pub(super) request: &'a mut Request,
    named: Option<&'static NamedEvent>,
    is_generic: bool,
    /// The unit masks so far.
    chosen: Option<u64>,
    /// Were modes given?
    has_modes: bool,
}

impl<'a> Draft<'a> {
    #[inline(always)]
    pub(super) fn of_named(catalogue: &'a Catalogue, request: &'a mut Request, named: &'static NamedEvent) -> Self {
        *request = catalogue.request(named);
        Self { catalogue, request, named: Some(named), is_generic: false, chosen: None, has_modes: false }
    }

    #[cold]
    pub(super) fn of(catalogue: &'a Catalogue, request: &'a mut Request, found: Found) -> Self {
        *request = found.request(catalogue);
        let (named, is_generic) = (found.own(), found.is_generic());
        Self { catalogue, request, named, is_generic, chosen: None, has_modes: false }
    }

    /// Reads the word that a text begins with; `rest` is what is behind it.
    #[inline(always)]
    pub(super) fn refine<'t>(&mut self, text: Piece<'t>, rest: &mut Piece<'t>) -> Result<(), Error> {
        let has_masks = self.named.is_some_and(|named| !named.masks.named.is_empty());
        if has_masks && let Some(done) = self.mask(text, rest) {
            return done;
        }
        let Some((modifier, behind)) =
            text.first_of(self.catalogue.modifiers, |modifier| modifier.name, is_behind_modifier)
        else {
            return self.number(text, rest);
        };
        match mode_of(modifier.effect) {
            Some(mode) if !behind.text.starts_with(b"=") => {
                *rest = behind;
                self.count_in(mode, true);
                Ok(())
            }
            _ => self.modify(modifier, text, rest),
        }
    }

    fn masks(&self) -> UnitMasks {
        self.named.map_or(UnitMasks::UNLISTED, |named| named.masks)
    }

    /// The text may begin with a unit mask's name.
    #[inline(never)]
    fn mask<'t>(&mut self, text: Piece<'t>, rest: &mut Piece<'t>) -> Option<Result<(), Error>> {
        let named = if self.is_generic { &[] } else { self.masks().named };
        let (mask, behind) = text.first_of(named, |mask| mask.name, is_behind_word)?;
        *rest = behind;
        Some(self.choose(mask.value, text.up_to(behind)))
    }

    /// The text begins with a modifier, and its value if it has one.
    #[inline(never)]
    fn modify<'t>(&mut self, modifier: &Attribute, text: Piece<'t>, rest: &mut Piece<'t>) -> Result<(), Error> {
        let mode = mode_of(modifier.effect);
        let behind = text.from(modifier.name.len());
        let value = behind.behind(|byte| byte == b'=');
        *rest = value.map_or(behind, |value| value.behind_all(|byte| !is_behind_word(byte)));
        let (value, word) = (value.map(|value| value.up_to(*rest)), text.up_to(*rest));
        if mode.is_none() {
            self.check(modifier, word)?;
        }
        let value = value_of(modifier, value, word)?;
        match mode {
            Some(mode) => self.count_in(mode, value != 0),
            None => modifier.effect.refine(self.request, value, self.catalogue.mask),
        }
        Ok(())
    }

    /// Can the event have this modifier, which is no mode?
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

    /// The text begins with a unit mask's number, or with what nothing is called.
    #[cold]
    fn number<'t>(&mut self, text: Piece<'t>, rest: &mut Piece<'t>) -> Result<(), Error> {
        let (name, behind) = text.until(is_behind_modifier);
        *rest = behind.until(is_behind_word).1;
        let word = text.up_to(*rest);
        match name.number() {
            Some(mask) if name == word && !self.is_generic => self.choose(mask, word),
            _ => Err(self.unknown(word)),
        }
    }

    /// What is wrong with a word that is no modifier.
    #[cold]
    fn unknown(&self, word: Piece) -> Error {
        word.error(match self.is_generic {
            _ if word.text.is_empty() => Problem::Expected("a unit mask or a modifier"),
            true => Problem::GenericTakesNone,
            false => Problem::UnknownAttribute,
        })
    }

    /// The first mode that is given is the first that it counts in.
    fn count_in(&mut self, mode: Modes, is_on: bool) {
        let others = if self.has_modes { self.request.modes } else { Modes::NONE };
        self.request.modes = others.set(mode, is_on);
        self.has_modes = true;
    }

    fn choose(&mut self, mask: u64, word: Piece) -> Result<(), Error> {
        let masks = self.masks();
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

pub(super) const fn mode_of(effect: Effect) -> Option<Modes> {
    match effect {
        Effect::User => Some(Modes::USER),
        Effect::Kernel => Some(Modes::KERNEL),
        Effect::Hypervisor => Some(Modes::HYPERVISOR),
        _ => None,
    }
}
