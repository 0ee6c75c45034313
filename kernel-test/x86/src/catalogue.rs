//! The names by which the kernel asks for events: a table such as any kernel can have of its own.

#[rustfmt::skip]
mod tables;

use pmu::Event;
use pmu::text::{
    catalogue::Attribute, catalogue::Catalogue, catalogue::Effect, catalogue::Events, catalogue::GenericEvent,
    catalogue::MaskField,
};

/// Intel's architectural events, and those that every processor has, by PAPI's names.
pub static ARCHITECTURAL: Catalogue = Catalogue {
    unit: "ix86arch",
    aliases: &[],
    events: Events::of(&tables::ARCHITECTURAL),
    generic: &[
        GenericEvent::new("papi_tot_cyc", Event::CYCLES),
        GenericEvent::new("papi_tot_ins", Event::INSTRUCTIONS),
    ],
    mask: MaskField { shift: 8, largest: 0xff },
    modifiers: &[
        Attribute { name: "c", effect: Effect::Threshold, largest: 255 },
        Attribute { name: "k", effect: Effect::Kernel, largest: 1 },
        Attribute { name: "u", effect: Effect::User, largest: 1 },
    ],
    ..Catalogue::EMPTY
};
