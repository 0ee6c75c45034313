//! The events of POWER8, POWER9 and POWER10 by name: what strings are read with, and lists printed
//! from.
//!
//! A code is laid out as [`events`](super::events) says, and names its counter. Of the processors
//! before, whose lists are of groups, only what generic events are has names here.

mod before;
mod power10;
mod power8;
mod power9;

use super::facts::{Facts, Generation};
use crate::catalogue::{Attribute, Catalogue, Effect, GenericEvent, NamedEvent};
use crate::counter::CounterSet;
use crate::event::Event;

/// One line of a table. Bits 16 to 19 of the code are the number of its counter from 1, or 0 for any
/// of the first four.
const fn event(name: &'static str, code: u64) -> NamedEvent {
    let counters = match code >> 16 & 0xF {
        0 => CounterSet::first(4),
        number => CounterSet::from_bits(1 << (number - 1)),
    };
    NamedEvent::new(name, code, counters)
}

const fn generic(name: &'static str, event: Event) -> GenericEvent {
    GenericEvent { name, event }
}

const GENERIC: &[GenericEvent] = &[
    generic("papi_br_ins", Event::BRANCHES),
    generic("papi_br_msp", Event::BRANCH_MISSES),
    generic("papi_l3_dcr", Event::CACHE_REFERENCES),
    generic("papi_l3_ldm", Event::CACHE_MISSES),
    generic("papi_tot_cyc", Event::CYCLES),
    generic("papi_tot_ins", Event::INSTRUCTIONS),
];

/// Before POWER7.
const FEW: &[GenericEvent] = GENERIC.split_at(4).1;

/// libpfm's, of its layer for perf_event: lib/pfmlib_perf_event.c.
const MODIFIERS: &[Attribute] = &[
    Attribute { name: "h", effect: Effect::Hypervisor, largest: 1 },
    Attribute { name: "k", effect: Effect::Kernel, largest: 1 },
    Attribute { name: "u", effect: Effect::User, largest: 1 },
];

const fn catalogue(unit: &'static str, events: &'static [NamedEvent], default: &'static str) -> Catalogue {
    Catalogue { unit, events, generic: GENERIC, modifiers: MODIFIERS, default, ..Catalogue::EMPTY }
}

const fn before_power8(unit: &'static str, events: &'static [NamedEvent]) -> Catalogue {
    Catalogue { generic: FEW, ..catalogue(unit, events, "CYCLES") }
}

static OF_POWER4: Catalogue = before_power8("ppc64/power4", before::POWER4);
static OF_PPC970: Catalogue = before_power8("ppc64/970", before::PPC970);
static OF_POWER5: Catalogue = before_power8("ppc64/power5", before::POWER5);
static OF_POWER5_PLUS: Catalogue = before_power8("ppc64/power5+", before::POWER5);
static OF_POWER6: Catalogue = before_power8("ppc64/power6", before::POWER6);
static OF_POWER7: Catalogue = catalogue("ppc64/power7", before::POWER7, "CYCLES");
static OF_POWER8: Catalogue = catalogue("ppc64/power8", power8::EVENTS, "PM_CYC");
static OF_POWER9: Catalogue = catalogue("ppc64/power9", power9::EVENTS, "PM_CYC");
static OF_POWER10: Catalogue = catalogue("ppc64/power10", power10::EVENTS, "PM_CYC");

impl Facts {
    /// The events by name.
    #[must_use]
    pub fn catalogue(&self) -> &'static Catalogue {
        match self.generation {
            Generation::Power4 => &OF_POWER4,
            Generation::Ppc970 => &OF_PPC970,
            Generation::Power5 => &OF_POWER5,
            Generation::Power5Plus => &OF_POWER5_PLUS,
            Generation::Power6 => &OF_POWER6,
            Generation::Power7 => &OF_POWER7,
            Generation::Power8 => &OF_POWER8,
            Generation::Power9 => &OF_POWER9,
            Generation::Power10 => &OF_POWER10,
        }
    }
}
