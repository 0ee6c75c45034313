//! The fields of Intel's registers, by the manual's names.
//!
//! Source: SDM vol. 3, figures of "Architectural Performance Monitoring Version 1" to "Version 6".

use super::capabilities::Capabilities;
use super::registers::Select;
use crate::arch::x86::Msr;
use crate::contract::Field;

macro_rules! fixed {
    ($($counter:literal: $first:literal)*) => {
        &[$(
            Field::new(concat!("ENABLE", $counter), 0b11 << $first),
            Field::new(concat!("AnyThread", $counter), 1 << ($first + 2)),
            Field::new(concat!("PMI", $counter), 1 << ($first + 3)),
        )*]
    };
}
/// IA32_FIXED_CTR_CTRL: four bits of each fixed counter, from the lowest bit of each on.
const FIXED: &[Field] = fixed!(0: 0 1: 4 2: 8 3: 12 4: 16 5: 20 6: 24);
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
            0x186..=0x18F => Select::FIELDS,
            0x38D => FIXED,
            0x38F => GLOBAL,
            _ => &[],
        }
    }
}
