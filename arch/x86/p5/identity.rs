//! The processor that a guest sees: what CPUID says about its unit.
//!
//! A hypervisor answers CPUID with [`Identity::cpuid`]. A [`Device`](super::Device) that is created from the same identity
//! has exactly the events and faults of that processor: no bit of CPUID announces counters.
//!
//! Source: the CPUID dumps of InstLatx64 (GenuineIntel000052C, GenuineIntel0000543).

use raw_cpuid::{CpuIdReader, CpuIdResult};

use super::Capabilities;
use crate::arch::x86::native::{self, INTEL, Nothing};
use crate::virt::Fingerprint;

/// A processor, as far as its unit is concerned.
#[derive(Clone, Copy, Debug)]
pub struct Identity {
    name: &'static str,
    signature: u32,
    /// The bits of CPUID.01H:EDX that are about the unit.
    features: u32,
}

impl Identity {
    /// Pentium at 75 to 200 MHz (P54C).
    pub const P5: Self = Self { name: "Pentium", signature: 0x0000_052C, features: HAS_REGISTERS };

    /// Pentium with MMX (P55C).
    pub const P5_MMX: Self =
        Self { name: "Pentium with MMX", signature: 0x0000_0543, features: HAS_REGISTERS | HAS_MMX };

    /// All identities, from the oldest to the newest.
    pub const ALL: [Self; 2] = [Self::P5, Self::P5_MMX];

    /// Returns the processor's name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Returns family, model and stepping, in the layout of CPUID.01H:EAX.
    #[must_use]
    pub const fn signature(&self) -> u32 {
        self.signature
    }

    /// Returns the fingerprint of what a guest is told.
    pub(super) fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of([self.signature.into(), self.features.into()])
    }

    /// Returns what a driver finds out about the unit, and what a device is created from.
    #[must_use]
    pub fn capabilities(&self) -> Capabilities {
        Capabilities::discover(self).expect("every identity has a unit")
    }

    /// Returns the answer to CPUID with `leaf` in EAX and `subleaf` in ECX. `native` answers for the physical processor.
    ///
    /// Everything about the unit is replaced. Units that only the physical processor has, including those of
    /// another vendor, are hidden. Everything else is passed through.
    #[must_use]
    pub fn cpuid<C: CpuIdReader>(&self, leaf: u32, subleaf: u32, native: &C) -> CpuIdResult {
        let [eax, ebx, ecx, edx] = native::without_units(native, leaf, subleaf);
        native::result(match (leaf, subleaf) {
            (0x0000_0000, _) => [eax.max(0x01), INTEL[0], INTEL[1], INTEL[2]],
            (0x0000_0001, _) => [self.signature, ebx, ecx, edx & !REPLACED | self.features],
            _ => [eax, ebx, ecx, edx],
        })
    }
}

/// Lets a driver's detection read an identity like a processor.
impl CpuIdReader for Identity {
    fn cpuid2(&self, leaf: u32, subleaf: u32) -> CpuIdResult {
        self.cpuid(leaf, subleaf, &Nothing)
    }
}

/// CPUID.01H:EDX.MSR.
const HAS_REGISTERS: u32 = 1 << 5;
/// CPUID.01H:EDX.MMX.
const HAS_MMX: u32 = 1 << 23;
/// The bits of CPUID.01H:EDX that are the identity's.
const REPLACED: u32 = HAS_REGISTERS | HAS_MMX;
