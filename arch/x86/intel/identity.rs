//! The processor that a guest sees: what CPUID says about its unit.
//!
//! A hypervisor answers CPUID with [`Identity::cpuid`]. A [`Device`](super::Device) that is created from
//! the same identity has exactly the counters, bits and faults that the guest was told of.
//!
//! The leaves are those of real processors, so that drivers meet their peculiarities: a Nehalem hides its
//! broken event, and leaf 0AH of a Lion Cove also describes the small cores. Features that a device does not
//! model (branch records, the branch trace store, top-down metrics) are not announced, and precise sampling only where
//! [`Identity::with_sampling`] says so.
//!
//! A guest that shall find the processor that it runs on is given [`Identity::of_host`]. Either can be narrowed: to fewer
//! counters, and to the events that the host observes.
//!
//! Sources: SDM vol. 2, "CPUID - CPU Identification", for the layout; the CPUID dumps of
//! InstLatx64 for the values, by the signature in their file names; the event lists of
//! intel/perfmon for the events that only one model has, and for models older than those lists
//! the SDM's chapter "Performance Monitoring Events".

mod host;

use raw_cpuid::{CpuIdReader, CpuIdResult};

use super::device::feed;
use super::{Architectural, Capabilities, PerfCapabilities};
use crate::arch::x86::Msr;
use crate::arch::x86::native::{
    self, CAPABILITIES, DEBUG_STORE, DEBUG_STORE_LONG, EXTENSION, FORCE_ABORT, HYBRID, INTEL, Leaf, Nothing,
};
use crate::event::CounterSet;
use crate::virt::{Fingerprint, Kind, Kinds};

/// A processor, as far as its unit is concerned.
#[derive(Clone, Copy, Debug)]
pub struct Identity {
    name: &'static str,
    signature: u32,
    /// Leaf 0AH.
    monitoring: Leaf,
    /// Leaf 23H's subleaves, from version 6 on.
    extension: Option<[Leaf; 4]>,
    /// Leaf 1AH:EAX, the kind of core on a hybrid processor; 0 on others.
    core: u32,
    /// There is IA32_TSX_FORCE_ABORT.
    has_force_abort: bool,
    perf_capabilities: PerfCapabilities,
    own_events: &'static [(u64, Kind)],
}

/// The events for retired loads, stores and taken branches of Skylake and its successors.
const SINCE_SKYLAKE: &[(u64, Kind)] = &[(0x81D0, Kind::Loads), (0x82D0, Kind::Stores), (0x20C4, Kind::TakenBranches)];

impl Identity {
    /// Core Duo (Yonah, 06_0EH): version 1.
    pub const CORE_DUO: Self = Self {
        name: "Core Duo",
        signature: 0x0000_06E8,
        monitoring: [0x0728_0201, 0, 0, 0],
        extension: None,
        core: 0,
        has_force_abort: false,
        perf_capabilities: PerfCapabilities::empty(),
        own_events: &[(0x0005, Kind::MisalignedReferences), (0x00C9, Kind::TakenBranches)],
    };

    /// Core 2 (Conroe, 06_0FH): version 2.
    pub const CORE_2: Self = Self {
        name: "Core 2",
        signature: 0x0000_06FB,
        monitoring: [0x0728_0202, 0, 0, 0x0503],
        extension: None,
        core: 0,
        has_force_abort: false,
        perf_capabilities: PerfCapabilities::empty(),
        own_events: &[
            (0x01C0, Kind::Loads),
            (0x02C0, Kind::Stores),
            (0x0005, Kind::MisalignedReferences),
            (0x0CC4, Kind::TakenBranches),
        ],
    };

    /// Nehalem (Bloomfield, 06_1AH): version 3. It hides the architectural event for mispredicted branches
    /// (specification update, AAJ80). Its own event 89H counts them.
    pub const NEHALEM: Self = Self {
        name: "Nehalem",
        signature: 0x0001_06A4,
        monitoring: [0x0730_0403, 0x40, 0, 0x0603],
        extension: None,
        core: 0,
        has_force_abort: false,
        perf_capabilities: PerfCapabilities::empty(),
        own_events: &[(0x7F89, Kind::MispredictedBranches), (0x010B, Kind::Loads), (0x020B, Kind::Stores)],
    };

