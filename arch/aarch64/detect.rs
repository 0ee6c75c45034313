//! Detects the unit of this processor: PMUv3, or none.

use super::SystemRegisters;
use super::pmuv3::Pmuv3;
use crate::contract::one_of;
use crate::event::Result;

one_of! {
    /// The driver of one of the families, of which there is one so far.
    pub enum Detected<R> where [R: SystemRegisters] {
        /// Arm's PMUv3.
        Pmuv3(Pmuv3<R>),
    }
}

impl<R: SystemRegisters> Detected<R> {
    /// Detects this processor's unit and creates its driver.
    ///
    /// # Errors
    /// Those of [`Pmuv3::detect`]. The unit is not changed.
    pub fn detect(registers: R) -> Result<Self> {
        Pmuv3::detect(registers).map(Self::Pmuv3)
    }
}
