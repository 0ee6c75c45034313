//! The P6 family's events by name.

mod presets;
#[rustfmt::skip]
mod tables;

use super::capabilities::{Capabilities, Model};
use super::events;
use crate::event::catalogue::{
    Attribute, Catalogue, Effect, Events, GenericEvent, Groups, MaskField, OtherName, Presets, Table,
};
use crate::event::{Event, Flag};

const fn generic(name: &'static str, event: Event) -> GenericEvent {
    GenericEvent::new(name, event)
}

/// The generic events of PAPI that are one event here: icl-utk-edu/papi, src/freebsd_events.csv (BSD-3-Clause), INTEL_P6.
/// Misses of the second level are those that Linux has, requests of lines in the state I; PAPI counts the lines that come
/// in. Transactions on the bus are this processor's.
const GENERIC: &[GenericEvent] = &[
    generic("papi_br_ins", Event::BRANCHES),
    generic("papi_br_msp", Event::BRANCH_MISSES),
    generic("papi_br_tkn", events::TAKEN_BRANCHES),
    generic("papi_btac_m", Event::raw(0x00E2)),
    generic("papi_ca_cln", Event::raw(0x0066)),
    generic("papi_ca_itv", Event::raw(0x0069)),
    generic("papi_fdv_ins", Event::raw(0x0013)),
    generic("papi_fml_ins", Event::raw(0x0012)),
    generic("papi_fp_ins", events::FLOPS),
    generic("papi_fp_ops", events::FLOPS),
    generic("papi_hw_int", Event::raw(0x00C8)),
    generic("papi_l1_dca", Event::raw(0x0043)),
    generic("papi_l1_dcm", Event::raw(0x0045)),
    generic("papi_l1_ica", Event::raw(0x0080)),
    generic("papi_l1_icm", Event::raw(0x0F28)),
    generic("papi_l1_icr", Event::raw(0x0080)),
    generic("papi_l1_ldm", Event::raw(0x0F29)),
    generic("papi_l1_stm", Event::raw(0x0F2A)),
    generic("papi_l1_tcm", events::L2_REQUESTS),
    generic("papi_l2_dcr", Event::raw(0x0F29)),
    generic("papi_l2_dcw", Event::raw(0x0F2A)),
    generic("papi_l2_ica", Event::raw(0x0F28)),
    generic("papi_l2_icm", Event::raw(0x0068)),
    generic("papi_l2_icr", Event::raw(0x0F28)),
    generic("papi_l2_stm", Event::raw(0x0025)),
    generic("papi_l2_tca", Event::CACHE_REFERENCES),
    generic("papi_l2_tcm", Event::CACHE_MISSES),
    generic("papi_l2_tcw", Event::raw(0x0F2A)),
    generic("papi_res_stl", Event::raw(0x00A2)),
    generic("papi_tlb_im", Event::raw(0x0085)),
    generic("papi_tot_cyc", Event::CYCLES),
    generic("papi_tot_iis", Event::raw(0x00D0)),
    generic("papi_tot_ins", Event::INSTRUCTIONS),
];

const EDGE: Effect = Effect::Flag(Flag::Edge);
const INVERT: Effect = Effect::Flag(Flag::Invert);

const fn attribute(name: &'static str, effect: Effect, largest: u64) -> Attribute {
    Attribute { name, effect, largest }
}

/// The attributes of cputrack: p123_pcbe.c of illumos-gate. It counts edges unless it is told not to.
const ATTRIBUTES: &[Attribute] = &[
    attribute("noedge", Effect::NoFlag(Flag::Edge), 1),
    attribute("pc", Effect::Flag(Flag::PinControl), 1),
    attribute("inv", INVERT, 1),
    attribute("int", Effect::Interrupt, 1),
    attribute("umask", Effect::UnitMask, 0xFF),
    attribute("cmask", Effect::Threshold, 0xFF),
];

/// The modifiers of libpfm: lib/pfmlib_intel_x86_arch.c.
const MODIFIERS: &[Attribute] = &[
    attribute("k", Effect::Kernel, 1),
    attribute("u", Effect::User, 1),
    attribute("e", EDGE, 1),
    attribute("i", INVERT, 1),
    attribute("c", Effect::Threshold, 0xFF),
];

const fn name(name: &'static str, code: u64) -> OtherName {
    OtherName { name, code }
}

/// What others call events: OProfile (events/i386/ppro/events), libpfm4 (lib/events/intel_p6_events.h) and Solaris
/// (p123_pcbe.c of illumos-gate). OProfile's FLOPS, 10H, is not among them: the SDM, libpfm and Solaris mean C1H by that
/// name.
const OTHER_NAMES: &[OtherName] = &[
    name("BUS_DATA_RECV", 0x64),
    name("BUS_TRANS_BRD", 0x65),
    name("BUS_TRANS_DEF", 0x6D),
    name("BUS_TRANS_RFO", 0x66),
    name("COMP_FLOP_RET", 0xC1),
    name("inst_decoder", 0xD0),
    name("L2_M_LINES_OUT", 0x27),
    name("mmx_assists", 0xCD),
];

/// The same without those that are MMX'.
const OTHER_NAMES_OF_PRO: &[OtherName] = OTHER_NAMES.split_at(7).0;

/// Creates a catalogue whose codes have the unit mask in bits 8 to 15.
const fn catalogue(unit: &'static str, events: &'static Table) -> Catalogue {
    Catalogue {
        groups: Groups::NONE,
        first_words: &[],
        parts: [0; 3],
        libpfm: Events::NONE,
        other_names: OTHER_NAMES,
        unit,
        aliases: &[],
        events: Events::of(events),
        generic: GENERIC,
        presets: Presets::NONE,
        mask: MaskField { shift: 8, largest: 0xFF },
        attributes: ATTRIBUTES,
        modifiers: MODIFIERS,
        default: "CPU_CLK_UNHALTED",
        costs: &[],
    }
}

/// The tables of the P6 family's events by name, one for each processor.
///
/// Names are the SDM's, which OProfile and libpfm have too, but for a few: `OTHER_NAMES`. Solaris has the SDM's in small
/// letters.
impl Catalogue {
    /// The events of the Pentium Pro.
    pub const PENTIUM_PRO: &'static Catalogue = &catalogue("i386/ppro", &tables::PRO)
        .with_other_names(OTHER_NAMES_OF_PRO)
        .also(&["ppro"])
        .with_presets(presets::PRO);
    /// The events of the Pentium II.
    pub const PENTIUM_II: &'static Catalogue =
        &catalogue("i386/pii", &tables::II).also(&["pii"]).with_presets(presets::PRO);
    /// The events of the Pentium III.
    pub const PENTIUM_III: &'static Catalogue =
        &catalogue("i386/piii", &tables::III).also(&["p6"]).with_presets(presets::III);
    /// The events of the Pentium M.
    pub const PENTIUM_M: &'static Catalogue =
        &catalogue("i386/p6_mobile", &tables::M).also(&["pm"]).with_presets(presets::M);
}

impl Capabilities {
    /// Returns the events by name.
    #[must_use]
    pub const fn catalogue(&self) -> &'static Catalogue {
        match self.model {
            Model::PentiumPro => Catalogue::PENTIUM_PRO,
            Model::PentiumII => Catalogue::PENTIUM_II,
            Model::PentiumIII => Catalogue::PENTIUM_III,
            Model::PentiumM => Catalogue::PENTIUM_M,
        }
    }
}
