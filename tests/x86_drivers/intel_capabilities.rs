//! What the Intel driver makes of the CPUID leaves that real processors return.
//!
//! The leaves are those of public CPUID dumps (InstLatx64), by the processors' signatures; their
//! layout is SDM vol. 2, "CPUID - CPU Identification".

use pmu::arch::x86::CpuIdResult;
use pmu::arch::x86::Window;
use pmu::arch::x86::intel::{
    Architectural, AuxiliaryRegister, Capabilities, Core, FixedControl, Microarchitecture, Miscount, PerfCapabilities,
    Select,
};
use pmu::{Error, Event, Result};

/// Branch instructions retired (Branch Instruction Retired).
const BRANCHES: Event = Event::raw(0x00C4);
/// Instructions retired (Instruction Retired).
const INSTRUCTIONS: Event = Event::raw(0x00C0);

type Leaf = [u32; 4];

/// A processor: its signature, CPUID.01H:ECX, leaf 0AH, what of leaf 23H there is, and leaf 1AH if it is a hybrid's.
#[derive(Clone, Copy)]
struct Dump {
    vendor: [u32; 3],
    signature: u32,
    features: u32,
    monitoring: Leaf,
    extension: Option<[Leaf; 4]>,
    hybrid: Option<u32>,
    perf_capabilities: u64,
}

const INTEL: [u32; 3] = [0x756E_6547, 0x6C65_746E, 0x4965_6E69];
const CAPABLE: u32 = 1 << 15;
const HYPERVISOR: u32 = 1 << 31;

const fn dump(signature: u32, monitoring: Leaf) -> Dump {
    Dump {
        vendor: INTEL,
        signature,
        features: CAPABLE,
        monitoring,
        extension: None,
        hybrid: None,
        perf_capabilities: 0,
    }
}

const CORE_DUO: Dump = dump(0x06E8, [0x0728_0201, 0, 0, 0]);
const EARLY_CORE_2: Dump = dump(0x06F6, [0x0728_0202, 0, 0, 0]);
const NEHALEM: Dump = dump(0x1_06A4, [0x0730_0403, 0x44, 0, 0x0603]);
const SKYLAKE: Dump = Dump { perf_capabilities: 1 << 13, ..dump(0x5_06E3, [0x0730_0404, 0, 0, 0x0603]) };
const SAPPHIRE_RAPIDS: Dump = Dump { perf_capabilities: 1 << 13, ..dump(0x8_06F8, [0x0830_0805, 0, 0x0F, 0x8604]) };
const LION_COVE: Dump = Dump {
    perf_capabilities: 1 << 13,
    extension: Some([[0x0B, 3, 0, 0], [0x3FF, 0x0F, 0, 0], [0; 4], [0x1DFF, 0, 0, 0]]),
    ..dump(0xB_06D1, [0x0D30_0806, 0x280, 0x07, 0x8603])
};

impl Dump {
    fn leaf(&self, leaf: u32, subleaf: u32) -> Leaf {
        match (leaf, self.extension) {
            (0, extension) => {
                let last = if extension.is_some() || self.hybrid.is_some() { 0x23 } else { 0x0A };
                [last, self.vendor[0], self.vendor[1], self.vendor[2]]
            }
            (1, _) => [self.signature, 0, self.features, 0],
            (7, _) if subleaf == 0 => [0, 0, 0, u32::from(self.hybrid.is_some()) << 15],
            (0x1A, _) => [self.hybrid.unwrap_or(0), 0, 0, 0],
            (7, Some(_)) if subleaf == 1 => [1 << 8, 0, 0, 0],
            (0x0A, _) => self.monitoring,
            (0x23, Some(leaves)) => leaves.get(subleaf as usize).copied().unwrap_or_default(),
            _ => [0; 4],
        }
    }

    fn capabilities(self) -> Result<Capabilities> {
        let cpuid = move |leaf, subleaf| {
            let [eax, ebx, ecx, edx] = self.leaf(leaf, subleaf);
            CpuIdResult { eax, ebx, ecx, edx }
        };
        Capabilities::discover(&cpuid, || self.perf_capabilities)
    }
}

/// Version, general counters, fixed counters, and their widths.
fn shape(dump: Dump) -> (u8, u32, u32, u32, u32) {
    let capabilities = dump.capabilities().expect("the dump announces a unit");
    let widths = (capabilities.general_width().bits(), capabilities.fixed_width().bits());
    (capabilities.version, capabilities.general.len(), capabilities.fixed.len(), widths.0, widths.1)
}

