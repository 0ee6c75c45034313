//! The Pentium's events by name.

mod mmx;
mod pentium;
mod solaris;

use super::Capabilities;
use super::events::{SECOND, TAKEN_BRANCHES};
use crate::event::catalogue::{
    Attribute, Catalogue, Effect, Events, GenericEvent, MaskField, MaskKind, MaskNames, NamedEvent, UnitMask,
    UnitMasks, merged,
};
use crate::event::{CounterSet, Event, Flag};

/// Whether events are counted, or the clocks for which each lasts: the highest bit of CC, bit 8 of a code.
const CLOCKS: UnitMasks = UnitMasks {
    kind: MaskKind::Exclusive,
    default: 0,
    named: MaskNames::of(&[UnitMask::new("events", 0), UnitMask::new("clocks", 1)]),
};

/// An event that both counters have.
const fn event(name: &'static str, code: u64) -> NamedEvent {
    NamedEvent { masks: CLOCKS, ..NamedEvent::new(name, code, CounterSet::first(2)) }
}

/// An event of counter 0.
const fn first(name: &'static str, code: u64) -> NamedEvent {
    NamedEvent { masks: CLOCKS, ..NamedEvent::new(name, code, CounterSet::from_bits(0b01)) }
}

/// An event of counter 1, which has another one on counter 0 beside it.
const fn second(name: &'static str, code: u64) -> NamedEvent {
    NamedEvent { masks: CLOCKS, ..NamedEvent::new(name, SECOND | code, CounterSet::from_bits(0b10)) }
}

const fn generic(name: &'static str, event: Event) -> GenericEvent {
    GenericEvent { name, event }
}

/// The generic events of the Pentium with MMX. PAPI never had one: each name stands for the event that it describes.
const OF_MMX: &[GenericEvent] = &[
    generic("papi_br_ins", Event::BRANCHES),
    generic("papi_br_msp", Event::BRANCH_MISSES),
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
    generic("papi_tot_cyc", Event::CYCLES),
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

static PENTIUM: Catalogue = Catalogue {
    unit: "i386/p5",
    events: Events::of(pentium::EVENTS),
    generic: OF_PENTIUM,
    other_names: solaris::PENTIUM,
    mask: MaskField { shift: 8, largest: 1 },
    attributes: ATTRIBUTES,
    modifiers: MODIFIERS,
    default: "INSTRUCTIONS_EXECUTED",
    ..Catalogue::EMPTY
};

static WITH_MMX: Catalogue = Catalogue {
    unit: "i386/p5_mmx",
    events: Events::of(&merged::<{ pentium::EVENTS.len() + mmx::EVENTS.len() }>(pentium::EVENTS, mmx::EVENTS)),
    generic: OF_MMX,
    other_names: solaris::MMX,
    default: "NUMBER_OF_CYCLES_NOT_IN_HALT_STATE",
    ..PENTIUM
};

impl Capabilities {
    /// Returns the events by name.
    #[must_use]
    pub fn catalogue(&self) -> &'static Catalogue {
        if self.has_mmx { &WITH_MMX } else { &PENTIUM }
    }
}
