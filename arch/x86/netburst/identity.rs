//! The processor that a guest sees: what CPUID and IA32_MISC_ENABLE say about its unit.
//!
//! A hypervisor answers CPUID with [`Identity::cpuid`], and a read of IA32_MISC_ENABLE with [`Identity::misc`]. A
//! [`Device`](super::Device) that is created from the same identity has the registers and faults of that processor.
//!
//! Sources: SDM vol. 2, "CPUID - CPU Identification", for the layout; the CPUID dumps of InstLatx64 for the signatures.

use raw_cpuid::{CpuIdReader, CpuIdResult};

use super::registers::Misc;
use super::{Capabilities, Share};
use crate::arch::x86::native::{self, INTEL, Leaf, Nothing};
use crate::virt::Fingerprint;

/// A processor, as far as its unit is concerned.
#[derive(Clone, Copy, Debug)]
pub struct Identity {
    name: &'static str,
    signature: u32,
    share: Share,
}

impl Identity {
    /// Pentium 4 (Willamette, 0F_01H, stepping 2).
    pub const WILLAMETTE: Self = Self { name: "Willamette", signature: 0x0F12, share: Share::Whole };

    /// Pentium 4 (Northwood, 0F_02H, stepping 9), without hyper-threading.
    pub const PENTIUM_4: Self = Self { name: "Pentium 4", signature: 0x0F29, share: Share::Whole };

    /// Pentium 4 (Prescott, 0F_03H, stepping 4), without hyper-threading.
    pub const PRESCOTT: Self = Self { name: "Prescott", signature: 0x0F34, share: Share::Whole };

    /// Pentium 4 (Prescott 2M, 0F_04H, stepping 3), which has a 64-bit mode, without hyper-threading.
    pub const PRESCOTT_2M: Self = Self { name: "Prescott 2M", signature: 0x0F43, share: Share::Whole };

    /// An identity of each model, from the oldest to the newest.
    pub const ALL: [Self; 4] = [Self::WILLAMETTE, Self::PENTIUM_4, Self::PRESCOTT, Self::PRESCOTT_2M];

    /// Returns the same processor with hyper-threading, as one of its threads sees it; or without, for the whole unit.
    #[must_use]
    pub const fn with_share(self, share: Share) -> Self {
        Self { share, ..self }
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

    /// Returns what IA32_MISC_ENABLE says of the unit: it is there, and precise sampling is announced by no bit of CPUID.
    #[must_use]
    pub const fn misc(&self) -> u64 {
        Misc::MONITORING.bits()
    }

    /// Returns the fingerprint of what a guest is told.
    pub(super) fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of([self.signature.into(), self.misc(), self.share as u64])
    }

    /// Returns what a driver finds out about the unit, and what a device is created from.
    #[must_use]
    pub fn capabilities(&self) -> Capabilities {
        Capabilities::discover(self, || self.misc()).expect("every identity has a unit")
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
    /// Everything about the unit is replaced, and so are the numbers of threads and the local APIC's identifier where they
    /// decide on the share. Units that only the physical processor has, including those of
    /// another vendor, are hidden. Everything else is passed through.
    #[must_use]
    pub fn cpuid<C: CpuIdReader>(&self, leaf: u32, subleaf: u32, native: &C) -> CpuIdResult {
        let [eax, ebx, ecx, edx] = native::without_units(native, leaf, subleaf);
        native::result(match (leaf, subleaf) {
            (0x0000_0000, _) => [eax.max(0x02), INTEL[0], INTEL[1], INTEL[2]],
            (0x0000_0001, _) => self.features([eax, ebx, ecx, edx]),
            _ => [eax, ebx, ecx, edx],
        })
    }

    const fn features(&self, native: Leaf) -> Leaf {
        let [_, ebx, ecx, edx] = native;
        let (ebx, threads) = match self.share {
            Share::Whole => (ebx & !COUNT | 1 << 16, 0),
            Share::Thread0 => (ebx & !(COUNT | THREAD) | 2 << 16, THREADS),
            Share::Thread1 => (ebx & !COUNT | THREAD | 2 << 16, THREADS),
        };
        [self.signature, ebx, ecx, edx & !THREADS | threads]
    }
}

/// The processor has several threads (CPUID.01H:EDX.HTT), so many of them (EBX), and this is the second one (EBX: the
/// lowest bit of the local APIC's identifier).
const THREADS: u32 = 1 << 28;
const COUNT: u32 = 0xFF << 16;
const THREAD: u32 = 1 << 24;
