//! No name has been lost since commit 534654b, which had 24,843 in 99 tables.

use std::collections::BTreeSet;

use pmu::arch;
use pmu::text::catalogue::Catalogue;

/// The names of that commit, as hashes.
const KEPT: &str = include_str!("kept.txt");

const TABLES: [(&str, &Catalogue); 99] = [
    ("aarch64::pmuv3::catalogue::COMMON", &arch::aarch64::pmuv3::Catalogues::COMMON[0]),
    ("aarch64::pmuv3::catalogue::CORTEX_A510", &arch::aarch64::pmuv3::Catalogues::CORTEX_A510[0]),
    ("aarch64::pmuv3::catalogue::CORTEX_A520", &arch::aarch64::pmuv3::Catalogues::CORTEX_A520[0]),
    ("aarch64::pmuv3::catalogue::CORTEX_A53", &arch::aarch64::pmuv3::Catalogues::CORTEX_A53[0]),
    ("aarch64::pmuv3::catalogue::CORTEX_A55", &arch::aarch64::pmuv3::Catalogues::CORTEX_A55[0]),
    ("aarch64::pmuv3::catalogue::CORTEX_A57", &arch::aarch64::pmuv3::Catalogues::CORTEX_A57[0]),
    ("aarch64::pmuv3::catalogue::CORTEX_A65", &arch::aarch64::pmuv3::Catalogues::CORTEX_A65[0]),
    ("aarch64::pmuv3::catalogue::CORTEX_A710", &arch::aarch64::pmuv3::Catalogues::CORTEX_A710[0]),
    ("aarch64::pmuv3::catalogue::CORTEX_A715", &arch::aarch64::pmuv3::Catalogues::CORTEX_A715[0]),
    ("aarch64::pmuv3::catalogue::CORTEX_A720", &arch::aarch64::pmuv3::Catalogues::CORTEX_A720[0]),
    ("aarch64::pmuv3::catalogue::CORTEX_A72", &arch::aarch64::pmuv3::Catalogues::CORTEX_A72[0]),
    ("aarch64::pmuv3::catalogue::CORTEX_A73", &arch::aarch64::pmuv3::Catalogues::CORTEX_A73[0]),
    ("aarch64::pmuv3::catalogue::CORTEX_A75", &arch::aarch64::pmuv3::Catalogues::CORTEX_A75[0]),
    ("aarch64::pmuv3::catalogue::CORTEX_A76", &arch::aarch64::pmuv3::Catalogues::CORTEX_A76[0]),
    ("aarch64::pmuv3::catalogue::CORTEX_A77", &arch::aarch64::pmuv3::Catalogues::CORTEX_A77[0]),
    ("aarch64::pmuv3::catalogue::CORTEX_A78", &arch::aarch64::pmuv3::Catalogues::CORTEX_A78[0]),
    ("aarch64::pmuv3::catalogue::CORTEX_X1", &arch::aarch64::pmuv3::Catalogues::CORTEX_X1[0]),
    ("aarch64::pmuv3::catalogue::CORTEX_X2", &arch::aarch64::pmuv3::Catalogues::CORTEX_X2[0]),
    ("aarch64::pmuv3::catalogue::CORTEX_X3", &arch::aarch64::pmuv3::Catalogues::CORTEX_X3[0]),
    ("aarch64::pmuv3::catalogue::CORTEX_X4", &arch::aarch64::pmuv3::Catalogues::CORTEX_X4[0]),
    ("aarch64::pmuv3::catalogue::NEOVERSE_E1", &arch::aarch64::pmuv3::Catalogues::NEOVERSE_E1[0]),
    ("aarch64::pmuv3::catalogue::NEOVERSE_N1", &arch::aarch64::pmuv3::Catalogues::NEOVERSE_N1[0]),
    ("aarch64::pmuv3::catalogue::NEOVERSE_N2", &arch::aarch64::pmuv3::Catalogues::NEOVERSE_N2[0]),
    ("aarch64::pmuv3::catalogue::NEOVERSE_N3", &arch::aarch64::pmuv3::Catalogues::NEOVERSE_N3[0]),
    ("aarch64::pmuv3::catalogue::NEOVERSE_V1", &arch::aarch64::pmuv3::Catalogues::NEOVERSE_V1[0]),
    ("aarch64::pmuv3::catalogue::NEOVERSE_V2", &arch::aarch64::pmuv3::Catalogues::NEOVERSE_V2[0]),
    ("aarch64::pmuv3::catalogue::NEOVERSE_V3", &arch::aarch64::pmuv3::Catalogues::NEOVERSE_V3[0]),
    ("powerpc::book3s::catalogue::POWER10", arch::powerpc::book3s::Catalogues::POWER10),
    ("powerpc::book3s::catalogue::POWER4", arch::powerpc::book3s::Catalogues::POWER4),
    ("powerpc::book3s::catalogue::POWER5", arch::powerpc::book3s::Catalogues::POWER5),
    ("powerpc::book3s::catalogue::POWER5_PLUS", arch::powerpc::book3s::Catalogues::POWER5_PLUS),
    ("powerpc::book3s::catalogue::POWER6", arch::powerpc::book3s::Catalogues::POWER6),
    ("powerpc::book3s::catalogue::POWER7", arch::powerpc::book3s::Catalogues::POWER7),
    ("powerpc::book3s::catalogue::POWER8", arch::powerpc::book3s::Catalogues::POWER8),
    ("powerpc::book3s::catalogue::POWER9", arch::powerpc::book3s::Catalogues::POWER9),
    ("powerpc::book3s::catalogue::PPC970", arch::powerpc::book3s::Catalogues::PPC970),
    ("powerpc::book3s::catalogue::PPC970MP", arch::powerpc::book3s::Catalogues::PPC970MP),
    ("powerpc::classic::catalogue::P604", arch::powerpc::classic::Catalogues::P604),
    ("powerpc::classic::catalogue::P604E", arch::powerpc::classic::Catalogues::P604E),
    ("powerpc::classic::catalogue::P7400", arch::powerpc::classic::Catalogues::P7400),
    ("powerpc::classic::catalogue::P745X", arch::powerpc::classic::Catalogues::P745X),
    ("powerpc::classic::catalogue::P750", arch::powerpc::classic::Catalogues::P750),
    ("powerpc::embedded::catalogue::E300", arch::powerpc::embedded::Catalogues::E300),
    ("powerpc::embedded::catalogue::E500", arch::powerpc::embedded::Catalogues::E500),
    ("powerpc::embedded::catalogue::E500MC", arch::powerpc::embedded::Catalogues::E500MC),
    ("x86::amd::catalogue::FAMILY_10H", arch::x86::amd::Catalogues::FAMILY_10H),
    ("x86::amd::catalogue::FAMILY_11H", arch::x86::amd::Catalogues::FAMILY_11H),
    ("x86::amd::catalogue::FAMILY_12H", arch::x86::amd::Catalogues::FAMILY_12H),
    ("x86::amd::catalogue::FAMILY_14H", arch::x86::amd::Catalogues::FAMILY_14H),
    ("x86::amd::catalogue::FAMILY_15H", arch::x86::amd::Catalogues::FAMILY_15H),
    ("x86::amd::catalogue::FAMILY_16H", arch::x86::amd::Catalogues::FAMILY_16H),
    ("x86::amd::catalogue::HAMMER", arch::x86::amd::Catalogues::HAMMER),
    ("x86::amd::catalogue::K7", arch::x86::amd::Catalogues::K7),
    ("x86::amd::catalogue::ZEN_1", arch::x86::amd::Catalogues::ZEN_1),
    ("x86::amd::catalogue::ZEN_2", arch::x86::amd::Catalogues::ZEN_2),
    ("x86::amd::catalogue::ZEN_3", arch::x86::amd::Catalogues::ZEN_3),
    ("x86::amd::catalogue::ZEN_4", arch::x86::amd::Catalogues::ZEN_4),
    ("x86::amd::catalogue::ZEN_5", arch::x86::amd::Catalogues::ZEN_5),
    ("x86::intel::catalogue::ALDER_LAKE", arch::x86::intel::Catalogues::ALDER_LAKE),
    ("x86::intel::catalogue::ARCHITECTURAL", arch::x86::intel::Catalogues::ARCHITECTURAL),
    ("x86::intel::catalogue::ARROW_LAKE", arch::x86::intel::Catalogues::ARROW_LAKE),
    ("x86::intel::catalogue::BONNELL", arch::x86::intel::Catalogues::BONNELL),
    ("x86::intel::catalogue::BROADWELL", arch::x86::intel::Catalogues::BROADWELL),
    ("x86::intel::catalogue::BROADWELL_DE", arch::x86::intel::Catalogues::BROADWELL_DE),
    ("x86::intel::catalogue::BROADWELL_EP", arch::x86::intel::Catalogues::BROADWELL_EP),
    ("x86::intel::catalogue::CORE_2", arch::x86::intel::Catalogues::CORE_2),
    ("x86::intel::catalogue::CORE_DUO", arch::x86::intel::Catalogues::CORE_DUO),
    ("x86::intel::catalogue::CRESTMONT", arch::x86::intel::Catalogues::CRESTMONT),
    ("x86::intel::catalogue::CRESTMONT_H", arch::x86::intel::Catalogues::CRESTMONT_H),
    ("x86::intel::catalogue::EMERALD_RAPIDS", arch::x86::intel::Catalogues::EMERALD_RAPIDS),
    ("x86::intel::catalogue::GOLDMONT", arch::x86::intel::Catalogues::GOLDMONT),
    ("x86::intel::catalogue::GOLDMONT_PLUS", arch::x86::intel::Catalogues::GOLDMONT_PLUS),
    ("x86::intel::catalogue::GRACEMONT", arch::x86::intel::Catalogues::GRACEMONT),
    ("x86::intel::catalogue::GRAND_RIDGE", arch::x86::intel::Catalogues::GRAND_RIDGE),
    ("x86::intel::catalogue::GRANITE_RAPIDS", arch::x86::intel::Catalogues::GRANITE_RAPIDS),
    ("x86::intel::catalogue::HASWELL", arch::x86::intel::Catalogues::HASWELL),
    ("x86::intel::catalogue::HASWELL_EP", arch::x86::intel::Catalogues::HASWELL_EP),
    ("x86::intel::catalogue::ICE_LAKE", arch::x86::intel::Catalogues::ICE_LAKE),
    ("x86::intel::catalogue::ICE_LAKE_SP", arch::x86::intel::Catalogues::ICE_LAKE_SP),
    ("x86::intel::catalogue::IVY_BRIDGE", arch::x86::intel::Catalogues::IVY_BRIDGE),
    ("x86::intel::catalogue::IVY_BRIDGE_EP", arch::x86::intel::Catalogues::IVY_BRIDGE_EP),
    ("x86::intel::catalogue::LUNAR_LAKE", arch::x86::intel::Catalogues::LUNAR_LAKE),
    ("x86::intel::catalogue::METEOR_LAKE", arch::x86::intel::Catalogues::METEOR_LAKE),
    ("x86::intel::catalogue::NEHALEM", arch::x86::intel::Catalogues::NEHALEM),
    ("x86::intel::catalogue::NEHALEM_EX", arch::x86::intel::Catalogues::NEHALEM_EX),
    ("x86::intel::catalogue::SANDY_BRIDGE", arch::x86::intel::Catalogues::SANDY_BRIDGE),
    ("x86::intel::catalogue::SANDY_BRIDGE_EP", arch::x86::intel::Catalogues::SANDY_BRIDGE_EP),
    ("x86::intel::catalogue::SAPPHIRE_RAPIDS", arch::x86::intel::Catalogues::SAPPHIRE_RAPIDS),
    ("x86::intel::catalogue::SIERRA_FOREST", arch::x86::intel::Catalogues::SIERRA_FOREST),
    ("x86::intel::catalogue::SILVERMONT", arch::x86::intel::Catalogues::SILVERMONT),
    ("x86::intel::catalogue::SKYLAKE", arch::x86::intel::Catalogues::SKYLAKE),
    ("x86::intel::catalogue::SKYLAKE_SP", arch::x86::intel::Catalogues::SKYLAKE_SP),
    ("x86::intel::catalogue::SKYMONT", arch::x86::intel::Catalogues::SKYMONT),
    ("x86::intel::catalogue::SKYMONT_OF_LUNAR_LAKE", arch::x86::intel::Catalogues::SKYMONT_OF_LUNAR_LAKE),
    ("x86::intel::catalogue::TIGER_LAKE", arch::x86::intel::Catalogues::TIGER_LAKE),
    ("x86::intel::catalogue::TREMONT", arch::x86::intel::Catalogues::TREMONT),
    ("x86::intel::catalogue::WESTMERE", arch::x86::intel::Catalogues::WESTMERE),
    ("x86::intel::catalogue::WESTMERE_EP", arch::x86::intel::Catalogues::WESTMERE_EP),
    ("x86::intel::catalogue::WESTMERE_EX", arch::x86::intel::Catalogues::WESTMERE_EX),
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
