//! Intel's events by name.
//!
//! A table says which counters have an event if its code alone does not, and what else is part of the event. The
//! processors of a microarchitecture share a table of the events that they have in common.
//!
//! On a hybrid processor each CPU has the table of its own core: a name may have another code on another
//! CPU. A text is therefore parsed for a CPU, with the driver that was detected there.
//!
//! Processors without a table of their own have the names of the architectural events.

mod architectural;
mod bonnell;
mod broadwell;
mod core_2;
mod core_duo;
mod costs;
mod crestmont;
mod golden_cove;
mod goldmont;
mod gracemont;
mod haswell;
mod ice_lake;
mod ivy_bridge;
mod lion_cove;
mod nehalem;
mod presets;
mod redwood_cove;
mod sandy_bridge;
mod silvermont;
mod skylake;
mod skymont;
mod tremont;
mod westmere;

use super::capabilities::Capabilities;
use super::model::{Core, Microarchitecture};
use crate::event::catalogue::{
    Attribute, Catalogue, Effect, Events, GenericEvent, Groups, MaskField, MaskKind, MaskNames, NamedEvent, OtherName,
    Preset, UnitMask, UnitMasks,
};
use crate::event::{CounterSet, Event, Flag};

/// A line of a table: an event with its code, and a bit for each counter that has it.
const fn event(name: &'static str, code: u64, counters: u64) -> NamedEvent {
    NamedEvent::new(name, code, CounterSet::from_bits(counters))
}

/// A line of a table: the event of a fixed counter. Its unit mask is the counter's number from 1.
const fn fixed(name: &'static str, code: u64) -> NamedEvent {
    event(name, code, 1 << (32 + (code >> 8) - 1))
}

/// A line of a table: an event of all general counters.
const fn any(name: &'static str, code: u64) -> NamedEvent {
    NamedEvent::new(name, code, CounterSet::first(32))
}

/// A line of a table: an event of these counters. On others the code counts something else or nothing.
const fn only(name: &'static str, code: u64, counters: u64) -> NamedEvent {
    NamedEvent::only_on(name, code, CounterSet::from_bits(counters))
}

/// A line of a table: an event of general counters 0 to 3 alone, where a thread that has its core to itself has eight:
/// "CounterHTOff" in Intel's lists.
const fn first_four(name: &'static str, code: u64) -> NamedEvent {
    only(name, code, 0b1111)
}

/// A line of a table: an event that is counted only with precise sampling, and therefore on no counter here.
const fn precise(name: &'static str, code: u64) -> NamedEvent {
    NamedEvent::new(name, code, CounterSet::EMPTY)
}

/// A line of a table of OProfile's, with the shortest period that OProfile allows. The processors have two counters.
const fn timed(name: &'static str, code: u64, counters: u64, least: u64) -> NamedEvent {
    let named = if counters == 0b11 { event(name, code, counters) } else { only(name, code, counters) };
    NamedEvent { least, ..named }
}

