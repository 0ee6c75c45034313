//! Detects which unit a processor of 64 bits has: Book3S, or none.

use super::book3s::{Book3s, Privilege};
use super::{Pvr, Spr};
use crate::contract::{Registers, one_of};
use crate::event::Result;

one_of! {
    /// The driver of one of the families, of which there is one so far.
    pub enum Detected<R> where [R: Registers<Address = Spr, Index = Spr>] {
        /// 970, and POWER4 to POWER10.
        Book3s(Book3s<R>),
    }
}

/// Detects the unit by the processor version register, and creates its driver.
///
/// # Errors
/// Those of [`Book3s::detect`]. The unit is not changed.
pub fn detect<R: Registers<Address = Spr, Index = Spr>>(
    pvr: Pvr,
    privilege: Privilege,
    registers: R,
) -> Result<Detected<R>> {
    Book3s::detect(pvr, privilege, registers).map(Detected::Book3s)
}
