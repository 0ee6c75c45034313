//! Intel's events by name.

mod costs;
mod generic;
mod of_core;
mod other_names;
mod presets;
#[rustfmt::skip]
mod tables;

use generic::{GENERIC, OF_CORE_DUO, SECOND_LEVEL, THIRD_LEVEL};

use crate::event::Flag;
use crate::event::catalogue::{Attribute, Catalogue, Effect, Events, Groups, MaskField, Presets, Table};

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
/// The parts of MSR_OFFCORE_RSP_0 and 1 since Sandy Bridge: the requests, who supplies, and the snoops (SDM vol. 3, "Off-core
/// Response Performance Monitoring", the three tables of the registers' fields).
const OFFCORE_PARTS: [u64; 3] = [0xFFFF, 0x7FFF_0000, !0x7FFF_FFFF];
/// Those of Nehalem and Westmere: the requests and the responses (the same section of Nehalem).
const FIRST_OFFCORE_PARTS: [u64; 3] = [0xFF, 0xFF00, 0];
/// perf's first word of off-core responses (tools/perf/pmu-events), where Intel's list has the number of the register
/// (nehalemep, nehalemex, westmereex) or another word (cascadelakex): the other words, code and values are the same.
const NUMBERED_OFFCORE: &[(&str, &str)] = &[("OFFCORE_RESPONSE", "OFFCORE_RESPONSE_0")];
const SHORT_OFFCORE: &[(&str, &str)] = &[("OFFCORE_RESPONSE", "OCR")];
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

/// Creates a catalogue whose codes have the unit mask in bits 8 to 15.
const fn catalogue(unit: &'static str, events: &'static Table, default: &'static str) -> Catalogue {
    Catalogue {
        unit,
        aliases: &[],
        events: Events::of(events),
        generic: THIRD_LEVEL,
        presets: Presets::NONE,
        groups: Groups::NONE,
        first_words: &[],
        parts: OFFCORE_PARTS,
        other_names: &[],
        libpfm: Events::NONE,
        mask: MaskField { shift: 8, largest: 0xFF },
        attributes: PLAIN,
        modifiers: MODIFIERS,
        default,
        costs: &[],
    }
}

const fn before_nehalem(unit: &'static str, events: &'static Table) -> Catalogue {
    let (generic, modifiers) = (SECOND_LEVEL, FIRST_MODIFIERS);
    Catalogue { generic, modifiers, attributes: WITH_PINS, ..catalogue(unit, events, "CPU_CLK_UNHALTED") }
        .with_other_names(other_names::ARCHITECTURE)
}

/// A catalogue for processors on which a counter can count all threads of its core.
const fn until_ice_lake(unit: &'static str, events: &'static Table) -> Catalogue {
    Catalogue { attributes: WITH_ANY_THREAD, modifiers: MODIFIERS_WITH_ANY_THREAD, ..since_nehalem(unit, events) }
}

/// Replaces the parts of the registers for off-core responses by the first ones.
const fn first_offcore(catalogue: Catalogue) -> Catalogue {
    Catalogue { parts: FIRST_OFFCORE_PARTS, first_words: NUMBERED_OFFCORE, ..catalogue }
}

const fn from_ice_lake(unit: &'static str, events: &'static Table) -> Catalogue {
    since_nehalem(unit, events)
}

const fn since_nehalem(unit: &'static str, events: &'static Table) -> Catalogue {
    Catalogue { ..catalogue(unit, events, "CPU_CLK_UNHALTED.THREAD_P").with_other_names(other_names::ARCHITECTURE) }
}

/// A catalogue for small cores, whose last-level cache is the second level.
const fn small(unit: &'static str, events: &'static Table) -> Catalogue {
    Catalogue { generic: SECOND_LEVEL, ..small_since_tremont(unit, events) }
}

