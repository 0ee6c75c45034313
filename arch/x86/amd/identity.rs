//! The processor that a guest sees: what CPUID says about its unit.
//!
//! A hypervisor answers CPUID with [`Identity::cpuid`]. A [`Device`](super::Device) that is created from
//! the same identity has exactly the counters, bits and faults that the guest was told of, or that the family
//! implies: before family 15h no bit of CPUID announces counters.
//!
//! Features that a device does not model are not announced: the counters of the northbridge and the last-level cache, freezing.
//! Branch records are announced where a [guest's unit](crate::arch::x86::guest::Unit::with_branches) has them, and
//! instruction-based sampling where [`Identity::with_sampling`] says so.
//!
//! Sources: APM vol. 3, appendix "Obtaining Processor Information Via the CPUID Instruction", for
//! the layout; the CPUID dumps of InstLatx64 for the values, by the signature in their file names.

use raw_cpuid::{CpuIdReader, CpuIdResult};

use super::Capabilities;
use crate::arch::x86::Block;
use crate::arch::x86::native::{self, AMD, CORE_COUNTERS, Leaf, Nothing};
use crate::event::Result;
use crate::virt::Fingerprint;

/// A processor, as far as its unit is concerned.
#[derive(Clone, Copy, Debug)]
pub struct Identity {
    name: &'static str,
    signature: u32,
    /// The signature in the extended leaf. K7's has another family there.
    extended_signature: u32,
    /// The bits of CPUID Fn8000_0001_ECX that are about core counters.
    features: u32,
    /// CPUID Fn8000_0022, if the processor has version 2.
    monitoring: Option<Leaf>,
    /// CPUID Fn8000_001B_EAX; 0 if sampling is not announced.
    sampling: u32,
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

    /// Epyc 7003 (Milan, family 19h model 01H): Zen 3, whose counter 2 can count exactly.
    pub const ZEN_3: Self = Self::of("Zen 3", 0x00A0_0F11).with_core_block();

    /// Epyc 9004 (Genoa, family 19h): Zen 4, version 2 with six core counters.
    pub const ZEN_4: Self = Self::of("Zen 4", 0x00A1_0F11).with_core_block().with_monitoring([1, 6, 0, 0]);

    /// All identities, from the oldest to the newest.
    pub const ALL: [Self; 8] = [
        Self::K7,
        Self::K8,
        Self::FAMILY_10H,
        Self::FAMILY_15H,
        Self::FAMILY_16H,
        Self::ZEN_2,
        Self::ZEN_3,
        Self::ZEN_4,
    ];

    const fn of(name: &'static str, signature: u32) -> Self {
        Self { name, signature, extended_signature: signature, features: 0, monitoring: None, sampling: 0 }
    }

    const fn with_extended_signature(self, extended_signature: u32) -> Self {
        Self { extended_signature, ..self }
    }

    const fn with_core_block(self) -> Self {
        Self { features: CORE_COUNTERS, ..self }
    }

    const fn with_monitoring(self, monitoring: Leaf) -> Self {
        Self { monitoring: Some(monitoring), ..self }
    }

    /// Returns the identity of the processor that answers `native`, with all that a device models of its unit.
    ///
    /// # Errors
    /// As [`Capabilities::discover`]: the processor is not AMD's, or of an unknown family.
    pub fn of_host<C: CpuIdReader>(native: &C) -> Result<Self> {
        let found = Capabilities::discover(native)?;
        let (leaf, extended) = (native.cpuid2(1, 0), native.cpuid2(0x8000_0001, 0));
        let identity = Self::of("host", leaf.eax).with_extended_signature(extended.eax);
        let identity = if found.block == Block::Core { identity.with_core_block() } else { identity };
        let monitoring = [1, found.counters.len(), 0, 0];
        Ok(if found.has_global() { identity.with_monitoring(monitoring) } else { identity })
    }

    /// Returns the identity with this number of counters: at least 1, and at most as many as it has. Before version 2 no
    /// bit of CPUID announces the number, and nothing changes.
    #[must_use]
    pub const fn with_counters(mut self, count: u8) -> Self {
        if let Some([_, counters, ..]) = &mut self.monitoring {
            let count = if count == 0 { 1 } else { count as u32 };
            *counters = if count < *counters { count } else { *counters };
        }
        self
    }

    /// Returns the identity with instruction-based sampling, and this answer in EAX to CPUID Fn8000_001B. The host answers for its
    /// registers, by an [`ibs::Device`](super::ibs::Device), and its guest's counters cannot be passed through.
    #[must_use]
    pub const fn with_sampling(self, features: u32) -> Self {
        Self { sampling: features, ..self }
    }

    /// Returns the identity without what `host` does not have: the registers of six counters (PerfCtrExtCore), version 2, and
    /// counters; and without sampling. For a guest that shall find this processor, and may come to run on the host's own counters.
    #[must_use]
    pub fn within(self, host: &Self) -> Self {
        let both = self.monitoring.zip(host.monitoring);
        let monitoring = both.map(|([own, counters, ..], [most, limit, ..])| [own & most, counters.min(limit), 0, 0]);
        Self { features: self.features & host.features, monitoring, sampling: 0, ..self }
    }

    /// Returns the processor's name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Returns family, model and stepping, in the layout of CPUID Fn0000_0001_EAX.
    #[must_use]
    pub const fn signature(&self) -> u32 {
        self.signature
    }

    /// Returns the fingerprint of what a guest is told.
    pub(super) fn fingerprint(&self) -> Fingerprint {
        let others = [self.signature, self.extended_signature, self.features, self.monitoring.is_some().into()];
        let sampling = Some(self.sampling).filter(|&sampling| sampling != 0);
        Fingerprint::of(others.into_iter().chain(self.monitoring.unwrap_or_default()).chain(sampling).map(u64::from))
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
            (0x0000_0000, _) => named(eax.max(0x01)),
            (0x0000_0001, _) => [self.signature, ebx, ecx, edx],
            (0x8000_0000, _) => named(eax.max(self.last_extended_leaf())),
            (0x8000_0001, _) => {
                [self.extended_signature, ebx, ecx | self.features | u32::from(self.has_sampling()) << 10, edx]
            }
            (0x8000_001B, _) => [self.sampling, 0, 0, 0],
            (0x8000_0022, _) => self.monitoring.unwrap_or_default(),
            _ => [eax, ebx, ecx, edx],
        })
    }

    const fn last_extended_leaf(&self) -> u32 {
        match self.monitoring {
            Some(_) => 0x8000_0022,
            None if self.sampling != 0 => 0x8000_001B,
            None => 0x8000_0008,
        }
    }

    /// Returns true if sampling is announced (CPUID Fn8000_0001_ECX, IBS).
    pub(super) const fn has_sampling(&self) -> bool {
        self.sampling != 0
    }
}

/// Returns the leaf that names the last one and the vendor.
const fn named(last: u32) -> Leaf {
    [last, AMD[0], AMD[1], AMD[2]]
}
