//! The events by name.
//!
//! Names and numbers are facts from the sources that each table names.

mod generic;
mod m1004k;
mod m20k;
mod m24k;
mod m34k;
mod m5k;
mod m74k;
mod r10000;
mod r10000v2;
mod r12000;

use super::capabilities::Core;
use super::registers::PerfCtl;
use crate::event::CounterSet;
use crate::event::catalogue::{Attribute, Catalogue, Cost, Effect, Events, NamedEvent, OtherName, merged};

/// A line of a table: an event with its code, its counters as a mask, and the shortest period that OProfile allows.
const fn event(name: &'static str, code: u64, counters: u64, least: u64) -> NamedEvent {
    NamedEvent { least, ..NamedEvent::new(name, code, CounterSet::from_bits(counters)) }
}

/// A line of a list of other names.
const fn other(name: &'static str, code: u64) -> OtherName {
    OtherName { name, code }
}

/// libpfm's, of which `e` is the kernel at exception level and `s` supervisor mode.
const MODIFIERS: &[Attribute] = &[
    Attribute { name: "e", effect: Effect::OwnMode(PerfCtl::EXCEPTION.bits() as u64), largest: 1 },
    Attribute { name: "k", effect: Effect::Kernel, largest: 1 },
    Attribute { name: "s", effect: Effect::OwnMode(PerfCtl::SUPERVISOR.bits() as u64), largest: 1 },
    Attribute { name: "u", effect: Effect::User, largest: 1 },
];

const fn catalogue(unit: &'static str, events: &'static [NamedEvent], default: &'static str) -> Catalogue {
    Catalogue { unit, aliases: &[], events: Events::of(events), modifiers: MODIFIERS, default, ..Catalogue::EMPTY }
}

/// What an event costs that is a cycle. The costs of the others depend on the machine; perfex' own table was not found in
/// a source that may be used.
const COSTS: &[(&str, Cost)] = &[("Cycles", Cost::CLOCK), ("Cycles_1", Cost::CLOCK)];

static OF_R10000_V2: Catalogue = Catalogue {
    costs: COSTS,
    generic: generic::R10000,
    presets: generic::PRESETS,
    ..catalogue("mips/r10000-v2.x", r10000v2::EVENTS, "Cycles")
};
static OF_R10000: Catalogue = Catalogue {
    costs: COSTS,
    generic: generic::R10000,
    presets: generic::PRESETS,
    other_names: r10000::OTHER_NAMES,
    ..catalogue("mips/r10000", r10000::EVENTS, "Cycles")
};
static OF_R12000: Catalogue = Catalogue {
    costs: &[("Cycles", Cost::CLOCK)],
    generic: generic::R12000,
    presets: generic::PRESETS,
    other_names: r12000::OTHER_NAMES,
    ..catalogue("mips/r12000", r12000::EVENTS, "Cycles")
};
static OF_5K: Catalogue = Catalogue { generic: generic::M5K, ..catalogue("mips/5K", m5k::EVENTS, "CYCLES") };
static OF_20K: Catalogue = Catalogue { generic: generic::M20K, ..catalogue("mips/20K", m20k::EVENTS, "CYCLES") };
static OF_24K: Catalogue = Catalogue { generic: generic::M24K, ..catalogue("mips/24K", m24k::EVENTS, "INSTRUCTIONS") };
static OF_34K: Catalogue = Catalogue { generic: generic::M24K, ..catalogue("mips/34K", m34k::EVENTS, "INSTRUCTIONS") };
static OF_74K: Catalogue = Catalogue {
    aliases: &["mips_74k"],
    other_names: m74k::OTHER_NAMES,
    generic: generic::M74K,
    ..catalogue("mips/74K", m74k::EVENTS, "INSTRUCTIONS")
};
static OF_1004K: Catalogue = Catalogue { generic: generic::M24K, ..catalogue("mips/1004K", &COHERENT, "INSTRUCTIONS") };
static COHERENT: [NamedEvent; m34k::EVENTS.len() + m1004k::EVENTS.len()] = merged(m34k::EVENTS, m1004k::EVENTS);

impl Core {
    /// Returns the events by name.
    #[must_use]
    pub fn catalogue(self) -> &'static Catalogue {
        match self {
            Self::R10000V2 => &OF_R10000_V2,
            Self::R10000 => &OF_R10000,
            Self::R12000 => &OF_R12000,
            Self::M5K => &OF_5K,
            Self::M20K => &OF_20K,
            Self::M24K => &OF_24K,
            Self::M34K => &OF_34K,
            Self::M74K => &OF_74K,
            Self::M1004K => &OF_1004K,
        }
    }
}
