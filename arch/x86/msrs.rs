//! The registers of an x86 unit, as one bound.

use super::{Index, Msr};
use crate::contract::Registers;

/// Registers that are accessed as an x86 unit's are: by RDMSR, WRMSR and RDPMC, or in software. All such [`Registers`] are.
pub trait Msrs: Registers<Address = Msr, Index = Index> {}

impl<R: Registers<Address = Msr, Index = Index>> Msrs for R {}
