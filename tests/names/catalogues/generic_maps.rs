//! Generic events beside Linux's maps of them.
//!
//! Linux's codes are facts from torvalds/linux: `intel_perfmon_event_map` (arch/x86/events/intel/core.c),
//! `amd_perfmon_event_map`, `amd_zen2_perfmon_event_map` and `amd_zen4_perfmon_event_map` (arch/x86/events/amd/core.c),
//! `p6_perfmon_event_map` (arch/x86/events/intel/p6.c), `armv8_pmuv3_perf_map` (drivers/perf/arm_pmuv3.c), the
//! `*_generic_events` of arch/powerpc/perf, that of POWER4 from 5.8 and before, and `ultra3_perfmon_event_map` and
//! `niagara2_perfmon_event_map` (arch/sparc/kernel/perf_event.c). They are written in our layout of codes, which is
//! Linux's.

use pmu::arch::aarch64::pmuv3::{self, Pmuv3, Share};
use pmu::arch::loongarch::la64;
use pmu::arch::mips::mipsxx;
use pmu::arch::powerpc::{book3s, classic, embedded};
use pmu::arch::sparc::{niagara, ultrasparc};
use pmu::arch::x86::{Unattached, amd, intel, netburst, p6};
use pmu::driver::Plan;
use pmu::request::Generic;
use pmu::virt::{Kinds, Unconnected};
use pmu::{Event, Mode};

const COMPARED: [Generic; 7] = [
    Generic::Instructions,
    Generic::Cycles,
    Generic::ReferenceCycles,
    Generic::Branches,
    Generic::BranchMisses,
    Generic::CacheReferences,
    Generic::CacheMisses,
];

/// A processor's generic events in the order of [`COMPARED`], ours and Linux's; 0 for those that are refused.
struct Maps {
    processor: &'static str,
    ours: [u64; 7],
    linux: [u64; 7],
    inputs: String,
}

fn maps(processor: &'static str, driver: &impl Plan, linux: [u64; 7]) -> Maps {
    let ours = COMPARED.map(|generic| match driver.native(generic) {
        Ok(Event::Raw { code, .. }) => code,
        _ => 0,
    });
    Maps { processor, ours, linux, inputs: crate::catalogues::inputs::letters(driver) }
}

fn of_intel() -> Vec<Maps> {
    let linux = [0xC0, 0x3C, 0x0300, 0xC4, 0xC5, 0x4F2E, 0x412E];
    let of = |processor, identity: &intel::Identity, linux| {
        maps(processor, &crate::catalogues::intel::driver(identity), linux)
    };
    vec![
        of("Core Duo", &intel::Identity::CORE_DUO, linux),
        of("Core 2", &intel::Identity::CORE_2, linux),
        of("Nehalem", &intel::Identity::NEHALEM, [0xC0, 0x3C, 0x0300, 0xC4, 0x7F89, 0x4F2E, 0x412E]),
        of("Skylake", &intel::Identity::SKYLAKE, linux),
        of("Sapphire Rapids", &intel::Identity::SAPPHIRE_RAPIDS, linux),
    ]
}

fn of_p6() -> Vec<Maps> {
    let of = |processor, identity: &p6::Identity| {
        maps(processor, &crate::catalogues::p6::driver(identity), [0xC0, 0x79, 0, 0xC4, 0xC5, 0x0F2E, 0x012E])
    };
    vec![
        of("Pentium Pro", &p6::Identity::PENTIUM_PRO),
        of("Pentium II", &p6::Identity::PENTIUM_II),
        of("Pentium III", &p6::Identity::PENTIUM_III),
        of("Pentium M", &p6::Identity::PENTIUM_M),
    ]
}

fn of_amd() -> Vec<Maps> {
    let linux = [0xC0, 0x76, 0, 0xC2, 0xC3, 0x077D, 0x077E];
    let zen = [0xC0, 0x76, 0, 0xC2, 0xC3, 0xFF60, 0x0964];
    let of = |processor, identity: &amd::Identity, linux| {
        let device = amd::Device::new(identity, Kinds::CLOCK, Unconnected);
        maps(processor, &amd::Amd::new(device, Unattached, identity.capabilities()), linux)
    };
    vec![
        of("K7", &amd::Identity::K7, linux),
        of("K8", &amd::Identity::K8, linux),
        of("family 10h", &amd::Identity::FAMILY_10H, linux),
        of("family 15h", &amd::Identity::FAMILY_15H, linux),
        of("family 16h", &amd::Identity::FAMILY_16H, linux),
        of("Zen 2", &amd::Identity::ZEN_2, zen),
        of("Zen 4", &amd::Identity::ZEN_4, [0xC0, 0x76, 0x1_0000_0120, 0xC2, 0xC3, 0xFF60, 0x0964]),
    ]
}

