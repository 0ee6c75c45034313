//! The cores that have events of their own, each with its number and its table.
//!
//! A line has what the table is of, its constant, MIDR_EL1.Implementer and PartNum, and the catalogue.
//!
//! Source of the part numbers: each core's Technical Reference Manual, MIDR_EL1; ARM-software/data, cpus.json;
//! ARM-software/gator, daemon/pmus.xml, also for cores that have the events of another; and, for cores that are not Arm's,
//! torvalds/linux, arch/arm64/include/asm/cputype.h and tools/perf/pmu-events/arch/arm64/mapfile.csv, and libpfm4,
//! lib/pfmlib_arm_armv8.c and pfmlib_arm_armv9.c.

use super::{catalogue, each, presets, tables, without_branches, without_reference};
use crate::event::catalogue::{Catalogue, Presets, Table};

const fn core(unit: &'static str, events: &'static Table, presets: Presets) -> Catalogue {
    catalogue(unit, events).with_presets(presets)
}

/// Makes a constant of each line, and a function that finds them.
macro_rules! cores {
    ($($name:literal, $constant:ident, $($number:literal)|+ => $catalogue:expr;)*) => {
        /// The tables of events by name of cores with PMUv3, Arm's and others'.
        impl Catalogue {
            $(
                #[doc = concat!("The events of ", $name, ": for units without thresholds, with edges, with thresholds,")]
                #[doc = " and with both."]
                pub const $constant: &'static [Catalogue; 4] = &each($catalogue);
            )*
        }

        /// Returns the tables of the core with this number, if it has its own.
        pub(super) fn of_core(number: u32) -> Option<&'static [Catalogue; 4]> {
            match number {
                $($($number)|+ => Some(Catalogue::$constant),)*
                _ => None,
            }
        }
    };
}

