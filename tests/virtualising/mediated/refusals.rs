//! Guests whose counters cannot be the real unit's, and the reasons that they are refused with.

use pmu::arch::aarch64::pmuv3;
use pmu::arch::x86::{Unattached, amd, guest, intel, netburst, p5, p6};
use pmu::virt::{Device as _, Kinds};
use pmu::virt::{Feeder, Mediated};
use pmu::{Error, Event, Mode, Unit};

use crate::mediated::{ALL, Line, OfAmd, OfArm, claim, counting, intel_host, of_intel};

#[test]
fn a_unit_that_cannot_be_passed_through_is_refused() {
    let (_, pmu) = intel_host(&intel::Identity::SKYLAKE);
    let refusal = |identity| {
        let unit = guest::Unit::new(identity, Kinds::NONE, Line::default());
        match Mediated::new(pmu, unit) {
            Err(Error::NoPassThrough { reason }) => Some(reason),
            other => other.map(|_| None).unwrap(),
        }
    };
    let amd = guest::Identity::Amd(amd::Identity::ZEN_4);
    assert_eq!(refusal(amd), Some("the guest's unit is AMD's, and the real one is not"));
    let old = "the guest's unit is older than version 4, or its counters are not written in full width";
    for identity in [intel::Identity::CORE_DUO, intel::Identity::CORE_2, intel::Identity::NEHALEM] {
        assert_eq!(refusal(guest::Identity::Intel(identity)), Some(old));
    }
    let more = "the guest's unit has a higher version than the real one, or more counters";
    assert_eq!(refusal(guest::Identity::Intel(intel::Identity::LION_COVE)), Some(more));
    for older in [
        guest::Identity::Netburst(netburst::Identity::PRESCOTT),
        guest::Identity::P6(p6::Identity::PENTIUM_III),
        guest::Identity::P5(p5::Identity::P5_MMX),
    ] {
        assert_eq!(refusal(older), Some("the guest's unit is older than version 4"));
    }
    assert_eq!(refusal(guest::Identity::Intel(intel::Identity::SKYLAKE.with_general_counters(2))), None);
}

#[test]
fn an_arm_guest_that_is_shown_its_hosts_el2_is_told_how_to_leave_it_out() {
    for identity in [
        pmuv3::Identity::CORTEX_A53,
        pmuv3::Identity::NEOVERSE_N1,
        pmuv3::Identity::NEOVERSE_N2,
        pmuv3::Identity::ARMV9_4,
    ] {
        let processor: &'static OfArm =
            Box::leak(Box::new(OfArm::new(&identity, ALL, Line::default()).driven_from(Mode::Hypervisor)));
        let shown = pmuv3::Identity::of_host(|at| processor.try_read(at).unwrap()).unwrap();
        let pmu = claim(pmuv3::Pmuv3::detect(processor));
        let refused = Mediated::new(pmu, OfArm::new(&shown, ALL, Line::default())).map(drop).unwrap_err();
        assert!(refused.to_string().contains("Identity::for_guest()"), "{}: {refused}", identity.name());
        let fitting = Mediated::new(pmu, OfArm::new(&shown.for_guest(), ALL, Line::default()));
        assert_eq!(fitting.map(drop), Ok(()), "{}", identity.name());
    }
}

/// AMD's registers are not Intel's, however much two units are alike in numbers.
#[test]
fn a_guest_of_the_other_manufacturer_is_refused_whatever_counters_there_are() {
    let reason = |refused| match refused {
        Err(Error::NoPassThrough { reason }) => reason,
        other => other.map(|()| "none").unwrap(),
    };
    let amd = amd::Identity::ZEN_4.with_counters(2);
    let without_fixed = [intel::Identity::CORE_2, intel::Identity::SKYLAKE].map(|host| host.with_fixed_counters(0));
    for host in without_fixed {
        let refused = Mediated::new(intel_host(&host).1, OfAmd::new(&amd, ALL, Line::default()));
        assert_eq!(reason(refused.map(drop)), "the guest's unit is AMD's, and the real one is not");
    }
    let processor: &'static OfAmd = Box::leak(Box::new(OfAmd::new(&amd::Identity::ZEN_4, ALL, Line::default())));
    for guest in intel::Identity::ALL {
        let pmu = claim(amd::Amd::<_, _>::detect(&amd::Identity::ZEN_4, processor, Unattached));
        let refused = Mediated::new(pmu, of_intel(&guest, ALL));
        assert_eq!(reason(refused.map(drop)), "the guest's unit is Intel's, and the real one is not");
        pmu.release().unwrap();
    }
    let pmu = claim(amd::Amd::<_, _>::detect(&amd::Identity::ZEN_4, processor, Unattached));
    let refused = Mediated::new(pmu, OfAmd::new(&amd::Identity::ZEN_2, ALL, Line::default()));
    assert_eq!(reason(refused.map(drop)), "one of the units has no control of all counters at once (PerfMonV2)");
}

