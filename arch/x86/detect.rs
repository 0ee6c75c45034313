//! Which family's unit does this processor have? Found out once.
//!
//! [`Modern`] is Intel's or AMD's unit. [`Detected`] finds the Pentium 4's too, whose driver is nearly as large as these two.
//! Both ask CPUID for the vendor and the family. It costs a comparison or two at each operation. A kernel that knows the
//! family names that family's driver.
//!
//! These are the families of 64-bit processors. [`Detected32`](super::Detected32) has those before them too.

use raw_cpuid::CpuIdReader;

use super::amd::{self, Amd};
use super::intel::Intel;
use super::netburst::{self, Netburst};
use super::processor::Processor;
use super::{Line, Msrs};
use crate::contract::one_of;
use crate::event::{Error, Result};

one_of! {
    /// The driver of Intel's or AMD's unit, of whichever generation.
    pub enum Modern<R, L> where [R: Msrs, L: Line] {
        /// Intel's architectural performance monitoring.
        Intel(Intel<R, L>),
        /// AMD's core performance counters.
        Amd(Amd<R, L>),
    }
}

one_of! {
    /// The driver of any unit that processors of 64 bits have.
    pub enum Detected<R, L> where [R: Msrs, L: Line] {
        /// Intel's or AMD's unit.
        Modern(Modern<R, L>),
        /// The Pentium 4's unit.
        Netburst(Netburst<R, L>),
    }
}

impl<R: Msrs, L: Line> Modern<R, L> {
    /// Detects the unit and creates its driver.
    ///
    /// # Errors
    /// [`OtherDriver`](Error::OtherDriver) for a Pentium 4, whose driver is among [`Detected`], and for a Pentium or one of
    /// the P6 family; [`UnknownVendor`](Error::UnknownVendor), [`UnknownProcessor`](Error::UnknownProcessor) for a family
    /// that no driver knows; [`NoUnit`](Error::NoUnit), [`Swallowed`](Error::Swallowed) and
    /// [`UsedByOthers`](Error::UsedByOthers) as the family's own detection has them; the unit is as it was.
    pub fn detect<C: CpuIdReader>(cpuid: &C, registers: R, line: L) -> Result<Self> {
        let processor = Processor::of(cpuid)?;
        if amd::Capabilities::describe(&processor) {
            Amd::detect(cpuid, registers, line).map(Self::Amd)
        } else if is_netburst(&processor) {
            let Processor { family, model, .. } = processor;
            Err(Error::OtherDriver { family, model, driver: "x86::Detected" })
        } else {
            Intel::detect(cpuid, registers, line).map(Self::Intel)
        }
    }

    /// The same driver, whose overflows come through this line.
    #[must_use]
    pub fn with_line(self, line: L) -> Self {
        match self {
            Self::Intel(driver) => Self::Intel(driver.with_line(line)),
            Self::Amd(driver) => Self::Amd(driver.with_line(line)),
        }
    }
}

impl<R: Msrs, L: Line> Detected<R, L> {
    /// Detects the unit and creates its driver.
    ///
    /// # Errors
    /// [`OtherDriver`](Error::OtherDriver) for a Pentium or one of the P6 family, and the others of [`Modern::detect`]; the
    /// unit is as it was.
    pub fn detect<C: CpuIdReader>(cpuid: &C, registers: R, line: L) -> Result<Self> {
        if is_netburst(&Processor::of(cpuid)?) {
            Netburst::detect(cpuid, registers, line).map(Self::Netburst)
        } else {
            Modern::detect(cpuid, registers, line).map(Self::Modern)
        }
    }

    /// The same driver, whose overflows come through this line.
    #[must_use]
    pub fn with_line(self, line: L) -> Self {
        match self {
            Self::Modern(driver) => Self::Modern(driver.with_line(line)),
            Self::Netburst(driver) => Self::Netburst(driver.with_line(line)),
        }
    }
}

/// Returns true for a Pentium 4. A hypervisor may give a guest of that name architectural monitoring.
fn is_netburst<C: CpuIdReader>(processor: &Processor<'_, C>) -> bool {
    netburst::Capabilities::describe(processor) && !processor.is_architectural()
}
