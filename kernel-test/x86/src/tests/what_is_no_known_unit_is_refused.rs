//! No unit, another vendor's, and one that forgets what is written to it: each is named, and none
//! is changed.

use pmu::arch::x86::access::Cpuid;
use pmu::arch::x86::amd::Amd;
use pmu::arch::x86::netburst::Cccr;
use pmu::arch::x86::p5::P5;
use pmu::arch::x86::p6::P6;
use pmu::arch::x86::{Apic, Lvtpc};
use pmu::{CounterId, Error};

use super::programs;
use crate::guest::msr::Probes;
use crate::guest::{Here, truth, unit};
use crate::identity::{self, Processor};
use harness::{Disguise, Guest};

pub fn test() {
    let before = truth::fingerprint();
    assert!(matches!(found_with_care(Disguise::Hidden), Some(Error::NoUnit { .. })));

    assert_eq!(found(Disguise::Stranger), Some(Error::UnknownVendor { name: *b"UnknownVendr" }));

    let Some(Error::Swallowed { register, wrote, read }) = found(Disguise::SwallowsWrites) else {
        panic!("{:?} forgets what is written", Disguise::SwallowsWrites);
    };
    assert_eq!((register, read), (first_written(), 0));
    assert_ne!(wrote, 0);

    assert_eq!([found(Disguise::None), found_with_care(Disguise::None)], [None; 2]);
    assert_eq!(truth::fingerprint(), before);
}

/// The register that detection writes first: the first counter's selector, which is the Pentium 4's MSR_BPU_CCCR0.
fn first_written() -> u32 {
    match identity::presented().processor {
        Processor::Netburst(_) => Cccr::msr(CounterId::ZERO).address(),
        _ => programs::select(),
    }
}

/// What is wrong with the unit in this disguise.
fn found(disguise: Disguise) -> Option<Error> {
    Here::present(disguise);
    unit::detect().err()
}

/// The same where registers may be missing: AMD's older processors have units that no CPUID bit
/// announces, so that only a fault tells that a hypervisor has left them out.
fn found_with_care(disguise: Disguise) -> Option<Error> {
    Here::present(disguise);
    let line: unit::Line = Apic::xapic(unit::line(), Lvtpc::NMI);
    match identity::presented().processor {
        Processor::Intel(_) | Processor::Netburst(_) => unit::detect().err(),
        Processor::Amd(_) => <Amd<_, _>>::detect_guarded(&Cpuid, unit::hardware(), line, &Probes).err(),
        Processor::P6(_) => P6::detect_guarded(&Cpuid, unit::hardware(), line, &Probes).err(),
        Processor::P5(_) => P5::detect_guarded(&Cpuid, unit::hardware(), &Probes).err(),
    }
}
