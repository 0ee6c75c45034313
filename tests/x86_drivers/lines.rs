//! A driver of whichever unit has no interrupt line until it is given one.

use std::cell::Cell;

use pmu::arch::x86::{Apic, CpuIdReader, Detected32, Lvtpc, amd, intel, netburst, p5, p6};
use pmu::driver::{Overflow, Plan};
use pmu::request::Refusal;
use pmu::virt::{Device as _, Kinds, Unconnected, Work};
use pmu::{Error, Event, Mode, Request, Unit};

use crate::detecting::file;
use crate::support::line::Entry;

const MASKED: u32 = Lvtpc::NMI.masked().bits();

/// How a request with a period is answered, and what the unit does at an overflow: without a line, and with one.
fn answers(cpuid: &impl CpuIdReader) -> [(Result<(), Refusal>, Overflow); 2] {
    let (file, entry) = (file(), Entry(Cell::new(MASKED)));
    let detect = || Detected32::detect(cpuid, &file, Apic::<&Entry>::absent()).expect("the identity has a unit");
    let line = Apic::x2apic(&entry, Lvtpc::NMI);
    [detect(), detect().with_line(line)].map(|driver| {
        assert!(driver.encode(&Request::new(Event::INSTRUCTIONS)).is_ok(), "it counts in any case");
        let sampled = driver.encode(&Request::new(Event::INSTRUCTIONS).every(100_000));
        (sampled.map(|_| ()), driver.description().overflow)
    })
}

#[test]
fn a_period_is_refused_until_the_driver_has_a_line() {
    let without = (Err(Refusal::NoLine), Overflow::None);
    assert_eq!(answers(&intel::Identity::SKYLAKE), [without, (Ok(()), Overflow::Identified)]);
    assert_eq!(answers(&amd::Identity::ZEN_2), [without, (Ok(()), Overflow::Interrupt)]);
    assert_eq!(answers(&netburst::Identity::PRESCOTT), [without, (Ok(()), Overflow::Interrupt)]);
    assert_eq!(answers(&p6::Identity::PENTIUM_III), [without, (Ok(()), Overflow::Interrupt)]);
    let never = (Err(Refusal::NoInterrupt), Overflow::None);
    assert_eq!(answers(&p6::Identity::PENTIUM_III.without_apic()), [never; 2], "a line is of no use");
    assert_eq!(answers(&p5::Identity::ALL[0]), [never; 2]);
}

#[test]
fn a_kernel_without_a_line_counts_and_is_told_how_to_sample() {
    let device = intel::Device::new(&intel::Identity::SKYLAKE, Kinds::CLOCK, Unconnected);
    let unit = Unit::<intel::Intel<_, Apic<&Entry>>, 16>::new();
    let driver = intel::Intel::detect(&intel::Identity::SKYLAKE, &device, Apic::absent()).unwrap();
    let pmu = unit.claim(driver).unwrap();
    let work = || device.advance(&Work::instructions(Mode::Kernel, 1000));
    let ([instructions], ()) = pmu.count([Event::INSTRUCTIONS], work).unwrap();
    assert_eq!(instructions, 1000);
    let refused = pmu.open([Request::new(Event::CYCLES).every(100_000)]).expect_err("nothing would interrupt");
    assert!(matches!(refused, Error::Refused { reason: Refusal::NoLine, .. }), "{refused}");
    assert!(refused.to_string().contains("give it one by with_line before the unit is claimed"), "{refused}");
}

#[test]
fn a_line_that_is_given_before_the_claim_is_taken_and_restored() {
    let device = intel::Device::new(&intel::Identity::SKYLAKE, Kinds::CLOCK, Unconnected);
    let entry = Entry(Cell::new(MASKED));
    let unit = Unit::<intel::Intel<_, Apic<&Entry>>, 16>::new();
    let driver = intel::Intel::detect(&intel::Identity::SKYLAKE, &device, Apic::absent()).unwrap();
    let pmu = unit.claim(driver.with_line(Apic::x2apic(&entry, Lvtpc::NMI))).unwrap();
    assert_eq!(entry.0.get(), Lvtpc::NMI.bits());
    assert!(pmu.open([Request::new(Event::CYCLES).every(100_000)]).is_ok());
    pmu.release().unwrap();
    assert_eq!(entry.0.get(), MASKED);
}
