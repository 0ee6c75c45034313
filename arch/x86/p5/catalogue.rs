//! The Pentium's events by name.

mod solaris;
#[rustfmt::skip]
mod tables;

use super::Capabilities;
use super::events::{self, SECOND, TAKEN_BRANCHES};
use crate::event::catalogue::{Attribute, Catalogue, Effect, Events, GenericEvent, MaskField};
use crate::event::{Event, Flag};

const fn generic(name: &'static str, event: Event) -> GenericEvent {
    GenericEvent::new(name, event)
}

/// The generic events of the Pentium with MMX. PAPI never had one: each name stands for the event that it describes.
const OF_MMX: &[GenericEvent] = &[
    generic("papi_br_ins", Event::BRANCHES),
    generic("papi_br_msp", events::BRANCH_MISSES),
    generic("papi_br_tkn", TAKEN_BRANCHES),
    generic("papi_fp_ops", Event::raw(0x22)),
    generic("papi_hw_int", Event::raw(0x27)),
    generic("papi_l1_dca", Event::CACHE_REFERENCES),
    generic("papi_l1_dcm", Event::CACHE_MISSES),
    generic("papi_l1_dcr", Event::raw(0x00)),
    generic("papi_l1_dcw", Event::raw(0x01)),
    generic("papi_l1_icm", Event::raw(0x0E)),
    generic("papi_l1_icr", Event::raw(0x0C)),
    generic("papi_l1_ldm", Event::raw(0x03)),
    generic("papi_l1_stm", Event::raw(0x04)),
    generic("papi_tlb_dm", Event::raw(0x02)),
    generic("papi_tlb_im", Event::raw(0x0D)),
    generic("papi_tot_cyc", events::CYCLES),
    generic("papi_tot_ins", Event::INSTRUCTIONS),
];

/// The generic events without MMX, which has no mispredicted branches and no cycles.
const OF_PENTIUM: &[GenericEvent] = &[
    generic("papi_br_ins", Event::BRANCHES),
    generic("papi_fp_ops", Event::raw(0x22)),
    generic("papi_hw_int", Event::raw(0x27)),
    generic("papi_l1_dca", Event::CACHE_REFERENCES),
    generic("papi_l1_dcm", Event::CACHE_MISSES),
    generic("papi_l1_dcr", Event::raw(0x00)),
    generic("papi_l1_dcw", Event::raw(0x01)),
    generic("papi_l1_icm", Event::raw(0x0E)),
    generic("papi_l1_icr", Event::raw(0x0C)),
    generic("papi_l1_ldm", Event::raw(0x03)),
    generic("papi_l1_stm", Event::raw(0x04)),
    generic("papi_tlb_dm", Event::raw(0x02)),
    generic("papi_tlb_im", Event::raw(0x0D)),
    generic("papi_tot_ins", Event::INSTRUCTIONS),
];

const fn attribute(name: &'static str, effect: Effect, largest: u64) -> Attribute {
    Attribute { name, effect, largest }
}

/// The attributes of cputrack: p123_pcbe.c of illumos-gate. `noedge` counts clocks.
const ATTRIBUTES: &[Attribute] =
    &[attribute("noedge", Effect::UnitMask, 1), attribute("pc", Effect::Flag(Flag::PinControl), 1)];

/// libpfm has no Pentium: its modifiers for other processors, as far as they mean something here.
const MODIFIERS: &[Attribute] = &[attribute("k", Effect::Kernel, 1), attribute("u", Effect::User, 1)];

/// The tables of the Pentium's events by name, one for each processor.
impl Catalogue {
    /// The events of the Pentium.
    pub const PENTIUM: &'static Catalogue = &Catalogue {
        unit: "i386/p5",
        events: Events::of(&tables::PENTIUM),
        generic: OF_PENTIUM,
        other_names: solaris::PENTIUM,
        mask: MaskField { shift: 8, largest: 1 },
        attributes: ATTRIBUTES,
        modifiers: MODIFIERS,
        default: "INSTRUCTIONS_EXECUTED",
        ..Catalogue::EMPTY
    };
    /// The events of the Pentium with MMX.
    pub const PENTIUM_MMX: &'static Catalogue = &Catalogue {
        unit: "i386/p5_mmx",
        events: Events::of(&tables::WITH_MMX),
        generic: OF_MMX,
        other_names: solaris::MMX,
        default: "NUMBER_OF_CYCLES_NOT_IN_HALT_STATE",
        ..*Self::PENTIUM
    };
}

impl Capabilities {
    /// Returns the events by name.
    #[must_use]
    pub fn catalogue(&self) -> &'static Catalogue {
        if self.has_mmx { Catalogue::PENTIUM_MMX } else { Catalogue::PENTIUM }
    }
}
