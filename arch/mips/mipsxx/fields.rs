//! The fields of PerfCtl, by the manual's names.
//!
//! Source: "MIPS32 Architecture For Programmers, volume III", "Performance Counter Register"; "MIPS MT" for VPEID,
//! MT_EN and TCID.

use super::capabilities::Capabilities;
use super::registers::PerfCtl;
use crate::arch::mips::Cp0;
use crate::contract::Field;

impl Capabilities {
    /// Returns the fields of a register; none if it is one number.
    #[must_use]
    pub const fn fields(at: Cp0) -> &'static [Field] {
        match (at.number(), at.select()) {
            (25, 0 | 2 | 4 | 6) => PerfCtl::FIELDS,
            _ => &[],
        }
    }
}
