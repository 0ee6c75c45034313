//! Which recorder of branches has this processor, and which is a guest shown?
//!
//! Sources: for the stacks of each model SDM vol. 3, table "LBR Stack Size and TOS Pointer Range" and the sections of the
//! microarchitectures; SDM vol. 2, CPUID leaf 1CH; APM vol. 3, CPUID Fn8000_0022. Checked against torvalds/linux,
//! arch/x86/events/intel/lbr.c (intel_pmu_lbr_init_*) and arch/x86/events/amd/lbr.c (amd_pmu_lbr_init).

use raw_cpuid::{CpuIdReader, CpuIdResult};

use super::amd;
use super::intel::Microarchitecture;
use super::lbr::Capabilities;
use super::lbr::capabilities::{Filters, Freeze, Generation};
use super::native::CAPABILITIES;
use super::processor::Processor;

/// CPUID.07H:EDX: there is the architectural recorder.
const ARCHITECTURAL: u32 = 1 << 19;
/// Its leaf.
const LEAF: u32 = 0x1C;
/// CPUID Fn8000_0022_EAX: there is LbrExtV2, and an overflow freezes it.
const EXTENSION_LEAF: u32 = 0x8000_0022;
const EXTENSION: u32 = 1 << 1;
const EXTENSION_FREEZES: u32 = 1 << 2;
/// IA32_PERF_CAPABILITIES: the format.
const FORMAT: u64 = 0x3F;
/// The model of the first Bonnell.
const FIRST_BONNELL: u32 = 0x1C;
/// The format of a processor whose recorder is the architectural one.
const NO_STACK: u64 = 0x3F;

impl Capabilities {
    /// Returns what the recorder can of the processor that answers `cpuid`; `None` if it has none, or none that is known.
    /// `perf_capabilities` reads IA32_PERF_CAPABILITIES, and is called only if CPUID announces that register.
    pub fn discover<C: CpuIdReader>(cpuid: &C, perf_capabilities: impl FnOnce() -> u64) -> Option<Self> {
        let processor = Processor::of(cpuid).ok()?;
        if amd::Capabilities::describe(&processor) {
            Self::of_extension(cpuid)
        } else if !processor.is(b"GenuineIntel") {
            None
        } else if processor.leaf(7, 0).edx & ARCHITECTURAL != 0 {
            let CpuIdResult { eax, ebx, ecx, .. } = processor.leaf(LEAF, 0);
            (eax & 0xF != 0).then(|| Self::architectural([eax & 0xF, ebx, ecx]).frozen(Freeze::ByStatus))
        } else if processor.features & CAPABILITIES != 0 && processor.is_architectural() {
            Self::of_stack(&processor, (perf_capabilities() & FORMAT) as u8)
        } else {
            None
        }
    }

    fn of_extension<C: CpuIdReader>(cpuid: &C) -> Option<Self> {
        if cpuid.cpuid2(0x8000_0000, 0).eax < EXTENSION_LEAF {
            return None;
        }
        let CpuIdResult { eax, ebx, .. } = cpuid.cpuid2(EXTENSION_LEAF, 0);
        let depth = (ebx >> 4 & 0x3F) as u8;
        let freeze = (eax & EXTENSION_FREEZES != 0).then_some(Freeze::ByStatus);
        (eax & EXTENSION != 0 && (1..=16).contains(&depth)).then_some(Self { depth, freeze, ..Self::ZEN_4 })
    }

    fn of_stack<C: CpuIdReader>(processor: &Processor<'_, C>, format: u8) -> Option<Self> {
        let microarchitecture = Microarchitecture::of(processor.family, processor.model)?;
        let of_model = Self::of_microarchitecture(microarchitecture)?;
        // Before stepping 10 the first Bonnell's records cannot be frozen in time (Linux, intel_pmu_lbr_init_atom).
        if !(1..=7).contains(&format) || processor.model == FIRST_BONNELL && processor.stepping < 10 {
            return None;
        }
        // Knights Landing calls its format 1, and marks mispredictions as format 3 does (Linux, intel_pmu_lbr_init_knl).
        let is_marked = microarchitecture == Microarchitecture::KnightsLanding && format == 1;
        let format = if is_marked { 3 } else { format };
        Some(Self { generation: Generation::Stack(format), freeze: freeze(processor), ..of_model })
    }