/// `p4_general_events` (arch/x86/events/intel/p4.c).
fn of_netburst() -> Vec<Maps> {
    use netburst::CounterGroup;
    let linux = [
        CounterGroup::Iq.code(0x02, 4, 0x5),
        CounterGroup::Bpu.code(0x13, 6, 0x1),
        0,
        CounterGroup::Ms.code(0x04, 2, 0x1E),
        CounterGroup::Iq.code(0x03, 4, 0x1),
        CounterGroup::Bpu.code(0x0C, 7, 0x3F),
        CounterGroup::Bpu.code(0x0C, 7, 0x700),
    ];
    let identity = netburst::Identity::PENTIUM_4;
    let device = netburst::Device::new(&identity, Kinds::CLOCK, Unconnected);
    vec![maps("Pentium 4", &netburst::Netburst::new(device, Unattached, identity.capabilities()), linux)]
}

/// Linux counts PC_WRITE_RETIRED (0CH) where a core does not announce BR_RETIRED (21H).
fn of_arm() -> Vec<Maps> {
    let of = |processor, identity: &pmuv3::Identity, branches| {
        let registers = pmuv3::Device::new(identity, Kinds::CLOCK, Unconnected).driven_from(Mode::Kernel);
        let capabilities = pmuv3::Capabilities::discover(&registers).unwrap();
        let driver = Pmuv3::new(registers, capabilities, Share::WHOLE);
        maps(processor, &driver, [0x08, 0x11, 0, branches, 0x10, 0x04, 0x03])
    };
    vec![
        of("Cortex-A53", &pmuv3::Identity::CORTEX_A53, 0x0C),
        of("Cortex-A57", &pmuv3::Identity::CORTEX_A57, 0x0C),
        of("Neoverse N1", &pmuv3::Identity::NEOVERSE_N1, 0x21),
        of("Neoverse V1", &pmuv3::Identity::NEOVERSE_V1, 0x21),
        of("Neoverse N2", &pmuv3::Identity::NEOVERSE_N2, 0x21),
    ]
}

fn of_power() -> Vec<Maps> {
    let of = |processor, identity: &book3s::Identity, linux| {
        let device = book3s::Device::new(identity, Kinds::CLOCK, Unconnected);
        maps(processor, &book3s::Book3s::new(device, identity.capabilities()), linux)
    };
    use book3s::Identity as I;
    vec![
        of("POWER4", &I::POWER4, [0x1001, 0x07, 0, 0x330, 0x331, 0x8C10, 0x3C10]),
        of("970", &I::PPC970, [0x01, 0x07, 0, 0x431, 0x327, 0x8810, 0x3810]),
        of("POWER5", &I::POWER5, [0x10_0009, 0x0F, 0, 0x2_30E4, 0x2_30E5, 0x4C_1090, 0x3C_1088]),
        of("POWER5+", &I::POWER5_PLUS, [0x10_0009, 0x0F, 0, 0x2_30E4, 0x2_30E5, 0x1C_10A8, 0x3C_1088]),
        of("POWER6", &I::POWER6, [0x02, 0x1E, 0, 0x4_10A0, 0x40_0052, 0x28_0030, 0x30_000C]),
        of("POWER7", &I::POWER7, [0x02, 0x1E, 0, 0x1_0068, 0x4_00F6, 0xC880, 0x4_00F0]),
        of("POWER8", &I::POWER8, [0x02, 0x1E, 0, 0x1_0068, 0x4_00F6, 0x1_00EE, 0x3_E054]),
        of("POWER9", &I::POWER9, [0x02, 0x1E, 0, 0x4_D05E, 0x4_00F6, 0x1_00FC, 0x2_C04E]),
        of("POWER10", &I::POWER10, [0x5_00FA, 0x6_00F4, 0, 0x2_F04A, 0x3_E098, 0x1_00FC, 0x4_00F0]),
    ]
}

/// Linux drives no other classic or embedded processor of ours.
fn of_power32() -> Vec<Maps> {
    let identity = &classic::Identity::P7450;
    let device = classic::Device::new(identity, Kinds::CLOCK, Unconnected);
    let p7450 = classic::Classic::new(device, identity.capabilities());
    let of = |processor, identity: &embedded::Identity| {
        let device = embedded::Device::new(identity, Kinds::CLOCK, Unconnected);
        maps(processor, &embedded::Embedded::new(device, identity.capabilities()), [2, 1, 0, 12, 15, 0, 41])
    };
    vec![
        maps("7450", &p7450, [2, 1, 0, 0x122, 0x41C, 0, 0x217]),
        of("e500v2", &embedded::Identity::E500_V2),
        of("e500mc", &embedded::Identity::E500MC),
    ]
}

