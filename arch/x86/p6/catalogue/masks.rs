//! The unit masks of the P6 family's events.
//!
//! Sources: SDM vol. 3, tables "Events That Can Be Counted with the P6 Family Performance-Monitoring Counters" and
//! "Performance Monitoring Events Modified on Intel Pentium M Processors"; defaults as in OProfile,
//! events/i386/*/unit_masks. Names are OProfile's and libpfm4's (lib/events/intel_p6_events.h, intel_pm_events.h; MIT),
//! libpfm's last.

use crate::event::catalogue::{MaskKind, MaskNames, UnitMask, UnitMasks};

const fn mask(name: &'static str, value: u64) -> UnitMask {
    UnitMask::new(name, value)
}

const fn bitmask(default: u64, named: &'static [UnitMask]) -> UnitMasks {
    UnitMasks { kind: MaskKind::Bitmask, default, named: MaskNames::of(named) }
}

const fn exclusive(default: u64, named: &'static [UnitMask]) -> UnitMasks {
    UnitMasks { kind: MaskKind::Exclusive, default, named: MaskNames::of(named) }
}

/// Whose transactions on the bus: this processor's or everybody's.
pub(super) const AGENTS: UnitMasks = exclusive(0x20, &[mask("self", 0x00), mask("any", 0x20)]);
pub(super) const FREQUENCY: UnitMasks = exclusive(0x00, &[mask("all", 0x00), mask("freq", 0x02)]);
pub(super) const FUSED: UnitMasks = exclusive(0x00, &[mask("all", 0x00), mask("ld_op", 0x01), mask("std_sta", 0x02)]);

/// The states of a line of the second-level cache.
pub(super) const MESI: UnitMasks = bitmask(
    0x0F,
    &[
        mask("invalid", 0x01),
        mask("I", 0x01),
        mask("shared", 0x02),
        mask("S", 0x02),
        mask("exclusive", 0x04),
        mask("E", 0x04),
        mask("modified", 0x08),
        mask("M", 0x08),
        mask("all", 0x0F),
    ],
);

/// The same on the Pentium M, which leaves out what its prefetcher does unless it is told otherwise. libpfm calls 20H
/// NON_HW_PREFETCH; it is all lines in the SDM.
const STATES_AND_PREFETCHES: &[UnitMask] = &[
    mask("EXCL_HW_PREFETCH", 0x00),
    mask("invalid", 0x01),
    mask("I", 0x01),
    mask("shared", 0x02),
    mask("S", 0x02),
    mask("exclusive", 0x04),
    mask("E", 0x04),
    mask("modified", 0x08),
    mask("M", 0x08),
    mask("all", 0x0F),
    mask("ONLY_HW_PREFETCH", 0x10),
    mask("NON_HW_PREFETCH", 0x20),
];
/// OProfile's default: without prefetches.
pub(super) const LOADS: UnitMasks = bitmask(0x0F, STATES_AND_PREFETCHES);
/// All lines, as on the processors before. OProfile has no unit mask for these events, and counts lines in no state.
pub(super) const LINES: UnitMasks = bitmask(0x2F, STATES_AND_PREFETCHES);

pub(super) const MMX_TRANSITIONS: UnitMasks = exclusive(0x00, &[mask("to_fp", 0x00), mask("to_mmx", 0x01)]);
pub(super) const MMX_TYPES: UnitMasks = bitmask(
    0x3F,
    &[
        mask("mul", 0x01),
        mask("shift", 0x02),
        mask("pack", 0x04),
        mask("unpack", 0x08),
        mask("logical", 0x10),
        mask("arith", 0x20),
        mask("all", 0x3F),
    ],
);
/// libpfm has no unit mask.
pub(super) const MMX_UOPS: UnitMasks =
    UnitMasks { kind: MaskKind::Mandatory, default: 0x0F, named: MaskNames::of(&[mask("all", 0x0F)]) };
pub(super) const PREFETCHES: UnitMasks =
    exclusive(0x00, &[mask("nta", 0x00), mask("t1", 0x01), mask("t2", 0x02), mask("weak", 0x03)]);
pub(super) const SEGMENTS: UnitMasks =
    bitmask(0x0F, &[mask("es", 0x01), mask("ds", 0x02), mask("fs", 0x04), mask("gs", 0x08), mask("all", 0x0F)]);
pub(super) const SSE: UnitMasks = exclusive(0x00, &[mask("packed_scalar", 0x00), mask("scalar", 0x01)]);
pub(super) const SSE_AND_SSE2: UnitMasks = exclusive(
    0x00,
    &[
        mask("sse_packed_scalar_single", 0x00),
        mask("sse_scalar_single", 0x01),
        mask("sse2_packed_double", 0x02),
        mask("sse2_scalar_double", 0x03),
    ],
);