    /// Returns the recorder that processors of this vendor, family and model have, whether or not CPUID announces it: for a host
    /// that shows it to its guest. The stack's format is that of the microarchitecture's first processors.
    pub fn of_model<C: CpuIdReader>(cpuid: &C) -> Option<Self> {
        use Microarchitecture as M;
        let processor = Processor::of(cpuid).ok()?;
        if amd::Capabilities::describe(&processor) {
            return (processor.family >= 0x19 && cpuid.cpuid2(EXTENSION_LEAF, 0).eax & 1 != 0).then_some(Self::ZEN_4);
        }
        // Core Solo and Duo.
        if !processor.is(b"GenuineIntel") || processor.model == 0x0E {
            return None;
        }
        match Microarchitecture::of(processor.family, processor.model)? {
            // The servers of Sandy Bridge and Ivy Bridge, which have Haswell's events of memory.
            M::Haswell if matches!(processor.model, 0x2D | 0x3E) => {
                Some(Self { freeze: freeze(&processor), ..Self::of_microarchitecture(M::SandyBridge)? })
            }
            M::GoldenCove | M::RedwoodCove | M::LionCove | M::CougarCove | M::CoyoteCove => Some(Self::ARCHITECTURAL),
            M::Gracemont | M::Crestmont | M::Skymont | M::Darkmont | M::ArcticWolf => Some(Self::ARCHITECTURAL),
            before => {
                let of_model = Self::of_microarchitecture(before)?;
                Some(Self { freeze: freeze(&processor), ..of_model })
            }
        }
    }

    /// Returns the stack that a processor of this microarchitecture usually has.
    const fn of_microarchitecture(microarchitecture: Microarchitecture) -> Option<Self> {
        use Microarchitecture as M;
        Some(match microarchitecture {
            M::Core => Self::CORE_2,
            M::Bonnell => Self::stack(2, 8, Filters::None).at_low_addresses().frozen(Freeze::ByControl),
            M::Silvermont => Self::stack(3, 8, Filters::JumpsWithCalls).at_low_addresses().frozen(Freeze::ByControl),
            M::KnightsLanding => Self::stack(3, 8, Filters::All).frozen(Freeze::ByControl),
            M::Nehalem | M::Westmere => Self::NEHALEM,
            M::SandyBridge => Self::stack(3, 16, Filters::All).frozen(Freeze::ByControl),
            M::Haswell => Self::HASWELL,
            M::Goldmont => Self::GOLDMONT,
            M::Skylake | M::IceLake | M::Tremont => Self::SKYLAKE,
            _ => return None,
        })
    }

    /// Returns what CPUID answers to a guest that is shown this recorder, where it would answer `others`.
    #[must_use]
    pub const fn cpuid(&self, leaf: u32, subleaf: u32, others: CpuIdResult) -> CpuIdResult {
        let CpuIdResult { eax, ebx, ecx, edx } = others;
        match (self.generation, leaf, subleaf) {
            (Generation::Architectural, 0, _) => CpuIdResult { eax: if eax < LEAF { LEAF } else { eax }, ..others },
            (Generation::Architectural, 7, 0) => CpuIdResult { edx: edx | ARCHITECTURAL, ..others },
            (Generation::Architectural, LEAF, 0) => {
                CpuIdResult { eax: self.leaf[0], ebx: self.leaf[1], ecx: self.leaf[2], edx: 0 }
            }
            (Generation::Extension, EXTENSION_LEAF, _) => {
                let freezes = if self.freeze.is_some() { EXTENSION_FREEZES } else { 0 };
                CpuIdResult { eax: eax | EXTENSION | freezes, ebx: ebx | (self.depth as u32) << 4, ecx, edx }
            }
            _ => others,
        }
    }

    /// Returns what IA32_PERF_CAPABILITIES shows to a guest that is shown this recorder, where it would be `others`.
    #[must_use]
    pub const fn perf_capabilities(&self, others: u64) -> u64 {
        match self.generation {
            Generation::Stack(format) => others & !FORMAT | format as u64,
            Generation::Architectural => others & !FORMAT | NO_STACK,
            Generation::Extension => others,
        }
    }
}

/// Returns how an overflow freezes the records, by the version of the unit that counts.
fn freeze<C: CpuIdReader>(processor: &Processor<'_, C>) -> Option<Freeze> {
    match processor.leaf(0xA, 0).eax & 0xFF {
        ..=1 => None,
        2 | 3 => Some(Freeze::ByControl),
        _ => Some(Freeze::ByStatus),
    }
}
