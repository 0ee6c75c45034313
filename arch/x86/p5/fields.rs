//! The fields of the Pentium's CESR, by the manual's names.
//!
//! Source: SDM vol. 3, figure "CESR MSR (Pentium Processor Only)".

use super::capabilities::Capabilities;
use super::registers::{HALF, Select};
use crate::arch::x86::Msr;
use crate::contract::Field;

const CESR: &[Field] = &[
    Field::new("ES0", Select::EVENT.bits()),
    Field::new("CC0", Select::COUNTER_CONTROL.bits()),
    Field::new("PC0", Select::PIN_CONTROL.bits()),
    Field::new("ES1", Select::EVENT.bits() << HALF),
    Field::new("CC1", Select::COUNTER_CONTROL.bits() << HALF),
    Field::new("PC1", Select::PIN_CONTROL.bits() << HALF),
];

impl Capabilities {
    /// Returns the fields of a register; none if it is one number.
    #[must_use]
    pub const fn fields(at: Msr) -> &'static [Field] {
        match at.address() {
            0x11 => CESR,
            _ => &[],
        }
    }
}
