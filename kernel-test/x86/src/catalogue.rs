//! The names by which the kernel asks for events: a table such as any kernel can have of its own.

use pmu::catalogue::{Attribute, Catalogue, Effect, Events, GenericEvent, MaskField, NamedEvent};
use pmu::{CounterSet, Event};

/// Every general counter there may be.
const ANY: CounterSet = CounterSet::first(32);

/// Intel's architectural events (SDM vol. 3, "Architectural Performance Events": the table of their
/// unit masks and event selects), and those that every processor has, by PAPI's names.
pub static ARCHITECTURAL: Catalogue = Catalogue {
    unit: "ix86arch",
    aliases: &[],
    events: Events::of(&[
        NamedEvent::new("BR_INST_RETIRED", 0x00c4, ANY),
        NamedEvent::new("BR_MISP_RETIRED", 0x00c5, ANY),
        NamedEvent::new("INST_RETIRED", 0x00c0, ANY),
        NamedEvent::new("LLC_MISSES", 0x412e, ANY),
        NamedEvent::new("LLC_REFERENCES", 0x4f2e, ANY),
        NamedEvent::new("UNHALTED_CORE_CYCLES", 0x003c, ANY),
    ]),
    generic: &[
        GenericEvent { name: "papi_tot_cyc", event: Event::CYCLES },
        GenericEvent { name: "papi_tot_ins", event: Event::INSTRUCTIONS },
    ],
    mask: MaskField { shift: 8, largest: 0xff },
    modifiers: &[
        Attribute { name: "c", effect: Effect::Threshold, largest: 255 },
        Attribute { name: "k", effect: Effect::Kernel, largest: 1 },
        Attribute { name: "u", effect: Effect::User, largest: 1 },
    ],
    ..Catalogue::EMPTY
};
