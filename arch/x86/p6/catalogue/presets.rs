//! The P6 family's presets: generic events by PAPI's names, each with the events that it is made of.
//!
//! Source: icl-utk-edu/papi, src/papi_events.csv (BSD-3-Clause), by the manufacturer's names. Where a line differs,
//! `docs/tables.md` in the repository says why. A processor that PAPI does not know has the lines of a relative whose
//! events are the same. People edit the text files; a test looks each term up.

use crate::event::catalogue::Presets;

const fn of(text: &'static str) -> Presets {
    if cfg!(feature = "events-intel") { Presets::of(text) } else { Presets::NONE }
}

pub(super) const III: Presets = of(include_str!("presets/iii.txt"));
pub(super) const M: Presets = of(include_str!("presets/m.txt"));
pub(super) const PRO: Presets = of(include_str!("presets/pro.txt"));