cores! {
    "Cortex-A32", CORTEX_A32, 0x4100_D010 =>
        without_branches(core("arm/armv8-ca32", &tables::CORTEX_A32, presets::CORTEX_A34));
    "Cortex-A34", CORTEX_A34, 0x4100_D020 =>
        without_branches(core("arm/armv8-ca34", &tables::CORTEX_A34, presets::CORTEX_A34));
    "Cortex-A35", CORTEX_A35, 0x4100_D040 =>
        without_branches(core("arm/armv8-ca35", &tables::CORTEX_A35, presets::CORTEX_A35));
    "Cortex-A53", CORTEX_A53, 0x4100_D030 | 0x4200_1000 =>
        without_branches(core("arm/armv8-ca53", &tables::CORTEX_A53, presets::CORTEX_A53))
            .with_libpfm(&tables::LIBPFM_CORTEX_A53).also(&["arm_ac53"]);
    "Cortex-A55", CORTEX_A55, 0x4100_D050 =>
        without_reference(core("arm/armv8-ca55", &tables::CORTEX_A55, presets::CORTEX_A55))
            .with_libpfm(&tables::LIBPFM_CORTEX_A55).also(&["arm_ac55"]);
    "Cortex-A57", CORTEX_A57, 0x4100_D070 =>
        without_branches(core("arm/armv8-ca57", &tables::CORTEX_A57, presets::CORTEX_A57))
            .with_libpfm(&tables::LIBPFM_CORTEX_A57).also(&["arm_ac57"]);
    "Cortex-A72", CORTEX_A72, 0x4100_D080 =>
        without_branches(core("arm/armv8-ca72", &tables::CORTEX_A57, presets::CORTEX_A57))
            .with_libpfm(&tables::LIBPFM_CORTEX_A57).also(&["arm_ac72"]);
    "Cortex-A73", CORTEX_A73, 0x4100_D090 =>
        without_branches(core("arm/armv8-ca73", &tables::CORTEX_A73, presets::CORTEX_A73));
    "Cortex-A75", CORTEX_A75, 0x4100_D0A0 =>
        without_reference(core("arm/armv8-ca75", &tables::CORTEX_A75, presets::CORTEX_A75));
    "Cortex-A76", CORTEX_A76, 0x4100_D0B0 | 0x4100_D0E0 =>
        without_reference(core("arm/armv8-ca76", &tables::CORTEX_A76, presets::CORTEX_A76))
            .with_libpfm(&tables::LIBPFM_CORTEX_A76).also(&["arm_ac76"]);
    "Cortex-A77", CORTEX_A77, 0x4100_D0D0 =>
        without_reference(core("arm/armv8-ca77", &tables::CORTEX_A76, presets::CORTEX_A77));
    "Cortex-A78", CORTEX_A78, 0x4100_D410 | 0x4100_D420 | 0x4100_D4B0 =>
        core("arm/armv8-ca78", &tables::CORTEX_A78, presets::COMMON);
    "Cortex-X1", CORTEX_X1, 0x4100_D440 | 0x4100_D4C0 => core("arm/armv8-cx1", &tables::CORTEX_X1, presets::COMMON);
    "Cortex-A510", CORTEX_A510, 0x4100_D460 =>
        without_reference(core("arm/armv9-ca510", &tables::CORTEX_A510, presets::CORTEX_A510));
    "Cortex-A710", CORTEX_A710, 0x4100_D470 => core("arm/armv9-ca710", &tables::CORTEX_A710, presets::CORTEX_A710);
    "Cortex-X2", CORTEX_X2, 0x4100_D480 => core("arm/armv9-cx2", &tables::CORTEX_A710, presets::CORTEX_A710);
    "Cortex-A65", CORTEX_A65, 0x4100_D060 | 0x4100_D430 =>
        without_reference(core("arm/armv8-ca65", &tables::CORTEX_A65, presets::CORTEX_A55));
    "Cortex-A520", CORTEX_A520, 0x4100_D800 | 0x4100_D880 =>
        without_reference(core("arm/armv9-ca520", &tables::CORTEX_A520, presets::CORTEX_A510));
    "Cortex-A715", CORTEX_A715, 0x4100_D4D0 => core("arm/armv9-ca715", &tables::CORTEX_A715, presets::CORTEX_A710);
    "Cortex-A720", CORTEX_A720, 0x4100_D810 | 0x4100_D890 =>
        core("arm/armv9-ca720", &tables::CORTEX_A720, presets::CORTEX_A710);
    "Cortex-A725", CORTEX_A725, 0x4100_D870 => core("arm/armv9-ca725", &tables::CORTEX_A725, presets::CORTEX_A710);
    "Cortex-X3", CORTEX_X3, 0x4100_D4E0 => core("arm/armv9-cx3", &tables::CORTEX_X3, presets::CORTEX_A710);
    "Cortex-X4", CORTEX_X4, 0x4100_D820 =>
        core("arm/armv9-cx4", &tables::CORTEX_X4, presets::CORTEX_A710)
            .with_libpfm(&tables::LIBPFM_CORTEX_X4).also(&["arm_x4"]);
    "Cortex-X925", CORTEX_X925, 0x4100_D850 => core("arm/armv9-cx925", &tables::CORTEX_X925, presets::CORTEX_A710);
    "Cortex-R82", CORTEX_R82, 0x4100_D140 | 0x4100_D150 =>
        without_reference(core("arm/armv8-cr82", &tables::CORTEX_R82, presets::CORTEX_R82));
    "Rainier, the core of Morello", RAINIER, 0x3F00_4120 =>
        without_reference(core("arm/armv8-rainier", &tables::RAINIER, presets::CORTEX_A77));
    "Neoverse N3", NEOVERSE_N3, 0x4100_D8E0 =>
        core("arm/armv9-neoverse-n3", &tables::NEOVERSE_N3, presets::CORTEX_A710).also(&["arm_n3"]);
    "Neoverse V3", NEOVERSE_V3, 0x4100_D830 | 0x4100_D840 =>
        core("arm/armv9-neoverse-v3", &tables::NEOVERSE_V3, presets::NEOVERSE_V3).also(&["arm_v3"]);
    "Neoverse E1", NEOVERSE_E1, 0x4100_D4A0 =>
        without_reference(core("arm/armv8-neoverse-e1", &tables::CORTEX_A65, presets::CORTEX_A55));
    "Neoverse N1", NEOVERSE_N1, 0x4100_D0C0 =>
        without_reference(core("arm/armv8-neoverse-n1", &tables::NEOVERSE_N1, presets::NEOVERSE_N1))
            .with_libpfm(&tables::LIBPFM_NEOVERSE_N1).also(&["arm_n1"]);
    "Neoverse V1", NEOVERSE_V1, 0x4100_D400 =>
        core("arm/armv8-neoverse-v1", &tables::NEOVERSE_V1, presets::NEOVERSE_V1)
            .with_libpfm(&tables::LIBPFM_NEOVERSE_V1).also(&["arm_v1"]);
    "Neoverse N2", NEOVERSE_N2, 0x4100_D490 | 0x6D00_D490 =>
        core("arm/armv9-neoverse-n2", &tables::CORTEX_X3, presets::NEOVERSE_V1)
            .with_libpfm(&tables::LIBPFM_NEOVERSE_N2).also(&["arm_n2"]);
    "Neoverse V2", NEOVERSE_V2, 0x4100_D4F0 =>
        core("arm/armv9-neoverse-v2", &tables::CORTEX_X3, presets::CORTEX_A710)
            .with_libpfm(&tables::LIBPFM_NEOVERSE_V2).also(&["arm_v2"]);
    "A64FX", A64FX, 0x4600_0010 =>
        without_branches(core("arm/armv8-a64fx", &tables::A64FX, presets::A64FX))
            .with_libpfm(&tables::LIBPFM_A64FX).also(&["arm_a64fx"]);
    "AmpereOne", AMPERE_ONE, 0xC000_AC30 => core("arm/armv8-ampereone", &tables::AMPERE_ONE, presets::NEOVERSE_N1);
    "AmpereOneX", AMPERE_ONE_X, 0xC000_AC40 =>
        core("arm/armv8-ampereonex", &tables::AMPERE_ONE_X, presets::NEOVERSE_N1);
    "eMAG and X-Gene", EMAG, 0x5000_0000 =>
        without_branches(core("arm/armv8-xgene", &tables::EMAG, presets::CORTEX_A57))
            .with_libpfm(&tables::LIBPFM_XGENE).also(&["arm_xgene"]);
    "MONAKA", MONAKA, 0x4600_0030 => core("arm/armv9-monaka", &tables::MONAKA, presets::MONAKA).also(&["arm_monaka"]);
    "Olympus", OLYMPUS, 0x4E00_0100 =>
        core("arm/armv9-olympus", &tables::OLYMPUS, presets::CORTEX_A710).also(&["arm_olympus"]);
    "ThunderX2", THUNDER_X2, 0x4200_5160 | 0x4300_0AF0 =>
        without_reference(core("arm/armv8-thunderx2", &tables::THUNDER_X2, presets::THUNDER_X2))
            .also(&["arm_thunderx2"]);
    "TSV110, the core of Kunpeng 920", TSV110, 0x4800_D010 =>
        without_reference(core("arm/armv8-tsv110", &tables::TSV110, presets::NEOVERSE_N1)).also(&["arm_kunpeng"]);
}
