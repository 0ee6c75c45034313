//! The fields of the Pentium 4's registers, by the manual's names.
//!
//! Source: SDM vol. 3, figures "Event Selection Control Register (ESCR)" and "Counter Configuration Control Register (CCCR)".

use super::capabilities::Capabilities;
use super::registers::{Cccr, Escr, PebsEnable};
use crate::arch::x86::Msr;
use crate::contract::Field;

impl Capabilities {
    /// Returns the fields of a register; none if it is one number.
    #[must_use]
    pub const fn fields(at: Msr) -> &'static [Field] {
        match at.address() {
            0x360..=0x371 => Cccr::FIELDS,
            0x3F1 => PebsEnable::FIELDS,
            0x3A0..=0x3E1 => Escr::FIELDS,
            _ => &[],
        }
    }
}
