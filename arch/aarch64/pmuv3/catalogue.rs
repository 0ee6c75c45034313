//! PMUv3's events by name.

mod common;
mod cortex_a510;
mod cortex_a520;
mod cortex_a53;
mod cortex_a55;
mod cortex_a57;
mod cortex_a715;
mod cortex_a72;
mod cortex_a720;
mod cortex_a73;
mod cortex_a75;
mod cortex_a76;
mod cortex_a77;
mod cortex_a78;
mod cortex_x1;
mod cortex_x4;
mod large;
mod large_9;
mod large_9_2;
mod late_9;
mod late_9_2;
mod neoverse_9;
mod neoverse_e1;
mod neoverse_n1;
mod neoverse_n3;
mod neoverse_v1;
mod neoverse_v3;

use super::capabilities::Capabilities;
use super::events;
use crate::arch::aarch64::SystemRegister;
use crate::event::catalogue::{Attribute, Catalogue, Effect, Events, GenericEvent, NamedEvent, Preset, merged};
use crate::event::{CounterSet, Event, Flag};

/// A line of a table: every event counter has every event.
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

const PRESETS: &[Preset] = &[
    Preset { name: "papi_l1_dch", plus: &["papi_l1_dca"], minus: &["papi_l1_dcm"] },
    Preset { name: "papi_l1_ica", plus: &["L1I_CACHE"], minus: &[] },
    Preset { name: "papi_l1_ich", plus: &["L1I_CACHE"], minus: &["L1I_CACHE_REFILL"] },
    Preset { name: "papi_l1_icm", plus: &["L1I_CACHE_REFILL"], minus: &[] },
    Preset { name: "papi_l2_dca", plus: &["L2D_CACHE"], minus: &[] },
    Preset { name: "papi_l2_dch", plus: &["L2D_CACHE"], minus: &["L2D_CACHE_REFILL"] },
    Preset { name: "papi_l2_dcm", plus: &["L2D_CACHE_REFILL"], minus: &[] },
    Preset { name: "papi_tlb_dm", plus: &["L1D_TLB_REFILL"], minus: &[] },
    Preset { name: "papi_tlb_im", plus: &["L1I_TLB_REFILL"], minus: &[] },
];

/// The generic events of cores that cannot count reference cycles.
const WITHOUT_REFERENCE: &[GenericEvent] = &[
    generic("papi_br_ins", Event::BRANCHES),
    generic("papi_br_msp", Event::BRANCH_MISSES),
    generic("papi_l1_dca", events::L1D_REFERENCES),
    generic("papi_l1_dcm", events::L1D_REFILLS),
    generic("papi_tot_cyc", Event::CYCLES),
    generic("papi_tot_ins", Event::INSTRUCTIONS),
];

/// The modifiers of libpfm: lib/pfmlib_arm.c.
const MODIFIERS: &[Attribute] = &[
    Attribute { name: "hv", effect: Effect::Hypervisor, largest: 1 },
    Attribute { name: "k", effect: Effect::Kernel, largest: 1 },
    Attribute { name: "u", effect: Effect::User, largest: 1 },
];

/// The attributes of cputrack. Solaris has none for Arm, so they have the names of x86's, or those of the fields of
/// FEAT_PMUv3_EDGE and FEAT_PMUv3_TH (DDI 0487 M.a, "PMEVTYPER<n>_EL0", TE, TC and TH).
const ATTRIBUTES: &[Attribute] = &[
    Attribute { name: "edge", effect: Effect::Flag(Flag::Edge), largest: 1 },
    Attribute { name: "equal", effect: Effect::Flag(Flag::Equal), largest: 1 },
    Attribute { name: "inv", effect: Effect::Flag(Flag::Invert), largest: 1 },
    Attribute { name: "threshold", effect: Effect::Threshold, largest: 0xFF },
];

const fn catalogue(unit: &'static str, events: &'static [NamedEvent]) -> Catalogue {
    Catalogue {
        unit,
        aliases: &[],
        events: Events::of(events),
        generic: GENERIC,
        presets: PRESETS,
        modifiers: MODIFIERS,
        default: "CPU_CYCLES",
        ..Catalogue::EMPTY
    }
}

