//! Which core has which catalogue.

use super::super::capabilities::Capabilities;
use super::super::model::{Core, Microarchitecture};
use crate::event::catalogue::Catalogue;

impl Capabilities {
    /// Returns the events of this core by name. The map of models of intel/perfmon says which model has which table.
    #[must_use]
    pub fn catalogue(&self) -> &'static Catalogue {
        match (self.microarchitecture, self.core) {
            (None, _) => Catalogue::INTEL_ARCHITECTURAL,
            (Some(Microarchitecture::CoyoteCove), _) => Catalogue::NOVA_LAKE,
            (Some(Microarchitecture::Skylake), _) if self.model == 0x55 => of_skylake_sp(self.stepping),
            (Some(_), Core::Alike | Core::Large) => of_model(self.model),
            (Some(it), Core::Small(_)) => of_small_core(it, self.model),
        }
    }
}

/// Returns the table of Skylake SP or, from stepping 5 on, of its successors.
const fn of_skylake_sp(stepping: u32) -> &'static Catalogue {
    if stepping < 5 { Catalogue::SKYLAKE_SP } else { Catalogue::CASCADE_LAKE }
}

/// Returns the table of a hybrid processor's small core.
fn of_small_core(microarchitecture: Microarchitecture, model: u32) -> &'static Catalogue {
    match (microarchitecture, model) {
        (Microarchitecture::Gracemont, _) => Catalogue::GRACEMONT,
        (Microarchitecture::Crestmont, 0xC5) => Catalogue::CRESTMONT_H,
        (Microarchitecture::Crestmont, _) => Catalogue::CRESTMONT,
        (Microarchitecture::Skymont, 0xBD) => Catalogue::SKYMONT_OF_LUNAR_LAKE,
        (Microarchitecture::Skymont, _) => Catalogue::SKYMONT,
        (Microarchitecture::Darkmont, _) => Catalogue::DARKMONT,
        (Microarchitecture::ArcticWolf, _) => Catalogue::ARCTIC_WOLF,
        _ => Catalogue::INTEL_ARCHITECTURAL,
    }
}

/// Returns the table of a model of family 6.
fn of_model(model: u32) -> &'static Catalogue {
    match model {
        0x0E => Catalogue::CORE_DUO,
        0x0F | 0x16 | 0x17 | 0x1D => Catalogue::CORE_2,
        0x1A | 0x1E | 0x1F => Catalogue::NEHALEM,
        0x2E => Catalogue::NEHALEM_EX,
        0x25 => Catalogue::WESTMERE,
        0x2C => Catalogue::WESTMERE_EP,
        0x2F => Catalogue::WESTMERE_EX,
        0x2A => Catalogue::SANDY_BRIDGE,
        0x2D => Catalogue::SANDY_BRIDGE_EP,
        0x3A => Catalogue::IVY_BRIDGE,
        0x3E => Catalogue::IVY_BRIDGE_EP,
        0x3C | 0x45 | 0x46 => Catalogue::HASWELL,
        0x3F => Catalogue::HASWELL_EP,
        0x3D | 0x47 => Catalogue::BROADWELL,
        0x56 => Catalogue::BROADWELL_DE,
        0x4F => Catalogue::BROADWELL_EP,
        0x4E | 0x5E | 0x8E | 0x9E | 0xA5 | 0xA6 => Catalogue::SKYLAKE,
        0x7D | 0x7E | 0xA7 => Catalogue::ICE_LAKE,
        0x6A | 0x6C => Catalogue::ICE_LAKE_SP,
        0x8C | 0x8D => Catalogue::TIGER_LAKE,
        0x97 | 0x9A | 0xB7 | 0xBA | 0xBF => Catalogue::ALDER_LAKE,
        0x8F => Catalogue::SAPPHIRE_RAPIDS,
        0xCF => Catalogue::EMERALD_RAPIDS,
        0xAA | 0xAC | 0xB5 => Catalogue::METEOR_LAKE,
        0xAD | 0xAE => Catalogue::GRANITE_RAPIDS,
        0xBD => Catalogue::LUNAR_LAKE,
        0xC5 | 0xC6 => Catalogue::ARROW_LAKE,
        0xCC | 0xD5 | 0xE5 => Catalogue::PANTHER_LAKE,
        0x1C | 0x26 | 0x27 | 0x35 | 0x36 => Catalogue::BONNELL,
        0x37 | 0x4A | 0x4C | 0x4D | 0x5A => Catalogue::SILVERMONT,
        0x5C | 0x5F => Catalogue::GOLDMONT,
        0x7A => Catalogue::GOLDMONT_PLUS,
        0x86 | 0x96 | 0x9C => Catalogue::TREMONT,
        0xBE => Catalogue::GRACEMONT,
        0xAF => Catalogue::SIERRA_FOREST,
        0xB6 => Catalogue::GRAND_RIDGE,
        0x57 | 0x85 => Catalogue::KNIGHTS_LANDING,
        0xDD => Catalogue::CLEARWATER_FOREST,
        _ => Catalogue::INTEL_ARCHITECTURAL,
    }
}
