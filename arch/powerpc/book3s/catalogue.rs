//! Book3S 64's events by name.
//!
//! Codes have the layout that [`events`](super::events) describes, and may contain a counter. The lists of
//! processors before POWER8 have groups: an event has places in them, and `PM_CYC_GRP1` is PM_CYC in group 1.

mod power10;
mod power4;
mod power5;
mod power5_plus;
mod power6;
mod power7;
mod power8;
mod power9;
mod ppc970;
mod ppc970_common;
mod ppc970mp;

use super::capabilities::Capabilities;
use super::generation::Generation;
use crate::event::catalogue::{
    Attribute, Catalogue, Effect, Events, GenericEvent, Grouped, Groups, NamedEvent, OtherName, Preset,
};
use crate::event::{CounterSet, Event};

/// A line of a table from POWER8 on. Bits 16 to 19 of the code are the number of its counter from 1, or 0
/// for any of the first four.
const fn of_code(name: &'static str, code: u64) -> NamedEvent {
    let counters = match code >> 16 & 0xF {
        0 => CounterSet::first(4),
        number => CounterSet::from_bits(1 << (number - 1)),
    };
    NamedEvent::new(name, code, counters)
}

/// A line of a table from POWER8 on for an event that has two codes, of different counters.
const fn of_either(name: &'static str, code: u64, other: u64) -> NamedEvent {
    let NamedEvent { counters, .. } = of_code(name, other);
    let event = of_code(name, code);
    NamedEvent { counters: event.counters.or(counters), ..event }
}

/// A line of a table before POWER8: an event with its code, a bit for each counter that has it, and its places.
/// OProfile allows a period of 1,000 for events of groups.
const fn event(name: &'static str, code: u64, counters: u64, places: &'static [u16]) -> Grouped {
    let least = if places.is_empty() { 0 } else { 1000 };
    let event = NamedEvent::new(name, code, CounterSet::from_bits(counters));
    Grouped { event: NamedEvent { least, ..event }, places }
}

/// A line of a table before POWER8 for a frequent event, which OProfile allows a period of 10,000.
const fn often(name: &'static str, code: u64, counters: u64, places: &'static [u16]) -> Grouped {
    let Grouped { event, places } = event(name, code, counters, places);
    Grouped { event: NamedEvent { least: 10_000, ..event }, places }
}