    /// Skylake (06_5EH) without hyper-threading, and therefore with eight general counters: version 4.
    pub const SKYLAKE: Self = Self {
        name: "Skylake",
        signature: 0x0005_06E3,
        monitoring: [0x0730_0804, 0, 0, 0x0603],
        extension: None,
        core: 0,
        has_force_abort: false,
        perf_capabilities: PerfCapabilities::FULL_WRITE,
        own_events: SINCE_SKYLAKE,
    };

    /// Sapphire Rapids (06_8FH): version 5.
    pub const SAPPHIRE_RAPIDS: Self = Self {
        name: "Sapphire Rapids",
        signature: 0x0008_06F8,
        monitoring: [0x0830_0805, 0, 0x0F, 0x8604],
        extension: None,
        core: 0,
        has_force_abort: false,
        perf_capabilities: PerfCapabilities::FULL_WRITE,
        own_events: SINCE_SKYLAKE,
    };

    /// Lion Cove, the large core of Lunar Lake (06_BDH): version 6. It says that the processor is a hybrid one.
    pub const LION_COVE: Self = Self {
        name: "Lion Cove",
        signature: 0x000B_06D1,
        monitoring: [0x0D30_0806, 0x280, 0x07, 0x8603],
        extension: Some([[0x0B, 3, 0, 0], [0x3FF, 0x0F, 0, 0], [0; 4], [0x1DFF, 0, 0, 0]]),
        core: 0x4000_0003,
        has_force_abort: false,
        perf_capabilities: PerfCapabilities::FULL_WRITE,
        own_events: SINCE_SKYLAKE,
    };

    /// Skymont, the small core of Lunar Lake (06_BDH): version 6. It says that the processor is a hybrid one.
    ///
    /// The auto counter reload of leaf 23H is not announced.
    pub const SKYMONT: Self = Self {
        name: "Skymont",
        extension: Some([[0x0B, 3, 8, 0], [0xFF, 0x77, 0, 0], [0; 4], [0x1F7F, 0, 0, 0]]),
        core: 0x2000_0003,
        own_events: &[(0x81D0, Kind::Loads), (0x82D0, Kind::Stores), (0xC0C4, Kind::TakenBranches)],
        ..Self::LION_COVE
    };

    /// An identity of each version, from 1 to 6.
    pub const ALL: [Self; 6] =
        [Self::CORE_DUO, Self::CORE_2, Self::NEHALEM, Self::SKYLAKE, Self::SAPPHIRE_RAPIDS, Self::LION_COVE];

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
        Capabilities::discover(self, || self.perf_capabilities.bits()).expect("every identity announces a unit")
    }

    /// Returns the boundary, in bytes, that a misaligned data reference crosses, or `None` if no event counts
    /// such references.
    ///
    /// The manual defines one for event 05H of the P6 family: 64 bits (SDM vol. 3, table "Events That Can Be
    /// Counted with the P6 Family Performance-Monitoring Counters", MISALIGN_MEM_REF). It defines none for the
    /// same event of Core Duo and Core 2.
    #[must_use]
    pub fn misaligned_across(&self) -> Option<u64> {
        self.own_events.iter().any(|&(_, kind)| kind == Kind::MisalignedReferences).then_some(8)
    }

    /// Returns the fingerprint of what a guest is told: the leaves, and IA32_PERF_CAPABILITIES.
    pub(super) fn fingerprint(&self) -> Fingerprint {
        let leaves = self.extension.unwrap_or_default().into_iter().chain([self.monitoring]).flatten();
        let others = [self.signature, self.last_leaf(), self.core, self.features()];
        let words = others.into_iter().chain(leaves).map(u64::from);
        Fingerprint::of(words.chain([self.perf_capabilities.bits()]))
    }

    /// Returns the events that only this model has: event | mask << 8, and what they count.
    pub(super) const fn own_events(&self) -> &'static [(u64, Kind)] {
        self.own_events
    }
}

