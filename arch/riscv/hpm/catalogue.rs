//! The events by name.

mod c900;
mod indexed;
mod u74;

use super::capabilities::Core;
use super::events::{MCYCLE, MINSTRET};
use crate::event::catalogue::{Attribute, Catalogue, Effect, Events, GenericEvent, NamedEvent, merged};
use crate::event::{CounterSet, Event};

/// Every counter but mcycle and minstret.
const PROGRAMMABLE: u64 = 0xFFFF_FFF8;

/// A line of a table: an event with its code, and its counters as a mask.
const fn event(name: &'static str, code: u64, counters: u64) -> NamedEvent {
    NamedEvent::new(name, code, CounterSet::from_bits(counters))
}

const fn generic(name: &'static str, event: Event) -> GenericEvent {
    GenericEvent { name, event }
}

const MODIFIERS: &[Attribute] = &[
    Attribute { name: "k", effect: Effect::Kernel, largest: 1 },
    Attribute { name: "u", effect: Effect::User, largest: 1 },
];

/// Those of mcycle and minstret, by the registers' names.
const FIXED: &[NamedEvent] = &[event("MCYCLE", MCYCLE, 1 << 32), event("MINSTRET", MINSTRET, 1 << 34)];

/// Merges a processor's events with [`FIXED`].
macro_rules! with_fixed {
    ($events:expr) => {
        Events::of(&merged::<{ $events.len() + FIXED.len() }>($events, FIXED))
    };
}

static OTHER: Catalogue = Catalogue {
    unit: "riscv",
    events: Events::of(FIXED),
    generic: &[generic("papi_tot_cyc", Event::CYCLES), generic("papi_tot_ins", Event::INSTRUCTIONS)],
    modifiers: MODIFIERS,
    default: "MCYCLE",
    ..Catalogue::EMPTY
};
static INDEXED: Catalogue = Catalogue {
    unit: "riscv/sbi",
    events: with_fixed!(indexed::EVENTS),
    generic: &[
        generic("papi_br_ins", Event::BRANCHES),
        generic("papi_br_msp", Event::BRANCH_MISSES),
        generic("papi_ref_cyc", Event::REFERENCE_CYCLES),
        generic("papi_tot_cyc", Event::CYCLES),
        generic("papi_tot_ins", Event::INSTRUCTIONS),
    ],
    default: "HW_CPU_CYCLES",
    ..OTHER
};
static QEMU: Catalogue =
    Catalogue { unit: "riscv/qemu", events: with_fixed!(indexed::OF_QEMU), default: "HW_CPU_CYCLES", ..OTHER };
static U74: Catalogue = Catalogue {
    unit: "sifive/u74",
    events: with_fixed!(u74::EVENTS),
    generic: &[
        generic("papi_br_cn", Event::BRANCHES),
        generic("papi_br_msp", Event::BRANCH_MISSES),
        generic("papi_l1_icm", Event::raw(0x102)),
        generic("papi_tlb_dm", Event::raw(0x1002)),
        generic("papi_tlb_im", Event::raw(0x802)),
        generic("papi_tot_cyc", Event::CYCLES),
        generic("papi_tot_ins", Event::INSTRUCTIONS),
    ],
    ..OTHER
};
static C900: Catalogue = Catalogue {
    unit: "thead/c900-legacy",
    events: with_fixed!(c900::EVENTS),
    generic: &[
        generic("papi_br_ins", Event::BRANCHES),
        generic("papi_br_msp", Event::BRANCH_MISSES),
        generic("papi_l1_icm", Event::raw(2)),
        generic("papi_tlb_dm", Event::raw(4)),
        generic("papi_tlb_im", Event::raw(3)),
        generic("papi_tot_cyc", Event::CYCLES),
        generic("papi_tot_ins", Event::INSTRUCTIONS),
    ],
    ..OTHER
};

impl Core {
    /// Returns the events by name.
    #[must_use]
    pub fn catalogue(self) -> &'static Catalogue {
        match self {
            Self::Other => &OTHER,
            Self::Indexed => &INDEXED,
            Self::Qemu => &QEMU,
            Self::U74 => &U74,
            Self::C900 => &C900,
        }
    }
}
