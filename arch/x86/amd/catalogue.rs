//! AMD's events by name.

mod presets;
mod solaris;
#[rustfmt::skip]
mod tables;

use super::capabilities::Capabilities;
use super::events;
use crate::event::catalogue::{
    Attribute, Catalogue, Cost, CostUnit, Effect, Events, GenericEvent, Groups, MaskField, Presets, Table,
};
use crate::event::{Event, Flag};

const fn generic(name: &'static str, event: Event) -> GenericEvent {
    GenericEvent::new(name, event)
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

const SECOND_LEVEL: &[GenericEvent] = &second_level(u64::MAX);

/// From Zen 3 on `papi_br_tkn`, the conditional branches that are taken, is a preset: what AMD's event C4H counts includes
/// unconditional ones.
const SINCE_ZEN_3: &[GenericEvent] = &{
    let [branches, missed, _, references, misses, cycles, instructions] = second_level(u64::MAX);
    [branches, missed, references, misses, cycles, instructions]
};

/// Family 15h has cycles and its second-level cache on the first three counters (BKDG 42301, "Performance Counter
/// Events", PMCx076, PMCx07D and PMCx07E, the line PERF_CTL).
const OF_FAMILY_15H: &[GenericEvent] = &second_level(0b111);

/// The generic events of a processor that has cycles and its second-level cache on these counters, one bit each.
const fn second_level(counters: u64) -> [GenericEvent; 7] {
    [
        generic("papi_br_ins", Event::BRANCHES),
        generic("papi_br_msp", Event::BRANCH_MISSES),
        generic("papi_br_tkn", events::TAKEN_BRANCHES),
        generic("papi_l2_tca", Event::CACHE_REFERENCES).on(counters),
        generic("papi_l2_tcm", Event::CACHE_MISSES).on(counters),
        generic("papi_tot_cyc", Event::CYCLES).on(counters),
        generic("papi_tot_ins", Event::INSTRUCTIONS),
    ]
}

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
const fn catalogue(unit: &'static str, events: &'static Table) -> Catalogue {
    Catalogue {
        groups: Groups::NONE,
        first_words: &[],
        parts: [0; 3],
        other_names: &[],
        libpfm: Events::NONE,
        unit,
        aliases: &[],
        events: Events::of(events),
        generic: SECOND_LEVEL,
        presets: Presets::NONE,
        mask: MaskField { shift: 8, largest: 0xFF },
        attributes: ATTRIBUTES,
        modifiers: MODIFIERS,
        default: "CPU_CLK_UNHALTED",
        costs: &[],
    }
}

const fn before_family_10h(unit: &'static str, events: &'static Table) -> Catalogue {
    Catalogue { attributes: WITH_PINS, modifiers: WITHOUT_GUESTS, ..catalogue(unit, events) }
}

/// A catalogue for Opteron and its relative, which has the names that Solaris has for their events.
const fn of_hammer(unit: &'static str, events: &'static Table) -> Catalogue {
    Catalogue { generic: OF_OPTERON, ..before_family_10h(unit, events) }.with_other_names(solaris::HAMMER)
}

/// Replaces the generic events by those of a processor whose counters do not count the second-level cache.
const fn first_level(catalogue: Catalogue, generic: &'static [GenericEvent]) -> Catalogue {
    Catalogue { generic, ..catalogue }
}

const fn of_zen(unit: &'static str, events: &'static Table) -> Catalogue {
    Catalogue { default: "ls_not_halted_cyc", ..catalogue(unit, events) }
}

const fn since_zen_3(unit: &'static str, events: &'static Table) -> Catalogue {
    Catalogue { generic: SINCE_ZEN_3, ..of_zen(unit, events) }
}

/// The tables of AMD's events by name, one for each processor.
///
/// Families up to 15h have unit masks that can be chosen. From Zen on the unit mask is part of the name, as in the
/// vendor's lists.
impl Catalogue {
    /// The events of K7.
    pub const K7: &'static Catalogue = &first_level(before_family_10h("i386/athlon", &tables::K7), OF_ATHLON)
        .with_libpfm(&tables::LIBPFM_K7)
        .also(&["amd64_k7"])
        .with_presets(presets::K7);
    /// The events of K8.
    pub const HAMMER: &'static Catalogue = &of_hammer("x86-64/hammer", &tables::HAMMER)
        .with_libpfm(&tables::LIBPFM_HAMMER)
        .also(&["amd64_k8_revb", "amd64_k8_revc", "amd64_k8_revd", "amd64_k8_reve", "amd64_k8_revf", "amd64_k8_revg"])
        .with_presets(presets::HAMMER);
    /// The events of family 11h.
    pub const AMD_FAMILY_11H: &'static Catalogue = &of_hammer("x86-64/family11h", &tables::FAMILY_11H)
        .with_libpfm(&tables::LIBPFM_FAMILY_11H)
        .also(&["amd64_fam11h_turion"])
        .with_presets(presets::FAMILY_11H);
    /// The events of family 10h.
    pub const AMD_FAMILY_10H: &'static Catalogue = &catalogue("x86-64/family10", &tables::FAMILY_10H)
        .with_other_names(solaris::FAMILY_10H)
        .with_libpfm(&tables::LIBPFM_FAMILY_10H)
        .also(&["amd64_fam10h_barcelona", "amd64_fam10h_shanghai", "amd64_fam10h_istanbul"])
        .with_presets(presets::FAMILY_10H);
    /// The events of family 12h.
    pub const AMD_FAMILY_12H: &'static Catalogue = &catalogue("x86-64/family12h", &tables::FAMILY_12H)
        .with_libpfm(&tables::LIBPFM_FAMILY_12H)
        .also(&["amd64_fam12h_llano"])
        .with_presets(presets::FAMILY_12H);
    /// The events of family 14h.
    pub const AMD_FAMILY_14H: &'static Catalogue = &catalogue("x86-64/family14h", &tables::FAMILY_14H)
        .with_libpfm(&tables::LIBPFM_FAMILY_14H)
        .also(&["amd64_fam14h_bobcat"])
        .with_presets(presets::FAMILY_14H);
    /// The events of family 15h.
    pub const AMD_FAMILY_15H: &'static Catalogue =
        &Catalogue { generic: OF_FAMILY_15H, ..catalogue("x86-64/family15h", &tables::FAMILY_15H) }
            .with_libpfm(&tables::LIBPFM_FAMILY_15H)
            .also(&["amd64_fam15h_interlagos"])
            .with_presets(presets::FAMILY_15H);
    /// The events of family 16h.
    pub const AMD_FAMILY_16H: &'static Catalogue =
        &first_level(catalogue("x86-64/family16h", &tables::FAMILY_16H), OF_JAGUAR)
            .also(&["amd64_fam16h"])
            .with_presets(presets::FAMILY_16H);
    /// The events of Zen 1.
    pub const ZEN_1: &'static Catalogue = &of_zen("x86-64/zen1", &tables::ZEN_1)
        .with_libpfm(&tables::LIBPFM_ZEN_1)
        .also(&["amd64_fam17h_zen1", "amd64_fam17h"])
        .with_presets(presets::ZEN_1);
    /// The events of Zen 2.
    pub const ZEN_2: &'static Catalogue = &of_zen("x86-64/zen2", &tables::ZEN_2)
        .with_libpfm(&tables::LIBPFM_ZEN_2)
        .also(&["amd64_fam17h_zen2"])
        .costing(COSTS_OF_ZEN_2)
        .with_presets(presets::ZEN_2);
    /// The events of Zen 3.
    pub const ZEN_3: &'static Catalogue = &since_zen_3("x86-64/zen3", &tables::ZEN_3)
        .with_libpfm(&tables::LIBPFM_ZEN_3)
        .also(&["amd64_fam19h_zen3"])
        .with_presets(presets::ZEN_3);
    /// The events of Zen 4.
    pub const ZEN_4: &'static Catalogue = &since_zen_3("x86-64/zen4", &tables::ZEN_4)
        .with_libpfm(&tables::LIBPFM_ZEN_4)
        .also(&["amd64_fam19h_zen4"])
        .costing(COSTS_OF_ZEN_4)
        .with_presets(presets::ZEN_4);
    /// The events of Zen 5.
    pub const ZEN_5: &'static Catalogue = &since_zen_3("x86-64/zen5", &tables::ZEN_5)
        .with_libpfm(&tables::LIBPFM_ZEN_5)
        .also(&["amd64_fam1ah_zen5"])
        .with_presets(presets::ZEN_5);
}

impl Capabilities {
    /// Returns the events by name. Which model is which Zen: torvalds/linux 6.12,
    /// tools/perf/pmu-events/arch/x86/mapfile.csv.
    #[must_use]
    pub fn catalogue(&self) -> &'static Catalogue {
        match (self.family, self.model) {
            (0x06, _) => Catalogue::K7,
            (0x0F, _) => Catalogue::HAMMER,
            (0x10, _) => Catalogue::AMD_FAMILY_10H,
            (0x11, _) => Catalogue::AMD_FAMILY_11H,
            (0x12, _) => Catalogue::AMD_FAMILY_12H,
            (0x14, _) => Catalogue::AMD_FAMILY_14H,
            (0x15, _) => Catalogue::AMD_FAMILY_15H,
            (0x17, 0x00..=0x2F) | (0x18, _) => Catalogue::ZEN_1,
            (0x17, _) => Catalogue::ZEN_2,
            (0x19, 0x00..=0x0F | 0x20..=0x5F) => Catalogue::ZEN_3,
            (0x19, _) => Catalogue::ZEN_4,
            (0x1A, _) => Catalogue::ZEN_5,
            _ => Catalogue::AMD_FAMILY_16H,
        }
    }
}
