//! Which core has which catalogue.

use super::super::capabilities::Capabilities;
use super::super::model::{Core, Microarchitecture};
use super::Catalogues;
use crate::event::catalogue::Catalogue;

impl Capabilities {
    /// Returns the events of this core by name. The map of models of intel/perfmon says which model has which table.
    #[must_use]
    pub fn catalogue(&self) -> &'static Catalogue {
        match (self.microarchitecture, self.core) {
            (None, _) => Catalogues::ARCHITECTURAL,
            (Some(Microarchitecture::CoyoteCove), _) => Catalogues::NOVA_LAKE,
            (Some(Microarchitecture::Skylake), _) if self.model == 0x55 => of_skylake_sp(self.stepping),
            (Some(_), Core::Alike | Core::Large) => of_model(self.model),
            (Some(it), Core::Small(_)) => of_small_core(it, self.model),
        }
    }
}

/// Returns the table of Skylake SP or, from stepping 5 on, of its successors.
const fn of_skylake_sp(stepping: u32) -> &'static Catalogue {
    if stepping < 5 { Catalogues::SKYLAKE_SP } else { Catalogues::CASCADE_LAKE }
}

/// Returns the table of a hybrid processor's small core.
fn of_small_core(microarchitecture: Microarchitecture, model: u32) -> &'static Catalogue {
    match (microarchitecture, model) {
        (Microarchitecture::Gracemont, _) => Catalogues::GRACEMONT,
        (Microarchitecture::Crestmont, 0xC5) => Catalogues::CRESTMONT_H,
        (Microarchitecture::Crestmont, _) => Catalogues::CRESTMONT,
        (Microarchitecture::Skymont, 0xBD) => Catalogues::SKYMONT_OF_LUNAR_LAKE,
        (Microarchitecture::Skymont, _) => Catalogues::SKYMONT,
        (Microarchitecture::Darkmont, _) => Catalogues::DARKMONT,
        (Microarchitecture::ArcticWolf, _) => Catalogues::ARCTIC_WOLF,
        _ => Catalogues::ARCHITECTURAL,
    }
}

/// Returns the table of a model of family 6.
fn of_model(model: u32) -> &'static Catalogue {
    match model {
        0x0E => Catalogues::CORE_DUO,
        0x0F | 0x16 | 0x17 | 0x1D => Catalogues::CORE_2,
        0x1A | 0x1E | 0x1F => Catalogues::NEHALEM,
        0x2E => Catalogues::NEHALEM_EX,
        0x25 => Catalogues::WESTMERE,
        0x2C => Catalogues::WESTMERE_EP,
        0x2F => Catalogues::WESTMERE_EX,
        0x2A => Catalogues::SANDY_BRIDGE,
        0x2D => Catalogues::SANDY_BRIDGE_EP,
        0x3A => Catalogues::IVY_BRIDGE,
        0x3E => Catalogues::IVY_BRIDGE_EP,
        0x3C | 0x45 | 0x46 => Catalogues::HASWELL,
        0x3F => Catalogues::HASWELL_EP,
        0x3D | 0x47 => Catalogues::BROADWELL,
        0x56 => Catalogues::BROADWELL_DE,
        0x4F => Catalogues::BROADWELL_EP,
        0x4E | 0x5E | 0x8E | 0x9E | 0xA5 | 0xA6 => Catalogues::SKYLAKE,
        0x7D | 0x7E | 0xA7 => Catalogues::ICE_LAKE,
        0x6A | 0x6C => Catalogues::ICE_LAKE_SP,
        0x8C | 0x8D => Catalogues::TIGER_LAKE,
        0x97 | 0x9A | 0xB7 | 0xBA | 0xBF => Catalogues::ALDER_LAKE,
        0x8F => Catalogues::SAPPHIRE_RAPIDS,
        0xCF => Catalogues::EMERALD_RAPIDS,
        0xAA | 0xAC | 0xB5 => Catalogues::METEOR_LAKE,
        0xAD | 0xAE => Catalogues::GRANITE_RAPIDS,
        0xBD => Catalogues::LUNAR_LAKE,
        0xC5 | 0xC6 => Catalogues::ARROW_LAKE,
        0xCC | 0xD5 | 0xE5 => Catalogues::PANTHER_LAKE,
        0x1C | 0x26 | 0x27 | 0x35 | 0x36 => Catalogues::BONNELL,
        0x37 | 0x4A | 0x4C | 0x4D | 0x5A => Catalogues::SILVERMONT,
        0x5C | 0x5F => Catalogues::GOLDMONT,
        0x7A => Catalogues::GOLDMONT_PLUS,
        0x86 | 0x96 | 0x9C => Catalogues::TREMONT,
        0xBE => Catalogues::GRACEMONT,
        0xAF => Catalogues::SIERRA_FOREST,
        0xB6 => Catalogues::GRAND_RIDGE,
        0x57 | 0x85 => Catalogues::KNIGHTS_LANDING,
        0xDD => Catalogues::CLEARWATER_FOREST,
        _ => Catalogues::ARCHITECTURAL,
    }
}
