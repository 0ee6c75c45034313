//! Intel's events by name: what strings are read with, and lists printed from.
//!
//! A table says which counters have an event, where the driver places a code on any of them.
//! Processors without a table of their own, the small cores beside large ones among them, have
//! the architectural events' names.

mod architectural;
mod core_2;
mod core_duo;
mod lion_cove;
mod nehalem;
mod sapphire_rapids;
mod skylake;

use super::auxiliary::Auxiliary;
use super::facts::Facts;
use super::model::Microarchitecture;
use crate::catalogue::{Attribute, Catalogue, Effect, GenericEvent, MaskField, MaskKind};
use crate::catalogue::{NamedEvent, UnitMask, UnitMasks};
use crate::counter::CounterSet;
use crate::event::{Event, Flag};

/// One line of a table: the event's code, and a bit for each counter that has it.
const fn event(name: &'static str, code: u64, counters: u64) -> NamedEvent {
    NamedEvent::new(name, code, CounterSet::from_bits(counters))
}

/// One line of a table: the event of a fixed counter, which its unit mask numbers from 1.
const fn fixed(name: &'static str, code: u64) -> NamedEvent {
    event(name, code, 1 << (32 + (code >> 8) - 1))
}

/// One line of a table of OProfile's, with the shortest period that it lets the event interrupt with.
const fn timed(name: &'static str, code: u64, counters: u64, least: u64) -> NamedEvent {
    NamedEvent { least, ..event(name, code, counters) }
}

/// The same of an event whose unit mask is chosen.
const fn masked(name: &'static str, code: u64, counters: u64, least: u64, masks: UnitMasks) -> NamedEvent {
    NamedEvent { masks, ..timed(name, code, counters, least) }
}

const fn mask(name: &'static str, value: u64) -> UnitMask {
    UnitMask { name, value }
}

const fn bitmask(default: u64, named: &'static [UnitMask]) -> UnitMasks {
    UnitMasks { kind: MaskKind::Bitmask, default, named }
}

const fn exclusive(default: u64, named: &'static [UnitMask]) -> UnitMasks {
    UnitMasks { kind: MaskKind::Exclusive, default, named }
}

const fn generic(name: &'static str, event: Event) -> GenericEvent {
    GenericEvent { name, event }
}

/// Whose last level is the second.
const SECOND_LEVEL: &[GenericEvent] = &[
    generic("papi_br_ins", Event::BRANCHES),
    generic("papi_br_msp", Event::BRANCH_MISSES),
    generic("papi_l2_tca", Event::CACHE_REFERENCES),
    generic("papi_l2_tcm", Event::CACHE_MISSES),
    generic("papi_ref_cyc", Event::REFERENCE_CYCLES),
    generic("papi_tot_cyc", Event::CYCLES),
    generic("papi_tot_ins", Event::INSTRUCTIONS),
];

/// Whose last level is the third.
const THIRD_LEVEL: &[GenericEvent] = &[
    generic("papi_br_ins", Event::BRANCHES),
    generic("papi_br_msp", Event::BRANCH_MISSES),
    generic("papi_l3_tca", Event::CACHE_REFERENCES),
    generic("papi_l3_tcm", Event::CACHE_MISSES),
    generic("papi_ref_cyc", Event::REFERENCE_CYCLES),
    generic("papi_tot_cyc", Event::CYCLES),
    generic("papi_tot_ins", Event::INSTRUCTIONS),
];

/// Of a processor whose last level, or anything else beside the architecture, is not known.
const ARCHITECTURAL: &[GenericEvent] =
    &[generic("papi_tot_cyc", Event::CYCLES), generic("papi_tot_ins", Event::INSTRUCTIONS)];

const EDGE: Effect = Effect::Flag(Flag::Edge);
const INVERT: Effect = Effect::Flag(Flag::Invert);
const ANY_THREAD: Effect = Effect::Flag(Flag::AnyThread);

const fn attribute(name: &'static str, effect: Effect, largest: u64) -> Attribute {
    Attribute { name, effect, largest }
}

/// cputrack's before version 3: core_pcbe.c of illumos-gate.
const WITH_PINS: &[Attribute] = &[
    attribute("edge", EDGE, 1),
    attribute("pc", Effect::Flag(Flag::PinControl), 1),
    attribute("inv", INVERT, 1),
    attribute("umask", Effect::UnitMask, 0xFF),
    attribute("cmask", Effect::Threshold, 0xFF),
];

