//! Which unit this processor has: PMUv3, or none that is known.

use super::pmuv3::Pmuv3;
use super::{Index, SystemRegister};
use crate::error::Result;
use crate::registers::Registers;

/// The driver of the unit that this processor has; there is one kind of it.
pub type Detected<R> = Pmuv3<R>;

/// The driver of the unit that this processor has.
///
/// # Errors
/// Those of [`Pmuv3::detect`]; the unit is as it was.
pub fn detect<R>(registers: R) -> Result<Detected<R>>
where
    R: Registers<Address = SystemRegister, Index = Index>,
{
    Pmuv3::detect(registers)
}
