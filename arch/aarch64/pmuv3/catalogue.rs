//! PMUv3's events by name.

mod cores;
mod presets;
#[rustfmt::skip]
mod tables;

use super::capabilities::Capabilities;
use super::events;
use crate::event::catalogue::{Attribute, Catalogue, Effect, Events, GenericEvent, OtherName, Table};
use crate::event::{Event, Flag};

const fn generic(name: &'static str, event: Event) -> GenericEvent {
    GenericEvent::new(name, event)
}

/// The event counters, one bit each.
const EVENT_COUNTERS: u64 = (1 << 31) - 1;
const BRANCHES: GenericEvent = generic("papi_br_ins", Event::BRANCHES).on(EVENT_COUNTERS);
const BRANCH_MISSES: GenericEvent = generic("papi_br_msp", Event::BRANCH_MISSES).on(EVENT_COUNTERS);
const L1_ACCESSES: GenericEvent = generic("papi_l1_dca", events::L1D_REFERENCES);
const L1_MISSES: GenericEvent = generic("papi_l1_dcm", events::L1D_REFILLS);
const REFERENCE_CYCLES: GenericEvent = generic("papi_ref_cyc", Event::REFERENCE_CYCLES).on(EVENT_COUNTERS);
/// The cycle counter has them too (DDI 0487, "PMCCNTR_EL0").
const CYCLES: GenericEvent = generic("papi_tot_cyc", Event::CYCLES).on(EVENT_COUNTERS | 1 << 31);
/// The instruction counter has them too, where there is one (FEAT_PMUv3_ICNTR, DDI 0487, "PMICNTR_EL0").
const INSTRUCTIONS: GenericEvent = generic("papi_tot_ins", Event::INSTRUCTIONS).on(EVENT_COUNTERS | 1 << 32);

const GENERIC: &[GenericEvent] =
    &[BRANCHES, BRANCH_MISSES, L1_ACCESSES, L1_MISSES, REFERENCE_CYCLES, CYCLES, INSTRUCTIONS];

/// The generic events of cores that cannot count reference cycles.
const WITHOUT_REFERENCE: &[GenericEvent] = &[BRANCHES, BRANCH_MISSES, L1_ACCESSES, L1_MISSES, CYCLES, INSTRUCTIONS];

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

const fn other(name: &'static str, code: u64) -> OtherName {
    OtherName { name, code }
}

/// What OProfile calls the architecture's events of reads and writes (events/arm/armv8-ca57/events and armv8-xgene/events).
const OF_OPROFILE: &[OtherName] = &[
    other("BUS_ACCESS_LD", 0x60),
    other("BUS_ACCESS_ST", 0x61),
    other("L1D_CACHE_LD", 0x40),
    other("L1D_CACHE_REFILL_LD", 0x42),
    other("L1D_CACHE_REFILL_ST", 0x43),
    other("L1D_CACHE_ST", 0x41),
    other("L1D_TLB_REFILL_LD", 0x4C),
    other("L1D_TLB_REFILL_ST", 0x4D),
    other("L2D_CACHE_LD", 0x50),
    other("L2D_CACHE_REFILL_LD", 0x52),
    other("L2D_CACHE_REFILL_ST", 0x53),
    other("L2D_CACHE_ST", 0x51),
    other("MEM_ACCESS_LD", 0x66),
    other("MEM_ACCESS_ST", 0x67),
];

const fn catalogue(unit: &'static str, events: &'static Table) -> Catalogue {
    Catalogue {
        unit,
        aliases: &[],
        other_names: OF_OPROFILE,
        events: Events::of(events),
        generic: GENERIC,
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

impl Catalogue {
    /// The events of the architecture, for cores without a table of their own: for units without thresholds, with edges,
    /// with thresholds, and with both.
    pub const ARM_COMMON: &'static [Catalogue; 4] =
        &each(catalogue("arm/armv8-pmuv3", &tables::ANY).with_presets(presets::COMMON));
}

/// MIDR_EL1.Implementer and PartNum, which together identify the core.
const CORE: u32 = 0xFF << 24 | 0xFFF << 4;

impl Capabilities {
    /// Returns the core's events by name, or the common ones if it has no table, whether or not this processor has
    /// each of them. It refuses those that it announces as missing.
    ///
    /// Some cores have the same events as another: Cortex-A65AE as A65, A76AE as A76, A78AE and A78C as A78, A520AE as A520,
    /// A720AE as A720, R82AE as R82, X1C as X1, Neoverse V3AE as V3, Brahma-B53 as A53, Azure Cobalt 100 as Neoverse N2.
    #[must_use]
    pub fn catalogue(&self) -> &'static Catalogue {
        let [plain, edges, thresholds, both] = cores::of_core(self.processor & CORE).unwrap_or(Catalogue::ARM_COMMON);
        match (self.machine.threshold_bits() > 0, self.machine.has_edges()) {
            (false, false) => plain,
            (false, true) => edges,
            (true, false) => thresholds,
            (true, true) => both,
        }
    }
}
