//! What every driver must do, of Arm's, MIPS', PowerPC's, RISC-V's and SPARC's.

#[path = "../every_driver/accounted.rs"]
mod accounted;
#[path = "../every_driver/mod.rs"]
#[macro_use]
mod every_driver;
mod aarch64;
mod million;
mod mips;
mod niagara;
mod power32;
mod power64;
mod riscv;
#[path = "../support/mod.rs"]
mod support;
mod ultrasparc;

use std::any::TypeId;

use every_driver::*;
use support::machine;

/// The processors on which every access is tried: one of each driver. On the others a sample is.
fn whole() -> [TypeId; 9] {
    [
        TypeId::of::<aarch64::NeoverseN2>(),
        TypeId::of::<mips::M34k>(),
        TypeId::of::<niagara::T2>(),
        TypeId::of::<power32::P7450>(),
        TypeId::of::<power32::E500mc>(),
        TypeId::of::<power64::Power9>(),
        TypeId::of::<riscv::Rv64>(),
        TypeId::of::<riscv::Rv64Firmware>(),
        TypeId::of::<ultrasparc::UltraSparc4Plus>(),
    ]
}

every_driver! {
    cortex_a57: crate::aarch64::CortexA57;
    neoverse_n1: crate::aarch64::NeoverseN1;
    neoverse_n1_guest: crate::aarch64::NeoverseN1Guest;
    neoverse_n2: crate::aarch64::NeoverseN2;
    neoverse_n2_hypervisor: crate::aarch64::NeoverseN2Hypervisor;
    armv8_8: crate::aarch64::Armv8_8;
    armv9_4: crate::aarch64::Armv9_4;
    detected_750: crate::power32::Detected750;
    detected_e500: crate::power32::DetectedE500;
    power4: crate::power64::Power4;
    ppc970: crate::power64::Ppc970;
    power5: crate::power64::Power5, two;
    power5_plus: crate::power64::Power5Plus, two;
    power6: crate::power64::Power6;
    power7: crate::power64::Power7;
    power8: crate::power64::Power8;
    power9: crate::power64::Power9;
    microwatt: crate::power64::Microwatt, two;
    power10: crate::power64::Power10, two;
    p604: crate::power32::P604, two;
    p604e: crate::power32::P604e;
    p750: crate::power32::P750;
    p7400: crate::power32::P7400;
    p7450: crate::power32::P7450;
    e300: crate::power32::E300;
    e500v1: crate::power32::E500V1;
    e500v2: crate::power32::E500V2;
    e500mc: crate::power32::E500mc;
    ultrasparc_iii: crate::ultrasparc::UltraSparc3, two;
    ultrasparc_iiii: crate::ultrasparc::UltraSparc3i, two;
    ultrasparc_iv_plus: crate::ultrasparc::UltraSparc4Plus, two;
    ultrasparc_t2: crate::niagara::T2, two;
    ultrasparc_t2_hypervisor: crate::niagara::T2Hypervisor, two;
    sparc_t3: crate::niagara::T3, two;
    r10000_v2: crate::mips::R10000V2, two;
    r10000: crate::mips::R10000, two;
    r12000: crate::mips::R12000, two;
    mips_5k: crate::mips::M5k, two;
    mips_24k: crate::mips::M24k, two;
    mips_34k: crate::mips::M34k, two;
    mips_74k: crate::mips::M74k;
    mips_octeon_ii: crate::mips::OcteonII, two;
    rv64: crate::riscv::Rv64;
    rv32: crate::riscv::Rv32;
    rv64_delegated: crate::riscv::Rv64Delegated;
    rv32_delegated: crate::riscv::Rv32Delegated;
    rv64_firmware: crate::riscv::Rv64Firmware;
    rv32_firmware: crate::riscv::Rv32Firmware;
}

every_driver_of_one_counter! {
    ultrasparc_t1: crate::niagara::T1;
    mips_20k: crate::mips::M20k;
    c906: crate::riscv::C906;
    ax45: crate::riscv::Ax45;
    c906_firmware: crate::riscv::C906Firmware;
    ax45_firmware: crate::riscv::Ax45Firmware;
}

every_driver_without_interrupts! {
    ultrasparc_i: crate::ultrasparc::UltraSparc1, cycles;
    ultrasparc_ii: crate::ultrasparc::UltraSparc2, cycles;
    ultrasparc_ii_i: crate::ultrasparc::UltraSparc2i, cycles;
    rv64_plain: crate::riscv::Rv64Plain;
    rv32_plain: crate::riscv::Rv32Plain;
    rv64_1_10: crate::riscv::Rv64V1_10;
    cv32e40p: crate::riscv::Cv32e40p;
}

every_driver_of_one_counter_without_interrupts! {
    ibex: crate::riscv::Ibex;
}

every_driver_with_pairs! {
    cortex_a57_pairs: crate::aarch64::CortexA57;
    neoverse_n1_guest_pairs: crate::aarch64::NeoverseN1Guest;
}
