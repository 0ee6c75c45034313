//! The fields of %pcr, by the manual's names.
//!
//! Source: "SPARC Joint Programming Specification (JPS1): Commonality", section Q, "Performance Instrumentation".

use super::capabilities::Capabilities;
use super::registers::Pcr;
use crate::arch::sparc::Asr;
use crate::contract::Field;

impl Capabilities {
    /// Returns the fields of a register; none if it is one number.
    #[must_use]
    pub const fn fields(at: Asr) -> &'static [Field] {
        match at {
            Asr::Pcr => Pcr::FIELDS,
            Asr::Pic => &[],
        }
    }
}
