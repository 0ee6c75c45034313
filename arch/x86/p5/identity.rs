//! The processor that a guest sees: what CPUID says about its unit.
//!
//! A hypervisor answers CPUID with [`Identity::cpuid`]. A [`Device`](super::Device) that is created from the same identity
//! has exactly the events and faults of that processor: no bit of CPUID announces counters.
//!
//! Source: the CPUID dumps of InstLatx64 (GenuineIntel000052C, GenuineIntel0000543).

use raw_cpuid::{CpuIdReader, CpuIdResult};

use super::Capabilities;

/// What CPUID returns: EAX, EBX, ECX, EDX.
type Leaf = [u32; 4];

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

    /// Returns what a driver finds out about the unit, and what a device is created from.
    #[must_use]
    pub fn capabilities(&self) -> Capabilities {
        Capabilities::discover(self).expect("every identity has a unit")
    }

    /// Returns the answer to CPUID with `leaf` in EAX and `subleaf` in ECX: EAX, EBX, ECX, EDX. `native` is the
    /// answer of the physical processor.
    ///
    /// Everything about the unit is replaced. Units that only the physical processor has, including those of
    /// another vendor, are hidden. Everything else is passed through.
    #[must_use]
    pub fn cpuid(&self, leaf: u32, subleaf: u32, native: Leaf) -> Leaf {
        let [eax, ebx, ecx, edx] = native;
        match (leaf, subleaf) {
            (0x0000_0000, _) => named(eax.max(0x01)),
            (0x0000_0001, _) => [self.signature, ebx, ecx & !OTHER_FEATURES, edx & !REPLACED | self.features],
            (0x0000_0007, 1) => [eax & !OTHER_EXTENSION, ebx, ecx, edx],
            (0x0000_000A | 0x0000_0023 | 0x8000_001B | 0x8000_0022, _) => [0; 4],
            (0x8000_0001, _) => [eax, ebx, ecx & !OTHER_UNITS, edx],
            _ => native,
        }
    }
}

/// Lets a driver's detection read an identity like a processor.
impl CpuIdReader for Identity {
    fn cpuid2(&self, leaf: u32, subleaf: u32) -> CpuIdResult {
        let [eax, ebx, ecx, edx] = self.cpuid(leaf, subleaf, [0; 4]);
        CpuIdResult { eax, ebx, ecx, edx }
    }
}

/// Returns leaf 0: the last leaf, and "GenuineIntel" in EBX, ECX, EDX.
const fn named(last: u32) -> Leaf {
    [last, 0x756E_6547, 0x6C65_746E, 0x4965_6E69]
}

/// CPUID.01H:EDX.MSR.
const HAS_REGISTERS: u32 = 1 << 5;
/// CPUID.01H:EDX.MMX.
const HAS_MMX: u32 = 1 << 23;
/// The bits of CPUID.01H:EDX that are the identity's: those two, and the debug store (DS), which no Pentium has.
const REPLACED: u32 = HAS_REGISTERS | HAS_MMX | 1 << 21;
/// Another processor's 64-bit debug store and IA32_PERF_CAPABILITIES (CPUID.01H:ECX.DTES64, PDCM).
const OTHER_FEATURES: u32 = 1 << 2 | 1 << 15;
/// Another processor's leaf 23H (CPUID.07H.1:EAX.ArchPerfmonExt).
const OTHER_EXTENSION: u32 = 1 << 8;
/// Another vendor's units, in CPUID Fn8000_0001_ECX: instruction-based sampling, and the counters of the core, the
/// northbridge, the time stamp and the last-level cache.
const OTHER_UNITS: u32 = 1 << 10 | 1 << 23 | 1 << 24 | 1 << 27 | 1 << 28;
