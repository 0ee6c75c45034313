//! The system registers of a unit, as one bound.

use super::{Index, SystemRegister};
use crate::contract::Registers;

/// Registers that are accessed as an Arm unit's are: by MRS and MSR, where they are mapped, or in software. All such
/// [`Registers`] are.
pub trait SystemRegisters: Registers<Address = SystemRegister, Index = Index> {}

impl<R: Registers<Address = SystemRegister, Index = Index>> SystemRegisters for R {}
