//! Which family's unit does this processor have? Found out once.
//!
//! [`detect`] asks CPUID for the vendor and the family, and returns a driver of whatever is there. It costs a comparison or
//! two at each operation. A kernel that knows the family names that family's driver.
//!
//! These are the families of 64-bit processors. [`detect32`](super::detect32) has those before them too.

use raw_cpuid::CpuIdReader;

use super::amd::{self, Amd};
use super::intel::Intel;
use super::netburst::{self, Netburst};
use super::processor::Processor;
use super::{Index, Line, Msr};
use crate::contract::{Registers, one_of};
use crate::event::Result;

one_of! {
    /// The driver of one of the families, of whichever generation.
    pub enum Detected<R, L> where [R: Registers<Address = Msr, Index = Index>, L: Line] {
        /// Intel's architectural performance monitoring.
        Intel(Intel<R, L>),
        /// AMD's core performance counters.
        Amd(Amd<R, L>),
        /// The Pentium 4's unit.
        Netburst(Netburst<R, L>),
    }
}

/// The driver of the unit that this processor has.
///
/// # Errors
/// [`UnknownVendor`](crate::Error::UnknownVendor), [`UnknownProcessor`](crate::Error::UnknownProcessor) for a family
/// that no driver knows, [`OtherDriver`](crate::Error::OtherDriver) for a Pentium or one of the P6 family;
/// [`NoUnit`](crate::Error::NoUnit), [`Swallowed`](crate::Error::Swallowed) and
/// [`UsedByOthers`](crate::Error::UsedByOthers) as the family's own detection has them; the unit is as it was.
pub fn detect<C, R, L>(cpuid: &C, registers: R, line: L) -> Result<Detected<R, L>>
where
    C: CpuIdReader,
    R: Registers<Address = Msr, Index = Index>,
    L: Line,
{
    let processor = Processor::of(cpuid)?;
    if amd::Capabilities::describe(&processor) {
        Amd::detect(cpuid, registers, line).map(Detected::Amd)
    } else if netburst::Capabilities::describe(&processor) && !processor.is_architectural() {
        Netburst::detect(cpuid, registers, line).map(Detected::Netburst)
    } else {
        Intel::detect(cpuid, registers, line).map(Detected::Intel)
    }
}
