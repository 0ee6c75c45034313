//! The embedded cores' events by name.

mod presets;
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

const GENERIC: &[GenericEvent] = &[
    generic("papi_br_ins", events::BRANCHES),
    generic("papi_br_msp", events::BRANCH_MISSES),
    generic("papi_br_tkn", events::TAKEN_BRANCHES),
    generic("papi_ld_ins", events::LOADS),
    generic("papi_sr_ins", events::STORES),
    generic("papi_tot_cyc", events::CYCLES),
    generic("papi_tot_ins", events::INSTRUCTIONS),
];

const fn catalogue(unit: &'static str, events: &'static Table) -> Catalogue {
    Catalogue {
        unit,
        aliases: &[],
        events: Events::of(events),
        generic: GENERIC,
        modifiers: MODIFIERS,
        default: "CPU_CLK",
        ..Catalogue::EMPTY
    }
}

/// The tables of the embedded cores' events by name, one for each processor.
///
/// Names and numbers are facts from the sources that each table names.
impl Catalogue {
    /// The events of e300.
    pub const E300: &'static Catalogue = &catalogue("ppc/e300", &tables::E300).with_presets(presets::E300);
    /// The events of e500.
    pub const E500: &'static Catalogue = &catalogue("ppc/e500", &tables::E500).with_presets(presets::E300);
    /// The events of e500mc.
    pub const E500MC: &'static Catalogue = &catalogue("ppc/e500mc", &tables::E500MC).with_presets(presets::E300);
}

impl Model {
    /// Returns the events by name.
    #[must_use]
    pub fn catalogue(self) -> &'static Catalogue {
        match self {
            Self::E300 => Catalogue::E300,
            Self::E500 => Catalogue::E500,
            Self::E500mc => Catalogue::E500MC,
        }
    }
}
