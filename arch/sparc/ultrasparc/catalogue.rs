//! The events by name.

mod presets;
#[rustfmt::skip]
mod tables;

use super::capabilities::Model;
use super::events::{self, code_on};
use crate::arch::sparc::Half::{self, Pic0, Pic1};
use crate::event::Event;
use crate::event::catalogue::{Attribute, Catalogue, Effect, Events, GenericEvent, OtherName, Table};

const fn generic(name: &'static str, event: Event) -> GenericEvent {
    GenericEvent::new(name, event)
}

const fn generic_on(name: &'static str, half: Half, select: u8) -> GenericEvent {
    generic(name, events::on(half, select))
}

const fn other(name: &'static str, code: u64) -> OtherName {
    OtherName { name, code }
}

/// The generic events of libcpc on I and II (illumos-gate, us234_pcbe.c, `US12_generic_names0` and `1`).
/// Its `PAPI_br_msp` is Dispatch0_mispred, which counts the cycles that a mispredicted branch leaves the buffer empty.
const GENERIC_12: &[GenericEvent] = &[
    generic_on("papi_br_msp", Pic1, 0x02),
    generic_on("papi_ca_inv", Pic0, 0x0E),
    generic_on("papi_ca_snp", Pic1, 0x0E),
    generic_on("papi_l1_dcr", Pic0, 0x09),
    generic_on("papi_l1_dcw", Pic0, 0x0A),
    generic_on("papi_l1_ica", Pic0, 0x08),
    generic_on("papi_l1_ich", Pic1, 0x08),
    generic_on("papi_l2_dch", Pic0, 0x0F),
    generic_on("papi_l2_ich", Pic1, 0x0F),
    generic_on("papi_l2_tca", Pic0, 0x0C),
    generic_on("papi_l2_tch", Pic1, 0x0C),
    generic("papi_tot_cyc", Event::CYCLES),
    generic("papi_tot_iis", Event::INSTRUCTIONS),
    generic("papi_tot_ins", Event::INSTRUCTIONS),
];

/// The generic events of libcpc from III to IV (`US3_generic_names0` and `1`).
const GENERIC_3: &[GenericEvent] = &[
    generic_on("papi_br_msp", Pic1, 0x02),
    generic_on("papi_br_ntk", Pic1, 0x1E),
    generic_on("papi_br_tkn", Pic0, 0x16),
    generic_on("papi_ca_inv", Pic0, 0x0E),
    generic_on("papi_ca_snp", Pic1, 0x0E),
    generic_on("papi_fad_ins", Pic0, 0x18),
    generic_on("papi_fml_ins", Pic1, 0x27),
    generic_on("papi_l1_dcr", Pic0, 0x09),
    generic_on("papi_l1_dcw", Pic0, 0x0A),
    generic_on("papi_l1_ica", Pic0, 0x08),
    generic_on("papi_l1_icm", Pic1, 0x08),
    generic_on("papi_l1_ldm", Pic1, 0x09),
    generic_on("papi_l1_stm", Pic1, 0x0A),
    generic_on("papi_l2_icm", Pic1, 0x0F),
    generic_on("papi_l2_ldm", Pic0, 0x0F),
    generic_on("papi_l2_tca", Pic0, 0x0C),
    generic_on("papi_l2_tcm", Pic1, 0x0C),
    generic_on("papi_tlb_dm", Pic1, 0x12),
    generic_on("papi_tlb_im", Pic1, 0x11),
    generic("papi_tot_cyc", Event::CYCLES),
    generic("papi_tot_iis", Event::INSTRUCTIONS),
    generic("papi_tot_ins", Event::INSTRUCTIONS),
];

/// The generic events of libcpc on IV+ (`US4_PLUS_generic_names0` and `1`).
const GENERIC_4_PLUS: &[GenericEvent] = &[
    generic_on("papi_br_ntk", Pic0, 0x16),
    generic_on("papi_br_tkn", Pic1, 0x1E),
    generic_on("papi_fma_ins", Pic0, 0x18),
    generic_on("papi_fml_ins", Pic1, 0x27),
    generic_on("papi_l1_dcr", Pic0, 0x09),
    generic_on("papi_l1_dcw", Pic1, 0x03),
    generic_on("papi_l1_ica", Pic0, 0x08),
    generic_on("papi_l1_icm", Pic1, 0x08),
    generic_on("papi_l1_ldm", Pic1, 0x09),
    generic_on("papi_l1_stm", Pic0, 0x2B),
    generic_on("papi_l2_icm", Pic0, 0x2E),
    generic_on("papi_l2_ldm", Pic0, 0x0F),
    generic_on("papi_l2_stm", Pic0, 0x1F),
    generic_on("papi_l2_tca", Pic0, 0x0C),
    generic_on("papi_l2_tcm", Pic1, 0x0C),
    generic_on("papi_l3_icm", Pic1, 0x32),
    generic_on("papi_l3_ldm", Pic0, 0x28),
    generic_on("papi_l3_tcm", Pic1, 0x31),
    generic_on("papi_tlb_dm", Pic1, 0x12),
    generic_on("papi_tlb_im", Pic1, 0x11),
    generic("papi_tot_cyc", Event::CYCLES),
    generic("papi_tot_iis", Event::INSTRUCTIONS),
    generic("papi_tot_ins", Event::INSTRUCTIONS),
];

