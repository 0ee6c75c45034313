//! AMD's presets: generic events by PAPI's names, each with the events that it is made of.
//!
//! Source: icl-utk-edu/papi, src/papi_events.csv (BSD-3-Clause), by the manufacturer's names. Where a line differs,
//! `docs/tables.md` in the repository says why. A processor that PAPI does not know has the lines of a relative whose
//! events are the same. People edit the text files; a test looks each term up.

use crate::event::catalogue::Presets;

const fn of(text: &'static str) -> Presets {
    if cfg!(feature = "events-amd") { Presets::of(text) } else { Presets::NONE }
}

pub(super) const FAMILY_10H: Presets = of(include_str!("presets/family_10h.txt"));
pub(super) const FAMILY_11H: Presets = of(include_str!("presets/family_11h.txt"));
pub(super) const FAMILY_12H: Presets = of(include_str!("presets/family_12h.txt"));
pub(super) const FAMILY_14H: Presets = of(include_str!("presets/family_14h.txt"));
pub(super) const FAMILY_15H: Presets = of(include_str!("presets/family_15h.txt"));
pub(super) const FAMILY_16H: Presets = of(include_str!("presets/family_16h.txt"));
pub(super) const HAMMER: Presets = of(include_str!("presets/hammer.txt"));
pub(super) const K7: Presets = of(include_str!("presets/k7.txt"));
pub(super) const ZEN_1: Presets = of(include_str!("presets/zen_1.txt"));
pub(super) const ZEN_2: Presets = of(include_str!("presets/zen_2.txt"));
pub(super) const ZEN_3: Presets = of(include_str!("presets/zen_3.txt"));
pub(super) const ZEN_4: Presets = of(include_str!("presets/zen_4.txt"));
pub(super) const ZEN_5: Presets = of(include_str!("presets/zen_5.txt"));
