//! PMUv3's presets: generic events by PAPI's names, each with the events that it is made of.
//!
//! Source: icl-utk-edu/papi, src/papi_events.csv (BSD-3-Clause), by the manufacturer's names. Where a line differs,
//! `docs/tables.md` in the repository says why. A processor that PAPI does not know has the lines of a relative whose
//! events are the same. People edit the text files; a test looks each term up.

use crate::event::catalogue::Presets;

const fn of(text: &'static str) -> Presets {
    if cfg!(feature = "events-arm") { Presets::of(text) } else { Presets::NONE }
}

pub(super) const A64FX: Presets = of(include_str!("presets/a64fx.txt"));
pub(super) const COMMON: Presets = of(include_str!("presets/common.txt"));
pub(super) const CORTEX_A34: Presets = of(include_str!("presets/cortex_a34.txt"));
pub(super) const CORTEX_A35: Presets = of(include_str!("presets/cortex_a35.txt"));
pub(super) const CORTEX_A510: Presets = of(include_str!("presets/cortex_a510.txt"));
pub(super) const CORTEX_A53: Presets = of(include_str!("presets/cortex_a53.txt"));
pub(super) const CORTEX_A55: Presets = of(include_str!("presets/cortex_a55.txt"));
pub(super) const CORTEX_A57: Presets = of(include_str!("presets/cortex_a57.txt"));
pub(super) const CORTEX_A710: Presets = of(include_str!("presets/cortex_a710.txt"));
pub(super) const CORTEX_A73: Presets = of(include_str!("presets/cortex_a73.txt"));
pub(super) const CORTEX_A75: Presets = of(include_str!("presets/cortex_a75.txt"));
pub(super) const CORTEX_A76: Presets = of(include_str!("presets/cortex_a76.txt"));
pub(super) const CORTEX_A77: Presets = of(include_str!("presets/cortex_a77.txt"));
pub(super) const CORTEX_R82: Presets = of(include_str!("presets/cortex_r82.txt"));
pub(super) const MONAKA: Presets = of(include_str!("presets/monaka.txt"));
pub(super) const NEOVERSE_N1: Presets = of(include_str!("presets/neoverse_n1.txt"));
pub(super) const NEOVERSE_V1: Presets = of(include_str!("presets/neoverse_v1.txt"));
pub(super) const NEOVERSE_V3: Presets = of(include_str!("presets/neoverse_v3.txt"));
pub(super) const THUNDER_X2: Presets = of(include_str!("presets/thunderx2.txt"));
