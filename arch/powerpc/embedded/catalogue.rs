//! The embedded cores' events by name.
//!
//! Names and numbers are facts from the sources that each table names.

mod e300;
mod e500;

use super::capabilities::Core;
use super::events;
use crate::event::catalogue::{Attribute, Catalogue, Effect, Events, GenericEvent, NamedEvent, Preset};
use crate::event::{CounterSet, Event};

/// A line of a table: an event with its number, and the shortest period that OProfile allows. Every counter has
/// it.
const fn event(name: &'static str, number: u64, least: u64) -> NamedEvent {
    NamedEvent { least, ..NamedEvent::new(name, number, CounterSet::first(4)) }
}

const fn generic(name: &'static str, event: Event) -> GenericEvent {
    GenericEvent { name, event }
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

const PRESETS: &[Preset] = &[Preset { name: "papi_lst_ins", plus: &["papi_ld_ins", "papi_sr_ins"], minus: &[] }];

/// The events that all cores count by the same numbers, and all known names of e500mc's.
const COMMON: &[NamedEvent] = &[
    event("BRANCHES_MISPREDICTED", 0x0F, 500),
    event("COMPLETED_BRANCHES", 0x08, 500),
    event("COMPLETED_INSNS", 0x02, 3000),
    event("COMPLETED_LOAD_OPS", 0x09, 500),
    event("COMPLETED_STORE_OPS", 0x0A, 500),
    event("CPU_CLK", 0x01, 3000),
    event("TAKEN_BRANCHES_FINISHED", 0x0D, 500),
];

const fn catalogue(unit: &'static str, events: &'static [NamedEvent]) -> Catalogue {
    Catalogue {
        unit,
        aliases: &[],
        events: Events::of(events),
        generic: GENERIC,
        presets: PRESETS,
        modifiers: MODIFIERS,
        default: "CPU_CLK",
        ..Catalogue::EMPTY
    }
}

static OF_E300: Catalogue = catalogue("ppc/e300", e300::EVENTS);
static OF_E500: Catalogue = catalogue("ppc/e500", e500::EVENTS);
static OF_E500MC: Catalogue = catalogue("ppc/e500mc", COMMON);

impl Core {
    /// Returns the events by name.
    #[must_use]
    pub fn catalogue(self) -> &'static Catalogue {
        match self {
            Self::E300 => &OF_E300,
            Self::E500 => &OF_E500,
            Self::E500mc => &OF_E500MC,
        }
    }
}