/// Returns a catalogue for units without thresholds, with edges, with thresholds, and with both.
const fn each(plain: Catalogue) -> [Catalogue; 4] {
    let (edges, thresholds) = ATTRIBUTES.split_at(1);
    [
        Catalogue { attributes: &[], ..plain },
        Catalogue { attributes: edges, ..plain },
        Catalogue { attributes: thresholds, ..plain },
        Catalogue { attributes: ATTRIBUTES, ..plain },
    ]
}

const fn without_reference(catalogue: Catalogue) -> Catalogue {
    Catalogue { generic: WITHOUT_REFERENCE, ..catalogue }
}

/// Removes the retired branches, which the first cores cannot count either.
const fn without_branches(catalogue: Catalogue) -> Catalogue {
    Catalogue { generic: WITHOUT_REFERENCE.split_at(1).1, ..catalogue }
}

/// The events that the larger Armv9 cores have in common.
static LARGE_9: [NamedEvent; large::EVENTS.len() + large_9::EVENTS.len()] = merged(large::EVENTS, large_9::EVENTS);
/// The events that the larger Armv9.2 cores have in common.
static LATE_9_2: [NamedEvent; late_9::EVENTS.len() + late_9_2::EVENTS.len()] = merged(late_9::EVENTS, late_9_2::EVENTS);
/// The events of the largest Armv9.2 cores.
static LARGE_9_2: [NamedEvent; LATE_9_2.len() + large_9_2::EVENTS.len()] = merged(&LATE_9_2, large_9_2::EVENTS);

static OF_ANY: [Catalogue; 4] = each(catalogue("arm/armv8-pmuv3", common::EVENTS));
static OF_CORTEX_A53: [Catalogue; 4] =
    each(without_branches(catalogue("arm/armv8-ca53", cortex_a53::EVENTS).also(&["arm_ac53"])));
static OF_CORTEX_A55: [Catalogue; 4] = each(without_reference(catalogue("arm/armv8-ca55", cortex_a55::EVENTS)));
static OF_CORTEX_A57: [Catalogue; 4] =
    each(without_branches(catalogue("arm/armv8-ca57", cortex_a57::EVENTS).also(&["arm_ac57"])));
static OF_CORTEX_A72: [Catalogue; 4] =
    each(without_branches(catalogue("arm/armv8-ca72", cortex_a72::EVENTS).also(&["arm_ac72"])));
static OF_CORTEX_A73: [Catalogue; 4] = each(without_branches(catalogue("arm/armv8-ca73", cortex_a73::EVENTS)));
static OF_CORTEX_A75: [Catalogue; 4] = each(without_reference(catalogue("arm/armv8-ca75", &cortex_a75::EVENTS)));
static OF_CORTEX_A76: [Catalogue; 4] =
    each(without_reference(catalogue("arm/armv8-ca76", &cortex_a76::EVENTS).also(&["arm_ac76"])));
static OF_CORTEX_A77: [Catalogue; 4] = each(without_reference(catalogue("arm/armv8-ca77", &cortex_a77::EVENTS)));
static OF_CORTEX_A78: [Catalogue; 4] = each(catalogue("arm/armv8-ca78", &cortex_a78::EVENTS));
static OF_CORTEX_X1: [Catalogue; 4] = each(catalogue("arm/armv8-cx1", &cortex_x1::EVENTS));
static OF_CORTEX_A510: [Catalogue; 4] = each(without_reference(catalogue("arm/armv9-ca510", cortex_a510::EVENTS)));
static OF_CORTEX_A710: [Catalogue; 4] = each(catalogue("arm/armv9-ca710", &LARGE_9));
static OF_CORTEX_X2: [Catalogue; 4] = each(catalogue("arm/armv9-cx2", &LARGE_9));
static OF_CORTEX_A65: [Catalogue; 4] = each(without_reference(catalogue("arm/armv8-ca65", neoverse_e1::EVENTS)));
static OF_CORTEX_A520: [Catalogue; 4] = each(without_reference(catalogue("arm/armv9-ca520", cortex_a520::EVENTS)));
static OF_CORTEX_A715: [Catalogue; 4] = each(catalogue("arm/armv9-ca715", &cortex_a715::EVENTS));
static OF_CORTEX_A720: [Catalogue; 4] = each(catalogue("arm/armv9-ca720", &cortex_a720::EVENTS));
static OF_CORTEX_X3: [Catalogue; 4] = each(catalogue("arm/armv9-cx3", &neoverse_9::EVENTS));
static OF_CORTEX_X4: [Catalogue; 4] = each(catalogue("arm/armv9-cx4", &cortex_x4::EVENTS));
static OF_NEOVERSE_N3: [Catalogue; 4] =
    each(catalogue("arm/armv9-neoverse-n3", &neoverse_n3::EVENTS).also(&["arm_n3"]));
