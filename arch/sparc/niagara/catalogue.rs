//! The events by name.

#[rustfmt::skip]
mod tables;

use super::capabilities::Model;
use super::events;
use crate::event::Event;
use crate::event::catalogue::{Attribute, Catalogue, Effect, Events, GenericEvent, MaskField, OtherName, Table};

const fn generic(name: &'static str, event: Event) -> GenericEvent {
    GenericEvent::new(name, event)
}

const MODIFIERS_T1: &[Attribute] = &[
    Attribute { name: "k", effect: Effect::Kernel, largest: 1 },
    Attribute { name: "u", effect: Effect::User, largest: 1 },
];

const MODIFIERS_T2: &[Attribute] = &[
    Attribute { name: "k", effect: Effect::Kernel, largest: 1 },
    Attribute { name: "u", effect: Effect::User, largest: 1 },
    Attribute { name: "h", effect: Effect::Hypervisor, largest: 1 },
];

/// The attributes of libcpc. Its `l2ctl` and `sample` are not here: the first is in a register that only the hypervisor
/// has, and no source says which bit of T3's %pcr the second one is.
const ATTRIBUTES: &[Attribute] = &[
    Attribute { name: "hpriv", effect: Effect::Hypervisor, largest: 1 },
    Attribute { name: "emask", effect: Effect::MoreUnitMask, largest: 0xFF },
];

/// The generic events of libcpc on T1 (illumos-gate, niagara_pcbe.c).
const GENERIC_T1: &[GenericEvent] = &[
    generic("papi_fp_ins", events::T1_FLOATING_POINT),
    generic("papi_fp_ops", events::T1_FLOATING_POINT),
    generic("papi_l1_dcm", events::T1_DATA_CACHE_MISSES),
    generic("papi_l1_icm", Event::raw(2)),
    generic("papi_l2_icm", Event::raw(6)),
    generic("papi_l2_ldm", events::T1_L2_LOAD_MISSES),
    generic("papi_tlb_dm", Event::raw(5)),
    generic("papi_tlb_im", Event::raw(4)),
    generic("papi_tot_ins", events::T1_INSTRUCTIONS),
];

/// The generic events of libcpc from T2 on (illumos-gate, niagara2_pcbe.c).
const GENERIC_T2: &[GenericEvent] = &[
    generic("papi_br_ins", Event::BRANCHES),
    generic("papi_br_tkn", events::TAKEN_BRANCHES),
    generic("papi_fp_ins", Event::raw(0x204)),
    generic("papi_fp_ops", Event::raw(0x204)),
    generic("papi_l1_dcm", events::DATA_CACHE_MISSES),
    generic("papi_l1_icm", Event::raw(0x301)),
    generic("papi_l2_icm", Event::raw(0x310)),
    generic("papi_l2_ldm", events::L2_LOAD_MISSES),
    generic("papi_ld_ins", events::LOADS),
    generic("papi_sr_ins", events::STORES),
    generic("papi_tlb_dm", Event::raw(0xB08)),
    generic("papi_tlb_im", Event::raw(0xB04)),
    generic("papi_tlb_tm", Event::raw(0xB0C)),
    generic("papi_tot_ins", Event::INSTRUCTIONS),
];

/// libpfm4's name of the event that libcpc calls Idle_strands.
const OTHER_NAMES: &[OtherName] = &[OtherName { name: "All_strands_idle", code: 0 }];

const fn from_t2_on(unit: &'static str, events: &'static Table) -> Catalogue {
    let mask = MaskField { shift: 0, largest: 0xFF };
    let (generic, attributes, modifiers) = (GENERIC_T2, ATTRIBUTES, MODIFIERS_T2);
    Catalogue {
        unit,
        events: Events::of(events),
        generic,
        mask,
        attributes,
        modifiers,
        default: "Instr_cnt",
        ..Catalogue::EMPTY
    }
    .with_other_names(OTHER_NAMES)
}

/// The tables of the Niagara processors' events by name, one for each processor.
///
/// Names and codes are facts from the sources that each table names. Codes have the layout that
/// [the family's page](super) describes.
impl Catalogue {
    /// The events of UltraSPARC T1.
    pub const ULTRASPARC_T1: &'static Catalogue = &Catalogue {
        unit: "sparc64/niagara1",
        events: Events::of(&tables::T1),
        generic: GENERIC_T1,
        modifiers: MODIFIERS_T1,
        default: "Instr_cnt",
        ..Catalogue::EMPTY
    };
    /// The events of UltraSPARC T2.
    pub const ULTRASPARC_T2: &'static Catalogue = &from_t2_on("sparc64/niagara2", &tables::T2);
    /// The events of UltraSPARC T2+.
    pub const ULTRASPARC_T2_PLUS: &'static Catalogue = &from_t2_on("sparc64/niagara2+", &tables::T2);
    /// The events of SPARC T3.
    pub const SPARC_T3: &'static Catalogue = &from_t2_on("sparc64/niagara3", &tables::T3);
}

impl Model {
    /// Returns the events by name.
    #[must_use]
    pub fn catalogue(self) -> &'static Catalogue {
        match self {
            Self::T1 => Catalogue::ULTRASPARC_T1,
            Self::T2 => Catalogue::ULTRASPARC_T2,
            Self::T2Plus => Catalogue::ULTRASPARC_T2_PLUS,
            Self::T3 => Catalogue::SPARC_T3,
        }
    }
}
