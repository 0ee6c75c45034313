//! AMD's events by name.
//!
//! Families up to 15h have unit masks that can be chosen. From Zen on the unit mask is part of the name, as in the
//! vendor's lists.

mod common;
mod family_10h;
mod family_12h;
mod family_14h;
mod family_15h;
mod hammer;
mod k7;
mod solaris;
mod zen_1;
mod zen_2;
mod zen_3;
mod zen_4;
mod zen_5;

use super::capabilities::Capabilities;
use super::events;
use crate::event::catalogue::{
    Attribute, Catalogue, Cost, CostUnit, Effect, Events, GenericEvent, Groups, MaskField, MaskKind, MaskNames,
    NamedEvent, Preset, UnitMask, UnitMasks,
};
use crate::event::{CounterSet, Event, Flag};

/// A line of a table of OProfile's: an event with its code, a bit for each counter that has it, and the shortest
/// period that OProfile allows.
const fn timed(name: &'static str, code: u64, counters: u64, least: u64) -> NamedEvent {
    NamedEvent { least, ..NamedEvent::new(name, code, CounterSet::from_bits(counters)) }
}

/// A line of a table of OProfile's: an event with unit masks that can be chosen.
const fn masked(name: &'static str, code: u64, counters: u64, least: u64, masks: UnitMasks) -> NamedEvent {
    NamedEvent { masks, ..timed(name, code, counters, least) }
}

/// A line of a Zen table: an event that every counter has.
const fn event(name: &'static str, code: u64) -> NamedEvent {
    NamedEvent::new(name, code, CounterSet::first(6))
}

/// A line of a Zen table: an event that is a large increment, which needs an even counter and the next.
const fn large(name: &'static str, code: u64) -> NamedEvent {
    NamedEvent::new(name, code, CounterSet::from_bits(0b01_0101))
}

const fn mask(name: &'static str, value: u64) -> UnitMask {
    UnitMask::new(name, value)
}

const fn bitmask(default: u64, named: &'static [UnitMask]) -> UnitMasks {
    UnitMasks { kind: MaskKind::Bitmask, default, named: MaskNames::of(named) }
}

const fn exclusive(default: u64, named: &'static [UnitMask]) -> UnitMasks {
    UnitMasks { kind: MaskKind::Exclusive, default, named: MaskNames::of(named) }
}

const fn generic(name: &'static str, event: Event) -> GenericEvent {
    GenericEvent { name, event }
}

/// The generic events of K7, as PAPI has them (icl-utk-edu/papi, src/papi_events.csv, amd64_k7; PAPI_l2_dcm as in
/// src/ia32_presets.h). Requests to the second level cannot be counted: see [`events`].
const OF_ATHLON: &[GenericEvent] = &[
    generic("papi_br_ins", Event::BRANCHES),
    generic("papi_br_msp", Event::BRANCH_MISSES),
    generic("papi_br_tkn", events::TAKEN_BRANCHES),
    generic("papi_hw_int", Event::raw(0x00CF)),
    generic("papi_l1_dca", Event::raw(0x0040)),
    generic("papi_l1_dcm", Event::raw(0x0041)),
    generic("papi_l1_ica", Event::raw(0x0080)),
    generic("papi_l1_icm", Event::raw(0x0081)),
    generic("papi_l1_icr", Event::raw(0x0080)),
    generic("papi_l2_dcm", Event::raw(0x1F43)),
    generic("papi_tlb_dm", Event::raw(0x0046)),
    generic("papi_tlb_im", Event::raw(0x0085)),
    generic("papi_tot_cyc", Event::CYCLES),
    generic("papi_tot_ins", Event::INSTRUCTIONS),
];

