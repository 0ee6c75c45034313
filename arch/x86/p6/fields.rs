//! The fields of the P6 family's selectors, by the manual's names.
//!
//! Source: SDM vol. 3, figure "PerfEvtSel0 and PerfEvtSel1 MSRs".

use super::capabilities::Capabilities;
use super::registers::Select;
use crate::arch::x86::Msr;
use crate::contract::Field;

impl Capabilities {
    /// Returns the fields of a register; none if it is one number.
    #[must_use]
    pub const fn fields(at: Msr) -> &'static [Field] {
        match at.address() {
            0x186 | 0x187 => Select::FIELDS,
            _ => &[],
        }
    }
}