/// What a guest is given of the unit.
impl Identity {
    /// Returns the identity with this number of general counters: at least 1, and at most 10, which have addresses.
    #[must_use]
    pub const fn with_general_counters(self, count: u8) -> Self {
        let count = if count > Msr::GENERAL { Msr::GENERAL } else { count };
        let count = if count == 0 { 1 } else { count };
        let mut less = self;
        less.monitoring[0] = self.monitoring[0] & !(0xFF << 8) | (count as u32) << 8;
        if let Some(leaves) = &mut less.extension {
            leaves[1][0] = lowest(leaves[1][0], count);
        }
        less
    }

    /// Returns the identity with only the first `count` of its fixed counters. Version 1 has none.
    #[must_use]
    pub const fn with_fixed_counters(self, count: u8) -> Self {
        self.only_fixed(CounterSet::first(count).bits() as u32)
    }

    /// Returns the identity with only those fixed counters whose bits are set. Up to version 4 they are not listed, and it
    /// has those before the first that is not set.
    const fn only_fixed(self, wanted: u32) -> Self {
        let mut less = self;
        let [_, _, listed, fixed] = self.monitoring;
        let (first, count) = (wanted.trailing_ones(), fixed & FIXED_COUNT);
        less.monitoring[2] = listed & wanted;
        less.monitoring[3] = fixed & !FIXED_COUNT | if first < count { first } else { count };
        if let Some(leaves) = &mut less.extension {
            leaves[1][1] &= wanted;
        }
        less
    }

    /// Returns the identity with this family, model and stepping, in the layout of CPUID.01H:EAX: of the host, for a guest
    /// that needs them for more than the unit. Its drivers then look for that processor's own events.
    #[must_use]
    pub const fn with_signature(self, signature: u32) -> Self {
        Self { signature, ..self }
    }

    /// Returns the identity with only the architectural events and the fixed counters of these kinds: those that the host
    /// observes. A guest's driver then refuses the others instead of counting nothing.
    #[must_use]
    pub const fn fed_by(self, observed: Kinds) -> Self {
        let mut fed = Architectural::empty();
        let mut left = feed::ARCHITECTURAL.as_slice();
        while let [(_, event, kind), rest @ ..] = left {
            fed = if observed.contains(*kind) { fed.union(*event) } else { fed };
            left = rest;
        }
        let mut fixed = 0;
        let mut left = feed::FIXED.as_slice();
        while let [rest @ .., kind] = left {
            fixed = fixed << 1 | observed.contains(*kind) as u32;
            left = rest;
        }
        self.without_events(fed.complement()).only_fixed(fixed)
    }

    /// Returns the identity with IA32_TSX_FORCE_ABORT, which the Skylakes with transactions have: counter 3 counts nothing
    /// unless bit 0 of that register is set.
    #[must_use]
    pub const fn with_force_abort(self) -> Self {
        Self { has_force_abort: true, ..self }
    }

    /// Returns the identity with FREEZE_WHILE_SMM in IA32_PERF_CAPABILITIES, for a host that models the
    /// system-management mode ([`Device::advance_in_smm`](super::Device::advance_in_smm)).
    #[must_use]
    pub const fn with_freezing_in_smm(self) -> Self {
        Self { perf_capabilities: self.perf_capabilities.union(PerfCapabilities::FREEZE_IN_SMM), ..self }
    }

