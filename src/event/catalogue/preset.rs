//! Generic events that are made of a processor's own: another name for one of them, or several whose counts are
//! added, subtracted or multiplied.
//!
//! A processor's presets are lines of text: a name, and the terms in the words of libpfm's notation.
//!
//! ```text
//! papi_br_prc BR_INST_RETIRED.COND - BR_MISP_RETIRED.COND
//! papi_dp_ops FP_ARITH.SCALAR_DOUBLE + 2 FP_ARITH.128B_PACKED_DOUBLE
//! ```
//! A look-up reads them line by line. Other names are looked up first, so only who asks for a preset waits for that.

use core::iter;

use super::{Catalogue, Events, NamedEvent};
use crate::event::Request;

/// The presets of a processor: the lines of a text, sorted by name.
#[derive(Clone, Copy, Debug)]
pub struct Presets(&'static str);

/// A generic event, with the events that it is made of.
///
/// ```
/// use pmu::text::catalogue::Preset;
///
/// let predicted = Preset::new("papi_br_prc BRANCHES - MISPREDICTED").unwrap();
/// assert_eq!(predicted.value(&[100, 7]), Some(93));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Preset {
    /// Its PAPI name in lower case: `papi_br_prc`.
    pub name: &'static str,
    terms: &'static str,
}

/// One of the events that make up a preset.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PresetTerm {
    /// What the event's count is multiplied by before it is added; negative if it is subtracted.
    pub factor: i64,
    /// The event, as libpfm's users write it, or the name of another generic event.
    pub event: &'static str,
}

impl Presets {
    /// No presets.
    pub const NONE: Self = Self("");

    /// Returns the presets of a text.
    #[must_use]
    pub const fn of(text: &'static str) -> Self {
        Self(text)
    }

    /// Returns the presets.
    pub fn iter(self) -> impl Iterator<Item = Preset> + Clone {
        self.0.lines().filter_map(Preset::new)
    }

    /// Looks up a preset by its name.
    fn find(self, name: &[u8]) -> Option<Preset> {
        self.iter().find(|preset| preset.name.as_bytes().eq_ignore_ascii_case(name))
    }
}

impl Preset {
    /// Returns the preset of a line, or `None` if it has no terms.
    #[must_use]
    pub fn new(line: &'static str) -> Option<Self> {
        let (name, terms) = line.split_once(' ')?;
        Some(Self { name, terms })
    }

    /// Returns true if it is another name for one of the processor's own events.
    #[must_use]
    pub fn is_one(&self) -> bool {
        let mut terms = self.terms();
        terms.next().is_some_and(|term| term.factor == 1) && terms.next().is_none()
    }

    /// Returns the events, those that are subtracted last.
    pub fn terms(&self) -> impl Iterator<Item = PresetTerm> + Clone + use<> {
        let mut words = self.terms.split(' ');
        iter::from_fn(move || {
            let mut factor = 1;
            loop {
                let event = words.next()?;
                match (event, event.parse::<i64>()) {
                    ("+", _) => {}
                    ("-", _) => factor = -1,
                    (_, Ok(number)) => factor *= number,
                    (_, Err(_)) => return Some(PresetTerm { factor, event }),
                }
            }
        })
    }

    /// Computes the count from those of its terms. Returns `None` if their number is wrong. What is
    /// subtracted may be slightly greater than the rest, because the counts were not read at the same instant;
    /// the count is 0 then.
    #[must_use]
    pub fn value(&self, counts: &[u64]) -> Option<u64> {
        let is_whole = self.terms().count() == counts.len();
        let product = |(term, count): (PresetTerm, &u64)| i128::from(term.factor) * i128::from(*count);
        let sum: i128 = self.terms().zip(counts).map(product).sum();
        is_whole.then(|| u64::try_from(sum.max(0)).unwrap_or(u64::MAX))
    }
}

impl Catalogue {
    /// Looks up a preset by its PAPI name. Case does not matter.
    #[must_use]
    pub fn preset(&self, name: &str) -> Option<Preset> {
        self.preset_by(name.as_bytes())
    }

    pub(super) fn preset_by(&self, name: &[u8]) -> Option<Preset> {
        self.presets.find(name)
    }

