//! The fields of Intel's registers, by the manual's names.
//!
//! Source: SDM vol. 3, figures of "Architectural Performance Monitoring Version 1" to "Version 6".

use super::capabilities::Capabilities;
use super::registers::Select;
use crate::arch::x86::Msr;
use crate::contract::Field;

/// IA32_PERFEVTSELx.
const SELECT: &[Field] = &[
    Field::new("EventSelect", Select::EVENT.bits()),
    Field::new("UMask", Select::UNIT_MASK.bits()),
    Field::new("USR", Select::USER.bits()),
    Field::new("OS", Select::KERNEL.bits()),
    Field::new("E", Select::EDGE.bits()),
    Field::new("PC", Select::PIN_CONTROL.bits()),
    Field::new("INT", Select::INTERRUPT.bits()),
    Field::new("AnyThread", Select::ANY_THREAD.bits()),
    Field::new("EN", Select::ENABLE.bits()),
    Field::new("INV", Select::INVERT.bits()),
    Field::new("CMASK", Select::THRESHOLD.bits()),
    Field::new("EQ", Select::EQUAL.bits()),
    Field::new("UMASK2", Select::UNIT_MASK_2.bits()),
];
/// IA32_FIXED_CTR_CTRL.
const FIXED: &[Field] = &[
    Field::new("ENABLE0", 0b11),
    Field::new("AnyThread0", 1 << 2),
    Field::new("PMI0", 1 << 3),
    Field::new("ENABLE1", 0b11 << 4),
    Field::new("AnyThread1", 1 << 6),
    Field::new("PMI1", 1 << 7),
    Field::new("ENABLE2", 0b11 << 8),
    Field::new("AnyThread2", 1 << 10),
    Field::new("PMI2", 1 << 11),
    Field::new("ENABLE3", 0b11 << 12),
    Field::new("AnyThread3", 1 << 14),
    Field::new("PMI3", 1 << 15),
    Field::new("ENABLE4", 0b11 << 16),
    Field::new("AnyThread4", 1 << 18),
    Field::new("PMI4", 1 << 19),
    Field::new("ENABLE5", 0b11 << 20),
    Field::new("AnyThread5", 1 << 22),
    Field::new("PMI5", 1 << 23),
    Field::new("ENABLE6", 0b11 << 24),
    Field::new("AnyThread6", 1 << 26),
    Field::new("PMI6", 1 << 27),
];
/// IA32_PERF_GLOBAL_CTRL.
const GLOBAL: &[Field] = &[
    Field::new("EN_PMC", 0xFFFF_FFFF),
    Field::new("EN_FIXED_CTR", 0xFFFF << 32),
    Field::new("EN_PERF_METRICS", 1 << 48),
];

impl Capabilities {
    /// Returns the fields of a register; none if it is one number.
    #[must_use]
    pub const fn fields(at: Msr) -> &'static [Field] {
        match at.address() {
            0x186..=0x18F => SELECT,
            0x38D => FIXED,
            0x38F => GLOBAL,
            _ => &[],
        }
    }
}
