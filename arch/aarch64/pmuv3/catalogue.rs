//! PMUv3's events by name.

mod presets;
#[rustfmt::skip]
mod tables;

use super::capabilities::Capabilities;
use super::events;
use crate::event::catalogue::{Attribute, Catalogue, Effect, Events, GenericEvent, Table};
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

const fn catalogue(unit: &'static str, events: &'static Table) -> Catalogue {
    Catalogue {
        unit,
        aliases: &[],
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

/// The tables of Arm's cores' events by name, one for each processor.
impl Catalogue {
    /// The events of the architecture, for cores without a table of their own: for units without thresholds, with edges,
    /// with thresholds, and with both.
    pub const ARM_COMMON: &'static [Catalogue; 4] =
        &each(catalogue("arm/armv8-pmuv3", &tables::ANY).with_presets(presets::COMMON));
    /// The events of Cortex-A32: for units without thresholds, with edges, with thresholds, and with both.
    pub const CORTEX_A32: &'static [Catalogue; 4] =
        &each(without_branches(catalogue("arm/armv8-ca32", &tables::CORTEX_A32)).with_presets(presets::CORTEX_A34));
    /// The events of Cortex-A34: for units without thresholds, with edges, with thresholds, and with both.
    pub const CORTEX_A34: &'static [Catalogue; 4] =
        &each(without_branches(catalogue("arm/armv8-ca34", &tables::CORTEX_A34)).with_presets(presets::CORTEX_A34));
    /// The events of Cortex-A35: for units without thresholds, with edges, with thresholds, and with both.
    pub const CORTEX_A35: &'static [Catalogue; 4] =
        &each(without_branches(catalogue("arm/armv8-ca35", &tables::CORTEX_A35)).with_presets(presets::CORTEX_A35));
    /// The events of Cortex-A53: for units without thresholds, with edges, with thresholds, and with both.
    pub const CORTEX_A53: &'static [Catalogue; 4] = &each(
        without_branches(
            catalogue("arm/armv8-ca53", &tables::CORTEX_A53)
                .with_libpfm(&tables::LIBPFM_CORTEX_A53)
                .also(&["arm_ac53"]),
        )
        .with_presets(presets::CORTEX_A53),
    );
    /// The events of Cortex-A55: for units without thresholds, with edges, with thresholds, and with both.
    pub const CORTEX_A55: &'static [Catalogue; 4] = &each(
        without_reference(
            catalogue("arm/armv8-ca55", &tables::CORTEX_A55)
                .with_libpfm(&tables::LIBPFM_CORTEX_A55)
                .also(&["arm_ac55"]),
        )
        .with_presets(presets::CORTEX_A55),
    );
    /// The events of Cortex-A57: for units without thresholds, with edges, with thresholds, and with both.
    pub const CORTEX_A57: &'static [Catalogue; 4] = &each(
        without_branches(
            catalogue("arm/armv8-ca57", &tables::CORTEX_A57)
                .with_libpfm(&tables::LIBPFM_CORTEX_A57)
                .also(&["arm_ac57"]),
        )
        .with_presets(presets::CORTEX_A57),
    );
    /// The events of Cortex-A72: for units without thresholds, with edges, with thresholds, and with both.
    pub const CORTEX_A72: &'static [Catalogue; 4] = &each(
        without_branches(
            catalogue("arm/armv8-ca72", &tables::CORTEX_A57)
                .with_libpfm(&tables::LIBPFM_CORTEX_A57)
                .also(&["arm_ac72"]),
        )
        .with_presets(presets::CORTEX_A57),
    );
    /// The events of Cortex-A73: for units without thresholds, with edges, with thresholds, and with both.
    pub const CORTEX_A73: &'static [Catalogue; 4] =
        &each(without_branches(catalogue("arm/armv8-ca73", &tables::CORTEX_A73)).with_presets(presets::CORTEX_A73));
    /// The events of Cortex-A75: for units without thresholds, with edges, with thresholds, and with both.
    pub const CORTEX_A75: &'static [Catalogue; 4] =
        &each(without_reference(catalogue("arm/armv8-ca75", &tables::CORTEX_A75)).with_presets(presets::CORTEX_A75));
    /// The events of Cortex-A76: for units without thresholds, with edges, with thresholds, and with both.
    pub const CORTEX_A76: &'static [Catalogue; 4] = &each(
        without_reference(
            catalogue("arm/armv8-ca76", &tables::CORTEX_A76)
                .with_libpfm(&tables::LIBPFM_CORTEX_A76)
                .also(&["arm_ac76"]),
        )
        .with_presets(presets::CORTEX_A76),
    );
    /// The events of Cortex-A77: for units without thresholds, with edges, with thresholds, and with both.
    pub const CORTEX_A77: &'static [Catalogue; 4] =
        &each(without_reference(catalogue("arm/armv8-ca77", &tables::CORTEX_A76)).with_presets(presets::CORTEX_A77));
    /// The events of Cortex-A78: for units without thresholds, with edges, with thresholds, and with both.
    pub const CORTEX_A78: &'static [Catalogue; 4] =
        &each(catalogue("arm/armv8-ca78", &tables::CORTEX_A78).with_presets(presets::COMMON));
    /// The events of Cortex-X1: for units without thresholds, with edges, with thresholds, and with both.
    pub const CORTEX_X1: &'static [Catalogue; 4] =
        &each(catalogue("arm/armv8-cx1", &tables::CORTEX_X1).with_presets(presets::COMMON));
    /// The events of Cortex-A510: for units without thresholds, with edges, with thresholds, and with both.
    pub const CORTEX_A510: &'static [Catalogue; 4] =
        &each(without_reference(catalogue("arm/armv9-ca510", &tables::CORTEX_A510)).with_presets(presets::CORTEX_A510));
    /// The events of Cortex-A710: for units without thresholds, with edges, with thresholds, and with both.
    pub const CORTEX_A710: &'static [Catalogue; 4] =
        &each(catalogue("arm/armv9-ca710", &tables::CORTEX_A710).with_presets(presets::CORTEX_A710));
    /// The events of Cortex-X2: for units without thresholds, with edges, with thresholds, and with both.
    pub const CORTEX_X2: &'static [Catalogue; 4] =
        &each(catalogue("arm/armv9-cx2", &tables::CORTEX_A710).with_presets(presets::CORTEX_A710));
    /// The events of Cortex-A65: for units without thresholds, with edges, with thresholds, and with both.
    pub const CORTEX_A65: &'static [Catalogue; 4] =
        &each(without_reference(catalogue("arm/armv8-ca65", &tables::CORTEX_A65)).with_presets(presets::CORTEX_A55));
    /// The events of Cortex-A520: for units without thresholds, with edges, with thresholds, and with both.
    pub const CORTEX_A520: &'static [Catalogue; 4] =
        &each(without_reference(catalogue("arm/armv9-ca520", &tables::CORTEX_A520)).with_presets(presets::CORTEX_A510));
    /// The events of Cortex-A715: for units without thresholds, with edges, with thresholds, and with both.
    pub const CORTEX_A715: &'static [Catalogue; 4] =
        &each(catalogue("arm/armv9-ca715", &tables::CORTEX_A715).with_presets(presets::CORTEX_A710));
    /// The events of Cortex-A720: for units without thresholds, with edges, with thresholds, and with both.
    pub const CORTEX_A720: &'static [Catalogue; 4] =
        &each(catalogue("arm/armv9-ca720", &tables::CORTEX_A720).with_presets(presets::CORTEX_A710));
    /// The events of Cortex-A725: for units without thresholds, with edges, with thresholds, and with both.
    pub const CORTEX_A725: &'static [Catalogue; 4] =
        &each(catalogue("arm/armv9-ca725", &tables::CORTEX_A725).with_presets(presets::CORTEX_A710));
    /// The events of Cortex-X3: for units without thresholds, with edges, with thresholds, and with both.
    pub const CORTEX_X3: &'static [Catalogue; 4] =
        &each(catalogue("arm/armv9-cx3", &tables::CORTEX_X3).with_presets(presets::CORTEX_A710));
    /// The events of Cortex-X4: for units without thresholds, with edges, with thresholds, and with both.
    pub const CORTEX_X4: &'static [Catalogue; 4] =
        &each(catalogue("arm/armv9-cx4", &tables::CORTEX_X4).with_presets(presets::CORTEX_A710));
    /// The events of Cortex-X925: for units without thresholds, with edges, with thresholds, and with both.
    pub const CORTEX_X925: &'static [Catalogue; 4] =
        &each(catalogue("arm/armv9-cx925", &tables::CORTEX_X925).with_presets(presets::CORTEX_A710));
    /// The events of Cortex-R82: for units without thresholds, with edges, with thresholds, and with both.
    pub const CORTEX_R82: &'static [Catalogue; 4] =
        &each(without_reference(catalogue("arm/armv8-cr82", &tables::CORTEX_R82)).with_presets(presets::CORTEX_R82));
    /// The events of Rainier, the core of Morello: for units without thresholds, with edges, with thresholds, and with both.
    pub const RAINIER: &'static [Catalogue; 4] =
        &each(without_reference(catalogue("arm/armv8-rainier", &tables::RAINIER)).with_presets(presets::CORTEX_A77));
    /// The events of Neoverse N3: for units without thresholds, with edges, with thresholds, and with both.
    pub const NEOVERSE_N3: &'static [Catalogue; 4] = &each(
        catalogue("arm/armv9-neoverse-n3", &tables::NEOVERSE_N3).also(&["arm_n3"]).with_presets(presets::CORTEX_A710),
    );
    /// The events of Neoverse V3: for units without thresholds, with edges, with thresholds, and with both.
    pub const NEOVERSE_V3: &'static [Catalogue; 4] = &each(
        catalogue("arm/armv9-neoverse-v3", &tables::NEOVERSE_V3).also(&["arm_v3"]).with_presets(presets::NEOVERSE_V3),
    );
    /// The events of Neoverse E1: for units without thresholds, with edges, with thresholds, and with both.
    pub const NEOVERSE_E1: &'static [Catalogue; 4] = &each(
        without_reference(catalogue("arm/armv8-neoverse-e1", &tables::CORTEX_A65)).with_presets(presets::CORTEX_A55),
    );
    /// The events of Neoverse N1: for units without thresholds, with edges, with thresholds, and with both.
    pub const NEOVERSE_N1: &'static [Catalogue; 4] = &each(
        without_reference(
            catalogue("arm/armv8-neoverse-n1", &tables::NEOVERSE_N1)
                .with_libpfm(&tables::LIBPFM_NEOVERSE_N1)
                .also(&["arm_n1"]),
        )
        .with_presets(presets::NEOVERSE_N1),
    );
    /// The events of Neoverse V1: for units without thresholds, with edges, with thresholds, and with both.
    pub const NEOVERSE_V1: &'static [Catalogue; 4] = &each(
        catalogue("arm/armv8-neoverse-v1", &tables::NEOVERSE_V1)
            .with_libpfm(&tables::LIBPFM_NEOVERSE_V1)
            .also(&["arm_v1"])
            .with_presets(presets::NEOVERSE_V1),
    );
    /// The events of Neoverse N2: for units without thresholds, with edges, with thresholds, and with both.
    pub const NEOVERSE_N2: &'static [Catalogue; 4] = &each(
        catalogue("arm/armv9-neoverse-n2", &tables::CORTEX_X3)
            .with_libpfm(&tables::LIBPFM_NEOVERSE_N2)
            .also(&["arm_n2"])
            .with_presets(presets::NEOVERSE_V1),
    );
    /// The events of Neoverse V2: for units without thresholds, with edges, with thresholds, and with both.
    pub const NEOVERSE_V2: &'static [Catalogue; 4] = &each(
        catalogue("arm/armv9-neoverse-v2", &tables::CORTEX_X3)
            .with_libpfm(&tables::LIBPFM_NEOVERSE_V2)
            .also(&["arm_v2"])
            .with_presets(presets::CORTEX_A710),
    );
}