/// The generic events of K8: those of illumos-gate (usr/src/uts/intel/pcbe/opteron_pcbe.c), which are those of PAPI 3
/// (icl-utk-edu/papi, src/p3_opt_event_tables.c), and the two of the second level that Linux has. The unit masks are
/// those of the BKDG 26094; those of events 42H and 43H are the states of the line: a load finds it shared, exclusive or
/// owned, a store modified.
///
/// Later versions of PAPI count PAPI_l2_dcm and PAPI_l2_icm by event 7EH.
const OF_OPTERON: &[GenericEvent] = &[
    generic("papi_br_ins", Event::BRANCHES),
    generic("papi_br_msp", Event::BRANCH_MISSES),
    generic("papi_br_tkn", events::TAKEN_BRANCHES),
    generic("papi_fad_ins", Event::raw(0x0100)),
    generic("papi_fml_ins", Event::raw(0x0200)),
    generic("papi_fp_ins", Event::raw(0x0DCB)),
    generic("papi_fp_ops", Event::raw(0x0300)),
    generic("papi_fpu_idl", Event::raw(0x0001)),
    generic("papi_hw_int", Event::raw(0x00CF)),
    generic("papi_l1_dca", Event::raw(0x0040)),
    generic("papi_l1_dcm", Event::raw(0x0041)),
    generic("papi_l1_ica", Event::raw(0x0080)),
    generic("papi_l1_icm", Event::raw(0x0081)),
    generic("papi_l1_icr", Event::raw(0x0080)),
    generic("papi_l1_ldm", Event::raw(0x0E42)),
    generic("papi_l1_stm", Event::raw(0x1042)),
    generic("papi_l2_dch", Event::raw(0x1E42)),
    generic("papi_l2_dcm", Event::raw(0x1E43)),
    generic("papi_l2_dcr", Event::raw(0x0E42)),
    generic("papi_l2_dcw", Event::raw(0x1042)),
    generic("papi_l2_ich", Event::raw(0x0082)),
    generic("papi_l2_icm", Event::raw(0x0083)),
    generic("papi_l2_ldm", Event::raw(0x0E43)),
    generic("papi_l2_stm", Event::raw(0x1043)),
    generic("papi_l2_tca", Event::CACHE_REFERENCES),
    generic("papi_l2_tcm", Event::CACHE_MISSES),
    generic("papi_res_stl", Event::raw(0x00D1)),
    generic("papi_stl_icy", Event::raw(0x00D0)),
    generic("papi_tlb_dm", Event::raw(0x0046)),
    generic("papi_tlb_im", Event::raw(0x0085)),
    generic("papi_tot_cyc", Event::CYCLES),
    generic("papi_tot_ins", Event::INSTRUCTIONS),
    generic("papi_vec_ins", Event::raw(0x04CB)),
];

/// The generic events of family 16h, as PAPI has them (src/papi_events.csv, amd64_fam16h, which says of the second level
/// that it needs other counters). The unit masks are all that libpfm4 has of each event.
const OF_JAGUAR: &[GenericEvent] = &[
    generic("papi_br_ins", Event::BRANCHES),
    generic("papi_br_msp", Event::BRANCH_MISSES),
    generic("papi_br_tkn", events::TAKEN_BRANCHES),
    generic("papi_hw_int", Event::raw(0x00CF)),
    generic("papi_l1_dca", Event::raw(0x0040)),
    generic("papi_l1_dcm", Event::raw(0x0041)),
    generic("papi_l1_ica", Event::raw(0x0080)),
    generic("papi_l1_icm", Event::raw(0x0081)),
    generic("papi_l1_icr", Event::raw(0x0080)),
    generic("papi_l2_ica", Event::raw(0x0081)),
    generic("papi_tlb_dm", Event::raw(0x0F46)),
    generic("papi_tlb_im", Event::raw(0x0385)),
    generic("papi_tot_cyc", Event::CYCLES),
    generic("papi_tot_ins", Event::INSTRUCTIONS),
];

const SECOND_LEVEL: &[GenericEvent] = &[
    generic("papi_br_ins", Event::BRANCHES),
    generic("papi_br_msp", Event::BRANCH_MISSES),
    generic("papi_br_tkn", events::TAKEN_BRANCHES),
    generic("papi_l2_tca", Event::CACHE_REFERENCES),
    generic("papi_l2_tcm", Event::CACHE_MISSES),
    generic("papi_tot_cyc", Event::CYCLES),
    generic("papi_tot_ins", Event::INSTRUCTIONS),
];

