//! Which core has which catalogue.

use super::super::capabilities::Capabilities;
use super::super::model::{Core, Microarchitecture};
use super::{
    ALDER_LAKE, ARCHITECTURAL, ARCTIC_WOLF, ARROW_LAKE, BONNELL, BROADWELL, BROADWELL_DE, BROADWELL_EP, CASCADE_LAKE,
    CLEARWATER_FOREST, CORE_2, CORE_DUO, CRESTMONT, CRESTMONT_H, DARKMONT, EMERALD_RAPIDS, GOLDMONT, GOLDMONT_PLUS,
    GRACEMONT, GRAND_RIDGE, GRANITE_RAPIDS, HASWELL, HASWELL_EP, ICE_LAKE, ICE_LAKE_SP, IVY_BRIDGE, IVY_BRIDGE_EP,
    KNIGHTS_LANDING, LUNAR_LAKE, METEOR_LAKE, NEHALEM, NEHALEM_EX, NOVA_LAKE, PANTHER_LAKE, SANDY_BRIDGE,
    SANDY_BRIDGE_EP, SAPPHIRE_RAPIDS, SIERRA_FOREST, SILVERMONT, SKYLAKE, SKYLAKE_SP, SKYMONT, SKYMONT_OF_LUNAR_LAKE,
    TIGER_LAKE, TREMONT, WESTMERE, WESTMERE_EP, WESTMERE_EX,
};
use crate::event::catalogue::Catalogue;

impl Capabilities {
    /// Returns the events of this core by name. The map of models of intel/perfmon says which model has which table.
    #[must_use]
    pub fn catalogue(&self) -> &'static Catalogue {
        match (self.microarchitecture, self.core) {
            (None, _) => &ARCHITECTURAL,
            (Some(Microarchitecture::CoyoteCove), _) => &NOVA_LAKE,
            (Some(Microarchitecture::Skylake), _) if self.model == 0x55 => of_skylake_sp(self.stepping),
            (Some(_), Core::Alike | Core::Large) => of_model(self.model),
            (Some(it), Core::Small(_)) => of_small_core(it, self.model),
        }
    }
}

/// Returns the table of Skylake SP or, from stepping 5 on, of its successors.
const fn of_skylake_sp(stepping: u32) -> &'static Catalogue {
    if stepping < 5 { &SKYLAKE_SP } else { &CASCADE_LAKE }
}

/// Returns the table of a hybrid processor's small core.
fn of_small_core(microarchitecture: Microarchitecture, model: u32) -> &'static Catalogue {
    match (microarchitecture, model) {
        (Microarchitecture::Gracemont, _) => &GRACEMONT,
        (Microarchitecture::Crestmont, 0xC5) => &CRESTMONT_H,
        (Microarchitecture::Crestmont, _) => &CRESTMONT,
        (Microarchitecture::Skymont, 0xBD) => &SKYMONT_OF_LUNAR_LAKE,
        (Microarchitecture::Skymont, _) => &SKYMONT,
        (Microarchitecture::Darkmont, _) => &DARKMONT,
        (Microarchitecture::ArcticWolf, _) => &ARCTIC_WOLF,
        _ => &ARCHITECTURAL,
    }
}

/// Returns the table of a model of family 6.
fn of_model(model: u32) -> &'static Catalogue {
    match model {
        0x0E => &CORE_DUO,
        0x0F | 0x16 | 0x17 | 0x1D => &CORE_2,
        0x1A | 0x1E | 0x1F => &NEHALEM,
        0x2E => &NEHALEM_EX,
        0x25 => &WESTMERE,
        0x2C => &WESTMERE_EP,
        0x2F => &WESTMERE_EX,
        0x2A => &SANDY_BRIDGE,
        0x2D => &SANDY_BRIDGE_EP,
        0x3A => &IVY_BRIDGE,
        0x3E => &IVY_BRIDGE_EP,
        0x3C | 0x45 | 0x46 => &HASWELL,
        0x3F => &HASWELL_EP,
        0x3D | 0x47 => &BROADWELL,
        0x56 => &BROADWELL_DE,
        0x4F => &BROADWELL_EP,
        0x4E | 0x5E | 0x8E | 0x9E | 0xA5 | 0xA6 => &SKYLAKE,
        0x7D | 0x7E | 0xA7 => &ICE_LAKE,
        0x6A | 0x6C => &ICE_LAKE_SP,
        0x8C | 0x8D => &TIGER_LAKE,
        0x97 | 0x9A | 0xB7 | 0xBA | 0xBF => &ALDER_LAKE,
        0x8F => &SAPPHIRE_RAPIDS,
        0xCF => &EMERALD_RAPIDS,
        0xAA | 0xAC | 0xB5 => &METEOR_LAKE,
        0xAD | 0xAE => &GRANITE_RAPIDS,
        0xBD => &LUNAR_LAKE,
        0xC5 | 0xC6 => &ARROW_LAKE,
        0xCC | 0xD5 | 0xE5 => &PANTHER_LAKE,
        0x1C | 0x26 | 0x27 | 0x35 | 0x36 => &BONNELL,
        0x37 | 0x4A | 0x4C | 0x4D | 0x5A => &SILVERMONT,
        0x5C | 0x5F => &GOLDMONT,
        0x7A => &GOLDMONT_PLUS,
        0x86 | 0x96 | 0x9C => &TREMONT,
        0xBE => &GRACEMONT,
        0xAF => &SIERRA_FOREST,
        0xB6 => &GRAND_RIDGE,
        0x57 | 0x85 => &KNIGHTS_LANDING,
        0xDD => &CLEARWATER_FOREST,
        _ => &ARCHITECTURAL,
    }
}
