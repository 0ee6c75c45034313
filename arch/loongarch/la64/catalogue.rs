//! The events by name.

#[rustfmt::skip]
mod tables;

use crate::event::Event;
use crate::event::catalogue::{Attribute, Catalogue, Cost, Effect, Events, GenericEvent};

/// The modes that libpfm's modifiers have on other processors. It has none for LoongArch.
const MODIFIERS: &[Attribute] = &[
    Attribute { name: "k", effect: Effect::Kernel, largest: 1 },
    Attribute { name: "u", effect: Effect::User, largest: 1 },
];

const fn of(name: &'static str, code: u64) -> GenericEvent {
    GenericEvent::new(name, Event::raw(code))
}

/// The events that count what the PAPI names say. PAPI itself has no list for LoongArch.
const GENERIC: &[GenericEvent] = &[
    of("papi_br_ins", 0x02),
    of("papi_br_msp", 0x03),
    of("papi_l1_dca", 0x08),
    of("papi_l1_dcm", 0x09),
    of("papi_l1_ica", 0x06),
    of("papi_l1_icm", 0x07),
    of("papi_tlb_dm", 0x3C),
    of("papi_tlb_im", 0x3B),
    of("papi_tot_cyc", 0x00),
    of("papi_tot_ins", 0x01),
];

/// The table of the LoongArch processors' events by name.
///
/// Names and numbers are facts from the source that the table names.
impl Catalogue {
    /// The events of LoongArch of 64 bits. The unit's name is Linux' for it.
    pub const LA64: &'static Catalogue = &Catalogue {
        unit: "loongarch/loongson64",
        events: Events::of(&tables::LA64),
        generic: GENERIC,
        modifiers: MODIFIERS,
        default: "CYCLES",
        costs: &[("CYCLES", Cost::CLOCK)],
        ..Catalogue::EMPTY
    };
}
