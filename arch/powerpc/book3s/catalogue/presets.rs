//! Book3S 64's presets: generic events by PAPI's names, each with the events that it is made of.
//!
//! Source: icl-utk-edu/papi, src/papi_events.csv (BSD-3-Clause), by the manufacturer's names. Where a line differs,
//! `docs/tables.md` in the repository says why. A processor that PAPI does not know has the lines of a relative whose
//! events are the same. People edit the text files; a test looks each term up.

use crate::event::catalogue::Presets;

const fn of(text: &'static str) -> Presets {
    if cfg!(feature = "events-powerpc") { Presets::of(text) } else { Presets::NONE }
}

pub(super) const POWER10: Presets = of(include_str!("presets/power10.txt"));
pub(super) const POWER4: Presets = of(include_str!("presets/power4.txt"));
pub(super) const POWER5: Presets = of(include_str!("presets/power5.txt"));
pub(super) const POWER5_PLUS: Presets = of(include_str!("presets/power5_plus.txt"));
pub(super) const POWER6: Presets = of(include_str!("presets/power6.txt"));
pub(super) const POWER7: Presets = of(include_str!("presets/power7.txt"));
pub(super) const POWER8: Presets = of(include_str!("presets/power8.txt"));
pub(super) const POWER9: Presets = of(include_str!("presets/power9.txt"));
pub(super) const PPC970: Presets = of(include_str!("presets/ppc970.txt"));
pub(super) const PPC970MP: Presets = of(include_str!("presets/ppc970mp.txt"));