/// Linux has one table for III to IV+ (arch/sparc/kernel/perf_event.c, ultra3_perfmon_event_map), and one for T2 and T3
/// (niagara2_perfmon_event_map). T1's is not compared:
/// its codes do not say which counter they are on.
fn of_sparc() -> Vec<Maps> {
    let of = |processor, identity: &niagara::Identity| {
        let device = niagara::Device::new(identity, Kinds::CLOCK, Unconnected);
        let driver = niagara::Niagara::new(device, identity.capabilities());
        maps(processor, &driver, [0x2FF, 0x2FF, 0, 0x201, 0x202, 0x208, 0x302])
    };
    let older = |processor, identity: &ultrasparc::Identity| {
        let device = ultrasparc::Device::new(identity, Kinds::CLOCK, Unconnected);
        let driver = ultrasparc::UltraSparc::new(device, identity.capabilities());
        maps(processor, &driver, [1, 0, 0, 0, 0, 0x109, 0x209])
    };
    vec![
        older("UltraSPARC III", &ultrasparc::Identity::III),
        older("UltraSPARC IV+", &ultrasparc::Identity::IV_PLUS),
        of("UltraSPARC T2", &niagara::Identity::T2),
        of("SPARC T3", &niagara::Identity::T3),
    ]
}

/// `mipsxxcore_event_map`, `mipsxx74Kcore_event_map` and `octeon_event_map` (arch/mips/kernel/perf_event_mipsxx.c). An
/// event of the odd counters has bit 10 here. Cycles are event 0, on Octeon 1.
fn of_mips() -> Vec<Maps> {
    let of = |processor, identity: &mipsxx::Identity, linux| {
        let device = mipsxx::Device::new(identity, Kinds::CLOCK, Unconnected);
        maps(processor, &mipsxx::Mipsxx::new(device, identity.capabilities()), linux)
    };
    vec![
        of("MIPS 24K", &mipsxx::Identity::M24K, [1, 0, 0, 2, 0x402, 0, 0]),
        of("MIPS 34K", &mipsxx::Identity::M34K, [1, 0, 0, 2, 0x402, 0, 0]),
        of("MIPS 74K", &mipsxx::Identity::M74K, [1, 0, 0, 0x27, 0x427, 0, 0]),
        of("MIPS 1004K", &mipsxx::Identity::M1004K, [1, 0, 0, 2, 0x402, 0, 0]),
        of("Octeon", &mipsxx::Identity::OCTEON, [3, 1, 0, 8, 9, 0x2B, 0x2E]),
        of("Octeon II", &mipsxx::Identity::OCTEON_II, [3, 1, 0, 8, 9, 0x2B, 0x2E]),
    ]
}

/// `loongson_event_map` (arch/loongarch/kernel/perf_event.c). Cycles are event 0.
fn of_loongarch() -> Vec<Maps> {
    let identity = la64::Identity::LOONGSON_3A6000;
    let device = la64::Device::new(&identity, Kinds::CLOCK, Unconnected);
    vec![maps("3A6000", &la64::La64::new(device, identity.capabilities()), [1, 0, 0, 2, 3, 8, 9])]
}

/// Those of all vendors.
fn all() -> impl Iterator<Item = Maps> {
    let risc = [of_arm(), of_power(), of_power32(), of_sparc(), of_mips(), of_loongarch()];
    [of_intel(), of_p6(), of_amd(), of_netburst()].into_iter().chain(risc).flatten()
}

fn code(code: u64) -> String {
    if code == 0 { "none".into() } else { format!("{code:#x}") }
}

/// The differences, as the guide's table has them: processor, event, our code, Linux's.
fn differences() -> Vec<String> {
    all()
        .flat_map(|Maps { processor, ours, linux, .. }| {
            let rows = COMPARED.into_iter().zip(ours.into_iter().zip(linux));
            let differing = rows.filter(|(_, (ours, linux))| ours != linux);
            let line = move |(generic, (ours, linux)): (Generic, (u64, u64))| {
                format!("| {processor} | {} | {} | {} |", generic.name(), code(ours), code(linux))
            };
            differing.map(line)
        })
        .collect()
}

