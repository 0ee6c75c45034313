//! PMUv3's events by name: what strings are read with, and lists printed from.

mod common;

use super::events;
use super::facts::Facts;
use crate::arch::aarch64::SystemRegister;
use crate::catalogue::{Attribute, Catalogue, Effect, GenericEvent, NamedEvent};
use crate::counter::CounterSet;
use crate::event::Event;

/// One line of the table: any event counter has any event.
const fn event(name: &'static str, number: u64) -> NamedEvent {
    NamedEvent::new(name, number, CounterSet::first(SystemRegister::EVENT_COUNTERS))
}

const fn generic(name: &'static str, event: Event) -> GenericEvent {
    GenericEvent { name, event }
}

const GENERIC: &[GenericEvent] = &[
    generic("papi_br_ins", Event::BRANCHES),
    generic("papi_br_msp", Event::BRANCH_MISSES),
    generic("papi_l1_dca", events::L1D_REFERENCES),
    generic("papi_l1_dcm", events::L1D_REFILLS),
    generic("papi_ref_cyc", Event::REFERENCE_CYCLES),
    generic("papi_tot_cyc", Event::CYCLES),
    generic("papi_tot_ins", Event::INSTRUCTIONS),
];

/// libpfm's: lib/pfmlib_arm.c.
const MODIFIERS: &[Attribute] = &[
    Attribute { name: "hv", effect: Effect::Hypervisor, largest: 1 },
    Attribute { name: "k", effect: Effect::Kernel, largest: 1 },
    Attribute { name: "u", effect: Effect::User, largest: 1 },
];

static CATALOGUE: Catalogue = Catalogue {
    unit: "arm/armv8-pmuv3",
    events: common::EVENTS,
    generic: GENERIC,
    modifiers: MODIFIERS,
    default: "CPU_CYCLES",
    ..Catalogue::EMPTY
};

impl Facts {
    /// The events by name, whether or not this processor has each: it refuses those that it announces
    /// it has not.
    #[must_use]
    pub fn catalogue(&self) -> &'static Catalogue {
        &CATALOGUE
    }
}