/// A line of a table of OProfile's, with the shortest period and unit masks that can be chosen.
const fn masked(name: &'static str, code: u64, counters: u64, least: u64, masks: UnitMasks) -> NamedEvent {
    NamedEvent { masks, ..timed(name, code, counters, least) }
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

/// The generic events of a processor whose last-level cache is the second level.
const SECOND_LEVEL: &[GenericEvent] = &[
    generic("papi_br_ins", Event::BRANCHES),
    generic("papi_br_msp", Event::BRANCH_MISSES),
    generic("papi_l2_tca", Event::CACHE_REFERENCES),
    generic("papi_l2_tcm", Event::CACHE_MISSES),
    generic("papi_ref_cyc", Event::REFERENCE_CYCLES),
    generic("papi_tot_cyc", Event::CYCLES),
    generic("papi_tot_ins", Event::INSTRUCTIONS),
];

/// The generic events of a processor whose last-level cache is the third level.
const THIRD_LEVEL: &[GenericEvent] = &[
    generic("papi_br_ins", Event::BRANCHES),
    generic("papi_br_msp", Event::BRANCH_MISSES),
    generic("papi_l3_tca", Event::CACHE_REFERENCES),
    generic("papi_l3_tcm", Event::CACHE_MISSES),
    generic("papi_ref_cyc", Event::REFERENCE_CYCLES),
    generic("papi_tot_cyc", Event::CYCLES),
    generic("papi_tot_ins", Event::INSTRUCTIONS),
];

/// The generic events of a processor of which nothing but the architecture is known.
const ARCHITECTURAL: &[GenericEvent] =
    &[generic("papi_tot_cyc", Event::CYCLES), generic("papi_tot_ins", Event::INSTRUCTIONS)];

const EDGE: Effect = Effect::Flag(Flag::Edge);
const INVERT: Effect = Effect::Flag(Flag::Invert);
const ANY_THREAD: Effect = Effect::Flag(Flag::AnyThread);

const fn attribute(name: &'static str, effect: Effect, largest: u64) -> Attribute {
    Attribute { name, effect, largest }
}

/// The attributes of cputrack before version 3: core_pcbe.c of illumos-gate.
const WITH_PINS: &[Attribute] = &[
    attribute("edge", EDGE, 1),
    attribute("pc", Effect::Flag(Flag::PinControl), 1),
    attribute("inv", INVERT, 1),
    attribute("umask", Effect::UnitMask, 0xFF),
    attribute("cmask", Effect::Threshold, 0xFF),
];

/// The attributes of cputrack from version 3 on.
const WITH_ANY_THREAD: &[Attribute] = &[
    attribute("edge", EDGE, 1),
    attribute("inv", INVERT, 1),
    attribute("umask", Effect::UnitMask, 0xFF),
    attribute("cmask", Effect::Threshold, 0xFF),
    attribute("anythr", ANY_THREAD, 1),
];

const KERNEL: Attribute = attribute("k", Effect::Kernel, 1);
const USER: Attribute = attribute("u", Effect::User, 1);
const EDGES: Attribute = attribute("e", EDGE, 1);
const INVERTED: Attribute = attribute("i", INVERT, 1);
const COMPARED: Attribute = attribute("c", Effect::Threshold, 0xFF);
const ANY: Attribute = attribute("t", ANY_THREAD, 1);
/// Linux' names for the auxiliary registers (arch/x86/events/intel/core.c, the formats of config1), for the codes
/// of the events that [`auxiliary`](super::auxiliary) lists.
const OFFCORE: Attribute =
    attribute("offcore_rsp", Effect::Auxiliary(&[0x01B7, 0x01BB, 0x02B7, 0x012A, 0x012B]), u64::MAX);
const FRONTEND: Attribute =
    attribute("frontend", Effect::Auxiliary(&[0x01C6, 0x02C6, 0x03C6, 0x40AD, 0x04C2]), 0xFF_FFFF);
/// libpfm's name for the least latency of a load. It is parsed, and then refused with a reason.
const LATENCY: Attribute = attribute("ldlat", Effect::Auxiliary(&[0x100B, 0x01CD, 0x05D0]), 0xFFFF);

/// The modifiers of libpfm: lib/pfmlib_intel_x86_arch.c.
const MODIFIERS_WITH_ANY_THREAD: &[Attribute] =
    &[KERNEL, USER, EDGES, INVERTED, COMPARED, ANY, OFFCORE, FRONTEND, LATENCY];

/// The modifiers for processors on which a counter counts only its own thread.
const MODIFIERS: &[Attribute] = &[KERNEL, USER, EDGES, INVERTED, COMPARED, OFFCORE, FRONTEND, LATENCY];
/// The modifiers before Nehalem, which had no auxiliary registers.
const FIRST_MODIFIERS: &[Attribute] = MODIFIERS.split_at(5).0;
/// The attributes of cputrack for processors on which a counter counts only its own thread.
const PLAIN: &[Attribute] = WITH_ANY_THREAD.split_at(4).0;

const fn other(name: &'static str, code: u64) -> OtherName {
    OtherName { name, code }
}

/// The architectural events by OProfile's names (events/i386/arch_perfmon/events), and by libpfm's
/// (lib/events/intel_x86_arch_events.h).
const OF_THE_ARCHITECTURE: &[OtherName] = &[
    other("BR_INST_RETIRED", 0x00C4),
    other("BR_MISS_PRED_RETIRED", 0x00C5),
    other("CPU_CLK_UNHALTED", 0x003C),
    other("INST_RETIRED", 0x00C0),
    other("LLC_MISSES", 0x412E),
    other("LLC_REFS", 0x4F2E),
    other("BRANCH_INSTRUCTIONS_RETIRED", 0x00C4),
    other("INSTRUCTION_RETIRED", 0x00C0),
    other("LLC_REFERENCES", 0x4F2E),
    other("MISPREDICTED_BRANCH_RETIRED", 0x00C5),
    other("UNHALTED_CORE_CYCLES", 0x003C),
];

/// Creates a catalogue whose codes have the unit mask in bits 8 to 15.
const fn catalogue(unit: &'static str, events: &'static [NamedEvent], default: &'static str) -> Catalogue {
    Catalogue {
        unit,
        aliases: &[],
        events: Events::of(events),
        generic: THIRD_LEVEL,
        presets: &[],
        groups: Groups::NONE,
        other_names: &[],
        mask: MaskField { shift: 8, largest: 0xFF },
        attributes: PLAIN,
        modifiers: MODIFIERS,
        default,
        costs: &[],
    }
}

const fn before_nehalem(unit: &'static str, events: &'static [NamedEvent]) -> Catalogue {
    let (generic, modifiers) = (SECOND_LEVEL, FIRST_MODIFIERS);
    Catalogue { generic, modifiers, attributes: WITH_PINS, ..catalogue(unit, events, "CPU_CLK_UNHALTED") }
}

/// A catalogue for processors on which a counter can count all threads of its core.
const fn until_ice_lake(unit: &'static str, events: &'static [NamedEvent], presets: &'static [Preset]) -> Catalogue {
    Catalogue {
        attributes: WITH_ANY_THREAD,
        modifiers: MODIFIERS_WITH_ANY_THREAD,
        ..since_nehalem(unit, events, presets)
    }
}

const fn from_ice_lake(unit: &'static str, events: &'static [NamedEvent]) -> Catalogue {
    since_nehalem(unit, events, presets::ICE_LAKE)
}

const fn since_nehalem(unit: &'static str, events: &'static [NamedEvent], presets: &'static [Preset]) -> Catalogue {
    Catalogue { presets, ..catalogue(unit, events, "CPU_CLK_UNHALTED.THREAD_P").with_other_names(OF_THE_ARCHITECTURE) }
}

/// A catalogue for small cores, whose last-level cache is the second level.
const fn small(unit: &'static str, events: &'static [NamedEvent]) -> Catalogue {
    Catalogue { generic: SECOND_LEVEL, ..small_since_tremont(unit, events) }
}

const fn small_since_tremont(unit: &'static str, events: &'static [NamedEvent]) -> Catalogue {
    catalogue(unit, events, "CPU_CLK_UNHALTED.CORE_P").with_other_names(OF_THE_ARCHITECTURE)
}

static OF_ANY: Catalogue =
    Catalogue { generic: ARCHITECTURAL, ..catalogue("i386/arch_perfmon", architectural::EVENTS, "CPU_CLK_UNHALTED") }
        .also(&["ix86arch"]);
static OF_CORE_DUO: Catalogue =
    Catalogue { presets: presets::CORE_DUO, ..before_nehalem("i386/core", core_duo::EVENTS).also(&["coreduo"]) };
static OF_CORE_2: Catalogue =
    Catalogue { presets: presets::CORE_2, ..before_nehalem("i386/core_2", core_2::EVENTS).also(&["core"]) };
static OF_NEHALEM: Catalogue = until_ice_lake("i386/nehalem", &nehalem::TWO_SOCKETS, presets::NEHALEM).also(&["nhm"]);
static OF_NEHALEM_EX: Catalogue =
    until_ice_lake("i386/nehalem", &nehalem::MANY_SOCKETS, presets::NEHALEM).also(&["nhm_ex"]);
static OF_WESTMERE: Catalogue = until_ice_lake("i386/westmere", &westmere::ONE_SOCKET, presets::NEHALEM).also(&["wsm"]);
static OF_WESTMERE_EP: Catalogue =
    until_ice_lake("i386/westmere", &westmere::TWO_SOCKETS, presets::NEHALEM).also(&["wsm_dp"]);
static OF_WESTMERE_EX: Catalogue = until_ice_lake("i386/westmere", &westmere::MANY_SOCKETS, presets::NEHALEM);
static OF_SANDY_BRIDGE: Catalogue =
    until_ice_lake("i386/sandybridge", &sandy_bridge::CLIENT, presets::SANDY_BRIDGE).also(&["snb"]);
static OF_SANDY_BRIDGE_EP: Catalogue =
    until_ice_lake("i386/sandybridge", &sandy_bridge::SERVER, presets::SANDY_BRIDGE).also(&["snb_ep"]);
static OF_IVY_BRIDGE: Catalogue =
    until_ice_lake("i386/ivybridge", &ivy_bridge::CLIENT, presets::SANDY_BRIDGE).also(&["ivb"]);
static OF_IVY_BRIDGE_EP: Catalogue =
    until_ice_lake("i386/ivybridge", &ivy_bridge::SERVER, presets::SANDY_BRIDGE).also(&["ivb_ep"]);
static OF_HASWELL: Catalogue =
    until_ice_lake("i386/haswell", &haswell::CLIENT, presets::SANDY_BRIDGE).also(&["hsw"]).costing(costs::HASWELL);
static OF_HASWELL_EP: Catalogue =
    until_ice_lake("i386/haswell", &haswell::SERVER, presets::SANDY_BRIDGE).also(&["hsw_ep"]);
static OF_BROADWELL: Catalogue =
    until_ice_lake("i386/broadwell", &broadwell::CLIENT, presets::SANDY_BRIDGE).also(&["bdw"]).costing(costs::HASWELL);
static OF_BROADWELL_DE: Catalogue =
    until_ice_lake("i386/broadwell", broadwell::SMALL_SERVER, presets::SANDY_BRIDGE).also(&["bdw_ep"]);
static OF_BROADWELL_EP: Catalogue =
    until_ice_lake("i386/broadwell", &broadwell::SERVER, presets::SANDY_BRIDGE).also(&["bdw_ep"]);
static OF_SKYLAKE: Catalogue =
    until_ice_lake("i386/skylake", &skylake::CLIENT, presets::SKYLAKE).also(&["skl"]).costing(costs::SKYLAKE);
static OF_SKYLAKE_SP: Catalogue =
    until_ice_lake("i386/skylake", &skylake::SERVER, presets::SKYLAKE).also(&["skx", "clx"]).costing(costs::SKYLAKE_SP);
static OF_ICE_LAKE: Catalogue =
    from_ice_lake("i386/icelake", &ice_lake::CLIENT).also(&["icl"]).costing(costs::ICE_LAKE);
static OF_ICE_LAKE_SP: Catalogue = from_ice_lake("i386/icelake", &ice_lake::SERVER).also(&["icx"]);
static OF_TIGER_LAKE: Catalogue = from_ice_lake("i386/tigerlake", &ice_lake::TIGER_LAKE);
static OF_ALDER_LAKE: Catalogue = from_ice_lake("i386/alderlake", &golden_cove::CLIENT).also(&["adl_glc"]);
static OF_SAPPHIRE_RAPIDS: Catalogue =
    from_ice_lake("i386/sapphirerapids", &golden_cove::SAPPHIRE_RAPIDS).also(&["spr"]).costing(costs::SAPPHIRE_RAPIDS);
static OF_EMERALD_RAPIDS: Catalogue = from_ice_lake("i386/emeraldrapids", &golden_cove::SERVER).also(&["emr", "spr"]);
static OF_METEOR_LAKE: Catalogue = from_ice_lake("i386/meteorlake", &redwood_cove::CLIENT);
static OF_GRANITE_RAPIDS: Catalogue = from_ice_lake("i386/graniterapids", &redwood_cove::SERVER).also(&["gnr"]);
static OF_LUNAR_LAKE: Catalogue = from_ice_lake("i386/lioncove", &lion_cove::LUNAR_LAKE);
static OF_ARROW_LAKE: Catalogue = from_ice_lake("i386/lioncove", &lion_cove::ARROW_LAKE);

static OF_BONNELL: Catalogue = small("i386/atom", bonnell::EVENTS).also(&["atom"]);
static OF_SILVERMONT: Catalogue = small("i386/silvermont", silvermont::EVENTS).also(&["slm"]);
static OF_GOLDMONT: Catalogue = small("i386/goldmont", &goldmont::FIRST).also(&["glm"]);
static OF_GOLDMONT_PLUS: Catalogue = small("i386/goldmontplus", &goldmont::PLUS);
static OF_TREMONT: Catalogue = small_since_tremont("i386/tremont", tremont::EVENTS).also(&["tmt"]);
static OF_GRACEMONT: Catalogue = small_since_tremont("i386/gracemont", gracemont::EVENTS).also(&["adl_grt"]);
static OF_CRESTMONT: Catalogue = small_since_tremont("i386/crestmont", &crestmont::CLIENT);
static OF_CRESTMONT_H: Catalogue = small_since_tremont("i386/crestmont", &crestmont::LOW_POWER);
static OF_SIERRA_FOREST: Catalogue = small_since_tremont("i386/sierraforest", &crestmont::SERVER);
static OF_GRAND_RIDGE: Catalogue = small_since_tremont("i386/grandridge", &crestmont::EDGE);
static OF_SKYMONT: Catalogue = small_since_tremont("i386/skymont", &skymont::ARROW_LAKE);
static OF_SKYMONT_OF_LUNAR_LAKE: Catalogue = small_since_tremont("i386/skymont", &skymont::LUNAR_LAKE);

impl Capabilities {
    /// Returns the events of this core by name. The map of models of intel/perfmon says which model has which table.
    #[must_use]
    pub fn catalogue(&self) -> &'static Catalogue {
        match (self.microarchitecture, self.core) {
            (None, _) => &OF_ANY,
            (Some(_), Core::Alike | Core::Large) => of_model(self.model),
            (Some(it), Core::Small(_)) => of_small_core(it, self.model),
        }
    }
}

