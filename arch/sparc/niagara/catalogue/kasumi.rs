//! The events of T3 for the cipher that T2 does not have.
//!
//! Source: illumos-gate, usr/src/uts/sun4v/pcbe/niagara2_pcbe.c, alone. It accepts masks of eight bits here, and names six.
//! libpfm4 has no table of T3; its words for T2 are used.

use super::{event, group, mask, masks};
use crate::event::catalogue::{NamedEvent, UnitMasks};

/// The parts of the stream unit.
const UNITS: UnitMasks = masks(
    0x3F,
    &[
        mask("DES", 0x01),
        mask("AES", 0x02),
        mask("KASUMI", 0x04),
        mask("HASH", 0x08),
        mask("MA", 0x10),
        mask("CSUM", 0x20),
    ],
);

pub(super) const EVENTS: &[NamedEvent] = &[
    event("Kasumi_busy_cycle", 0x704),
    event("Kasumi_op", 0x604),
    group("spu_busy", 0x700, UNITS),
    group("spu_ops", 0x600, UNITS),
];