/// libpfm4's names of III to IV that libcpc spells otherwise. Its selector of `Dispatch0_rs_mispred` is another event's.
const OTHER_NAMES_3: &[OtherName] = &[
    other("Dispatch0_rs_mispred", code_on(Pic0, 0x17)),
    other("PC_MS_miss", code_on(Pic1, 0x1F)),
    other("SW_count0", code_on(Pic0, 0x14)),
    other("SW_count1", code_on(Pic1, 0x1C)),
];

/// libpfm4's names of IV+: each half of an event that libcpc calls by one name.
const OTHER_NAMES_4_PLUS: &[OtherName] =
    &[other("SW_count_NOP0", code_on(Pic0, 0x14)), other("SW_count_NOP1", code_on(Pic1, 0x1C))];

const MODIFIERS: &[Attribute] = &[
    Attribute { name: "k", effect: Effect::Kernel, largest: 1 },
    Attribute { name: "u", effect: Effect::User, largest: 1 },
];

/// The catalogue of a model. libcpc has no attributes for it.
const fn catalogue(unit: &'static str, events: &'static Table, generic: &'static [GenericEvent]) -> Catalogue {
    Catalogue {
        unit,
        events: Events::of(events),
        generic,
        modifiers: MODIFIERS,
        default: "Cycle_cnt",
        ..Catalogue::EMPTY
    }
}

/// The tables of the UltraSPARCs' events by name, one for each processor.
///
/// Names and codes are facts from the sources that each table names. Codes have the layout that
/// [the family's page](super) describes. Where the two sources differ, the tables have libcpc's, which Sun wrote:
///
/// | event | libcpc | libpfm4 |
/// |---|---|---|
/// | `Dispatch_rs_mispred`, III to IV | pic0, 17H | `Dispatch0_rs_mispred`, pic0, 04H, which is also `Dispatch0_2nd_br` |
/// | `FM_pipe_completion`, III to IV | pic1, 27H | pic0, 27H |
/// | `MC_reads`, `MC_writes`, `MC_page_close_stall`, `IIIi` | pic1, 21H to 23H | pic1, 20H to 22H; no `MC_open_bank_cmds` |
/// | pic0, 16H, IV+ | `IU_stat_br_count_untaken` | `IU_Stat_Br_Count_taken`, which both have on pic1, 1EH |
impl Catalogue {
    /// The events of UltraSPARC I and II.
    pub const ULTRASPARC_12: &'static Catalogue =
        &catalogue("sparc64/ultra12", &tables::ULTRA_12, GENERIC_12).with_presets(presets::ULTRA_12);
    /// The events of UltraSPARC III.
    pub const ULTRASPARC_3: &'static Catalogue = &catalogue("sparc64/ultra3", &tables::ULTRA_3, GENERIC_3)
        .with_other_names(OTHER_NAMES_3)
        .with_presets(presets::ULTRA_3);
    /// The events of UltraSPARC III+.
    pub const ULTRASPARC_3_PLUS: &'static Catalogue = &catalogue("sparc64/ultra3+", &tables::ULTRA_3_PLUS, GENERIC_3)
        .also(&["ultra3p"])
        .with_other_names(OTHER_NAMES_3)
        .with_presets(presets::ULTRA_3);
    /// The events of UltraSPARC IIIi.
    pub const ULTRASPARC_3I: &'static Catalogue = &catalogue("sparc64/ultra3i", &tables::ULTRA_3I, GENERIC_3)
        .with_other_names(OTHER_NAMES_3)
        .with_presets(presets::ULTRA_3);
    /// The events of UltraSPARC IV+.
    pub const ULTRASPARC_4_PLUS: &'static Catalogue =
        &catalogue("sparc64/ultra4+", &tables::ULTRA_4_PLUS, GENERIC_4_PLUS)
            .also(&["ultra4p"])
            .with_other_names(OTHER_NAMES_4_PLUS)
            .with_presets(presets::ULTRA_4_PLUS);
}

impl Model {
    /// Returns the events by name.
    #[must_use]
    pub fn catalogue(self) -> &'static Catalogue {
        match self {
            Self::Ultra12 => Catalogue::ULTRASPARC_12,
            Self::Ultra3 => Catalogue::ULTRASPARC_3,
            Self::Ultra3Plus => Catalogue::ULTRASPARC_3_PLUS,
            Self::Ultra3i => Catalogue::ULTRASPARC_3I,
            Self::Ultra4Plus => Catalogue::ULTRASPARC_4_PLUS,
        }
    }
}
