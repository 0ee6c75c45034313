//! Intel's presets: generic events by PAPI's names, each with the events that it is made of.
//!
//! Source: icl-utk-edu/papi, src/papi_events.csv (BSD-3-Clause), by the manufacturer's names. Where a line differs,
//! `docs/tables.md` in the repository says why. A processor that PAPI does not know has the lines of a relative whose
//! events are the same. People edit the text files; a test looks each term up.

use crate::event::catalogue::Presets;

const fn of(text: &'static str) -> Presets {
    if cfg!(feature = "events-intel") { Presets::of(text) } else { Presets::NONE }
}

pub(super) const ALDER_LAKE: Presets = of(include_str!("presets/alder_lake.txt"));
pub(super) const BONNELL: Presets = of(include_str!("presets/bonnell.txt"));
pub(super) const BROADWELL: Presets = of(include_str!("presets/broadwell.txt"));
pub(super) const CORE_2: Presets = of(include_str!("presets/core_2.txt"));
pub(super) const CORE_DUO: Presets = of(include_str!("presets/core_duo.txt"));
pub(super) const GOLDMONT: Presets = of(include_str!("presets/goldmont.txt"));
pub(super) const HASWELL: Presets = of(include_str!("presets/haswell.txt"));
pub(super) const ICE_LAKE: Presets = of(include_str!("presets/ice_lake.txt"));
pub(super) const ICE_LAKE_SP: Presets = of(include_str!("presets/ice_lake_sp.txt"));
pub(super) const KNIGHTS_LANDING: Presets = of(include_str!("presets/knights_landing.txt"));
pub(super) const LUNAR_LAKE: Presets = of(include_str!("presets/lunar_lake.txt"));
pub(super) const METEOR_LAKE: Presets = of(include_str!("presets/meteor_lake.txt"));
pub(super) const NEHALEM: Presets = of(include_str!("presets/nehalem.txt"));
pub(super) const NOVA_LAKE: Presets = of(include_str!("presets/nova_lake.txt"));
pub(super) const SANDY_BRIDGE: Presets = of(include_str!("presets/sandy_bridge.txt"));
pub(super) const SAPPHIRE_RAPIDS: Presets = of(include_str!("presets/sapphire_rapids.txt"));
pub(super) const SILVERMONT: Presets = of(include_str!("presets/silvermont.txt"));
pub(super) const SKYLAKE: Presets = of(include_str!("presets/skylake.txt"));
pub(super) const SKYLAKE_SP: Presets = of(include_str!("presets/skylake_sp.txt"));
pub(super) const TIGER_LAKE: Presets = of(include_str!("presets/tiger_lake.txt"));
pub(super) const WESTMERE: Presets = of(include_str!("presets/westmere.txt"));
