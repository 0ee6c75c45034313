//! All fuzz targets in one program, which compiles the library's drivers and devices once: FUZZ_TARGET names the one that
//! the bytes are for.

#![no_main]

use std::sync::LazyLock;
use std::{env, process};

use libfuzzer_sys::arbitrary::{Arbitrary, Unstructured};

#[path = "../../tests/x86_devices/beneath.rs"]
#[allow(dead_code, reason = "each suite uses a part of it")]
mod beneath;
#[path = "../../arch/families.rs"]
mod families;
#[path = "../../tests/risc_devices/sparc_guest.rs"]
#[allow(dead_code, reason = "a fuzzer brings bytes of its own")]
mod sparc_guest;
#[path = "../../tests/support/mod.rs"]
mod support;

mod targets {
    pub(crate) mod amd_device;
    pub(crate) mod intel_device;
    pub(crate) mod loongarch_device;
    pub(crate) mod mips_device;
    pub(crate) mod netburst_device;
    pub(crate) mod niagara_device;
    #[allow(dead_code, reason = "the device's own suite uses the rest of its oracle")]
    pub(crate) mod p5_device;
    pub(crate) mod p6_device;
    pub(crate) mod pmuv3_device;
    pub(crate) mod riscv_device;
    pub(crate) mod stacks;
    pub(crate) mod strings;
    pub(crate) mod ultrasparc_device;
}

type Target = fn(&[u8]);

static TARGET: LazyLock<Target> = LazyLock::new(|| {
    let name = env::var("FUZZ_TARGET").unwrap_or_default();
    named(&name).unwrap_or_else(|| {
        eprintln!("FUZZ_TARGET={name} names no target");
        process::exit(1);
    })
});

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| TARGET(bytes));

fn named(name: &str) -> Option<Target> {
    Some(match name {
        "amd_device" => targets::amd_device::run,
        "intel_device" => targets::intel_device::run,
        "loongarch_device" => targets::loongarch_device::run,
        "mips_device" => targets::mips_device::run,
        "netburst_device" => targets::netburst_device::run,
        "niagara_device" => targets::niagara_device::run,
        "p5_device" => targets::p5_device::run,
        "p6_device" => targets::p6_device::run,
        "pmuv3_device" => targets::pmuv3_device::run,
        "riscv_device" => targets::riscv_device::run,
        "stacks" => |bytes| of(bytes, targets::stacks::run),
        "strings" => |bytes| of(bytes, targets::strings::run),
        "ultrasparc_device" => targets::ultrasparc_device::run,
        _ => return None,
    })
}

/// Runs a target with the value that the bytes stand for, if they stand for one.
fn of<'b, T: Arbitrary<'b>>(bytes: &'b [u8], target: impl FnOnce(T)) {
    if let Ok(value) = T::arbitrary_take_rest(Unstructured::new(bytes)) {
        target(value);
    }
}
