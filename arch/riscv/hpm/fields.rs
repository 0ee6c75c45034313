//! The fields of mhpmevent, and of the registers with a bit for each counter, by the manual's names.
//!
//! Source: "The RISC-V Instruction Set Manual, volume II", "Hardware Performance Monitor", and "Sscofpmf".

use super::capabilities::Capabilities;
use super::registers::Select;
use crate::arch::riscv::Csr;
use crate::contract::Field;

const COUNTERS: &[Field] = &[Field::new("CY", 1), Field::new("IR", 1 << 2), Field::new("HPM", 0xFFFF_FFF8)];

impl Capabilities {
    /// Returns the fields of a register; none if it is one number, or half of a wide one.
    #[must_use]
    pub fn fields(at: Csr) -> &'static [Field] {
        match at.number() {
            0x321..=0x33F => Select::FIELDS,
            0x320 | 0x120 | 0x7CA | 0x7CB | 0x7CF | 0x7D1..=0x7D4 | 0x5C5 | 0x9D4 => COUNTERS,
            _ => &[],
        }
    }
}
