//! The processor that a guest sees: what CPUID says about its unit.
//!
//! A hypervisor answers CPUID with [`Identity::cpuid`]. A [`Device`](super::Device) that is created from
//! the same identity has the counters, events and faults of that processor. No bit of CPUID announces them.
//!
//! Sources: SDM vol. 2, "CPUID - CPU Identification", for the layout; the CPUID dumps of InstLatx64 for the values, by
//! the signature in their file names.

use raw_cpuid::{CpuIdReader, CpuIdResult};

use super::Capabilities;

/// What CPUID returns: EAX, EBX, ECX, EDX.
type Leaf = [u32; 4];

/// A processor, as far as its unit is concerned.
#[derive(Clone, Copy, Debug)]
pub struct Identity {
    name: &'static str,
    signature: u32,
    has_apic: bool,
}

impl Identity {
    /// Pentium Pro (06_01H, stepping 9).
    pub const PENTIUM_PRO: Self = Self::of("Pentium Pro", 0x0619);

    /// Pentium Pro (06_01H, stepping 7), whose user programs cannot read the counters (erratum 26).
    pub const EARLY_PENTIUM_PRO: Self = Self::of("early Pentium Pro", 0x0617);

    /// Pentium II (Deschutes, 06_05H).
    pub const PENTIUM_II: Self = Self::of("Pentium II", 0x0652);

    /// Pentium III (Coppermine, 06_08H).
    pub const PENTIUM_III: Self = Self::of("Pentium III", 0x0683);

    /// Pentium M (Dothan, 06_0DH).
    pub const PENTIUM_M: Self = Self::of("Pentium M", 0x06D6);

    /// An identity of each model, from the oldest to the newest.
    pub const ALL: [Self; 4] = [Self::PENTIUM_PRO, Self::PENTIUM_II, Self::PENTIUM_III, Self::PENTIUM_M];

    const fn of(name: &'static str, signature: u32) -> Self {
        Self { name, signature, has_apic: true }
    }

    /// Returns the identity with its local APIC disabled by firmware. Counters count, and nothing interrupts.
    #[must_use]
    pub const fn without_apic(self) -> Self {
        Self { has_apic: false, ..self }
    }

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
}

/// Lets a driver's detection read an identity like a processor.
impl CpuIdReader for Identity {
    fn cpuid2(&self, leaf: u32, subleaf: u32) -> CpuIdResult {
        let [eax, ebx, ecx, edx] = self.cpuid(leaf, subleaf, [0; 4]);
        CpuIdResult { eax, ebx, ecx, edx }
    }
}

/// The answers to a guest's CPUID.
impl Identity {
    /// Returns the answer to CPUID with `leaf` in EAX and `subleaf` in ECX: EAX, EBX, ECX, EDX. `native` is the
    /// answer of the physical processor.
    ///
    /// Everything about the unit is replaced. Units that only the physical processor has, including those of
    /// another vendor, are hidden. Everything else is passed through.
    #[must_use]
    pub fn cpuid(&self, leaf: u32, subleaf: u32, native: Leaf) -> Leaf {
        let [eax, ebx, ecx, edx] = native;
        match (leaf, subleaf) {
            (0x0000_0000, _) => [eax.max(0x02), VENDOR[0], VENDOR[1], VENDOR[2]],
            (0x0000_0001, _) => self.features(native),
            (0x0000_0007, 1) => [eax & !OTHER_EXTENSION, ebx, ecx, edx],
            (0x0000_000A | 0x0000_0023, _) => [0; 4],
            (0x8000_0001, _) => [eax, ebx, ecx & !OTHER_VENDOR, edx],
            (0x8000_001B | 0x8000_0022, _) => [0; 4],
            _ => native,
        }
    }

    const fn features(&self, native: Leaf) -> Leaf {
        let [_, ebx, ecx, edx] = native;
        let apic = if self.has_apic { APIC } else { 0 };
        [self.signature, ebx, ecx & !LATER, edx & !(APIC | DEBUG_STORE) | apic]
    }
}

/// "GenuineIntel" in EBX, ECX, EDX.
const VENDOR: [u32; 3] = [0x756E_6547, 0x6C65_746E, 0x4965_6E69];
/// There is a local APIC, and it is enabled (CPUID.01H:EDX.APIC).
const APIC: u32 = 1 << 9;
/// There is a debug store (CPUID.01H:EDX.DS).
const DEBUG_STORE: u32 = 1 << 21;
/// A later processor's 64-bit debug store, DS-CPL and IA32_PERF_CAPABILITIES (CPUID.01H:ECX.DTES64, DS-CPL, PDCM).
const LATER: u32 = 1 << 2 | 1 << 4 | 1 << 15;
/// A later processor's leaf 23H (CPUID.07H.1:EAX.ArchPerfmonExt).
const OTHER_EXTENSION: u32 = 1 << 8;
/// Another vendor's instruction-based sampling and its counter extensions of core, northbridge and last-level cache (AMD
/// APM vol. 3, "CPUID Fn8000_0001_ECX Feature Identifiers": bits 10, 23, 24, 28).
const OTHER_VENDOR: u32 = 1 << 10 | 1 << 23 | 1 << 24 | 1 << 28;
