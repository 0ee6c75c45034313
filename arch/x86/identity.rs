//! The processor that a guest sees, of whichever family.

use raw_cpuid::{CpuIdReader, CpuIdResult};

use crate::arch::x86::processor::Processor;
use crate::arch::x86::{amd, intel, native, netburst, p5, p6};
use crate::event::Error;
use crate::virt::Kinds;

/// A processor, as far as its unit is concerned.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Identity {
    /// Intel's architectural performance monitoring.
    Intel(intel::Identity),
    /// AMD's core performance counters.
    Amd(amd::Identity),
    /// The Pentium 4.
    Netburst(netburst::Identity),
    /// The P6 family.
    P6(p6::Identity),
    /// The Pentium.
    P5(p5::Identity),
    /// The processor underneath, without a unit: CPUID announces none, and every register of one faults.
    NoUnit,
}

impl Identity {
    /// Returns the identity of the processor that answers `native`, Intel's or AMD's. `perf_capabilities` reads
    /// IA32_PERF_CAPABILITIES, and is called only if CPUID announces that register.
    ///
    /// # Errors
    /// Those of [`intel::Identity::of_host`] and [`amd::Identity::of_host`]: a Pentium 4 and its predecessors have no
    /// identity of their own, and their guests are shown one of the constants.
    pub fn of_host<C: CpuIdReader>(native: &C, perf_capabilities: impl FnOnce() -> u64) -> Result<Self, Error> {
        if amd::Capabilities::describe(&Processor::of(native)?) {
            amd::Identity::of_host(native).map(Self::Amd)
        } else {
            intel::Identity::of_host(native, perf_capabilities).map(Self::Intel)
        }
    }

    /// Returns the identity with only the events of these kinds, which the host observes, or [`Self::NoUnit`] if it observes
    /// nothing. A guest's driver then refuses the others instead of counting nothing.
    ///
    /// Intel's processors announce events ([`intel::Identity::fed_by`]). Those of the others follow from the family, and no
    /// bit of CPUID hides one: what the host does not observe counts 0 there, and is
    /// [`unfed`](crate::virt::Device::unfed).
    #[must_use]
    pub fn fed_by(self, observed: Kinds) -> Self {
        match self {
            _ if observed == Kinds::NONE => Self::NoUnit,
            Self::Intel(identity) => Self::Intel(identity.fed_by(observed)),
            other => other,
        }
    }

    /// Returns the identity without what `host` does not have: [`intel::Identity::within`], [`amd::Identity::within`]. Of
    /// another family than the host's nothing is left, which is [`Self::NoUnit`].
    #[must_use]
    pub fn within(self, host: &Self) -> Self {
        match (self, host) {
            (Self::Intel(identity), Self::Intel(host)) => Self::Intel(identity.within(host)),
            (Self::Amd(identity), Self::Amd(host)) => Self::Amd(identity.within(host)),
            _ => Self::NoUnit,
        }
    }

    /// Returns the processor's name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Intel(identity) => identity.name(),
            Self::Amd(identity) => identity.name(),
            Self::Netburst(identity) => identity.name(),
            Self::P6(identity) => identity.name(),
            Self::P5(identity) => identity.name(),
            Self::NoUnit => "no unit",
        }
    }

    /// Returns the answer to CPUID with `leaf` in EAX and `subleaf` in ECX. `native` answers for the physical processor.
    #[must_use]
    pub fn cpuid<C: CpuIdReader>(&self, leaf: u32, subleaf: u32, native: &C) -> CpuIdResult {
        match self {
            Self::Intel(identity) => identity.cpuid(leaf, subleaf, native),
            Self::Amd(identity) => identity.cpuid(leaf, subleaf, native),
            Self::Netburst(identity) => identity.cpuid(leaf, subleaf, native),
            Self::P6(identity) => identity.cpuid(leaf, subleaf, native),
            Self::P5(identity) => identity.cpuid(leaf, subleaf, native),
            Self::NoUnit => native::result(native::without_units(native, leaf, subleaf)),
        }
    }
}