/// The processor has one sampler, whose registers the guest would share with the host.
#[test]
fn a_guest_that_is_told_of_instruction_based_sampling_is_refused() {
    let processor: &_ = Box::leak(Box::new(amd::Device::new(&amd::Identity::ZEN_4, ALL, Line::default())));
    let pmu = claim(amd::Amd::<_, _>::detect(&amd::Identity::ZEN_4, processor, Unattached));
    let sampled = amd::Identity::ZEN_4.with_sampling(0xBFF);
    match Mediated::new(pmu, OfAmd::new(&sampled, ALL, Line::default())).map(drop) {
        Err(Error::NoPassThrough { reason }) => assert!(reason.contains("without with_sampling"), "{reason}"),
        other => panic!("{other:?}"),
    }
    assert!(Mediated::new(pmu, OfAmd::new(&sampled.within(&sampled), ALL, Line::default())).is_ok());
}

/// A guest that has a register of the processor that it is shown, and not of the real one, would fault its host by a write.
#[test]
fn a_guest_with_a_register_for_an_event_that_the_real_unit_does_not_have_is_refused() {
    let newer = [intel::Identity::SKYLAKE, intel::Identity::SAPPHIRE_RAPIDS, intel::Identity::LION_COVE];
    let reason = |host: &intel::Identity, guest: intel::Identity| {
        let guest = guest.with_general_counters(4).with_fixed_counters(3);
        match Mediated::new(intel_host(host).1, of_intel(&guest, Kinds::NONE)) {
            Err(Error::NoPassThrough { reason }) => Some(reason),
            other => other.map(|_| None).unwrap(),
        }
    };
    let refused = Some("the guest's unit has registers for events, or bits of them, that the real one does not have");
    for guest in newer {
        assert_eq!(reason(&intel::Identity::SKYMONT, guest), refused, "{}", guest.name());
        assert_eq!(reason(&guest, guest), None, "{}", guest.name());
    }
    assert_eq!(reason(&intel::Identity::LION_COVE, intel::Identity::SKYMONT), refused);
    assert_eq!(reason(&intel::Identity::SAPPHIRE_RAPIDS, intel::Identity::SKYLAKE), None);
}

#[test]
fn whoever_needs_the_unit_while_a_guest_has_it_is_told_to_release_the_guests() {
    let processor: &'static _ = Box::leak(Box::new(of_intel(&intel::Identity::SKYLAKE, ALL)));
    let unit = Unit::<_, 0>::new();
    let driver = intel::Intel::<_, _>::detect(&intel::Identity::SKYLAKE, processor, Unattached).unwrap();
    let pmu = unit.claim(driver).unwrap();
    let mut mediated = Mediated::new(pmu, counting(1000)).unwrap();
    let (mut other, mut feeder) = (Mediated::new(pmu, counting(1000)).unwrap(), Feeder::<_, 4>::new(pmu));
    mediated.enter().unwrap();
    mediated.exit().unwrap();
    let refused = [
        pmu.open([Event::CYCLES]).map(drop),
        unit.here().map(drop),
        pmu.suspend(),
        pmu.release(),
        pmu.evict(),
        other.enter(),
        feeder.enter(&counting(1000), |selection| selection.request()).map(drop),
    ];
    assert_eq!(refused, [Err(Error::GuestIn); 7]);
    assert_eq!(Error::GuestIn.to_string(), "a guest has the unit: release() its Mediated first");
    mediated.release().unwrap();
    assert_eq!((pmu.open([Event::CYCLES]).map(drop), other.enter()), (Ok(()), Ok(())));
}