/// A line of a table before POWER8 for an event of marked instructions.
const fn marked(name: &'static str, code: u64, counters: u64, places: &'static [u16]) -> Grouped {
    let Grouped { event, places } = event(name, code, counters, places);
    Grouped { event: event.beside(1), places }
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

/// The generic events of POWER4, the 970 and POWER5, whose caches are the first level. PAPI's mispredicted branches
/// are a sum.
const OF_FIRST_LEVEL: &[GenericEvent] = &[
    generic("papi_br_ins", Event::BRANCHES),
    generic("papi_l1_dcr", Event::CACHE_REFERENCES),
    generic("papi_l1_ldm", Event::CACHE_MISSES),
    generic("papi_tot_cyc", Event::CYCLES),
    generic("papi_tot_ins", Event::INSTRUCTIONS),
];

const fn one(name: &'static str, plus: &'static [&'static str; 1]) -> Preset {
    Preset { name, plus, minus: &[] }
}

/// Mispredicted branches before POWER6: those whose direction was wrong, and those whose target was.
const BRANCH_MISSES: Preset = Preset { name: "papi_br_msp", plus: &["PM_BR_MPRED_CR", "PM_BR_MPRED_TA"], minus: &[] };
/// Misses of loads and of stores.
const L1_MISSES: Preset = Preset { name: "papi_l1_dcm", plus: &["PM_LD_MISS_L1", "PM_ST_MISS_L1"], minus: &[] };
const FLOATING_POINT: Preset = one("papi_fp_ins", &["PM_FPU_FIN"]);
const LOADS: Preset = one("papi_ld_ins", &["PM_LD_REF_L1"]);
const STORES: Preset = one("papi_sr_ins", &["PM_ST_REF_L1"]);
const COMPLETED_LOADS: Preset = one("papi_ld_ins", &["PM_LD_CMPL"]);
const COMPLETED_STORES: Preset = one("papi_sr_ins", &["PM_ST_CMPL"]);
/// Demand loads of data, as all events of what data come from.
const L2_MISSES: Preset = one("papi_l2_dcm", &["PM_DATA_FROM_L2MISS"]);

// The presets of each processor. Source: PAPI's presets of the 970 to POWER10 (papi_events.csv, BSD-3-Clause), except
// that loads and stores from POWER8 on are those that complete, and that PAPI adds misses to POWER7's loads. POWER4 has
// the 970's.
const PRESETS_OF_POWER4: &[Preset] = &[BRANCH_MISSES, FLOATING_POINT, L1_MISSES, LOADS, STORES];
const PRESETS_OF_970: &[Preset] =
    &[BRANCH_MISSES, FLOATING_POINT, L1_MISSES, one("papi_l2_dcm", &["PM_DATA_FROM_MEM"]), LOADS, STORES];
const PRESETS_OF_POWER5: &[Preset] = &[BRANCH_MISSES, FLOATING_POINT, L1_MISSES, L2_MISSES, LOADS, STORES];
const PRESETS_OF_POWER6: &[Preset] = &[FLOATING_POINT, L1_MISSES, L2_MISSES, LOADS, STORES];
const PRESETS_OF_POWER7: &[Preset] =
    &[one("papi_fp_ins", &["PM_FLOP"]), L1_MISSES, L2_MISSES, LOADS, one("papi_sr_ins", &["PM_ST_FIN"])];
const PRESETS_OF_POWER8: &[Preset] =
    &[one("papi_fp_ins", &["PM_FLOP"]), L1_MISSES, L2_MISSES, COMPLETED_LOADS, COMPLETED_STORES];
const PRESETS_SINCE_POWER9: &[Preset] =
    &[one("papi_fp_ins", &["PM_FLOP_CMPL"]), L1_MISSES, L2_MISSES, COMPLETED_LOADS, COMPLETED_STORES];

/// The modifiers of libpfm, from its layer for perf_event: lib/pfmlib_perf_event.c.
const MODIFIERS: &[Attribute] = &[
    Attribute { name: "h", effect: Effect::Hypervisor, largest: 1 },
    Attribute { name: "k", effect: Effect::Kernel, largest: 1 },
    Attribute { name: "u", effect: Effect::User, largest: 1 },
];

const fn catalogue(unit: &'static str, events: &'static [NamedEvent], default: &'static str) -> Catalogue {
    Catalogue { unit, events: Events::of(events), generic: GENERIC, modifiers: MODIFIERS, default, ..Catalogue::EMPTY }
}

/// Creates a catalogue with groups. Its codes contain their counters from bit `number_at` on.
macro_rules! grouped {
    ($unit:literal, $table:expr, $number_at:literal, $generic:expr) => {{
        static EVENTS: [NamedEvent; $table.len()] = Grouped::events($table);
        static PLACES: [&[u16]; $table.len()] = Grouped::places($table);
        let groups = Groups { places: &PLACES, number_at: $number_at };
        Catalogue { groups, generic: $generic, ..catalogue($unit, &EVENTS, "CYCLES") }
    }};
}

const PPC970: &[Grouped] =
    &Grouped::merged::<{ ppc970_common::EVENTS.len() + ppc970::EVENTS.len() }>(ppc970_common::EVENTS, ppc970::EVENTS);
const PPC970MP: &[Grouped] = &Grouped::merged::<{ ppc970_common::EVENTS.len() + ppc970mp::EVENTS.len() }>(
    ppc970_common::EVENTS,
    ppc970mp::EVENTS,
);

static OF_POWER4: Catalogue =
    Catalogue { presets: PRESETS_OF_POWER4, ..grouped!("ppc64/power4", power4::EVENTS, 12, OF_FIRST_LEVEL) };
static OF_PPC970: Catalogue =
    Catalogue { presets: PRESETS_OF_970, ..grouped!("ppc64/970", PPC970, 12, OF_FIRST_LEVEL).also(&["ppc970"]) };
static OF_PPC970MP: Catalogue =
    Catalogue { presets: PRESETS_OF_970, ..grouped!("ppc64/970MP", PPC970MP, 12, OF_FIRST_LEVEL).also(&["ppc970mp"]) };
static OF_POWER5: Catalogue =
    Catalogue { presets: PRESETS_OF_POWER5, ..grouped!("ppc64/power5", power5::EVENTS, 20, OF_FIRST_LEVEL) };
static OF_POWER5_PLUS: Catalogue = Catalogue {
    presets: PRESETS_OF_POWER5,
    ..grouped!("ppc64/power5+", power5_plus::EVENTS, 20, OF_FIRST_LEVEL).also(&["power5p"])
};
static OF_POWER6: Catalogue =
    Catalogue { presets: PRESETS_OF_POWER6, ..grouped!("ppc64/power6", power6::EVENTS, 20, GENERIC) };
static OF_POWER7: Catalogue =
    Catalogue { presets: PRESETS_OF_POWER7, ..grouped!("ppc64/power7", power7::EVENTS, 16, GENERIC) };
// CYCLES is OProfile's default (events/ppc64/power8/events).
static OF_POWER8: Catalogue =
    Catalogue { presets: PRESETS_OF_POWER8, ..catalogue("ppc64/power8", power8::EVENTS, "PM_CYC") }
        .with_other_names(&[OtherName { name: "CYCLES", code: 0x001E }]);
static OF_POWER9: Catalogue =
    Catalogue { presets: PRESETS_SINCE_POWER9, ..catalogue("ppc64/power9", power9::EVENTS, "PM_CYC") }
        .with_other_names(&[OtherName { name: "CYCLES", code: 0x001E }]);
static OF_POWER10: Catalogue =
    Catalogue { presets: PRESETS_SINCE_POWER9, ..catalogue("ppc64/power10", power10::EVENTS, "PM_CYC") }
        .with_other_names(&[OtherName { name: "CYCLES", code: 0x1_00F0 }]);

/// The 970MP's version in the processor version register.
const VERSION_OF_970MP: u16 = 0x0044;

impl Capabilities {
    /// Returns the events by name.
    #[must_use]
    pub fn catalogue(&self) -> &'static Catalogue {
        match self.generation {
            Generation::Power4 => &OF_POWER4,
            Generation::Ppc970 if self.pvr.version() == VERSION_OF_970MP => &OF_PPC970MP,
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
