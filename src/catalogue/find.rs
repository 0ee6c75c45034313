//! From a name to an event, and from a request back to the event that says the most of it.

use super::{Catalogue, GenericEvent, NamedEvent, Preset, order};
use crate::event::{Event, Request};

impl Catalogue {
    /// The event with this name, upper and lower case alike.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<&'static NamedEvent> {
        self.named_by(name.as_bytes())
    }

    /// The generic event with this PAPI name, upper and lower case alike.
    #[must_use]
    pub fn generic(&self, name: &str) -> Option<&'static GenericEvent> {
        self.generic_by(name.as_bytes())
    }

    pub(crate) fn named_by(&self, name: &[u8]) -> Option<&'static NamedEvent> {
        order::find(self.events, |event| event.name, name)
    }

    pub(crate) fn generic_by(&self, name: &[u8]) -> Option<&'static GenericEvent> {
        order::find(self.generic, |event| event.name, name)
    }

    pub(super) fn preset_by(&self, name: &[u8]) -> Option<&'static Preset> {
        order::find(self.presets, |preset| preset.name, name)
    }

    /// The event with the longest name that a text begins with, up to the end of a word.
    #[inline(always)]
    pub(crate) fn named_longest(
        &self,
        text: &[u8],
        is_behind_word: impl Fn(u8) -> bool,
    ) -> Option<&'static NamedEvent> {
        order::find_longest(self.events, |event| event.name, text, is_behind_word)
    }

    /// The generic event with the longest such name.
    pub(crate) fn generic_longest(
        &self,
        text: &[u8],
        is_behind_word: impl Fn(u8) -> bool,
    ) -> Option<&'static GenericEvent> {
        order::find_longest(self.generic, |event| event.name, text, is_behind_word)
    }

    /// The event that a code belongs to by itself, and the unit mask that is chosen of it: the one with
    /// just this code, or else the one that has such a mask.
    #[must_use]
    pub fn of_code(&self, code: u64) -> Option<(&'static NamedEvent, u64)> {
        self.best_of(code, |named| named.attributes() == 0)
    }

    /// The event that says the most of a request, and the unit mask that is chosen of it.
    #[must_use]
    pub fn of_request(&self, request: &Request) -> Option<(&'static NamedEvent, u64)> {
        match request.event {
            Event::Raw { code, .. } => self.best_of(code, |named| named.is_part_of(request)),
            Event::Generic(_) => None,
        }
    }

    /// The first of the events with this code that says the most.
    fn best_of(&self, code: u64, fits: impl Fn(&NamedEvent) -> bool) -> Option<(&'static NamedEvent, u64)> {
        let but_the_mask = self.mask.put(u64::MAX, 0);
        let mut best: Option<(&NamedEvent, Chosen)> = None;
        for named in self.events {
            if (named.code ^ code) & but_the_mask != 0 || !fits(named) {
                continue;
            }
            let Some(next) = self.chosen(named, code) else { continue };
            if best.as_ref().is_none_or(|(_, best)| next.worth() > best.worth()) {
                best = Some((named, next));
            }
        }
        best.map(|(named, chosen)| (named, chosen.mask))
    }

    /// How the event makes the code, if it does.
    fn chosen(&self, named: &NamedEvent, code: u64) -> Option<Chosen> {
        let mask = self.mask.of(code);
        let is_exact = named.code == code && named.masks.allows(0);
        let is_masked = self.mask.of(named.code) == 0 && named.masks.allows(mask);
        let attributes = named.attributes();
        (is_exact || is_masked).then_some(Chosen { attributes, is_exact, mask: if is_exact { 0 } else { mask } })
    }
}

/// How an event makes a code.
struct Chosen {
    attributes: u32,
    is_exact: bool,
    mask: u64,
}

impl Chosen {
    /// The more, the more it says.
    const fn worth(&self) -> (u32, bool) {
        (self.attributes, self.is_exact)
    }
}
