//! The events of T2 and T2+ for the cipher that T3 does not have.
//!
//! Sources: illumos-gate, usr/src/uts/sun4v/pcbe/niagara2_pcbe.c, compared with OpenSPARC T2's design, pmu_pct_ctl.v, and
//! with libpfm4, lib/events/sparc_niagara2_events.h.

use super::{event, group, mask, masks};
use crate::event::catalogue::{NamedEvent, UnitMasks};

/// The parts of the stream unit.
const UNITS: UnitMasks = masks(
    0x3F,
    &[
        mask("DES", 0x01),
        mask("AES", 0x02),
        mask("RC4", 0x04),
        mask("HASH", 0x08),
        mask("MA", 0x10),
        mask("CSUM", 0x20),
    ],
);

pub(super) const EVENTS: &[NamedEvent] = &[
    event("RC4_busy_cycle", 0x704),
    event("RC4_op", 0x604),
    group("spu_busy", 0x700, UNITS),
    group("spu_ops", 0x600, UNITS),
];
