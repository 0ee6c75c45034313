//! The processor that a guest sees: what CPUID says about its unit.
//!
//! A hypervisor answers CPUID with [`Identity::cpuid`]. A [`Device`](super::Device) that is created from
//! the same identity has exactly the counters, bits and faults that the guest was told of.
//!
//! The leaves are those of real processors, so that drivers meet their peculiarities: a Nehalem hides its
//! broken event, and leaf 0AH of a Lion Cove also describes the small cores. Features that a device does not
//! model (branch records, the debug store, top-down metrics) are not announced.
//!
//! Sources: SDM vol. 2, "CPUID - CPU Identification", for the layout; the CPUID dumps of
//! InstLatx64 for the values, by the signature in their file names; the event lists of
//! intel/perfmon for the events that only one model has, and for models older than those lists
//! the SDM's chapter "Performance Monitoring Events".

use raw_cpuid::{CpuIdReader, CpuIdResult};

use super::{Architectural, Capabilities, PerfCapabilities};
use crate::arch::x86::Msr;
use crate::event::CounterSet;
use crate::virt::Kind;

/// What CPUID returns: EAX, EBX, ECX, EDX.
type Leaf = [u32; 4];

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

    /// Lion Cove, the large core of Lunar Lake (06_BDH): version 6.
    pub const LION_COVE: Self = Self {
        name: "Lion Cove",
        signature: 0x000B_06D1,
        monitoring: [0x0D30_0806, 0x280, 0x07, 0x8603],
        extension: Some([[0x0B, 3, 0, 0], [0x3FF, 0x0F, 0, 0], [0; 4], [0x1DFF, 0, 0, 0]]),
        core: 0,
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
            leaves[1][0] = CounterSet::first(count).bits() as u32;
        }
        less
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
        match leaf {
            0x00 => [native[0].max(self.last_leaf()), VENDOR[0], VENDOR[1], VENDOR[2]],
            0x01 => self.features(native),
            0x07 => self.extended_features(subleaf, native),
            0x0A => self.monitoring,
            0x0D => hide_states(subleaf, native),
            TRACE_LEAF | BRANCH_LEAF => [0; 4],
            CORE_LEAF => [self.core, 0, 0, 0],
            0x23 => self.extension(subleaf),
            // The leaves of the physical processor may end before 23H. Its answers for these are not valid then.
            0x0E..0x23 if self.extension.is_some() => [0; 4],
            0x8000_0001 => [native[0], native[1], native[2] & !OTHER_VENDOR, native[3]],
            0x8000_001B | 0x8000_0022 => [0; 4],
            _ => native,
        }
    }

    const fn last_leaf(&self) -> u32 {
        if self.extension.is_some() { 0x23 } else { 0x0A }
    }

    const fn features(&self, native: Leaf) -> Leaf {
        let [_, ebx, ecx, edx] = native;
        [self.signature, ebx, ecx & !DEBUG_STORE_ECX | HAS_CAPABILITIES, edx & !DEBUG_STORE]
    }

    fn extended_features(&self, subleaf: u32, native: Leaf) -> Leaf {
        let [eax, ebx, ecx, edx] = native;
        let is_hybrid = if self.core == 0 { 0 } else { HYBRID };
        let has_force_abort = if self.has_force_abort { FORCE_ABORT } else { 0 };
        let own = is_hybrid | has_force_abort;
        match (subleaf, self.extension) {
            (0, Some(_)) => [eax.max(1), ebx & !NOT_MODELLED_EBX, ecx, edx & !NOT_MODELLED_EDX | own],
            (0, None) => [eax, ebx & !NOT_MODELLED_EBX, ecx, edx & !NOT_MODELLED_EDX | own],
            (1, Some(_)) => [eax | HAS_EXTENSION, ebx, ecx, edx],
            (1, None) => [eax & !HAS_EXTENSION, ebx, ecx, edx],
            _ => native,
        }
    }

    fn extension(&self, subleaf: u32) -> Leaf {
        let leaves = self.extension.unwrap_or_default();
        leaves.get(subleaf as usize).copied().unwrap_or_default()
    }
}

/// Hides the states of the processor trace and of branch records, which a guest cannot save (CPUID.0DH.1:ECX, by
/// their bits in IA32_XSS, which are the numbers of their subleaves).
const fn hide_states(subleaf: u32, native: Leaf) -> Leaf {
    match subleaf {
        1 => [native[0], native[1], native[2] & !(1 << TRACE_STATE | 1 << BRANCH_STATE), native[3]],
        TRACE_STATE | BRANCH_STATE => [0; 4],
        _ => native,
    }
}

/// The leaf of the processor trace.
const TRACE_LEAF: u32 = 0x14;
/// The leaf of the kind of core.
const CORE_LEAF: u32 = 0x1A;
/// The leaf of the architectural branch records.
const BRANCH_LEAF: u32 = 0x1C;
/// The number of the processor trace's state.
const TRACE_STATE: u32 = 8;
/// The number of the architectural branch records' state.
const BRANCH_STATE: u32 = 15;
/// CPUID.07H:EBX: HLE (4) and RTM (11), because selectors do not have their bits (IN_TX), and the
/// processor trace (25).
const NOT_MODELLED_EBX: u32 = 1 << 4 | 1 << 11 | 1 << 25;
/// CPUID.07H:EDX: RTM_ALWAYS_ABORT (11), TSX_FORCE_ABORT (13), which changes the number of counters,
/// HYBRID, and ARCH_LBR (19).
const NOT_MODELLED_EDX: u32 = 1 << 11 | FORCE_ABORT | HYBRID | 1 << 19;
/// There is IA32_TSX_FORCE_ABORT (CPUID.07H:EDX\[13\]).
const FORCE_ABORT: u32 = 1 << 13;
/// The processor has cores of two kinds, which leaf 1AH tells apart (CPUID.07H:EDX\[15\]).
const HYBRID: u32 = 1 << 15;
/// "GenuineIntel" in EBX, ECX, EDX.
const VENDOR: [u32; 3] = [0x756E_6547, 0x6C65_746E, 0x4965_6E69];
/// There is IA32_PERF_CAPABILITIES (CPUID.01H:ECX.PDCM).
const HAS_CAPABILITIES: u32 = 1 << 15;
/// The debug store takes 64-bit addresses, and tells rings apart (CPUID.01H:ECX.DTES64, DS-CPL).
const DEBUG_STORE_ECX: u32 = 1 << 2 | 1 << 4;
/// There is a debug store (CPUID.01H:EDX.DS).
const DEBUG_STORE: u32 = 1 << 21;
/// There is leaf 23H (CPUID.07H.1:EAX.ArchPerfmonExt).
const HAS_EXTENSION: u32 = 1 << 8;
/// Leaf 8000001BH, and these bits: instruction-based sampling and the counter extensions of core, northbridge and last-level
/// cache (AMD APM vol. 3, "CPUID Fn8000_0001_ECX Feature Identifiers": bits 10, 23, 24, 28).
const OTHER_VENDOR: u32 = 1 << 10 | 1 << 23 | 1 << 24 | 1 << 28;
