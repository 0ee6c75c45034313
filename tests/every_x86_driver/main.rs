//! What every driver must do, of x86's.

#[path = "../every_driver/mod.rs"]
#[macro_use]
mod every_driver;
mod amd;
mod detected;
mod intel;
mod netburst;
mod p5;
mod p6;
#[path = "../support/mod.rs"]
mod support;

use std::any::TypeId;

use every_driver::*;
use support::machine;

/// The processors on which every access is tried: one of each driver. On the others a sample is.
fn whole() -> [TypeId; 4] {
    [
        TypeId::of::<amd::Zen4>(),
        TypeId::of::<intel::Skylake>(),
        TypeId::of::<netburst::Pentium4All>(),
        TypeId::of::<p6::PentiumIII>(),
    ]
}

every_driver! {
    k7: crate::amd::K7;
    k8: crate::amd::K8;
    family_10h: crate::amd::Family10h;
    family_15h: crate::amd::Family15h;
    zen_2: crate::amd::Zen2;
    zen_2_single: crate::amd::Zen2Single;
    zen_3: crate::amd::Zen3;
    zen_4: crate::amd::Zen4;
    zen_4_global: crate::amd::Zen4Global;
    core_duo: crate::intel::CoreDuo, two;
    core_duo_single: crate::intel::CoreDuoSingle, two;
    core_2: crate::intel::Core2;
    nehalem: crate::intel::Nehalem;
    skylake: crate::intel::Skylake;
    skylake_global: crate::intel::SkylakeGlobal;
    sapphire_rapids: crate::intel::SapphireRapids;
    lion_cove: crate::intel::LionCove;
    pentium_pro: crate::p6::PentiumPro, two;
    pentium_ii: crate::p6::PentiumII, two;
    pentium_iii: crate::p6::PentiumIII, two;
    pentium_m: crate::p6::PentiumM, two;
    pentium_4: crate::netburst::Pentium4, two;
    pentium_4_all: crate::netburst::Pentium4All;
    prescott: crate::netburst::Prescott, two;
    prescott_thread: crate::netburst::PrescottThread;
    detected_skylake: crate::detected::Skylake;
    detected_family_10h: crate::detected::Family10h;
    detected32_core_duo: crate::detected::CoreDuo32, two;
    detected32_pentium_iii: crate::detected::PentiumIII32, two;
}

every_driver_without_interrupts! {
    pentium: crate::p5::Pentium;
    pentium_mmx: crate::p5::PentiumMmx, cycles;
    detected32_pentium_mmx: crate::detected::PentiumMmx32, cycles;
}

every_driver_with_pairs! {
    zen_2_pairs: crate::amd::Zen2;
    zen_2_single_pairs: crate::amd::Zen2Single;
    zen_4_pairs: crate::amd::Zen4;
}
