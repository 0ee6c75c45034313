//! What a processor's sampling can, by CPUID, and which errata it has, by family and model.
//!
//! Sources: APM vol. 3, "CPUID Fn8000_001B_EAX Instruction-Based Sampling Features" and "CPUID Fn8000_0001_ECX", IBS; Linux'
//! arch/x86/include/asm/perf_event.h has the same numbers. Errata: Revision Guides for family 10h (41322), number 420, for
//! family 15h models 0 to 0FH (48063), number 717, and for family 19h models 0 to 0FH (56683), numbers 1197 and 1293, as
//! Linux' arch/x86/events/amd/ibs.c acts on those but 717.

use raw_cpuid::CpuIdReader;

use crate::arch::x86::amd;
use crate::arch::x86::processor::Processor;
use crate::contract::bit_set;
use crate::event::{Error, Result};
use crate::virt::Fingerprint;

bit_set! {
    /// What CPUID announces (Fn8000_001B_EAX).
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub(super) struct Features: u32 {
        /// The other bits are valid (IBSFFV).
        const ARE_VALID = 1 << 0;
        /// Fetches can be sampled (FetchSam).
        const FETCHES = 1 << 1;
        /// Ops can be sampled (OpSam).
        const OPS = 1 << 2;
        /// The count of ops can be read and written (RdWrOpCnt).
        const COUNT = 1 << 3;
        /// Dispatched ops can be counted, not cycles alone (OpCnt).
        const COUNTS_OPS = 1 << 4;
        /// Branches have their targets (BrnTrgt).
        const TARGETS = 1 << 5;
        /// The count of ops has 27 bits, not 20 (OpCntExt).
        const EXTENDED = 1 << 6;
        /// An address that is not valid is marked (RipInvalidChk).
        const MARKS_ADDRESSES = 1 << 7;
        /// What misses the third-level cache can be chosen, and sources are finer (IbsL3MissFiltering; Zen 4 and later).
        const MISSES = 1 << 11;
    }
}

/// What a processor's sampling can.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Capabilities {
    pub(super) features: Features,
    family: u32,
    model: u32,
}

/// CPUID Fn8000_0001_ECX, IBS.
const HAS_SAMPLING: u32 = 1 << 10;

impl Capabilities {
    /// Reads what CPUID says.
    ///
    /// # Errors
    /// Returns [`Error::NoUnit`] if the processor announces no sampling, and the error of
    /// [`amd::Capabilities::discover`](crate::arch::x86::amd::Capabilities::discover) if it is not AMD's.
    pub fn discover<C: CpuIdReader>(cpuid: &C) -> Result<Self> {
        let processor = Processor::of(cpuid)?;
        let Processor { family, model, .. } = processor;
        if !amd::Capabilities::describe(&processor) {
            return Err(processor.unknown());
        }
        let last = cpuid.cpuid2(0x8000_0000, 0).eax;
        if last < 0x8000_0001 || cpuid.cpuid2(0x8000_0001, 0).ecx & HAS_SAMPLING == 0 {
            return Err(Error::NoUnit { reason: "CPUID leaf 80000001H announces no instruction-based sampling" });
        }
        let leaf = if last < 0x8000_001B { 0 } else { cpuid.cpuid2(0x8000_001B, 0).eax };
        let features = Features::from_bits_truncate(leaf);
        // Family 10h's first processors do not have the leaf (Linux, IBS_CAPS_DEFAULT).
        let first = Features::FETCHES.union(Features::OPS);
        Ok(Self { features: if features.contains(Features::ARE_VALID) { features } else { first }, family, model })
    }

    #[inline(always)]
    pub(super) const fn has(&self, feature: Features) -> bool {
        self.features.contains(feature)
    }

    /// Returns a number for what a guest is told of it.
    pub(super) fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of([self.features.bits(), self.family, self.model].map(u64::from))
    }

    /// Returns the greatest period of ops.
    pub(super) const fn greatest(&self) -> u64 {
        if self.has(Features::EXTENDED) { 0x7FF_FFF0 } else { 0xF_FFF0 }
    }

    /// Returns true if the period must be 0 before sampling ends, or an interrupt may stay (erratum 420).
    #[inline(always)]
    pub(super) const fn clears_period_first(&self) -> bool {
        self.family == 0x10
    }

    /// Returns true if a written count of fetches is taken only when sampling begins (Linux, fetch_count_reset_broken).
    #[inline(always)]
    pub(super) const fn needs_restart(&self) -> bool {
        matches!(self.family, 0x16..=0x18)
    }

    /// Returns true if a fetch with the address 0 has none (erratum 1197), and the source of prefetches and of pending misses is
    /// not valid (erratum 1293).
    pub(super) const fn has_errata_of_19h(&self) -> bool {
        self.family == 0x19 && self.model < 0x10
    }

    /// Returns true if targets of branches may be wrong (erratum 717).
    pub(super) const fn mistakes_targets(&self) -> bool {
        self.family == 0x15 && self.model < 0x10
    }

    /// Returns true if misses of the second-level cache are marked: from Zen on.
    pub(super) const fn marks_level_2(&self) -> bool {
        self.family >= 0x17
    }
}
