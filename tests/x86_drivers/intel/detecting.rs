//! Detection leaves the unit as it was, and finds out one that keeps nothing.

use pmu::Error;
use pmu::arch::x86::intel::{Identity, Intel};
use pmu::arch::x86::{CpuIdReader as _, CpuIdResult, Unattached};
use pmu::driver::Plan as _;
use pmu::virt::Device as _;

use crate::intel::Bench;
use crate::intel::saving::disturb;
use crate::support::memory::Msrs;

fn cpuid(leaf: u32, subleaf: u32) -> CpuIdResult {
    Identity::SKYLAKE.cpuid2(leaf, subleaf)
}

#[test]
fn a_unit_that_swallows_writes_is_found_out() {
    let error = Intel::<_, _>::detect(&cpuid, Msrs::that_swallows(), Unattached).unwrap_err();
    assert_eq!(error, Error::Swallowed { register: 0x186, wrote: 0xFF00, read: 0 });
}

#[test]
fn detection_leaves_the_unit_as_it_was() {
    let bench = Bench::new(&Identity::SKYLAKE);
    disturb(&bench);
    let before = bench.driver.registers().state();
    Intel::<_, _>::detect(&cpuid, *bench.driver.registers(), Unattached).unwrap();
    assert_eq!(bench.driver.registers().state(), before);
}
