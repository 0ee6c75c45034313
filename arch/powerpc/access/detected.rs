//! Detects which unit a processor of 64 bits has: Book3S, or none.

use crate::arch::powerpc::book3s::{Book3s, Privilege};
use crate::arch::powerpc::{Pvr, Spr};
use crate::contract::{Registers, one_of};
use crate::event::Result;

one_of! {
    /// The driver of one of the families, of which there is one so far.
    pub enum Detected<R> where [R: Registers<Address = Spr, Index = Spr>] {
        /// 970, POWER4 to POWER10, and Microwatt.
        Book3s(Book3s<R>),
    }
}

impl<R: Registers<Address = Spr, Index = Spr>> Detected<R> {
    /// Detects the unit by the processor version register, and creates its driver.
    ///
    /// # Errors
    /// Those of [`Book3s::detect`]. The unit is not changed.
    pub fn detect(pvr: Pvr, privilege: Privilege, registers: R) -> Result<Self> {
        Book3s::detect(pvr, privilege, registers).map(Self::Book3s)
    }
}