    /// Returns the requests that count a preset, in the order of [`Preset::terms`].
    pub fn requests_of(&'static self, preset: Preset) -> impl Iterator<Item = Request> {
        preset.terms().filter_map(|term| self.request_of(term))
    }

    /// Returns the request for a term.
    #[must_use]
    pub fn request_of(&'static self, term: PresetTerm) -> Option<Request> {
        let own = self.term(term.event).map(|(_, request)| request);
        own.or_else(|| self.generic(term.event).map(|generic| self.generic_request(generic)))
    }

    /// Looks up a preset that is another name for an event, and the event.
    pub(crate) fn alias(&'static self, name: &[u8]) -> Option<(Preset, NamedEvent)> {
        let preset = self.preset_by(name)?;
        Some((preset, self.alias_of(preset)?.0))
    }

    /// Returns the event that a preset is another name for, and the request for it, if it is one.
    fn alias_of(&'static self, preset: Preset) -> Option<(NamedEvent, Request)> {
        self.term(preset.terms().next().filter(|_| preset.is_one())?.event)
    }

    /// Returns a request for an event by a preset, if the preset is another name for it.
    pub(crate) fn alias_request(&'static self, preset: Preset) -> Option<Request> {
        let (_, request) = self.alias_of(preset)?;
        Some(Request { name: self.name_of_preset(preset), ..request })
    }

    /// Finds the event that a term begins with, and the request for it with the term's unit masks and modifiers.
    fn term(&'static self, term: &str) -> Option<(NamedEvent, Request)> {
        self.term_of(self.events, term).or_else(|| self.term_of(self.libpfm, term))
    }

    fn term_of(&'static self, events: Events, term: &str) -> Option<(NamedEvent, Request)> {
        let (named, length) = events.find_longest(term.as_bytes(), |byte| matches!(byte, b':' | b'.'))?;
        let mut request = self.request(named);
        let (mut chosen, mut decided) = (0, 0);
        for word in term.get(length..)?.split([':', '.']).skip(1) {
            match named.masks.named.iter().find(|mask| mask.name.eq_ignore_ascii_case(word)) {
                Some(mask) => (chosen, decided) = (chosen | mask.value & mask.field, decided | mask.field),
                None => {
                    let (name, value) = word.split_once('=').unwrap_or((word, "1"));
                    let modifier = self.modifiers.iter().find(|modifier| modifier.name.eq_ignore_ascii_case(name))?;
                    modifier.effect.refine(&mut request, value.parse().ok()?, self.mask);
                }
            }
        }
        if decided != 0 {
            super::Effect::UnitMask.refine(&mut request, named.masks.default & !decided | chosen, self.mask);
        }
        Some((named, request))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_that_was_read_too_early_does_not_wrap() {
        let difference = Preset::new("papi_x A + B - C").unwrap();
        assert_eq!([difference.value(&[3, 4, 5]), difference.value(&[3, 4, 8])], [Some(2), Some(0)]);
        assert_eq!([difference.value(&[3, 4]), difference.value(&[3, 4, 5, 6])], [None, None]);
    }

    #[test]
    fn an_operation_on_several_numbers_counts_several_times() {
        let operations = Preset::new("papi_dp_ops A + 2 B:c=1 - 4 C").unwrap();
        let terms: Vec<_> = operations.terms().map(|term| (term.factor, term.event)).collect();
        assert_eq!(terms, [(1, "A"), (2, "B:c=1"), (-4, "C")]);
        assert_eq!([operations.value(&[1, 10, 3]), operations.value(&[0, u64::MAX, 0])], [Some(9), Some(u64::MAX)]);
        assert!(!operations.is_one() && Preset::new("papi_x A:b").unwrap().is_one());
        assert!(!Preset::new("papi_x 2 A").unwrap().is_one(), "that is twice the event");
    }

    #[test]
    fn each_line_is_a_preset() {
        let presets = Presets::of("papi_a X\npapi_b Z + W\n");
        let all: Vec<_> = presets.iter().map(|preset| (preset.name, preset.terms)).collect();
        assert_eq!(all, [("papi_a", "X"), ("papi_b", "Z + W")]);
        assert_eq!(presets.find(b"PAPI_A").map(|preset| preset.terms), Some("X"));
        assert_eq!(presets.find(b"papi_c"), None);
    }
}
