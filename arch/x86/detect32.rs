//! Which family's unit does this 32-bit processor have? Found out once.
//!
//! It may have the unit of a 64-bit processor, as in a kernel of 32 bits, or that of the Pentium or the P6 family. [`Detected32::detect`]
//! asks CPUID for the vendor, the family and the model. A kernel that knows the family names that family's driver.
//!
//! `pmu::arch::detect` finds these on 32-bit x86, and those of [`Modern`](super::Modern) on x86-64. They compile everywhere.

use raw_cpuid::CpuIdReader;

use super::detect::Detected;
use super::p5::{self, P5};
use super::p6::{self, P6};
use super::processor::Processor;
use super::{Line, Msrs};
use crate::contract::one_of;
use crate::event::Result;

one_of! {
    /// The driver of any unit that processors of 32 or 64 bits have, as a kernel of 32 bits needs it.
    pub enum Detected32<R, L> where [R: Msrs, L: Line] {
        /// A unit that processors of 64 bits have too.
        Later(Detected<R, L>),
        /// The unit of the Pentium Pro, II, III or M.
        P6(P6<R, L>),
        /// The unit of the Pentium, with or without MMX. It has no line.
        P5(P5<R>),
    }
}

impl<R: Msrs, L: Line> Detected32<R, L> {
    /// Detects the unit and creates its driver.
    ///
    /// # Errors
    /// [`UnknownVendor`](crate::Error::UnknownVendor), [`UnknownProcessor`](crate::Error::UnknownProcessor) for a family
    /// that no driver knows, as the 486; [`NoUnit`](crate::Error::NoUnit), [`Swallowed`](crate::Error::Swallowed) and
    /// [`UsedByOthers`](crate::Error::UsedByOthers) as the family's own detection has them; the unit is as it was.
    pub fn detect<C: CpuIdReader>(cpuid: &C, registers: R, line: L) -> Result<Self> {
        let processor = Processor::of(cpuid)?;
        if processor.is_architectural() {
            Detected::detect(cpuid, registers, line).map(Self::Later)
        } else if p5::Capabilities::describe(&processor) {
            P5::detect(cpuid, registers).map(Self::P5)
        } else if p6::Capabilities::model(&processor).is_some() {
            P6::detect(cpuid, registers, line).map(Self::P6)
        } else {
            Detected::detect(cpuid, registers, line).map(Self::Later)
        }
    }

    /// The same driver, whose overflows come through this line. A Pentium has none.
    #[must_use]
    pub fn with_line(self, line: L) -> Self {
        match self {
            Self::Later(driver) => Self::Later(driver.with_line(line)),
            Self::P6(driver) => Self::P6(driver.with_line(line)),
            Self::P5(driver) => Self::P5(driver),
        }
    }
}
