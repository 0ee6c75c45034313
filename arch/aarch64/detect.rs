//! Detects the unit of this processor: PMUv3, or none.

use super::pmuv3::Pmuv3;
use super::{Index, SystemRegister};
use crate::contract::Registers;
use crate::event::Result;

/// The driver of this processor's unit. There is only one kind.
pub type Detected<R> = Pmuv3<R>;

/// Detects this processor's unit and creates its driver.
///
/// # Errors
/// Those of [`Pmuv3::detect`]. The unit is not changed.
pub fn detect<R>(registers: R) -> Result<Detected<R>>
where
    R: Registers<Address = SystemRegister, Index = Index>,
{
    Pmuv3::detect(registers)
}
