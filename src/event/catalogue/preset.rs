//! Generic events that are made of a processor's own: another name for one of them, or several whose counts are
//! added or subtracted.

use super::{Catalogue, NamedEvent};
use crate::event::Request;

/// A generic event, with the names of the events that it is made of.
///
/// ```
/// use pmu::catalogue::Preset;
///
/// let predicted = Preset { name: "papi_br_prc", plus: &["BRANCHES"], minus: &["MISPREDICTED"] };
/// assert_eq!(predicted.value(&[100, 7]), Some(93));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// Its PAPI name in lower case: `papi_br_prc`.
    pub name: &'static str,
    /// The events whose counts are added: the processor's own or generic.
    pub plus: &'static [&'static str],
    /// The events whose counts are subtracted.
    pub minus: &'static [&'static str],
}

impl Preset {
    /// Returns true if it is another name for one of the processor's own events.
    #[must_use]
    pub const fn is_one(&self) -> bool {
        self.plus.len() == 1 && self.minus.is_empty()
    }

    /// Returns the names of the events, those that are subtracted last.
    pub fn terms(&self) -> impl Iterator<Item = &'static str> + Clone + use<> {
        self.plus.iter().chain(self.minus).copied()
    }

    /// Computes the count from those of its terms. Returns `None` if their number is wrong. The sum that is
    /// subtracted may be slightly greater than the other one, because they were not read at the same instant;
    /// the count is 0 then.
    #[must_use]
    pub fn value(&self, counts: &[u64]) -> Option<u64> {
        let (plus, minus) = counts.split_at_checked(self.plus.len())?;
        let sum = |counts: &[u64]| counts.iter().fold(0_u64, |sum, count| sum.saturating_add(*count));
        (minus.len() == self.minus.len()).then(|| sum(plus).saturating_sub(sum(minus)))
    }
}

impl Catalogue {
    /// Looks up a preset by its PAPI name. Case does not matter.
    #[must_use]
    pub fn preset(&self, name: &str) -> Option<&'static Preset> {
        self.preset_by(name.as_bytes())
    }

    /// Returns the requests that count a preset, in the order of [`Preset::terms`].
    pub fn requests_of(&self, preset: &Preset) -> impl Iterator<Item = Request> {
        preset.terms().filter_map(|term| self.request_by(term))
    }

    fn request_by(&self, name: &str) -> Option<Request> {
        let own = self.named(name).map(|named| self.request(named));
        own.or_else(|| self.generic(name).map(|generic| self.generic_request(generic)))
    }

    /// Looks up a preset that is another name for an event, and the event.
    pub(crate) fn alias(&self, name: &[u8]) -> Option<(&'static Preset, NamedEvent)> {
        let preset = self.preset_by(name)?;
        Some((preset, self.alias_of(preset)?))
    }

    /// Returns the event that a preset is another name for, if it is one.
    pub(super) fn alias_of(&self, preset: &Preset) -> Option<NamedEvent> {
        self.named(preset.terms().next().filter(|_| preset.is_one())?)
    }

    /// Returns a request for an event by another name for it.
    pub(crate) fn alias_request(&self, preset: &Preset, named: NamedEvent) -> Request {
        Request { name: self.name_of_preset(preset), ..self.request(named) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_that_was_read_too_early_does_not_wrap() {
        let difference = Preset { name: "", plus: &["A", "B"], minus: &["C"] };
        assert_eq!([difference.value(&[3, 4, 5]), difference.value(&[3, 4, 8])], [Some(2), Some(0)]);
        assert_eq!([difference.value(&[3, 4]), difference.value(&[3, 4, 5, 6])], [None, None]);
    }
}
