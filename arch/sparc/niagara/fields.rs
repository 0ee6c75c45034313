//! The fields of %pcr, by the manual's names.
//!
//! Source: "UltraSPARC T1 Supplement" and "OpenSPARC T2 Programmer's Reference Manual", "Performance Instrumentation".

use super::capabilities::Capabilities;
use super::registers::{Pcr, PcrT1};
use crate::arch::sparc::Asr;
use crate::contract::Field;

impl Capabilities {
    /// Returns the fields of a register; none if it is one number.
    #[must_use]
    pub const fn fields(&self, at: Asr) -> &'static [Field] {
        match at {
            Asr::Pcr if self.is_t1() => PcrT1::FIELDS,
            Asr::Pcr => Pcr::FIELDS,
            Asr::Pic => &[],
        }
    }
}