/// A catalogue for Knights Landing, whose counters can count all four threads of a core.
const fn small_with_any_thread(unit: &'static str, events: &'static Table) -> Catalogue {
    Catalogue {
        attributes: WITH_ANY_THREAD,
        modifiers: MODIFIERS_WITH_ANY_THREAD,
        default: "CPU_CLK_UNHALTED.THREAD_P",
        ..small(unit, events)
    }
}

const fn small_since_tremont(unit: &'static str, events: &'static Table) -> Catalogue {
    catalogue(unit, events, "CPU_CLK_UNHALTED.CORE_P").with_other_names(other_names::ARCHITECTURE)
}

/// The tables of Intel's events by name, one for each processor.
///
/// A table says which counters have an event if its code alone does not, and what else is part of the event. The
/// processors of a microarchitecture share a table of the events that they have in common.
///
/// On a hybrid processor each CPU has the table of its own core: a name may have another code on another
/// CPU. A text is therefore parsed for a CPU, with the driver that was detected there.
///
/// Processors without a table of their own have the names of the architectural events.
impl Catalogue {
    /// The events of Intel's architecture alone: processors without a table of their own.
    pub const INTEL_ARCHITECTURAL: &'static Catalogue =
        &Catalogue { generic: GENERIC, ..catalogue("i386/arch_perfmon", &tables::ANY, "CPU_CLK_UNHALTED") }
            .with_other_names(other_names::ARCHITECTURE)
            .also(&["ix86arch"]);
    /// The events of Core Duo.
    pub const CORE_DUO: &'static Catalogue = &Catalogue {
        generic: OF_CORE_DUO,
        ..before_nehalem("i386/core", &tables::CORE_DUO).also(&["coreduo", "ix86arch"])
    }
    .with_other_names(other_names::CORE_DUO)
    .with_presets(presets::CORE_DUO);
    /// The events of Core 2.
    pub const CORE_2: &'static Catalogue = &Catalogue {
        ..before_nehalem("i386/core_2", &tables::CORE_2).with_libpfm(&tables::LIBPFM_CORE_2).also(&["core", "ix86arch"])
    }
    .with_presets(presets::CORE_2);
    /// The events of Nehalem.
    pub const NEHALEM: &'static Catalogue = &first_offcore(until_ice_lake("i386/nehalem", &tables::NEHALEM))
        .with_libpfm(&tables::LIBPFM_NEHALEM)
        .also(&["nhm", "ix86arch"])
        .with_presets(presets::NEHALEM);
    /// The events of Nehalem EX.
    pub const NEHALEM_EX: &'static Catalogue = &first_offcore(until_ice_lake("i386/nehalem", &tables::NEHALEM_EX))
        .with_libpfm(&tables::LIBPFM_NEHALEM_EX)
        .also(&["nhm_ex", "ix86arch"])
        .with_presets(presets::NEHALEM);
    /// The events of Westmere.
    pub const WESTMERE: &'static Catalogue = &first_offcore(until_ice_lake("i386/westmere", &tables::WESTMERE))
        .with_libpfm(&tables::LIBPFM_WESTMERE)
        .also(&["wsm", "ix86arch"])
        .with_presets(presets::WESTMERE);
    /// The events of Westmere EP.
    pub const WESTMERE_EP: &'static Catalogue = &first_offcore(until_ice_lake("i386/westmere", &tables::WESTMERE_EP))
        .with_libpfm(&tables::LIBPFM_WESTMERE_EP)
        .also(&["wsm_dp", "ix86arch"])
        .with_presets(presets::WESTMERE);
    /// The events of Westmere EX.
    pub const WESTMERE_EX: &'static Catalogue =
        &first_offcore(until_ice_lake("i386/westmere", &tables::WESTMERE_EX)).with_presets(presets::WESTMERE);
    /// The events of Sandy Bridge.
    pub const SANDY_BRIDGE: &'static Catalogue = &until_ice_lake("i386/sandybridge", &tables::SANDY_BRIDGE)
        .with_libpfm(&tables::LIBPFM_SANDY_BRIDGE)
        .also(&["snb", "ix86arch"])
        .with_presets(presets::SANDY_BRIDGE);
    /// The events of Sandy Bridge EP.
    pub const SANDY_BRIDGE_EP: &'static Catalogue = &until_ice_lake("i386/sandybridge", &tables::SANDY_BRIDGE_EP)
        .with_libpfm(&tables::LIBPFM_SANDY_BRIDGE_EP)
        .also(&["snb_ep", "ix86arch"])
        .with_presets(presets::SANDY_BRIDGE);
    /// The events of Ivy Bridge.
    pub const IVY_BRIDGE: &'static Catalogue = &until_ice_lake("i386/ivybridge", &tables::IVY_BRIDGE)
        .with_libpfm(&tables::LIBPFM_IVY_BRIDGE)
        .also(&["ivb", "ix86arch"])
        .with_presets(presets::SANDY_BRIDGE);
    /// The events of Ivy Bridge EP.
    pub const IVY_BRIDGE_EP: &'static Catalogue = &until_ice_lake("i386/ivybridge", &tables::IVY_BRIDGE_EP)
        .with_libpfm(&tables::LIBPFM_IVY_BRIDGE_EP)
        .also(&["ivb_ep", "ix86arch"])
        .with_presets(presets::SANDY_BRIDGE);
    /// The events of Haswell.
    pub const HASWELL: &'static Catalogue = &until_ice_lake("i386/haswell", &tables::HASWELL)
        .with_libpfm(&tables::LIBPFM_HASWELL)
        .also(&["hsw", "ix86arch"])
        .costing(costs::HASWELL)
        .with_presets(presets::HASWELL);
    /// The events of Haswell EP.
    pub const HASWELL_EP: &'static Catalogue = &until_ice_lake("i386/haswell", &tables::HASWELL_EP)
        .with_libpfm(&tables::LIBPFM_HASWELL_EP)
        .also(&["hsw_ep", "ix86arch"])
        .with_presets(presets::HASWELL);
    /// The events of Broadwell.
    pub const BROADWELL: &'static Catalogue = &until_ice_lake("i386/broadwell", &tables::BROADWELL)
        .with_libpfm(&tables::LIBPFM_BROADWELL)
        .also(&["bdw", "ix86arch"])
        .costing(costs::HASWELL)
        .with_presets(presets::BROADWELL);
    /// The events of Broadwell DE.
    pub const BROADWELL_DE: &'static Catalogue = &until_ice_lake("i386/broadwell", &tables::BROADWELL_DE)
        .with_libpfm(&tables::LIBPFM_BROADWELL_EP)
        .also(&["bdw_ep", "ix86arch"])
        .with_presets(presets::BROADWELL);
    /// The events of Broadwell EP.
    pub const BROADWELL_EP: &'static Catalogue = &until_ice_lake("i386/broadwell", &tables::BROADWELL_EP)
        .with_libpfm(&tables::LIBPFM_BROADWELL_EP)
        .also(&["bdw_ep", "ix86arch"])
        .with_presets(presets::BROADWELL);
    /// The events of Skylake.
    pub const SKYLAKE: &'static Catalogue = &until_ice_lake("i386/skylake", &tables::SKYLAKE)
        .with_libpfm(&tables::LIBPFM_SKYLAKE)
        .also(&["skl", "ix86arch"])
        .costing(costs::SKYLAKE)
        .with_presets(presets::SKYLAKE);
    /// The events of Skylake SP.
    pub const SKYLAKE_SP: &'static Catalogue = &until_ice_lake("i386/skylake", &tables::SKYLAKE_SP)
        .with_libpfm(&tables::LIBPFM_SKYLAKE_SP)
        .also(&["skx", "ix86arch"])
        .costing(costs::SKYLAKE_SP)
        .with_presets(presets::SKYLAKE_SP);
    /// The events of Cascade Lake and Cooper Lake, which have Skylake SP's model and later steppings.
    pub const CASCADE_LAKE: &'static Catalogue =
        &Catalogue { first_words: SHORT_OFFCORE, ..until_ice_lake("i386/skylake", &tables::CASCADE_LAKE) }
            .with_libpfm(&tables::LIBPFM_SKYLAKE_SP)
            .also(&["clx", "ix86arch"])
            .costing(costs::SKYLAKE_SP)
            .with_presets(presets::SKYLAKE_SP);
    /// The events of Ice Lake.
    pub const ICE_LAKE: &'static Catalogue = &from_ice_lake("i386/icelake", &tables::ICE_LAKE)
        .with_libpfm(&tables::LIBPFM_ICE_LAKE)
        .also(&["icl", "ix86arch"])
        .costing(costs::ICE_LAKE)
        .with_presets(presets::ICE_LAKE);
    /// The events of Ice Lake SP.
    pub const ICE_LAKE_SP: &'static Catalogue = &from_ice_lake("i386/icelake", &tables::ICE_LAKE_SP)
        .with_libpfm(&tables::LIBPFM_ICE_LAKE_SP)
        .also(&["icx", "ix86arch"])
        .with_presets(presets::ICE_LAKE_SP);
    /// The events of Tiger Lake.
    pub const TIGER_LAKE: &'static Catalogue =
        &from_ice_lake("i386/tigerlake", &tables::TIGER_LAKE).with_presets(presets::TIGER_LAKE);
    /// The events of Alder Lake's large core.
    pub const ALDER_LAKE: &'static Catalogue = &from_ice_lake("i386/alderlake", &tables::ALDER_LAKE)
        .also(&["adl_glc", "ix86arch"])
        .with_presets(presets::ALDER_LAKE);
    /// The events of Sapphire Rapids.
    pub const SAPPHIRE_RAPIDS: &'static Catalogue = &from_ice_lake("i386/sapphirerapids", &tables::SAPPHIRE_RAPIDS)
        .with_libpfm(&tables::LIBPFM_SAPPHIRE_RAPIDS)
        .also(&["spr", "ix86arch"])
        .costing(costs::SAPPHIRE_RAPIDS)
        .with_presets(presets::SAPPHIRE_RAPIDS);
    /// The events of Emerald Rapids.
    pub const EMERALD_RAPIDS: &'static Catalogue = &from_ice_lake("i386/emeraldrapids", &tables::EMERALD_RAPIDS)
        .with_libpfm(&tables::LIBPFM_SAPPHIRE_RAPIDS)
        .also(&["emr", "spr", "ix86arch"])
        .with_presets(presets::SAPPHIRE_RAPIDS);
    /// The events of Meteor Lake's large core.
    pub const METEOR_LAKE: &'static Catalogue =
        &from_ice_lake("i386/meteorlake", &tables::METEOR_LAKE).with_presets(presets::METEOR_LAKE);
    /// The events of Granite Rapids.
    pub const GRANITE_RAPIDS: &'static Catalogue = &from_ice_lake("i386/graniterapids", &tables::GRANITE_RAPIDS)
        .also(&["gnr", "ix86arch"])
        .with_presets(presets::SAPPHIRE_RAPIDS);
    /// The events of Lunar Lake's large core.
    pub const LUNAR_LAKE: &'static Catalogue =
        &from_ice_lake("i386/lioncove", &tables::LUNAR_LAKE).with_presets(presets::LUNAR_LAKE);
    /// The events of Arrow Lake's large core.
    pub const ARROW_LAKE: &'static Catalogue =
        &from_ice_lake("i386/lioncove", &tables::ARROW_LAKE).with_presets(presets::LUNAR_LAKE);
    /// The events of Panther Lake's large core.
    pub const PANTHER_LAKE: &'static Catalogue =
        &from_ice_lake("i386/cougarcove", &tables::PANTHER_LAKE).with_presets(presets::LUNAR_LAKE);
    /// The events of Nova Lake's large core.
    pub const NOVA_LAKE: &'static Catalogue =
        &from_ice_lake("i386/coyotecove", &tables::NOVA_LAKE).with_presets(presets::NOVA_LAKE);
    /// The events of Bonnell.
    pub const BONNELL: &'static Catalogue = &small("i386/atom", &tables::BONNELL)
        .with_libpfm(&tables::LIBPFM_BONNELL)
        .also(&["atom", "ix86arch"])
        .with_presets(presets::BONNELL);
    /// The events of Silvermont.
    pub const SILVERMONT: &'static Catalogue = &small("i386/silvermont", &tables::SILVERMONT)
        .with_libpfm(&tables::LIBPFM_SILVERMONT)
        .also(&["slm", "ix86arch"])
        .with_presets(presets::SILVERMONT);
    /// The events of Knights Landing and Knights Mill.
    pub const KNIGHTS_LANDING: &'static Catalogue =
        &small_with_any_thread("i386/knightslanding", &tables::KNIGHTS_LANDING)
            .with_libpfm(&tables::LIBPFM_KNIGHTS_LANDING)
            .also(&["knl", "knm", "ix86arch"])
            .with_presets(presets::KNIGHTS_LANDING);
    /// The events of Goldmont.
    pub const GOLDMONT: &'static Catalogue = &small("i386/goldmont", &tables::GOLDMONT)
        .with_libpfm(&tables::LIBPFM_GOLDMONT)
        .also(&["glm", "ix86arch"])
        .with_presets(presets::GOLDMONT);
    /// The events of Goldmont PLUS.
    pub const GOLDMONT_PLUS: &'static Catalogue =
        &small("i386/goldmontplus", &tables::GOLDMONT_PLUS).with_presets(presets::GOLDMONT);
    /// The events of Tremont.
    pub const TREMONT: &'static Catalogue = &small_since_tremont("i386/tremont", &tables::TREMONT)
        .with_libpfm(&tables::LIBPFM_TREMONT)
        .also(&["tmt", "ix86arch"]);
    /// The events of Gracemont.
    pub const GRACEMONT: &'static Catalogue =
        &small_since_tremont("i386/gracemont", &tables::GRACEMONT).also(&["adl_grt", "ix86arch"]);
    /// The events of Crestmont.
    pub const CRESTMONT: &'static Catalogue = &small_since_tremont("i386/crestmont", &tables::CRESTMONT);
    /// The events of the low-power Crestmont of Arrow Lake.
    pub const CRESTMONT_H: &'static Catalogue = &small_since_tremont("i386/crestmont", &tables::CRESTMONT_H);
    /// The events of Sierra Forest.
    pub const SIERRA_FOREST: &'static Catalogue = &small_since_tremont("i386/sierraforest", &tables::SIERRA_FOREST);
    /// The events of Grand Ridge.
    pub const GRAND_RIDGE: &'static Catalogue = &small_since_tremont("i386/grandridge", &tables::GRAND_RIDGE);
    /// The events of Skymont.
    pub const SKYMONT: &'static Catalogue = &small_since_tremont("i386/skymont", &tables::SKYMONT);
    /// The events of the Skymont of Lunar Lake.
    pub const SKYMONT_OF_LUNAR_LAKE: &'static Catalogue =
        &small_since_tremont("i386/skymont", &tables::SKYMONT_OF_LUNAR_LAKE);
    /// The events of Panther Lake's small core.
    pub const DARKMONT: &'static Catalogue = &small_since_tremont("i386/darkmont", &tables::DARKMONT);
    /// The events of Clearwater Forest.
    pub const CLEARWATER_FOREST: &'static Catalogue =
        &small_since_tremont("i386/clearwaterforest", &tables::CLEARWATER_FOREST);
    /// The events of Nova Lake's small core.
    pub const ARCTIC_WOLF: &'static Catalogue = &small_since_tremont("i386/arcticwolf", &tables::ARCTIC_WOLF);
}
