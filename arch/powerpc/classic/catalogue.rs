//! The classic processors' events by name.

#[rustfmt::skip]
mod tables;

use super::capabilities::Model;
use super::events;
use crate::event::Event;
use crate::event::catalogue::{Attribute, Catalogue, Effect, Events, GenericEvent, Table};

const fn generic(name: &'static str, event: Event) -> GenericEvent {
    GenericEvent::new(name, event)
}

const MODIFIERS: &[Attribute] = &[
    Attribute { name: "k", effect: Effect::Kernel, largest: 1 },
    Attribute { name: "u", effect: Effect::User, largest: 1 },
];

const GENERIC_604: &[GenericEvent] = &[
    generic("papi_br_ins", events::P604_BRANCHES),
    generic("papi_br_msp", events::P604_BRANCH_MISSES),
    generic("papi_tot_cyc", events::CYCLES),
    generic("papi_tot_ins", events::INSTRUCTIONS),
];

const GENERIC_750: &[GenericEvent] = &[
    generic("papi_br_msp", events::P750_BRANCH_MISSES),
    generic("papi_l1_dcm", events::P750_L1_DATA_MISSES),
    generic("papi_tot_cyc", events::CYCLES),
    generic("papi_tot_ins", events::INSTRUCTIONS),
];

const GENERIC_7400: &[GenericEvent] = &[
    generic("papi_br_msp", events::P7400_BRANCH_MISSES),
    generic("papi_br_ntk", events::P7400_BRANCHES_NOT_TAKEN),
    generic("papi_br_tkn", events::P7400_TAKEN_BRANCHES),
    generic("papi_ld_ins", events::P7400_LOADS),
    generic("papi_tot_cyc", events::CYCLES),
    generic("papi_tot_ins", events::INSTRUCTIONS),
];

const GENERIC_745X: &[GenericEvent] = &[
    generic("papi_br_ins", events::P745X_BRANCHES).on(0b1),
    generic("papi_br_msp", events::P745X_BRANCH_MISSES),
    generic("papi_l1_dcm", events::P745X_L1_DATA_MISSES).on(0b10),
    generic("papi_sr_ins", events::P745X_STORES).on(0b1),
    generic("papi_tot_cyc", events::CYCLES),
    generic("papi_tot_ins", events::INSTRUCTIONS),
];

const fn catalogue(
    unit: &'static str,
    events: &'static Table,
    generic: &'static [GenericEvent],
    default: &'static str,
) -> Catalogue {
    Catalogue { unit, events: Events::of(events), generic, modifiers: MODIFIERS, default, ..Catalogue::EMPTY }
}

/// The tables of the classic processors' events by name, one for each processor.
///
/// Names and codes are facts from the sources that each table names. Codes have the layout that
/// [the family's page](super) describes.
impl Catalogue {
    /// The events of PowerPC 604.
    pub const P604: &'static Catalogue = &catalogue("ppc/604", &tables::P604, GENERIC_604, "PROCESSOR_CYCLES");
    /// The events of PowerPC 604e.
    pub const P604E: &'static Catalogue = &catalogue("ppc/604e", &tables::P604E, GENERIC_604, "PROCESSOR_CYCLES");
    /// The events of PowerPC 750.
    pub const P750: &'static Catalogue = &catalogue("ppc/750", &tables::P750, GENERIC_750, "PROCESSOR_CYCLES");
    /// The events of PowerPC 7400.
    pub const P7400: &'static Catalogue = &catalogue("ppc/7400", &tables::P7400, GENERIC_7400, "PROCESSOR_CYCLES");
    /// The events of PowerPC 745x.
    pub const P745X: &'static Catalogue = &catalogue("ppc/7450", &tables::P745X, GENERIC_745X, "CYCLES");
}

impl Model {
    /// Returns the events by name.
    #[must_use]
    pub fn catalogue(self) -> &'static Catalogue {
        match self {
            Self::P604 => Catalogue::P604,
            Self::P604e => Catalogue::P604E,
            Self::P750 => Catalogue::P750,
            Self::P7400 => Catalogue::P7400,
            Self::P745x => Catalogue::P745X,
        }
    }
}