const L2_HITS: Preset = Preset { name: "papi_l2_tch", plus: &["papi_l2_tca"], minus: &["papi_l2_tcm"] };
/// Misses of the first-level data cache before Zen, as in PAPI (papi_events.csv, BSD-3-Clause).
const L1_MISSES: Preset = Preset { name: "papi_l1_dcm", plus: &["DATA_CACHE_MISSES"], minus: &[] };
const WITH_MISSES: &[Preset] = &[L1_MISSES, L2_HITS];
const OF_ZEN: &[Preset] = &[Preset { name: "papi_br_cn", plus: &["ex_ret_cond"], minus: &[] }, L2_HITS];

/// What mispredicted branches cost, in thousandths of a clock: "Software Optimization Guide for AMD Family 17h Models
/// 30h and Greater Processors" (56305), the branch misprediction penalty, as chipsandcheese.com quotes it.
const COSTS_OF_ZEN_2: &[(&str, Cost)] = &[
    ("ex_ret_brn_misp", Cost { typical: 16_000, minimum: 12_000, maximum: 18_000, unit: CostUnit::Clocks }),
    ("ls_not_halted_cyc", Cost::CLOCK),
];

/// The same by the "Software Optimization Guide for the AMD Zen4 Microarchitecture" (57647), as chipsandcheese.com
/// quotes it.
const COSTS_OF_ZEN_4: &[(&str, Cost)] = &[
    ("ex_ret_brn_misp", Cost { typical: 13_000, minimum: 11_000, maximum: 18_000, unit: CostUnit::Clocks }),
    ("ls_not_halted_cyc", Cost::CLOCK),
];

const EDGE: Effect = Effect::Flag(Flag::Edge);
const INVERT: Effect = Effect::Flag(Flag::Invert);

const fn attribute(name: &'static str, effect: Effect, largest: u64) -> Attribute {
    Attribute { name, effect, largest }
}

/// The attributes of cputrack: opteron_pcbe.c of illumos-gate.
const WITH_PINS: &[Attribute] = &[
    attribute("edge", EDGE, 1),
    attribute("inv", INVERT, 1),
    attribute("cmask", Effect::Threshold, 0xFF),
    attribute("umask", Effect::UnitMask, 0xFF),
    attribute("pc", Effect::Flag(Flag::PinControl), 1),
];

/// The attributes from family 10h on, where the bit of the pins is reserved.
const ATTRIBUTES: &[Attribute] = WITH_PINS.split_at(4).0;

/// The modifiers of libpfm: lib/pfmlib_amd64.c.
const MODIFIERS: &[Attribute] = &[
    attribute("k", Effect::Kernel, 1),
    attribute("u", Effect::User, 1),
    attribute("e", EDGE, 1),
    attribute("i", INVERT, 1),
    attribute("c", Effect::Threshold, 0xFF),
    attribute("h", Effect::Flag(Flag::HostOnly), 1),
    attribute("g", Effect::Flag(Flag::GuestOnly), 1),
];

/// The modifiers before family 10h, which does not distinguish guests.
const WITHOUT_GUESTS: &[Attribute] = MODIFIERS.split_at(5).0;

/// Creates a catalogue whose codes have the unit mask in bits 8 to 15.
const fn catalogue(unit: &'static str, events: &'static [NamedEvent]) -> Catalogue {
    Catalogue {
        groups: Groups::NONE,
        other_names: &[],
        unit,
        aliases: &[],
        events: Events::of(events),
        generic: SECOND_LEVEL,
        presets: WITH_MISSES,
        mask: MaskField { shift: 8, largest: 0xFF },
        attributes: ATTRIBUTES,
        modifiers: MODIFIERS,
        default: "CPU_CLK_UNHALTED",
        costs: &[],
    }
}

const fn before_family_10h(unit: &'static str, events: &'static [NamedEvent]) -> Catalogue {
    Catalogue { attributes: WITH_PINS, modifiers: WITHOUT_GUESTS, ..catalogue(unit, events) }
}

/// A catalogue for Opteron and its relative, which has the names that Solaris has for their events.
const fn of_hammer(unit: &'static str, events: &'static [NamedEvent]) -> Catalogue {
    Catalogue { generic: OF_OPTERON, presets: &[L2_HITS], ..before_family_10h(unit, events) }
        .with_other_names(solaris::HAMMER)
}

