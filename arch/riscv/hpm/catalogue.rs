//! The events by name.

#[rustfmt::skip]
mod tables;

use super::capabilities::Core;
use crate::event::Event;
use crate::event::catalogue::{Attribute, Catalogue, Effect, Events, GenericEvent};

const fn generic(name: &'static str, event: Event) -> GenericEvent {
    GenericEvent { name, event }
}

const MODIFIERS: &[Attribute] = &[
    Attribute { name: "k", effect: Effect::Kernel, largest: 1 },
    Attribute { name: "u", effect: Effect::User, largest: 1 },
];

/// The events of a processor of which nothing but the architecture is known.
pub static OTHER: Catalogue = Catalogue {
    unit: "riscv",
    events: Events::of(&tables::OTHER),
    generic: &[generic("papi_tot_cyc", Event::CYCLES), generic("papi_tot_ins", Event::INSTRUCTIONS)],
    modifiers: MODIFIERS,
    default: "MCYCLE",
    ..Catalogue::EMPTY
};
/// The events of a unit whose codes are the SBI's indices.
pub static INDEXED: Catalogue = Catalogue {
    unit: "riscv/sbi",
    events: Events::of(&tables::INDEXED),
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
/// The events of QEMU.
pub static QEMU: Catalogue =
    Catalogue { unit: "riscv/qemu", events: Events::of(&tables::QEMU), default: "HW_CPU_CYCLES", ..OTHER };
/// The events of U74.
pub static U74: Catalogue = Catalogue {
    unit: "sifive/u74",
    events: Events::of(&tables::U74),
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
/// The events of C906 and C910.
pub static C900: Catalogue = Catalogue {
    unit: "thead/c900-legacy",
    events: Events::of(&tables::C900),
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