#[test]
fn each_generation_has_the_counters_that_its_manual_gives_it() {
    assert_eq!(shape(CORE_DUO), (1, 2, 0, 40, 40));
    assert_eq!(shape(NEHALEM), (3, 4, 3, 48, 48));
    assert_eq!(shape(SKYLAKE), (4, 4, 3, 48, 48));
    assert_eq!(shape(SAPPHIRE_RAPIDS), (5, 8, 4, 48, 48));
    assert_eq!(shape(LION_COVE), (6, 10, 4, 48, 48));
}

#[test]
fn a_core_2_that_announces_no_fixed_counter_has_three() {
    assert_eq!(shape(EARLY_CORE_2), (2, 2, 3, 40, 40));
}

#[test]
fn under_a_hypervisor_no_fixed_counter_means_none() {
    let guest = Dump { features: CAPABLE | HYPERVISOR, ..EARLY_CORE_2 };
    assert_eq!(shape(guest).2, 0);
}

#[test]
fn version_1_has_no_fixed_counter_whatever_the_leaf_says() {
    let odd = Dump { monitoring: [0x0728_0201, 0, 0, 0x0503], ..CORE_DUO };
    assert_eq!(shape(odd).2, 0);
}

#[test]
fn a_fixed_counter_may_be_listed_without_being_counted() {
    let sparse = Dump { monitoring: [0x0830_0805, 0, 0x8, 0x8602], ..SAPPHIRE_RAPIDS };
    assert_eq!(sparse.capabilities().unwrap().fixed.bits() >> 32, 0b1011);
}

#[test]
fn full_writes_are_used_where_the_capabilities_have_them() {
    let windows = [CORE_DUO, NEHALEM, SKYLAKE].map(|dump| dump.capabilities().unwrap().window());
    assert_eq!(windows, [Window::Narrow, Window::Narrow, Window::Full]);
}

#[test]
fn capabilities_are_not_read_where_cpuid_does_not_announce_them() {
    let cpuid = |leaf, subleaf| {
        let [eax, ebx, ecx, edx] = Dump { features: 0, ..SKYLAKE }.leaf(leaf, subleaf);
        CpuIdResult { eax, ebx, ecx, edx }
    };
    let capabilities = Capabilities::discover(&cpuid, || unreachable!("the register is absent")).unwrap();
    assert_eq!((capabilities.perf_capabilities, capabilities.window()), (None, Window::Narrow));
}

#[test]
fn capabilities_that_nothing_here_uses_are_kept() {
    let skylake = Dump { perf_capabilities: 0x33C5, ..SKYLAKE };
    assert_eq!(
        skylake.capabilities().unwrap().perf_capabilities.map(|bits| PerfCapabilities::bits(&bits)),
        Some(0x33C5)
    );
}

#[test]
fn a_set_bit_hides_an_architectural_event() {
    let events = NEHALEM.capabilities().unwrap().events;
    assert!(!events.contains(Architectural::BRANCH_MISSES) && !events.contains(Architectural::REFERENCE_CYCLES));
    assert!(events.contains(Architectural::BRANCHES | Architectural::CACHE_MISSES));
}

#[test]
fn an_event_beyond_the_vectors_length_is_hidden() {
    assert!(!SKYLAKE.capabilities().unwrap().events.contains(Architectural::SLOTS));
    assert!(SAPPHIRE_RAPIDS.capabilities().unwrap().events.contains(Architectural::SLOTS));
}

#[test]
fn leaf_23_overrules_leaf_0a() {
    let events = LION_COVE.capabilities().unwrap().events;
    assert!(events.contains(Architectural::SLOTS | Architectural::BRANCH_RECORDS));
    assert!(!events.contains(Architectural::BAD_SPECULATION));
}

#[test]
fn any_thread_came_with_version_3_and_went_with_version_5() {
    let has = |dump: Dump| dump.capabilities().unwrap().selectable.contains(Select::ANY_THREAD);
    assert_eq!([CORE_DUO, NEHALEM, SKYLAKE, SAPPHIRE_RAPIDS].map(has), [false, true, true, false]);
    assert!(!SAPPHIRE_RAPIDS.capabilities().unwrap().fixed_control().contains(FixedControl::ANY_THREAD));
}

#[test]
fn the_pins_went_with_sandy_bridge() {
    let has = |dump: Dump| dump.capabilities().unwrap().selectable.contains(Select::PIN_CONTROL);
    assert_eq!([CORE_DUO, NEHALEM, SKYLAKE].map(has), [true, true, false]);
}

#[test]
fn the_second_unit_mask_and_equality_came_with_version_6() {
    let news = Select::UNIT_MASK_2 | Select::EQUAL;
    assert!(LION_COVE.capabilities().unwrap().selectable.contains(news));
    assert!(!SAPPHIRE_RAPIDS.capabilities().unwrap().selectable.intersects(news));
}