    /// Returns the identity with precise sampling (PEBS), and these bits in IA32_PERF_CAPABILITIES, of which it has those of
    /// sampling: 3C0H on Skylake, 44C0H on Sapphire Rapids; 0 withholds it. The host answers for the registers by a
    /// [`pebs::Device`](super::pebs::Device), whose IA32_MISC_ENABLE says that sampling is available: that of a
    /// [`guest::Unit`](crate::arch::x86::guest::Unit) says that it is not. Its guest's counters cannot be passed through.
    #[must_use]
    pub const fn with_sampling(self, bits: u64) -> Self {
        let sampling = PerfCapabilities::SAMPLING.bits();
        let bits = self.perf_capabilities.bits() & !sampling | bits & sampling;
        Self { perf_capabilities: PerfCapabilities::from_bits_retain(bits), ..self }
    }

    /// Returns the identity without these architectural events. A guest's driver then refuses events that the host
    /// cannot observe instead of counting nothing. The fixed counters do not change.
    #[must_use]
    pub const fn without_events(self, events: Architectural) -> Self {
        let mut less = self;
        less.monitoring[1] |= events.bits() & ((1 << (self.monitoring[0] >> 24)) - 1);
        if let Some(leaves) = &mut less.extension {
            leaves[3][0] &= !events.bits();
        }
        less
    }
}

/// Returns the lowest `count` of these bits, or the first `count` of all if there are fewer.
const fn lowest(bits: u32, count: u8) -> u32 {
    let mut left = if bits.count_ones() < count as u32 { CounterSet::first(count).bits() as u32 } else { bits };
    while left.count_ones() > count as u32 {
        left &= !(1 << left.ilog2());
    }
    left
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
            (0x00, _) => [eax.max(self.last_leaf()), INTEL[0], INTEL[1], INTEL[2]],
            (0x01, _) => {
                let [long, store] = if self.has_sampling() { [DEBUG_STORE_LONG, DEBUG_STORE] } else { [0; 2] };
                [self.signature, ebx, ecx | CAPABILITIES | self.hypervisor() | long, edx | store]
            }
            (0x07, 0) => [eax.max(self.extension.is_some().into()), ebx, ecx, edx | self.features()],
            (0x07, 1) if self.extension.is_some() => [eax | EXTENSION, ebx, ecx, edx],
            (0x0A, _) => self.monitoring,
            (0x1A, _) => [self.core, 0, 0, 0],
            (0x23, _) => self.extension(subleaf),
            _ => [eax, ebx, ecx, edx],
        })
    }

    /// Returns true if precise sampling is announced.
    const fn has_sampling(&self) -> bool {
        self.perf_capabilities.intersects(PerfCapabilities::SAMPLING)
    }

    const fn last_leaf(&self) -> u32 {
        match self {
            Self { extension: Some(_), .. } => 0x23,
            Self { core: 1.., .. } => 0x1A,
            _ => 0x0A,
        }
    }

    /// The bits of CPUID.07H:EDX that are the identity's.
    const fn features(&self) -> u32 {
        let is_hybrid = if self.core == 0 { 0 } else { HYBRID };
        is_hybrid | if self.has_force_abort { FORCE_ABORT } else { 0 }
    }

    /// The bit of CPUID.01H:ECX that only hypervisors set. Versions 2 to 4 need it in order to have fewer than three fixed
    /// counters: without it drivers take the number for Core 2's mistake, and use three.
    const fn hypervisor(&self) -> u32 {
        let has_few = self.monitoring[3] & FIXED_COUNT < 3;
        if has_few && matches!(self.monitoring[0] & 0xFF, 2..=4) { HYPERVISOR } else { 0 }
    }

    fn extension(&self, subleaf: u32) -> Leaf {
        let leaves = self.extension.unwrap_or_default();
        leaves.get(subleaf as usize).copied().unwrap_or_default()
    }
}

/// The number of fixed counters that are not listed (CPUID.0AH:EDX\[4:0\]).
const FIXED_COUNT: u32 = 0x1F;
/// The fixed counters that have an address.
const FIXED: u32 = CounterSet::first(Msr::FIXED).bits() as u32;
/// There is a hypervisor (CPUID.01H:ECX\[31\]).
const HYPERVISOR: u32 = 1 << 31;
