//! Looks up an event by its name, and the event that describes a request best.

use super::{Attribute, Catalogue, Effect, Events, GenericEvent, NamedEvent, OtherName, Text, order};
use crate::event::{Event, Flags, Request};

impl Catalogue {
    /// Looks up an event by its name. Case does not matter.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<NamedEvent> {
        self.named_by(name.as_bytes())
    }

    /// Looks up a generic event by its PAPI name. Case does not matter.
    #[must_use]
    pub fn generic(&self, name: &str) -> Option<&'static GenericEvent> {
        self.generic_by(name.as_bytes())
    }

    pub(crate) fn named_by(&self, name: &[u8]) -> Option<NamedEvent> {
        self.events.find(name)
    }

    pub(crate) fn generic_by(&self, name: &[u8]) -> Option<&'static GenericEvent> {
        self.generic.get(order::find(self.generic, |event| event.name, name)?)
    }

    /// Looks up the event with the longest name that a text begins with, up to the end of a word. Returns the length of
    /// the name too.
    #[inline(always)]
    pub(crate) fn named_longest(&self, text: &[u8], ends_word: impl Fn(u8) -> bool) -> Option<(NamedEvent, usize)> {
        self.events.find_longest(text, ends_word)
    }

    /// Looks up an event by libpfm's name.
    #[cold]
    pub(crate) fn libpfm_by(&self, name: &[u8]) -> Option<NamedEvent> {
        self.libpfm.find(name)
    }

    /// Looks up libpfm's event with the longest name that a text begins with, up to the end of a word. Returns the length of
    /// the name too.
    #[cold]
    pub(crate) fn libpfm_longest(&self, text: &[u8], ends_word: impl Fn(u8) -> bool) -> Option<(NamedEvent, usize)> {
        self.libpfm.find_longest(text, ends_word)
    }

    /// Looks up the event with the longest name that a text begins with, up to the end of a word, if the text has another
    /// first word for it. Returns the length of what the text has too.
    #[cold]
    pub(crate) fn renamed_longest(&self, text: &[u8], ends_word: impl Fn(u8) -> bool) -> Option<(NamedEvent, usize)> {
        let mut words = self.first_words.iter();
        let (own, typed, rest) = words.find_map(|(typed, own)| {
            let (first, rest) = text.split_at_checked(typed.len())?;
            let rest = rest.strip_prefix(b".").or_else(|| rest.strip_prefix(b":"))?;
            first.eq_ignore_ascii_case(typed.as_bytes()).then_some((own, typed, rest))
        })?;
        let (named, length) = self.events.find_longest(Text::joined(own.as_bytes(), rest).as_bytes(), ends_word)?;
        Some((named, length - own.len() + typed.len()))
    }

    /// Looks up the event whose name has the letters and digits of these words, whatever separates them and whatever their
    /// case: `l1d_replacement` is L1D.REPLACEMENT. Returns `None` if several events have such names, as POWER6's PM_FPU_1FLOP
    /// and PM_FPU1_FLOP.
    #[cold]
    pub(crate) fn alike(&self, words: &[&[u8]]) -> Option<NamedEvent> {
        let is_meant = |named: &NamedEvent| letters(&[named.name.text().as_bytes()]).eq(letters(words));
        let meaning = |named: NamedEvent| (self.event(named), named.flags, named.threshold);
        let mut meant = self.events.iter().chain(self.libpfm).filter(is_meant);
        let first = meant.next()?;
        meant.all(|other| meaning(other) == meaning(first)).then_some(first)
    }

    /// Looks up another name with the same letters and digits.
    #[cold]
    pub(crate) fn other_alike(&self, word: &[u8]) -> Option<&'static OtherName> {
        self.other_names.iter().find(|other| letters(&[other.name.as_bytes()]).eq(letters(&[word])))
    }

    /// Looks up the code that the events with this first word share but for their unit masks, which are parts of their names:
    /// `LsDispatch` is that of ls_dispatch.ld_dispatch and ls_dispatch.store_dispatch.
    #[cold]
    pub(crate) fn of_first_word(&self, word: &[u8]) -> Option<u64> {
        let has_it = |named: &NamedEvent| {
            let name = named.name.text();
            let first = name.split_once('.').map(|(first, _)| first);
            first.is_some_and(|first| letters(&[first.as_bytes()]).eq(letters(&[word])))
        };
        let mut codes = self.events.iter().filter(has_it).map(|named| self.mask.put(named.code, 0));
        let first = codes.next()?;
        codes.all(|code| code == first).then_some(first)
    }

    /// Looks up the event whose first word is this and that has this unit mask, and nothing else beside its code. That of a
    /// fixed counter is a mask alone. Several are good if they are the same.
    #[cold]
    pub(crate) fn with_number(&self, first_word: &[u8], mask: u64) -> Option<NamedEvent> {
        let is_meant = |named: &NamedEvent| {
            let name = named.name.text();
            let first = name.split('.').next().unwrap_or_default();
            let is_first = letters(&[first.as_bytes()]).eq(letters(&[first_word]));
            let is_plain = named.flags == Flags::NONE && named.threshold == 0 && named.auxiliary == 0;
            let is_code = is_plain && self.mask.put(named.code, 0) != 0;
            is_first && is_code && self.mask.of(named.code) == mask
        };
        let mut meant = self.events.iter().chain(self.libpfm).filter(is_meant);
        let first = meant.next()?;
        meant.all(|other| other.code == first.code).then_some(first)
    }

    /// Looks up the generic event with the longest name that a text begins with, up to the end of a word.
    pub(crate) fn generic_longest(&self, text: &[u8], ends_word: impl Fn(u8) -> bool) -> Option<&'static GenericEvent> {
        self.generic.get(order::find_longest(self.generic, |event| event.name, text, ends_word)?)
    }

    /// Looks up the event that has this code without flags, threshold or auxiliary value. Returns the event and
    /// the chosen unit mask. An event with exactly this code comes before one that has this unit mask.
    #[must_use]
    pub fn of_code(&self, code: u64) -> Option<(NamedEvent, u64)> {
        self.best_of(self.events, code, |named| named.attributes() == 0)
    }

    /// Looks up the event that describes most of a request. Returns the event and the chosen unit mask.
    #[must_use]
    pub fn of_request(&self, request: &Request) -> Option<(NamedEvent, u64)> {
        self.of_request_in(self.events, request)
    }

    /// Looks up which of these events describes most of a request.
    pub(crate) fn of_request_in(&self, events: Events, request: &Request) -> Option<(NamedEvent, u64)> {
        match request.event {
            Event::Raw { code, auxiliary } => {
                let modes = if auxiliary == 0 { 0 } else { self.own_modes() };
                self.best_of(events, code, |named| named.is_part_of(request, modes))
            }
            Event::Generic(_) => None,
        }
    }

    /// Returns true if a request counts in a mode that only this processor has.
    #[cold]
    pub(crate) fn counts_in_own_mode(&self, request: &Request) -> bool {
        request.event.auxiliary() & self.own_modes() != 0
    }

    /// Returns the modifier for a mode that only this processor has, if these bits of an auxiliary value are that mode.
    pub(crate) fn own_mode(&self, bits: u64) -> Option<&'static Attribute> {
        self.modifiers.iter().find(|modifier| modifier.effect == Effect::OwnMode(bits))
    }

    /// Returns the bits of an auxiliary value that are modes.
    fn own_modes(&self) -> u64 {
        self.modifiers.iter().fold(0, |bits, modifier| match modifier.effect {
            Effect::OwnMode(own) => bits | own,
            _ => bits,
        })
    }

    /// Returns the first of the events with this code that describe most.
    fn best_of(&self, events: Events, code: u64, fits: impl Fn(&NamedEvent) -> bool) -> Option<(NamedEvent, u64)> {
        let but_the_mask = self.mask.put(u64::MAX, 0);
        let mut best: Option<(NamedEvent, Chosen)> = None;
        for named in events.with_code(code, but_the_mask).filter(fits) {
            let Some(next) = self.chosen(&named, code) else { continue };
            if best.as_ref().is_none_or(|(_, best)| next.worth() > best.worth()) {
                best = Some((named, next));
            }
        }
        best.map(|(named, chosen)| (named, chosen.mask))
    }

    /// Returns how the event makes the code, or `None` if it does not.
    fn chosen(&self, named: &NamedEvent, code: u64) -> Option<Chosen> {
        let mask = self.mask.of(code);
        let is_exact = named.code == code && named.masks.allows(0);
        let is_masked = self.mask.of(named.code) == 0 && named.masks.allows(mask);
        let attributes = named.attributes();
        (is_exact || is_masked).then_some(Chosen { attributes, is_exact, mask: if is_exact { 0 } else { mask } })
    }
}

/// Returns the letters and digits of these words, in upper case.
fn letters<'w>(words: &'w [&'w [u8]]) -> impl Iterator<Item = u8> + 'w {
    let bytes = words.iter().flat_map(|word| word.iter());
    bytes.filter(|byte| !b"_.:-".contains(byte)).map(u8::to_ascii_uppercase)
}

/// How an event makes a code.
struct Chosen {
    attributes: u32,
    is_exact: bool,
    mask: u64,
}

impl Chosen {
    /// Returns how much the event describes. More is better.
    const fn worth(&self) -> (u32, bool) {
        (self.attributes, self.is_exact)
    }
}