#[test]
fn a_model_has_the_registers_beside_the_counters_that_its_manual_lists() {
    let besides =
        |dump: Dump| dump.capabilities().unwrap().auxiliaries.iter().map(|aux| aux.beside).collect::<Vec<_>>();
    assert_eq!(besides(CORE_DUO), []);
    assert_eq!(besides(NEHALEM), [AuxiliaryRegister::Offcore0]);
    assert_eq!(besides(SKYLAKE), AuxiliaryRegister::ALL);
}

/// CPUID.1AH:EAX, "Native Model ID": Alder Lake's large and small cores, and one that is not known yet.
#[test]
fn a_hybrids_cores_are_told_apart_by_the_cpu_that_is_asked() {
    let of = |signature, native| {
        let capabilities = Dump { signature, hybrid: Some(native), ..SAPPHIRE_RAPIDS }.capabilities().unwrap();
        (capabilities.core, capabilities.microarchitecture, capabilities.auxiliaries.first().map(|it| it.code))
    };
    const ALDER_LAKE: u32 = 0x9_0672;
    assert_eq!(of(ALDER_LAKE, 0x4000_0001), (Core::Large, Some(Microarchitecture::GoldenCove), Some(0x012A)));
    assert_eq!(of(ALDER_LAKE, 0x2000_0001), (Core::Small(1), Some(Microarchitecture::Gracemont), Some(0x01B7)));
    assert_eq!(of(ALDER_LAKE, 0x2000_00FF), (Core::Small(0xFF), None, None));
    assert_eq!(of(0xB_06D1, 0x2000_0003), (Core::Small(3), Some(Microarchitecture::Skymont), Some(0x01B7)));
    assert_eq!(SAPPHIRE_RAPIDS.capabilities().unwrap().core, Core::Alike);
}

/// The bits of MSR_OFFCORE_RSP_0, and the code of FRONTEND_RETIRED, for the last models.
#[test]
fn arrow_lake_u_is_a_meteor_lake_and_the_other_arrow_lakes_are_lion_coves() {
    let of = |signature: u32| {
        let auxiliaries = Dump { signature, ..LION_COVE }.capabilities().unwrap().auxiliaries;
        let of = |beside| auxiliaries.iter().find(|aux| aux.beside == beside).map(|aux| (aux.code, aux.mask));
        (of(AuxiliaryRegister::Offcore0), of(AuxiliaryRegister::Frontend))
    };
    let (meteor_lake, arrow_lake_u, arrow_lake) = (of(0xA_06A4), of(0xB_0650), of(0xC_0662));
    assert_eq!(meteor_lake, (Some((0x012A, 0x3F_FFFF_FFFF)), Some((0x03C6, 0x7F_FF1F))));
    assert_eq!(arrow_lake_u, meteor_lake);
    assert_eq!(arrow_lake, (Some((0x012A, 0xFFF_FFFF_FFFF)), Some((0x03C6, 0x7F_FF1F))));
}

/// What is said of a leaf with nothing in it.
const NO_COUNTER: Error = Error::NoUnit { reason: "CPUID leaf 0AH announces no counter, or none of a possible width" };

#[test]
fn a_processor_without_the_leaf_has_no_unit() {
    let none = Dump { monitoring: [0; 4], ..SKYLAKE };
    assert_eq!(
        none.capabilities().unwrap_err(),
        Error::NoUnit { reason: "CPUID leaf 0AH is missing, or its version is 0" }
    );
}

/// Signatures of a Pentium MMX, a Pentium III, a Pentium M (Dothan) and a Prescott. They have units that CPUID does not
/// announce.
#[test]
fn a_processor_from_before_the_leaf_has_another_driver_and_does_not_lack_a_unit() {
    let other = |family, model, driver| Error::OtherDriver { family, model, driver };
    let found = |signature| Dump { signature, monitoring: [0; 4], ..SKYLAKE }.capabilities().unwrap_err();
    assert_eq!(found(0x0543), other(5, 4, "P5"));
    assert_eq!(found(0x0683), other(6, 8, "P6"));
    assert_eq!(found(0x06D8), other(6, 0xD, "P6"));
    assert_eq!(found(0x0F41), other(0xF, 4, "Netburst"));
    assert!(matches!(found(0x06E8), Error::NoUnit { .. }), "Core Duo has the leaf");
}

#[test]
fn a_unit_without_counters_is_none() {
    let empty = Dump { monitoring: [0x0730_0004, 0, 0, 0], features: CAPABLE | HYPERVISOR, ..SKYLAKE };
    assert_eq!(empty.capabilities().unwrap_err(), NO_COUNTER);
}

#[test]
fn a_width_that_no_counter_has_is_not_trusted() {
    let narrow = Dump { monitoring: [0x0708_0404, 0, 0, 0x0603], ..SKYLAKE };
    assert_eq!(narrow.capabilities().unwrap_err(), NO_COUNTER);
}

