//! The fields of the Pentium's CESR, by the manual's names.
//!
//! Source: SDM vol. 3, figure "CESR MSR (Pentium Processor Only)".

use super::capabilities::Capabilities;
use crate::arch::x86::Msr;
use crate::contract::Field;

const CESR: &[Field] = &[
    Field::new("ES0", 0x3F),
    Field::new("CC0", 0b111 << 6),
    Field::new("PC0", 1 << 9),
    Field::new("ES1", 0x3F << 16),
    Field::new("CC1", 0b111 << 22),
    Field::new("PC1", 1 << 25),
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
