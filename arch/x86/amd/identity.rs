//! Which processor a guest believes it runs on: what CPUID tells it about its unit.
//!
//! An [`Identity`] is both ends of one promise. A hypervisor answers CPUID through
//! [`Identity::cpuid`], and a [`Device`](super::Device) made from the same identity then has
//! exactly the counters, the bits and the faults that the guest was told of, or that the family
//! implies: before family 15h no bit of CPUID speaks of counters.
//!
//! What a device does not model is not announced: instruction-based sampling, the counters of the
//! northbridge and the last-level cache, branch records, freezing.
//!
//! Sources: APM vol. 3, appendix "Obtaining Processor Information Via the CPUID Instruction", for
//! the layout; the CPUID dumps of InstLatx64 for the values, by the signature in their file names.

use raw_cpuid::{CpuIdReader, CpuIdResult};

use super::Facts;

/// What CPUID returns: EAX, EBX, ECX, EDX.
type Leaf = [u32; 4];

/// A processor, as far as its unit goes.
#[derive(Clone, Copy, Debug)]
pub struct Identity {
    name: &'static str,
    signature: u32,
    /// The same in the extended leaf; K7's tells another family there.
    extended_signature: u32,
    /// CPUID Fn8000_0001_ECX, as far as it speaks of core counters.
    features: u32,
    /// CPUID Fn8000_0022, where the processor has version 2.
    monitoring: Option<Leaf>,
}

impl Identity {
    /// Athlon XP (Barton, family 6): K7.
    pub const K7: Self = Self::of("Athlon XP", 0x0000_06A0).with_extended_signature(0x0000_07A0);

    /// Opteron 248 (Sledgehammer, family 0Fh): K8.
    pub const K8: Self = Self::of("Opteron", 0x0000_0F5A);

    /// Opteron 2378 (Shanghai, family 10h).
    pub const FAMILY_10H: Self = Self::of("Opteron of family 10h", 0x0010_0F42);

    /// Opteron 6274 (Interlagos, family 15h).
    pub const FAMILY_15H: Self = Self::of("Opteron of family 15h", 0x0060_0F12).with_core_block();

    /// A4-5000 (Kabini, family 16h).
    pub const FAMILY_16H: Self = Self::of("APU of family 16h", 0x0070_0F01);

    /// Epyc 7002 (Rome, family 17h): Zen 2.
    pub const ZEN_2: Self = Self::of("Zen 2", 0x0083_0F10).with_core_block();

    /// Epyc 9004 (Genoa, family 19h): Zen 4, version 2 with six core counters.
    pub const ZEN_4: Self = Self::of("Zen 4", 0x00A1_0F11).with_core_block().with_monitoring([1, 6, 0, 0]);

    /// Every identity, in the order of their making.
    pub const ALL: [Self; 7] =
        [Self::K7, Self::K8, Self::FAMILY_10H, Self::FAMILY_15H, Self::FAMILY_16H, Self::ZEN_2, Self::ZEN_4];

    const fn of(name: &'static str, signature: u32) -> Self {
        Self { name, signature, extended_signature: signature, features: 0, monitoring: None }
    }

    const fn with_extended_signature(self, extended_signature: u32) -> Self {
        Self { extended_signature, ..self }
    }

    const fn with_core_block(self) -> Self {
        Self { features: HAS_CORE_BLOCK, ..self }
    }

    const fn with_monitoring(self, monitoring: Leaf) -> Self {
        Self { monitoring: Some(monitoring), ..self }
    }

    /// Its name, as people write it.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Family, model and stepping, as CPUID Fn0000_0001_EAX packs them.
    #[must_use]
    pub const fn signature(&self) -> u32 {
        self.signature
    }

    /// What a driver finds out about it, and what a device is made from.
    #[must_use]
    pub fn facts(&self) -> Facts {
        Facts::discover(self).expect("every identity has a unit")
    }
}

/// A driver's detection can read an identity as it reads a processor.
impl CpuIdReader for Identity {
    fn cpuid2(&self, leaf: u32, subleaf: u32) -> CpuIdResult {
        let [eax, ebx, ecx, edx] = self.cpuid(leaf, subleaf, [0; 4]);
        CpuIdResult { eax, ebx, ecx, edx }
    }
}

/// How a guest's CPUID is answered.
impl Identity {
    /// The answer to CPUID with `leaf` in EAX and `subleaf` in ECX, given what the processor
    /// underneath answers: EAX, EBX, ECX, EDX.
    ///
    /// It replaces what concerns the unit, and hides units that only the processor underneath
    /// has, another vendor's among them; all else passes through.
    #[must_use]
    pub fn cpuid(&self, leaf: u32, subleaf: u32, native: Leaf) -> Leaf {
        let [eax, ebx, ecx, edx] = native;
        match (leaf, subleaf) {
            (0x0000_0000, _) => named(eax.max(0x01)),
            (0x0000_0001, _) => [self.signature, ebx, ecx & !OTHER_FEATURES, edx & !OTHER_DEBUG_STORE],
            (0x0000_0007, 1) => [eax & !OTHER_EXTENSION, ebx, ecx, edx],
            (0x0000_000A | 0x0000_0023, _) => [0; 4],
            (0x8000_0000, _) => named(eax.max(self.last_extended_leaf())),
            (0x8000_0001, _) => [self.extended_signature, ebx, ecx & !UNITS | self.features, edx],
            (0x8000_001B, _) => [0; 4],
            (0x8000_0022, _) => self.monitoring.unwrap_or_default(),
            // The processor underneath may end before that leaf; what it then says of these is noise.
            (0x8000_0009..0x8000_0022, _) if self.monitoring.is_some() => [0; 4],
            _ => native,
        }
    }

    const fn last_extended_leaf(&self) -> u32 {
        if self.monitoring.is_some() { 0x8000_0022 } else { 0x8000_0008 }
    }
}

/// The last leaf, and "AuthenticAMD" in EBX, ECX, EDX.
const fn named(last: u32) -> Leaf {
    [last, 0x6874_7541, 0x444D_4163, 0x6974_6E65]
}

/// There are six counters and their own addresses (PerfCtrExtCore).
const HAS_CORE_BLOCK: u32 = 1 << 23;
/// The units of CPUID Fn8000_0001_ECX: instruction-based sampling, and the counters of core,
/// northbridge, time stamp and last-level cache.
const UNITS: u32 = 1 << 10 | HAS_CORE_BLOCK | 1 << 24 | 1 << 27 | 1 << 28;
/// Another vendor's 64-bit debug store and capabilities (SDM vol. 2, CPUID.01H:ECX.DTES64, PDCM).
const OTHER_FEATURES: u32 = 1 << 2 | 1 << 15;
/// Another vendor's debug store (CPUID.01H:EDX.DS).
const OTHER_DEBUG_STORE: u32 = 1 << 21;
/// Another vendor's leaf 23H (CPUID.07H.1:EAX.ArchPerfmonExt).
const OTHER_EXTENSION: u32 = 1 << 8;