/// Returns the table of a hybrid processor's small core.
fn of_small_core(microarchitecture: Microarchitecture, model: u32) -> &'static Catalogue {
    match (microarchitecture, model) {
        (Microarchitecture::Gracemont, _) => &OF_GRACEMONT,
        (Microarchitecture::Crestmont, 0xC5) => &OF_CRESTMONT_H,
        (Microarchitecture::Crestmont, _) => &OF_CRESTMONT,
        (Microarchitecture::Skymont, 0xBD) => &OF_SKYMONT_OF_LUNAR_LAKE,
        (Microarchitecture::Skymont, _) => &OF_SKYMONT,
        _ => &OF_ANY,
    }
}

/// Returns the table of a model of family 6.
fn of_model(model: u32) -> &'static Catalogue {
    match model {
        0x0E => &OF_CORE_DUO,
        0x0F | 0x16 | 0x17 | 0x1D => &OF_CORE_2,
        0x1A | 0x1E | 0x1F => &OF_NEHALEM,
        0x2E => &OF_NEHALEM_EX,
        0x25 => &OF_WESTMERE,
        0x2C => &OF_WESTMERE_EP,
        0x2F => &OF_WESTMERE_EX,
        0x2A => &OF_SANDY_BRIDGE,
        0x2D => &OF_SANDY_BRIDGE_EP,
        0x3A => &OF_IVY_BRIDGE,
        0x3E => &OF_IVY_BRIDGE_EP,
        0x3C | 0x45 | 0x46 => &OF_HASWELL,
        0x3F => &OF_HASWELL_EP,
        0x3D | 0x47 => &OF_BROADWELL,
        0x56 => &OF_BROADWELL_DE,
        0x4F => &OF_BROADWELL_EP,
        0x4E | 0x5E | 0x8E | 0x9E | 0xA5 | 0xA6 => &OF_SKYLAKE,
        0x55 => &OF_SKYLAKE_SP,
        0x7D | 0x7E | 0xA7 => &OF_ICE_LAKE,
        0x6A | 0x6C => &OF_ICE_LAKE_SP,
        0x8C | 0x8D => &OF_TIGER_LAKE,
        0x97 | 0x9A | 0xB7 | 0xBA | 0xBF => &OF_ALDER_LAKE,
        0x8F => &OF_SAPPHIRE_RAPIDS,
        0xCF => &OF_EMERALD_RAPIDS,
        0xAA | 0xAC | 0xB5 => &OF_METEOR_LAKE,
        0xAD | 0xAE => &OF_GRANITE_RAPIDS,
        0xBD => &OF_LUNAR_LAKE,
        0xC5 | 0xC6 => &OF_ARROW_LAKE,
        0x1C | 0x26 | 0x27 | 0x35 | 0x36 => &OF_BONNELL,
        0x37 | 0x4A | 0x4C | 0x4D | 0x5A => &OF_SILVERMONT,
        0x5C | 0x5F => &OF_GOLDMONT,
        0x7A => &OF_GOLDMONT_PLUS,
        0x86 | 0x96 | 0x9C => &OF_TREMONT,
        0xBE => &OF_GRACEMONT,
        0xAF => &OF_SIERRA_FOREST,
        0xB6 => &OF_GRAND_RIDGE,
        _ => &OF_ANY,
    }
}
