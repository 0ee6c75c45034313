//! Which family's unit does this 32-bit processor have? Found out once.
//!
//! It may have the unit of a 64-bit processor, as in a kernel of 32 bits, or that of the Pentium or the P6 family. [`detect`]
//! asks CPUID for the vendor, the family and the model. A kernel that knows the family names that family's driver.
//!
//! `pmu::arch` has these [`Detected`] and [`detect`] on 32-bit x86, and those of [`x86`](super) on x86-64. They compile
//! everywhere.

use raw_cpuid::CpuIdReader;

use super::detect::Detected as Later;
use super::p5::{self, P5};
use super::p6::{self, P6};
use super::processor::Processor;
use super::{Line, Msrs};
use crate::contract::one_of;
use crate::event::Result;

one_of! {
    /// The driver of one of the families, of whichever generation.
    pub enum Detected<R, L> where [R: Msrs, L: Line] {
        /// A unit that processors of 64 bits have too.
        Later(Later<R, L>),
        /// The unit of the Pentium Pro, II, III or M.
        P6(P6<R, L>),
        /// The unit of the Pentium, with or without MMX. It has no line.
        P5(P5<R>),
    }
}

impl<R: Msrs, L: Line> Detected<R, L> {
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

/// The driver of the unit that this processor has.
///
/// # Errors
/// [`UnknownVendor`](crate::Error::UnknownVendor), [`UnknownProcessor`](crate::Error::UnknownProcessor) for a family
/// that no driver knows, as the 486; [`NoUnit`](crate::Error::NoUnit), [`Swallowed`](crate::Error::Swallowed) and
/// [`UsedByOthers`](crate::Error::UsedByOthers) as the family's own detection has them; the unit is as it was.
pub fn detect<C: CpuIdReader, R: Msrs, L: Line>(cpuid: &C, registers: R, line: L) -> Result<Detected<R, L>> {
    let processor = Processor::of(cpuid)?;
    if processor.is_architectural() {
        super::detect(cpuid, registers, line).map(Detected::Later)
    } else if p5::Capabilities::describe(&processor) {
        P5::detect(cpuid, registers).map(Detected::P5)
    } else if p6::Capabilities::model(&processor).is_some() {
        P6::detect(cpuid, registers, line).map(Detected::P6)
    } else {
        super::detect(cpuid, registers, line).map(Detected::Later)
    }
}
