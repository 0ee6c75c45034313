//! Requests for events by name that are constants: a kernel links no table for them.
//!
//! The compiler looks the name up. The program has the code alone, and a name that the catalogue does not have is an error
//! when the program is compiled.

use super::{Catalogue, EventName, Events, NamedEvent};
use crate::event::Request;

impl Catalogue {
    /// Returns the request for an event by its name, or by libpfm's, with unit masks behind `:` if it has any.
    /// Case does not matter. It is for constants, because it searches slowly; elsewhere [`Catalogue::named`] and the
    /// [notations](crate::text::notation) are better.
    ///
    /// ```
    /// # #[cfg(all(feature = "events-intel", feature = "events-amd"))]
    /// # mod constants {
    /// use pmu::Request;
    /// use pmu::text::catalogue::Catalogue;
    ///
    /// const STALLS: Request = Catalogue::SKYLAKE.constant("UOPS_ISSUED.STALL_CYCLES");
    /// const SSE: Request = Catalogue::ZEN_4.constant("RETIRED_MMX_FP_INSTRUCTIONS:SSE_INSTR");
    /// # }
    /// ```
    ///
    /// A misspelt name does not compile, and neither does one whose table has been left out by its feature:
    ///
    /// ```compile_fail
    /// const STALLS: pmu::Request = pmu::text::catalogue::Catalogue::SKYLAKE.constant("UOPS_ISSUED.STALL_CYCLE");
    /// ```
    ///
    /// # Panics
    /// If there is no such event or unit mask, if the event needs a unit mask and none is given, or if no counter has it.
    #[must_use]
    pub const fn constant(&self, name: &str) -> Request {
        let name = name.as_bytes();
        match self.constant_of(self.events, name) {
            Some(request) => request,
            None => match self.constant_of(self.libpfm, name) {
                Some(request) => request,
                None => panic!("the catalogue has no such event with such unit masks that can be counted"),
            },
        }
    }

    const fn constant_of(&self, events: Events, name: &[u8]) -> Option<Request> {
        let Some((number, length)) = events.table().find_slowly(name) else { return None };
        let named = events.table().row(number as u16, EventName::new(""));
        let Some(mask) = mask_of(&named, name.split_at(length).1) else { return None };
        if named.counters.is_empty() {
            return None;
        }
        let NamedEvent { flags, threshold, kept_to: counters, .. } = named;
        let masked = NamedEvent { masks: super::UnitMasks { default: mask, ..named.masks }, ..named };
        Some(Request { flags, threshold, counters, ..Request::new(self.event(masked)) })
    }
}

/// Returns the unit mask of an event that is followed by these words, each behind a `:`.
const fn mask_of(named: &NamedEvent, mut words: &[u8]) -> Option<u64> {
    let masks = named.masks;
    let (mut chosen, mut decided) = (masks.default, 0);
    while let Some((_, rest)) = words.split_first() {
        let mut length = 0;
        while length < rest.len() && rest[length] != b':' {
            length += 1;
        }
        let (word, after) = rest.split_at(length);
        let Some((value, field)) = named_mask(masks.named, word) else { return None };
        let others = if decided & field == 0 { chosen & !field } else { chosen };
        (chosen, decided, words) = (others | value & field, decided | field, after);
    }
    if masks.allows(chosen) { Some(chosen) } else { None }
}

/// Returns the value of a unit mask by its name, and the bits that it decides.
const fn named_mask(mut masks: super::MaskNames, word: &[u8]) -> Option<(u64, u64)> {
    while let Some(mask) = masks.take_first() {
        if is_same(mask.name.as_bytes(), word) {
            return Some((mask.value, mask.field));
        }
    }
    None
}

const fn is_same(one: &[u8], other: &[u8]) -> bool {
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at].eq_ignore_ascii_case(&other[at]) {
        at += 1;
    }
    at == one.len() && at == other.len()
}
