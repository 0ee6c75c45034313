//! The fields of the P6 family's selectors, by the manual's names.
//!
//! Source: SDM vol. 3, figure "PerfEvtSel0 and PerfEvtSel1 MSRs".

use super::capabilities::Capabilities;
use super::registers::Select;
use crate::arch::x86::Msr;
use crate::contract::Field;

const SELECT: &[Field] = &[
    Field::new("EventSelect", Select::EVENT.bits()),
    Field::new("UnitMask", Select::UNIT_MASK.bits()),
    Field::new("USR", Select::USER.bits()),
    Field::new("OS", Select::KERNEL.bits()),
    Field::new("E", Select::EDGE.bits()),
    Field::new("PC", Select::PIN_CONTROL.bits()),
    Field::new("INT", Select::INTERRUPT.bits()),
    Field::new("EN", Select::ENABLE.bits()),
    Field::new("INV", Select::INVERT.bits()),
    Field::new("CMASK", Select::THRESHOLD.bits()),
];

impl Capabilities {
    /// Returns the fields of a register; none if it is one number.
    #[must_use]
    pub const fn fields(at: Msr) -> &'static [Field] {
        match at.address() {
            0x186 | 0x187 => SELECT,
            _ => &[],
        }
    }
}