/// And from version 3 on.
const WITH_ANY_THREAD: &[Attribute] = &[
    attribute("edge", EDGE, 1),
    attribute("inv", INVERT, 1),
    attribute("umask", Effect::UnitMask, 0xFF),
    attribute("cmask", Effect::Threshold, 0xFF),
    attribute("anythr", ANY_THREAD, 1),
];

/// libpfm's: lib/pfmlib_intel_x86_arch.c.
const MODIFIERS_WITH_ANY_THREAD: &[Attribute] = &[
    attribute("k", Effect::Kernel, 1),
    attribute("u", Effect::User, 1),
    attribute("e", EDGE, 1),
    attribute("i", INVERT, 1),
    attribute("c", Effect::Threshold, 0xFF),
    attribute("t", ANY_THREAD, 1),
];

/// The same where a counter counts its own thread alone: before version 3, and again on later ones.
const MODIFIERS: &[Attribute] = MODIFIERS_WITH_ANY_THREAD.split_at(5).0;
/// cputrack's of those later ones.
const PLAIN: &[Attribute] = WITH_ANY_THREAD.split_at(4).0;

/// A catalogue whose codes hold the unit mask in bits 8 to 15.
const fn catalogue(unit: &'static str, events: &'static [NamedEvent], default: &'static str) -> Catalogue {
    Catalogue {
        unit,
        events,
        generic: THIRD_LEVEL,
        mask: MaskField { shift: 8, largest: 0xFF },
        attributes: PLAIN,
        modifiers: MODIFIERS,
        default,
    }
}

const fn before_nehalem(unit: &'static str, events: &'static [NamedEvent]) -> Catalogue {
    let generic = SECOND_LEVEL;
    Catalogue { generic, attributes: WITH_PINS, ..catalogue(unit, events, "CPU_CLK_UNHALTED") }
}

const fn with_any_thread(catalogue: Catalogue) -> Catalogue {
    Catalogue { attributes: WITH_ANY_THREAD, modifiers: MODIFIERS_WITH_ANY_THREAD, ..catalogue }
}

static OF_ANY: Catalogue =
    Catalogue { generic: ARCHITECTURAL, ..catalogue("i386/arch_perfmon", architectural::EVENTS, "CPU_CLK_UNHALTED") };
static OF_CORE_DUO: Catalogue = before_nehalem("i386/core", core_duo::EVENTS);
static OF_CORE_2: Catalogue = before_nehalem("i386/core_2", core_2::EVENTS);
static OF_NEHALEM: Catalogue = with_any_thread(catalogue("i386/nehalem", nehalem::EVENTS, "CPU_CLK_UNHALTED.THREAD_P"));
static OF_SKYLAKE: Catalogue = with_any_thread(catalogue("i386/skylake", skylake::EVENTS, "CPU_CLK_UNHALTED.THREAD_P"));
static OF_SAPPHIRE_RAPIDS: Catalogue =
    catalogue("i386/sapphirerapids", sapphire_rapids::EVENTS, "CPU_CLK_UNHALTED.THREAD_P");
static OF_LION_COVE: Catalogue = catalogue("i386/lioncove", lion_cove::EVENTS, "CPU_CLK_UNHALTED.THREAD_P");

impl Facts {
    /// The events by name. Which model has which table: the map of models of intel/perfmon.
    #[must_use]
    pub fn catalogue(&self) -> &'static Catalogue {
        match (self.microarchitecture(), self.model) {
            (Some(Microarchitecture::Core), 0x0E) => &OF_CORE_DUO,
            (Some(Microarchitecture::Core), _) => &OF_CORE_2,
            (Some(Microarchitecture::Nehalem), 0x1A | 0x1E | 0x1F) => &OF_NEHALEM,
            (Some(Microarchitecture::Skylake), 0x4E | 0x5E | 0x8E | 0x9E | 0xA5 | 0xA6) => &OF_SKYLAKE,
            (Some(Microarchitecture::GoldenCove), 0x8F) => &OF_SAPPHIRE_RAPIDS,
            (Some(Microarchitecture::LionCove), _) if self.is_large_core() => &OF_LION_COVE,
            _ => &OF_ANY,
        }
    }

    /// Large cores have their registers beside the counters, and the small ones among them do not.
    fn is_large_core(&self) -> bool {
        self.microarchitecture().is_some_and(|it| self.auxiliaries.len() == Auxiliary::of(it).len())
    }
}
