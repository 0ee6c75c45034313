//! The events by name.

mod generic;
mod other_names;
mod presets;
#[rustfmt::skip]
mod tables;

use super::capabilities::Model;
use super::registers::PerfCtl;
use crate::event::catalogue::{Attribute, Catalogue, Cost, Effect, Events, Table};

/// libpfm's, of which `e` is the kernel at exception level and `s` supervisor mode.
const MODIFIERS: &[Attribute] = &[
    Attribute { name: "e", effect: Effect::OwnMode(PerfCtl::EXCEPTION.bits() as u64), largest: 1 },
    Attribute { name: "k", effect: Effect::Kernel, largest: 1 },
    Attribute { name: "s", effect: Effect::OwnMode(PerfCtl::SUPERVISOR.bits() as u64), largest: 1 },
    Attribute { name: "u", effect: Effect::User, largest: 1 },
];

const fn catalogue(unit: &'static str, events: &'static Table, default: &'static str) -> Catalogue {
    Catalogue { unit, aliases: &[], events: Events::of(events), modifiers: MODIFIERS, default, ..Catalogue::EMPTY }
}

/// What an event costs that is a cycle. The costs of the others depend on the machine; perfex' own table was not found in
/// a source that may be used.
const COSTS: &[(&str, Cost)] = &[("Cycles", Cost::CLOCK), ("Cycles_1", Cost::CLOCK)];

/// The tables of the MIPS processors' events by name, one for each processor.
///
/// Names and numbers are facts from the sources that each table names.
impl Catalogue {
    /// The events of R10000 version 2.
    pub const R10000_V2: &'static Catalogue = &Catalogue {
        costs: COSTS,
        generic: generic::R10000,
        ..catalogue("mips/r10000-v2.x", &tables::R10000_V2, "Cycles")
    }
    .with_presets(presets::R10000_V2);
    /// The events of R10000.
    pub const R10000: &'static Catalogue = &Catalogue {
        costs: COSTS,
        generic: generic::R10000,
        other_names: other_names::R10000,
        ..catalogue("mips/r10000", &tables::R10000, "Cycles")
    }
    .with_presets(presets::R10000_V2);
    /// The events of R12000.
    pub const R12000: &'static Catalogue = &Catalogue {
        costs: &[("Cycles", Cost::CLOCK)],
        generic: generic::R12000,
        other_names: other_names::R12000,
        ..catalogue("mips/r12000", &tables::R12000, "Cycles")
    }
    .with_presets(presets::R10000_V2);
    /// The events of 5K.
    pub const M5K: &'static Catalogue =
        &Catalogue { generic: generic::M5K, ..catalogue("mips/5K", &tables::M5K, "CYCLES") };
    /// The events of 20K.
    pub const M20K: &'static Catalogue =
        &Catalogue { generic: generic::M20K, ..catalogue("mips/20K", &tables::M20K, "CYCLES") };
    /// The events of 24K.
    pub const M24K: &'static Catalogue =
        &Catalogue { generic: generic::M24K, ..catalogue("mips/24K", &tables::M24K, "INSTRUCTIONS") };
    /// The events of 34K.
    pub const M34K: &'static Catalogue =
        &Catalogue { generic: generic::M24K, ..catalogue("mips/34K", &tables::M34K, "INSTRUCTIONS") };
    /// The events of 74K.
    pub const M74K: &'static Catalogue = &Catalogue {
        aliases: &["mips_74k"],
        other_names: other_names::M74K,
        generic: generic::M74K,
        ..catalogue("mips/74K", &tables::M74K, "INSTRUCTIONS")
    }
    .with_presets(presets::M74K);
    /// The events of 1004K.
    pub const M1004K: &'static Catalogue =
        &Catalogue { generic: generic::M24K, ..catalogue("mips/1004K", &tables::M1004K, "INSTRUCTIONS") };
    /// The events of Octeon and Octeon Plus.
    pub const OCTEON: &'static Catalogue =
        &Catalogue { generic: generic::OCTEON, ..catalogue("octeon", &tables::OCTEON, "CLK") };
    /// The events of Octeon II.
    pub const OCTEON_II: &'static Catalogue =
        &Catalogue { generic: generic::OCTEON, ..catalogue("octeon2", &tables::OCTEON_II, "CLK") };
}

impl Model {
    /// Returns the events by name.
    #[must_use]
    pub fn catalogue(self) -> &'static Catalogue {
        match self {
            Self::R10000V2 => Catalogue::R10000_V2,
            Self::R10000 => Catalogue::R10000,
            Self::R12000 => Catalogue::R12000,
            Self::M5K => Catalogue::M5K,
            Self::M20K => Catalogue::M20K,
            Self::M24K => Catalogue::M24K,
            Self::M34K => Catalogue::M34K,
            Self::M74K => Catalogue::M74K,
            Self::M1004K => Catalogue::M1004K,
            Self::Octeon => Catalogue::OCTEON,
            Self::OcteonII => Catalogue::OCTEON_II,
        }
    }
}