#[test]
fn another_vendors_processor_is_named_and_refused() {
    let zen = Dump { vendor: [0x6874_7541, 0x444D_4163, 0x6974_6E65], signature: 0x00A2_0F12, ..SKYLAKE };
    assert_eq!(zen.capabilities().unwrap_err(), Error::UnknownProcessor { family: 0x19, model: 0x21 });
}

#[test]
fn counters_without_an_address_are_left_alone() {
    let vast = Dump { monitoring: [0x0730_2004, 0, 0, 0x060F], ..SKYLAKE };
    assert_eq!((shape(vast).1, shape(vast).2), (10, 7));
}

/// A processor of this signature, with a unit of version 3.
fn of_signature(signature: u32) -> Capabilities {
    dump(signature, [0x0730_0803, 0, 0, 0x0603]).capabilities().expect("it has a unit")
}

/// Errata BJ122, BV98 and HSD29: MEM_UOPS_RETIRED and its like, of Sandy Bridge, Ivy Bridge and Haswell, and of their
/// servers; not of Broadwell, nor other events.
#[test]
fn what_the_other_thread_does_is_said_to_leak_into_counts_of_memory_operations() {
    let leaks =
        |signature, code| of_signature(signature).miscount(Event::raw(code)) == Some(Miscount::LeaksBetweenThreads);
    let leaky = [0x2_06A7, 0x2_06D7, 0x3_06A9, 0x3_06E4, 0x3_06C3, 0x3_06F2, 0x4_0651, 0x4_0661];
    for signature in leaky {
        assert_eq!([0x81D0, 0x0CD1, 0x02D2, 0x01D3].map(|code| leaks(signature, code)), [true; 4], "{signature:#x}");
        assert_eq!([0x01CF, 0x01D4, 0x00C0].map(|code| leaks(signature, code)), [false; 3], "{signature:#x}");
    }
    assert_eq!([0x3_06D4, 0x5_06E3].map(|signature| leaks(signature, 0x81D0)), [false; 2]);
}

/// SDM vol. 4, Nehalem's MSRs: the scope of MSR_OFFCORE_RSP_0 is the core; from Sandy Bridge on it is the thread.
#[test]
fn an_event_whose_register_the_siblings_share_says_so() {
    let shares = |signature, code, auxiliary| {
        let event = Event::raw_with(code, auxiliary);
        of_signature(signature).miscount(event) == Some(Miscount::SharesRegisterWithSibling)
    };
    let (nehalem, westmere, sandy_bridge) = (0x1_06A4, 0x2_06C2, 0x2_06A7);
    assert_eq!([0x01B7, 0x01BB, 0x00C0].map(|code| shares(nehalem, code, 0x4711)), [true, false, false]);
    assert_eq!([0x01B7, 0x01BB, 0x00C0].map(|code| shares(westmere, code, 0x4711)), [true, true, false]);
    assert_eq!([0x01B7, 0x01BB].map(|code| shares(sandy_bridge, code, 0x1)), [false; 2]);
}

/// IA32_PERF_CAPABILITIES, bit 12 (SDM vol. 3, "IA32_DEBUGCTL MSR", FREEZE_WHILE_SMM).
#[test]
fn a_kernel_can_ask_whether_counting_can_freeze_in_smm() {
    let has = |bits| {
        let capabilities = Dump { perf_capabilities: bits, ..SKYLAKE }.capabilities().unwrap();
        capabilities.perf_capabilities.is_some_and(|has| has.contains(PerfCapabilities::FREEZE_IN_SMM))
    };
    assert_eq!([1 << 13, 1 << 13 | 1 << 12].map(has), [false, true]);
}

/// Erratum SRF7: Silvermont's and Goldmont's servers, Snow Ridge and Sierra Forest count both again; Clearwater Forest
/// instructions alone.
#[test]
fn small_cores_say_that_they_count_far_transfers_again() {
    let counts_again =
        |signature, event| of_signature(signature).miscount(event) == Some(Miscount::CountsTransfersAgain);
    let asked = [Event::INSTRUCTIONS, INSTRUCTIONS, Event::BRANCHES, BRANCHES, Event::CYCLES];
    for signature in [0x4_06D8, 0x5_06F1, 0x8_0665, 0xA_06F3] {
        assert_eq!(
            asked.map(|event| counts_again(signature, event)),
            [true, true, true, true, false],
            "{signature:#x}"
        );
    }
    assert_eq!(asked.map(|event| counts_again(0xD_06D0, event)), [true, true, false, false, false]);
    assert_eq!(asked.map(|event| counts_again(0x5_06E3, event)), [false; 5]);
}