/// Replaces the generic events by those of a processor whose counters do not count the second-level cache.
const fn first_level(catalogue: Catalogue, generic: &'static [GenericEvent]) -> Catalogue {
    Catalogue { generic, presets: &[], ..catalogue }
}

const fn of_zen(unit: &'static str, events: &'static [NamedEvent]) -> Catalogue {
    Catalogue { default: "ls_not_halted_cyc", presets: OF_ZEN, ..catalogue(unit, events) }
}

static OF_K7: Catalogue = first_level(before_family_10h("i386/athlon", k7::EVENTS), OF_ATHLON).also(&["amd64_k7"]);
static OF_HAMMER: Catalogue = of_hammer("x86-64/hammer", &hammer::FAMILY_0FH).also(&[
    "amd64_k8_revb",
    "amd64_k8_revc",
    "amd64_k8_revd",
    "amd64_k8_reve",
    "amd64_k8_revf",
    "amd64_k8_revg",
]);
static OF_FAMILY_11H: Catalogue = of_hammer("x86-64/family11h", &hammer::FAMILY_11H).also(&["amd64_fam11h_turion"]);
static OF_FAMILY_10H: Catalogue = catalogue("x86-64/family10", family_10h::EVENTS)
    .with_other_names(solaris::FAMILY_10H)
    .also(&["amd64_fam10h_barcelona", "amd64_fam10h_shanghai", "amd64_fam10h_istanbul"]);
static OF_FAMILY_12H: Catalogue = catalogue("x86-64/family12h", family_12h::EVENTS).also(&["amd64_fam12h_llano"]);
static OF_FAMILY_14H: Catalogue = catalogue("x86-64/family14h", family_14h::EVENTS).also(&["amd64_fam14h_bobcat"]);
static OF_FAMILY_15H: Catalogue = catalogue("x86-64/family15h", family_15h::EVENTS).also(&["amd64_fam15h_interlagos"]);
static OF_FAMILY_16H: Catalogue =
    first_level(catalogue("x86-64/family16h", common::EVENTS), OF_JAGUAR).also(&["amd64_fam16h"]);
static OF_ZEN_1: Catalogue = of_zen("x86-64/zen1", zen_1::EVENTS).also(&["amd64_fam17h_zen1", "amd64_fam17h"]);
static OF_ZEN_2: Catalogue = of_zen("x86-64/zen2", zen_2::EVENTS).also(&["amd64_fam17h_zen2"]).costing(COSTS_OF_ZEN_2);
static OF_ZEN_3: Catalogue = of_zen("x86-64/zen3", zen_3::EVENTS).also(&["amd64_fam19h_zen3"]);
static OF_ZEN_4: Catalogue = of_zen("x86-64/zen4", zen_4::EVENTS).also(&["amd64_fam19h_zen4"]).costing(COSTS_OF_ZEN_4);
static OF_ZEN_5: Catalogue = of_zen("x86-64/zen5", zen_5::EVENTS).also(&["amd64_fam1ah_zen5"]);

impl Capabilities {
    /// Returns the events by name. Which model is which Zen: torvalds/linux 6.12,
    /// tools/perf/pmu-events/arch/x86/mapfile.csv.
    #[must_use]
    pub fn catalogue(&self) -> &'static Catalogue {
        match (self.family, self.model) {
            (0x06, _) => &OF_K7,
            (0x0F, _) => &OF_HAMMER,
            (0x10, _) => &OF_FAMILY_10H,
            (0x11, _) => &OF_FAMILY_11H,
            (0x12, _) => &OF_FAMILY_12H,
            (0x14, _) => &OF_FAMILY_14H,
            (0x15, _) => &OF_FAMILY_15H,
            (0x17, 0x00..=0x2F) | (0x18, _) => &OF_ZEN_1,
            (0x17, _) => &OF_ZEN_2,
            (0x19, 0x00..=0x0F | 0x20..=0x5F) => &OF_ZEN_3,
            (0x19, _) => &OF_ZEN_4,
            (0x1A, _) => &OF_ZEN_5,
            _ => &OF_FAMILY_16H,
        }
    }
}