/// MIDR_EL1.Implementer and PartNum, which together identify the core.
const CORE: u32 = 0xFF << 24 | 0xFFF << 4;

impl Capabilities {
    /// Returns the core's events by name, or the common ones if it has no table, whether or not this processor has
    /// each of them. It refuses those that it announces as missing.
    ///
    /// Some cores have the same events as another: Cortex-A65AE as A65, A76AE as A76, A78AE and A78C as A78, A520AE as A520,
    /// A720AE as A720, R82AE as R82, X1C as X1, Neoverse V3AE as V3.
    ///
    /// Source of the part numbers: each core's Technical Reference Manual, MIDR_EL1; ARM-software/data, cpus.json; and
    /// ARM-software/gator, daemon/pmus.xml, also for cores that have the events of another.
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
            0x4100_D010 => Catalogue::CORTEX_A32,
            0x4100_D020 => Catalogue::CORTEX_A34,
            0x4100_D030 => Catalogue::CORTEX_A53,
            0x4100_D040 => Catalogue::CORTEX_A35,
            0x4100_D050 => Catalogue::CORTEX_A55,
            0x4100_D070 => Catalogue::CORTEX_A57,
            0x4100_D080 => Catalogue::CORTEX_A72,
            0x4100_D090 => Catalogue::CORTEX_A73,
            0x4100_D0A0 => Catalogue::CORTEX_A75,
            0x4100_D060 | 0x4100_D430 => Catalogue::CORTEX_A65,
            0x4100_D0B0 | 0x4100_D0E0 => Catalogue::CORTEX_A76,
            0x4100_D0D0 => Catalogue::CORTEX_A77,
            0x4100_D410 | 0x4100_D420 | 0x4100_D4B0 => Catalogue::CORTEX_A78,
            0x4100_D440 | 0x4100_D4C0 => Catalogue::CORTEX_X1,
            0x4100_D460 => Catalogue::CORTEX_A510,
            0x4100_D470 => Catalogue::CORTEX_A710,
            0x4100_D480 => Catalogue::CORTEX_X2,
            0x4100_D4D0 => Catalogue::CORTEX_A715,
            0x4100_D4E0 => Catalogue::CORTEX_X3,
            0x4100_D800 | 0x4100_D880 => Catalogue::CORTEX_A520,
            0x4100_D810 | 0x4100_D890 => Catalogue::CORTEX_A720,
            0x4100_D820 => Catalogue::CORTEX_X4,
            0x4100_D0C0 => Catalogue::NEOVERSE_N1,
            0x4100_D400 => Catalogue::NEOVERSE_V1,
            0x4100_D490 => Catalogue::NEOVERSE_N2,
            0x4100_D4A0 => Catalogue::NEOVERSE_E1,
            0x4100_D4F0 => Catalogue::NEOVERSE_V2,
            0x4100_D830 | 0x4100_D840 => Catalogue::NEOVERSE_V3,
            0x4100_D8E0 => Catalogue::NEOVERSE_N3,
            0x4100_D850 => Catalogue::CORTEX_X925,
            0x4100_D870 => Catalogue::CORTEX_A725,
            0x4100_D140 | 0x4100_D150 => Catalogue::CORTEX_R82,
            0x3F00_4120 => Catalogue::RAINIER,
            _ => Catalogue::ARM_COMMON,
        }
    }
}
