//! The generic events of Intel's processors by their PAPI names, and the counters that have each.

use crate::event::Event;
use crate::event::catalogue::GenericEvent;

const fn generic(name: &'static str, event: Event) -> GenericEvent {
    GenericEvent::new(name, event)
}

/// The general counters, one bit each.
const GENERAL: u64 = u32::MAX as u64;
/// Instructions and cycles, each of which has a fixed counter too (SDM vol. 3, table "Association of Fixed-Function
/// Performance Counters with Architectural Performance Events").
const INSTRUCTIONS: GenericEvent = generic("papi_tot_ins", Event::INSTRUCTIONS).on(GENERAL | 1 << 32);
const CYCLES: GenericEvent = generic("papi_tot_cyc", Event::CYCLES).on(GENERAL | 1 << 33);
/// Cycles of the time-stamp counter, which the third fixed counter alone has: general ones count those of the bus, or of
/// the crystal.
const REFERENCE_CYCLES: GenericEvent = generic("papi_ref_cyc", Event::REFERENCE_CYCLES).on(1 << 34);
const BRANCHES: GenericEvent = generic("papi_br_ins", Event::BRANCHES).on(GENERAL);
const BRANCH_MISSES: GenericEvent = generic("papi_br_msp", Event::BRANCH_MISSES).on(GENERAL);

/// The generic events of Core Duo, which has no fixed counters.
pub(super) const OF_CORE_DUO: &[GenericEvent] = &[
    BRANCHES,
    BRANCH_MISSES,
    generic("papi_l2_tca", Event::CACHE_REFERENCES),
    generic("papi_l2_tcm", Event::CACHE_MISSES),
    generic("papi_ref_cyc", Event::REFERENCE_CYCLES),
    CYCLES,
    INSTRUCTIONS,
];

/// The generic events of a processor whose last-level cache is the second level.
pub(super) const SECOND_LEVEL: &[GenericEvent] = &[
    BRANCHES,
    BRANCH_MISSES,
    generic("papi_l2_tca", Event::CACHE_REFERENCES).on(GENERAL),
    generic("papi_l2_tcm", Event::CACHE_MISSES).on(GENERAL),
    REFERENCE_CYCLES,
    CYCLES,
    INSTRUCTIONS,
];

/// The generic events of a processor whose last-level cache is the third level.
pub(super) const THIRD_LEVEL: &[GenericEvent] = &[
    BRANCHES,
    BRANCH_MISSES,
    generic("papi_l3_tca", Event::CACHE_REFERENCES).on(GENERAL),
    generic("papi_l3_tcm", Event::CACHE_MISSES).on(GENERAL),
    REFERENCE_CYCLES,
    CYCLES,
    INSTRUCTIONS,
];

/// The generic events of a processor of which nothing but the architecture is known.
pub(super) const GENERIC: &[GenericEvent] = &[CYCLES, INSTRUCTIONS];
