//! No name has been lost since commit 534654b, which had 24,843 in 99 tables.

use std::collections::BTreeSet;

use pmu::text::catalogue::Catalogue;

/// The names of that commit, as hashes.
const KEPT: &str = include_str!("kept.txt");

const TABLES: [(&str, &Catalogue); 99] = [
    ("aarch64::pmuv3::catalogue::COMMON", &Catalogue::ARM_COMMON[0]),
    ("aarch64::pmuv3::catalogue::CORTEX_A510", &Catalogue::CORTEX_A510[0]),
    ("aarch64::pmuv3::catalogue::CORTEX_A520", &Catalogue::CORTEX_A520[0]),
    ("aarch64::pmuv3::catalogue::CORTEX_A53", &Catalogue::CORTEX_A53[0]),
    ("aarch64::pmuv3::catalogue::CORTEX_A55", &Catalogue::CORTEX_A55[0]),
    ("aarch64::pmuv3::catalogue::CORTEX_A57", &Catalogue::CORTEX_A57[0]),
    ("aarch64::pmuv3::catalogue::CORTEX_A65", &Catalogue::CORTEX_A65[0]),
    ("aarch64::pmuv3::catalogue::CORTEX_A710", &Catalogue::CORTEX_A710[0]),
    ("aarch64::pmuv3::catalogue::CORTEX_A715", &Catalogue::CORTEX_A715[0]),
    ("aarch64::pmuv3::catalogue::CORTEX_A720", &Catalogue::CORTEX_A720[0]),
    ("aarch64::pmuv3::catalogue::CORTEX_A72", &Catalogue::CORTEX_A72[0]),
    ("aarch64::pmuv3::catalogue::CORTEX_A73", &Catalogue::CORTEX_A73[0]),
    ("aarch64::pmuv3::catalogue::CORTEX_A75", &Catalogue::CORTEX_A75[0]),
    ("aarch64::pmuv3::catalogue::CORTEX_A76", &Catalogue::CORTEX_A76[0]),
    ("aarch64::pmuv3::catalogue::CORTEX_A77", &Catalogue::CORTEX_A77[0]),
    ("aarch64::pmuv3::catalogue::CORTEX_A78", &Catalogue::CORTEX_A78[0]),
    ("aarch64::pmuv3::catalogue::CORTEX_X1", &Catalogue::CORTEX_X1[0]),
    ("aarch64::pmuv3::catalogue::CORTEX_X2", &Catalogue::CORTEX_X2[0]),
    ("aarch64::pmuv3::catalogue::CORTEX_X3", &Catalogue::CORTEX_X3[0]),
    ("aarch64::pmuv3::catalogue::CORTEX_X4", &Catalogue::CORTEX_X4[0]),
    ("aarch64::pmuv3::catalogue::NEOVERSE_E1", &Catalogue::NEOVERSE_E1[0]),
    ("aarch64::pmuv3::catalogue::NEOVERSE_N1", &Catalogue::NEOVERSE_N1[0]),
    ("aarch64::pmuv3::catalogue::NEOVERSE_N2", &Catalogue::NEOVERSE_N2[0]),
    ("aarch64::pmuv3::catalogue::NEOVERSE_N3", &Catalogue::NEOVERSE_N3[0]),
    ("aarch64::pmuv3::catalogue::NEOVERSE_V1", &Catalogue::NEOVERSE_V1[0]),
    ("aarch64::pmuv3::catalogue::NEOVERSE_V2", &Catalogue::NEOVERSE_V2[0]),
    ("aarch64::pmuv3::catalogue::NEOVERSE_V3", &Catalogue::NEOVERSE_V3[0]),
    ("powerpc::book3s::catalogue::POWER10", Catalogue::POWER10),
    ("powerpc::book3s::catalogue::POWER4", Catalogue::POWER4),
    ("powerpc::book3s::catalogue::POWER5", Catalogue::POWER5),
    ("powerpc::book3s::catalogue::POWER5_PLUS", Catalogue::POWER5_PLUS),
    ("powerpc::book3s::catalogue::POWER6", Catalogue::POWER6),
    ("powerpc::book3s::catalogue::POWER7", Catalogue::POWER7),
    ("powerpc::book3s::catalogue::POWER8", Catalogue::POWER8),
    ("powerpc::book3s::catalogue::POWER9", Catalogue::POWER9),
    ("powerpc::book3s::catalogue::PPC970", Catalogue::PPC970),
    ("powerpc::book3s::catalogue::PPC970MP", Catalogue::PPC970MP),
    ("powerpc::classic::catalogue::P604", Catalogue::P604),
    ("powerpc::classic::catalogue::P604E", Catalogue::P604E),
    ("powerpc::classic::catalogue::P7400", Catalogue::P7400),
    ("powerpc::classic::catalogue::P745X", Catalogue::P745X),
    ("powerpc::classic::catalogue::P750", Catalogue::P750),
    ("powerpc::embedded::catalogue::E300", Catalogue::E300),
    ("powerpc::embedded::catalogue::E500", Catalogue::E500),
    ("powerpc::embedded::catalogue::E500MC", Catalogue::E500MC),
    ("x86::amd::catalogue::FAMILY_10H", Catalogue::AMD_FAMILY_10H),
    ("x86::amd::catalogue::FAMILY_11H", Catalogue::AMD_FAMILY_11H),
    ("x86::amd::catalogue::FAMILY_12H", Catalogue::AMD_FAMILY_12H),
    ("x86::amd::catalogue::FAMILY_14H", Catalogue::AMD_FAMILY_14H),
    ("x86::amd::catalogue::FAMILY_15H", Catalogue::AMD_FAMILY_15H),
    ("x86::amd::catalogue::FAMILY_16H", Catalogue::AMD_FAMILY_16H),
    ("x86::amd::catalogue::HAMMER", Catalogue::HAMMER),
    ("x86::amd::catalogue::K7", Catalogue::K7),
    ("x86::amd::catalogue::ZEN_1", Catalogue::ZEN_1),
    ("x86::amd::catalogue::ZEN_2", Catalogue::ZEN_2),
    ("x86::amd::catalogue::ZEN_3", Catalogue::ZEN_3),
    ("x86::amd::catalogue::ZEN_4", Catalogue::ZEN_4),
    ("x86::amd::catalogue::ZEN_5", Catalogue::ZEN_5),
    ("x86::intel::catalogue::ALDER_LAKE", Catalogue::ALDER_LAKE),
    ("x86::intel::catalogue::ARCHITECTURAL", Catalogue::INTEL_ARCHITECTURAL),
    ("x86::intel::catalogue::ARROW_LAKE", Catalogue::ARROW_LAKE),
    ("x86::intel::catalogue::BONNELL", Catalogue::BONNELL),
    ("x86::intel::catalogue::BROADWELL", Catalogue::BROADWELL),
    ("x86::intel::catalogue::BROADWELL_DE", Catalogue::BROADWELL_DE),
    ("x86::intel::catalogue::BROADWELL_EP", Catalogue::BROADWELL_EP),
    ("x86::intel::catalogue::CORE_2", Catalogue::CORE_2),
    ("x86::intel::catalogue::CORE_DUO", Catalogue::CORE_DUO),
    ("x86::intel::catalogue::CRESTMONT", Catalogue::CRESTMONT),
    ("x86::intel::catalogue::CRESTMONT_H", Catalogue::CRESTMONT_H),
    ("x86::intel::catalogue::EMERALD_RAPIDS", Catalogue::EMERALD_RAPIDS),
    ("x86::intel::catalogue::GOLDMONT", Catalogue::GOLDMONT),
    ("x86::intel::catalogue::GOLDMONT_PLUS", Catalogue::GOLDMONT_PLUS),
    ("x86::intel::catalogue::GRACEMONT", Catalogue::GRACEMONT),
    ("x86::intel::catalogue::GRAND_RIDGE", Catalogue::GRAND_RIDGE),
    ("x86::intel::catalogue::GRANITE_RAPIDS", Catalogue::GRANITE_RAPIDS),
    ("x86::intel::catalogue::HASWELL", Catalogue::HASWELL),
    ("x86::intel::catalogue::HASWELL_EP", Catalogue::HASWELL_EP),
    ("x86::intel::catalogue::ICE_LAKE", Catalogue::ICE_LAKE),
    ("x86::intel::catalogue::ICE_LAKE_SP", Catalogue::ICE_LAKE_SP),
    ("x86::intel::catalogue::IVY_BRIDGE", Catalogue::IVY_BRIDGE),
    ("x86::intel::catalogue::IVY_BRIDGE_EP", Catalogue::IVY_BRIDGE_EP),
    ("x86::intel::catalogue::LUNAR_LAKE", Catalogue::LUNAR_LAKE),
    ("x86::intel::catalogue::METEOR_LAKE", Catalogue::METEOR_LAKE),
    ("x86::intel::catalogue::NEHALEM", Catalogue::NEHALEM),
    ("x86::intel::catalogue::NEHALEM_EX", Catalogue::NEHALEM_EX),
    ("x86::intel::catalogue::SANDY_BRIDGE", Catalogue::SANDY_BRIDGE),
    ("x86::intel::catalogue::SANDY_BRIDGE_EP", Catalogue::SANDY_BRIDGE_EP),
    ("x86::intel::catalogue::SAPPHIRE_RAPIDS", Catalogue::SAPPHIRE_RAPIDS),
    ("x86::intel::catalogue::SIERRA_FOREST", Catalogue::SIERRA_FOREST),
    ("x86::intel::catalogue::SILVERMONT", Catalogue::SILVERMONT),
    ("x86::intel::catalogue::SKYLAKE", Catalogue::SKYLAKE),
    ("x86::intel::catalogue::SKYLAKE_SP", Catalogue::SKYLAKE_SP),
    ("x86::intel::catalogue::SKYMONT", Catalogue::SKYMONT),
    ("x86::intel::catalogue::SKYMONT_OF_LUNAR_LAKE", Catalogue::SKYMONT_OF_LUNAR_LAKE),
    ("x86::intel::catalogue::TIGER_LAKE", Catalogue::TIGER_LAKE),
    ("x86::intel::catalogue::TREMONT", Catalogue::TREMONT),
    ("x86::intel::catalogue::WESTMERE", Catalogue::WESTMERE),
    ("x86::intel::catalogue::WESTMERE_EP", Catalogue::WESTMERE_EP),
    ("x86::intel::catalogue::WESTMERE_EX", Catalogue::WESTMERE_EX),
];

/// The upper 24 bits of FNV-1a's 32.
fn hash(name: &str) -> u32 {
    name.bytes().fold(0x811C_9DC5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)) >> 8
}

fn hashes(line: &str) -> impl Iterator<Item = u32> {
    line.as_bytes().chunks(6).map(|digits| u32::from_str_radix(str::from_utf8(digits).unwrap(), 16).unwrap())
}

#[test]
fn no_name_is_lost() {
    let (mut table, mut names, mut count) = ("", BTreeSet::new(), 0);
    for line in KEPT.lines().filter(|line| !line.starts_with('#')) {
        let Some(line) = line.strip_prefix("  ") else {
            let (_, catalogue) = TABLES.iter().find(|(path, _)| *path == line).expect("the table is there");
            names = catalogue.events.iter().map(|event| hash(&event.name.text().to_ascii_lowercase())).collect();
            table = line;
            continue;
        };
        for name in hashes(line) {
            assert!(names.contains(&name), "{table} has lost the name with the hash {name:06x}");
            count += 1;
        }
    }
    assert_eq!(count, 24_843);
}
