//! The fields of the embedded cores' registers, by the manual's names.
//!
//! Source: "PowerPC e500 Core Family Reference Manual", sections of PMGC0, PMLCan and PMLCbn; "e500mc Core Reference
//! Manual" for FCGS1 and FCGS0.

use super::capabilities::Capabilities;
use super::registers::{Pmgc0, Pmlca, Pmlcb};
use crate::arch::powerpc::Pmr;
use crate::contract::Field;

impl Capabilities {
    /// Returns the fields of a register; none if it is one number.
    #[must_use]
    pub const fn fields(at: Pmr) -> &'static [Field] {
        match at.number() {
            384 | 400 => Pmgc0::FIELDS,
            144..=147 => Pmlca::FIELDS,
            272..=275 => Pmlcb::FIELDS,
            _ => &[],
        }
    }
}