static OF_NEOVERSE_V3: [Catalogue; 4] =
    each(catalogue("arm/armv9-neoverse-v3", &neoverse_v3::EVENTS).also(&["arm_v3"]));
static OF_NEOVERSE_E1: [Catalogue; 4] =
    each(without_reference(catalogue("arm/armv8-neoverse-e1", neoverse_e1::EVENTS)));
static OF_NEOVERSE_N1: [Catalogue; 4] =
    each(without_reference(catalogue("arm/armv8-neoverse-n1", &neoverse_n1::EVENTS).also(&["arm_n1"])));
static OF_NEOVERSE_V1: [Catalogue; 4] =
    each(catalogue("arm/armv8-neoverse-v1", &neoverse_v1::EVENTS).also(&["arm_v1"]));
static OF_NEOVERSE_N2: [Catalogue; 4] = each(catalogue("arm/armv9-neoverse-n2", &neoverse_9::EVENTS).also(&["arm_n2"]));
static OF_NEOVERSE_V2: [Catalogue; 4] = each(catalogue("arm/armv9-neoverse-v2", &neoverse_9::EVENTS).also(&["arm_v2"]));

/// MIDR_EL1.Implementer and PartNum, which together identify the core.
const CORE: u32 = 0xFF << 24 | 0xFFF << 4;

impl Capabilities {
    /// Returns the core's events by name, or the common ones if it has no table, whether or not this processor has
    /// each of them. It refuses those that it announces as missing.
    ///
    /// Some cores have the same events as another: Cortex-A65AE as A65, A76AE as A76, A78C as A78, X1C as X1.
    ///
    /// Source of the part numbers: each core's Technical Reference Manual, MIDR_EL1.
    #[must_use]
    pub fn catalogue(&self) -> &'static Catalogue {
        let [plain, edges, thresholds, both] = self.catalogues();
        match (self.machine.threshold_bits() > 0, self.machine.has_edges()) {
            (false, false) => plain,
            (false, true) => edges,
            (true, false) => thresholds,
            (true, true) => both,
        }
    }

    fn catalogues(&self) -> &'static [Catalogue; 4] {
        match self.processor & CORE {
            0x4100_D030 => &OF_CORTEX_A53,
            0x4100_D050 => &OF_CORTEX_A55,
            0x4100_D070 => &OF_CORTEX_A57,
            0x4100_D080 => &OF_CORTEX_A72,
            0x4100_D090 => &OF_CORTEX_A73,
            0x4100_D0A0 => &OF_CORTEX_A75,
            0x4100_D060 | 0x4100_D430 => &OF_CORTEX_A65,
            0x4100_D0B0 | 0x4100_D0E0 => &OF_CORTEX_A76,
            0x4100_D0D0 => &OF_CORTEX_A77,
            0x4100_D410 | 0x4100_D4B0 => &OF_CORTEX_A78,
            0x4100_D440 | 0x4100_D4C0 => &OF_CORTEX_X1,
            0x4100_D460 => &OF_CORTEX_A510,
            0x4100_D470 => &OF_CORTEX_A710,
            0x4100_D480 => &OF_CORTEX_X2,
            0x4100_D4D0 => &OF_CORTEX_A715,
            0x4100_D4E0 => &OF_CORTEX_X3,
            0x4100_D800 => &OF_CORTEX_A520,
            0x4100_D810 => &OF_CORTEX_A720,
            0x4100_D820 => &OF_CORTEX_X4,
            0x4100_D0C0 => &OF_NEOVERSE_N1,
            0x4100_D400 => &OF_NEOVERSE_V1,
            0x4100_D490 => &OF_NEOVERSE_N2,
            0x4100_D4A0 => &OF_NEOVERSE_E1,
            0x4100_D4F0 => &OF_NEOVERSE_V2,
            0x4100_D830 | 0x4100_D840 => &OF_NEOVERSE_V3,
            0x4100_D8E0 => &OF_NEOVERSE_N3,
            _ => &OF_ANY,
        }
    }
}