/// The inputs of perfex's statistics that each processor counts, as [`crate::catalogues::inputs::letters`] has them.
#[test]
fn the_inputs_of_perfexs_statistics_are_events_of_each_processor() {
    let counted: Vec<_> = all().map(|maps| (maps.processor, maps.inputs)).collect();
    let wanted = [
        ("Core Duo", "CIF--BM12"),
        ("Core 2", "CIFLSBM12"),
        ("Nehalem", "CIFLSBM12"),
        ("Skylake", "CI-LSBM12"),
        ("Sapphire Rapids", "CIFLSBM12"),
        ("Pentium Pro", "CIF--BM12"),
        ("Pentium II", "CIF--BM12"),
        ("Pentium III", "CIF--BM12"),
        ("Pentium M", "CIF--BM12"),
        ("K7", "CI---BM12"),
        ("K8", "CIF--BM12"),
        ("family 10h", "CIF--BM12"),
        ("family 15h", "CIF--BM12"),
        ("family 16h", "CIF--BM1-"),
        ("Zen 2", "CIF--BM-2"),
        ("Zen 4", "CIF--BM12"),
        ("Pentium 4", "CI---BM12"),
        ("Cortex-A53", "CI-LSBM12"),
        ("Cortex-A57", "CIFLSBM12"),
        ("Neoverse N1", "CIFLSBM12"),
        ("Neoverse V1", "CIFLSBM12"),
        ("Neoverse N2", "CIFLSBM12"),
        ("POWER4", "CIFLSBM1-"),
        ("970", "CIFLSBM12"),
        ("POWER5", "CIFLSBM12"),
        ("POWER5+", "CIFLSBM12"),
        ("POWER6", "CIFLSBM12"),
        ("POWER7", "CIFLSBM12"),
        ("POWER8", "CIFLSBM12"),
        ("POWER9", "CIFLSBM12"),
        ("POWER10", "CIFLSBM12"),
        ("7450", "CI--SBM1-"),
        ("e500v2", "CI-LSBM--"),
        ("e500mc", "CI-LSBM--"),
        ("UltraSPARC III", "CI---BM12"),
        ("UltraSPARC IV+", "CI----M12"),
        ("UltraSPARC T2", "-IFLSB-1-"),
        ("SPARC T3", "-IFLSB-1-"),
        ("MIPS 24K", "CI-LSBM12"),
        ("MIPS 34K", "CI-LSBM12"),
        ("MIPS 74K", "CIFLSBM12"),
        ("MIPS 1004K", "CI-LSBM12"),
        ("Octeon", "CI---BM--"),
        ("Octeon II", "CI---BM--"),
        ("3A6000", "CI---BM1-"),
    ];
    assert_eq!(counted, wanted.map(|(processor, inputs)| (processor, inputs.to_owned())));
}

const GUIDE: &str = include_str!("../../../docs/tables.md");

#[test]
fn a_generic_event_is_linuxs_or_the_guide_lists_the_difference_with_its_reason() {
    let listed =
        |line: &&String| GUIDE.lines().any(|row| row.starts_with(line.as_str()) && row.len() > line.len() + 10);
    let differences = differences();
    let unlisted: Vec<_> = differences.iter().filter(|line| !listed(line)).collect();
    assert!(unlisted.is_empty(), "{unlisted:#?}");
    let section = GUIDE.split("## ").find(|section| section.starts_with("Linux")).expect("the guide has the section");
    let rows = section.lines().filter(|row| row.starts_with("| ") && !row.starts_with("| processor"));
    let stale: Vec<_> = rows.filter(|row| !differences.iter().any(|line| row.starts_with(line.as_str()))).collect();
    assert!(stale.is_empty(), "{stale:#?}");
}

#[test]
fn branches_and_caches_of_processors_before_power7_are_counted() {
    for Maps { processor, ours, .. } in of_power() {
        assert!(ours[3..].iter().all(|&code| code != 0), "{processor}: {ours:#x?}");
    }
}

#[test]
fn the_counters_that_the_guide_corrects_are_our_tables() {
    let driver = crate::catalogues::intel::driver(&intel::Identity::CORE_2);
    let corrected = GUIDE.lines().filter(|row| row.starts_with("| OProfile | Core 2 |") && row.contains("| counter "));
    let mut rows = 0;
    for row in corrected {
        let columns: Vec<_> = row.split('|').map(str::trim).collect();
        let named = driver.catalogue().named(columns[3].trim_matches('`')).expect("it is an event of Core 2");
        assert_eq!(format!("counter {}", named.counters.bits().trailing_zeros()), columns[5], "{row}");
        assert_eq!(named.counters.len(), 1, "{row}");
        rows += 1;
    }
    assert_eq!(rows, 7);
}
