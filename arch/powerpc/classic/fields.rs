//! The fields of the registers of 604 to 7450, by the manual's names.
//!
//! Source: "MPC7450 RISC Microprocessor Family Reference Manual", tables of MMCR0, MMCR1 and MMCR2.

use super::capabilities::Capabilities;
use super::registers::{Mmcr0, Mmcr1, Mmcr2};
use crate::arch::powerpc::Spr;
use crate::contract::Field;

impl Capabilities {
    /// Returns the fields of a register; none if it is one number.
    #[must_use]
    pub const fn fields(at: Spr) -> &'static [Field] {
        match at.number() {
            944 => Mmcr2::FIELDS,
            952 => Mmcr0::FIELDS,
            956 => Mmcr1::FIELDS,
            _ => &[],
        }
    }
}
