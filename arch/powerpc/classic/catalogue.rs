//! The classic processors' events by name.
//!
//! Names and codes are facts from the sources that each table names. Codes have the layout that
//! [`events`](super::events) describes.

mod p604;
mod p604e;
mod p7400;
mod p745x;
mod p750;

use super::capabilities::Model;
use super::events;
use crate::event::catalogue::{Attribute, Catalogue, Effect, Events, GenericEvent, NamedEvent};
use crate::event::{CounterSet, Event};

/// A line of a table: an event with its code, a bit for each counter that has it, and the shortest period that
/// OProfile allows.
const fn event(name: &'static str, code: u64, counters: u64, least: u64) -> NamedEvent {
    NamedEvent { least, ..NamedEvent::new(name, code, CounterSet::from_bits(counters)) }
}

const fn generic(name: &'static str, event: Event) -> GenericEvent {
    GenericEvent { name, event }
}

const MODIFIERS: &[Attribute] = &[
    Attribute { name: "k", effect: Effect::Kernel, largest: 1 },
    Attribute { name: "u", effect: Effect::User, largest: 1 },
];

const P604: &[GenericEvent] = &[
    generic("papi_br_ins", events::P604_BRANCHES),
    generic("papi_br_msp", events::P604_BRANCH_MISSES),
    generic("papi_tot_cyc", events::CYCLES),
    generic("papi_tot_ins", events::INSTRUCTIONS),
];

const P750: &[GenericEvent] = &[
    generic("papi_br_msp", events::P750_BRANCH_MISSES),
    generic("papi_l1_dcm", events::P750_L1_DATA_MISSES),
    generic("papi_tot_cyc", events::CYCLES),
    generic("papi_tot_ins", events::INSTRUCTIONS),
];

const P7400: &[GenericEvent] = &[
    generic("papi_br_msp", events::P7400_BRANCH_MISSES),
    generic("papi_br_ntk", events::P7400_BRANCHES_NOT_TAKEN),
    generic("papi_br_tkn", events::P7400_TAKEN_BRANCHES),
    generic("papi_ld_ins", events::P7400_LOADS),
    generic("papi_tot_cyc", events::CYCLES),
    generic("papi_tot_ins", events::INSTRUCTIONS),
];

const P745X: &[GenericEvent] = &[
    generic("papi_br_ins", events::P745X_BRANCHES),
    generic("papi_br_msp", events::P745X_BRANCH_MISSES),
    generic("papi_l1_dcm", events::P745X_L1_DATA_MISSES),
    generic("papi_sr_ins", events::P745X_STORES),
    generic("papi_tot_cyc", events::CYCLES),
    generic("papi_tot_ins", events::INSTRUCTIONS),
];

const fn catalogue(
    unit: &'static str,
    events: &'static [NamedEvent],
    generic: &'static [GenericEvent],
    default: &'static str,
) -> Catalogue {
    Catalogue { unit, events: Events::of(events), generic, modifiers: MODIFIERS, default, ..Catalogue::EMPTY }
}

static OF_604: Catalogue = catalogue("ppc/604", p604::EVENTS, P604, "PROCESSOR_CYCLES");
static OF_604E: Catalogue = catalogue("ppc/604e", p604e::EVENTS, P604, "PROCESSOR_CYCLES");
static OF_750: Catalogue = catalogue("ppc/750", p750::EVENTS, P750, "PROCESSOR_CYCLES");
static OF_7400: Catalogue = catalogue("ppc/7400", p7400::EVENTS, P7400, "PROCESSOR_CYCLES");
static OF_745X: Catalogue = catalogue("ppc/7450", p745x::EVENTS, P745X, "CYCLES");

impl Model {
    /// Returns the events by name.
    #[must_use]
    pub fn catalogue(self) -> &'static Catalogue {
        match self {
            Self::P604 => &OF_604,
            Self::P604e => &OF_604E,
            Self::P750 => &OF_750,
            Self::P7400 => &OF_7400,
            Self::P745x => &OF_745X,
        }
    }
}
