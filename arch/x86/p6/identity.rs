//! The processor that a guest sees: what CPUID says about its unit.
//!
//! A hypervisor answers CPUID with [`Identity::cpuid`]. A [`Device`](super::Device) that is created from
//! the same identity has the counters, events and faults of that processor. No bit of CPUID announces them.
//!
//! Sources: SDM vol. 2, "CPUID - CPU Identification", for the layout; the CPUID dumps of InstLatx64 for the values, by
//! the signature in their file names.

use raw_cpuid::{CpuIdReader, CpuIdResult};

use super::Capabilities;
use crate::arch::x86::native::{self, INTEL, Nothing};
use crate::virt::Fingerprint;

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

    /// Returns the fingerprint of what a guest is told.
    pub(super) fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of([self.signature.into(), self.has_apic.into()])
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
        self.cpuid(leaf, subleaf, &Nothing)
    }
}

/// The answers to a guest's CPUID.
impl Identity {
    /// Returns the answer to CPUID with `leaf` in EAX and `subleaf` in ECX. `native` answers for the physical processor.
    ///
    /// Everything about the unit is replaced. Units that only the physical processor has, including those of
    /// another vendor, are hidden. Everything else is passed through.
    #[must_use]
    pub fn cpuid<C: CpuIdReader>(&self, leaf: u32, subleaf: u32, native: &C) -> CpuIdResult {
        let [eax, ebx, ecx, edx] = native::without_units(native, leaf, subleaf);
        native::result(match (leaf, subleaf) {
            (0x0000_0000, _) => [eax.max(0x02), INTEL[0], INTEL[1], INTEL[2]],
            (0x0000_0001, _) => [self.signature, ebx, ecx, edx & !APIC | self.apic()],
            _ => [eax, ebx, ecx, edx],
        })
    }

    const fn apic(&self) -> u32 {
        if self.has_apic { APIC } else { 0 }
    }
}

/// There is a local APIC, and it is enabled (CPUID.01H:EDX.APIC).
const APIC: u32 = 1 << 9;
