//! Detection: by the family and the model, by registers that keep what is written, and by those that fault.

use pmu::arch::x86::p6::{Capabilities, Identity, Model, P6};
use pmu::arch::x86::{CpuIdResult, Msr, Unattached, Window, amd, intel};
use pmu::driver::{Overflow, Plan, Registers};
use pmu::virt::Device as _;
use pmu::{CounterSet, Error};

use crate::lacking::{Lacking, Refusing};
use crate::p6::{BOTH, Unit, device, select};

const INTEL: [u32; 3] = [0x756E_6547, 0x6C65_746E, 0x4965_6E69];

/// A processor with this signature, and these bits in EDX of leaf 1.
fn processor([ebx, ecx, edx]: [u32; 3], signature: u32, features: u32) -> impl Fn(u32, u32) -> CpuIdResult + Clone {
    move |leaf, _| match leaf {
        0 => CpuIdResult { eax: 2, ebx, ecx, edx },
        1 => CpuIdResult { eax: signature, ebx: 0, ecx: 0, edx: features },
        _ => CpuIdResult { eax: 0, ebx: 0, ecx: 0, edx: 0 },
    }
}

fn discovered(signature: u32) -> Result<Capabilities, Error> {
    Capabilities::discover(&processor(INTEL, signature, 1 << 9))
}

/// libpfm4, lib/pfmlib_intel_p6.c: the models of ppro, pii, p6 and pm.
#[test]
fn the_model_says_which_of_the_family_it_is() {
    let models = |numbers: &[u32]| -> Vec<_> {
        numbers.iter().map(|number| discovered(0x600 | number << 4).map(|found| found.model)).collect()
    };
    assert_eq!(models(&[1]), [Ok(Model::PentiumPro)]);
    assert_eq!(models(&[3, 5, 6]), [Ok(Model::PentiumII); 3]);
    assert_eq!(models(&[7, 8, 10, 11]), [Ok(Model::PentiumIII); 4]);
    assert_eq!(models(&[9, 13]), [Ok(Model::PentiumM); 2]);
}

#[test]
fn another_model_family_or_vendor_is_named_and_refused() {
    let unknown = |family, model| Some(Error::UnknownProcessor { family, model });
    assert_eq!(discovered(0x06E8).err(), unknown(6, 14), "Core Duo has architectural performance monitoring");
    assert_eq!(discovered(0x0001_0610).err(), unknown(6, 0x11), "the extended model counts");
    assert_eq!(discovered(0x0543).err(), unknown(5, 4), "the Pentium has another unit");
    assert_eq!(Capabilities::discover(&amd::Identity::K7).err(), unknown(6, 10));
    assert_eq!(Capabilities::discover(&intel::Identity::SKYLAKE).err(), unknown(6, 0x5E));
}

/// Pentium Pro specification update, erratum 26; torvalds/linux arch/x86/events/intel/p6.c, `p6_pmu_rdpmc_quirk`.
#[test]
fn user_programs_read_the_counters_of_all_but_the_first_steppings() {
    let reads = |signature| discovered(signature).map(|found| found.user_reads);
    assert_eq!([0x0611, 0x0617, 0x0618].map(reads), [Ok(false); 3]);
    assert_eq!([0x0619, 0x0633, 0x0671, 0x0695].map(reads), [Ok(true); 4]);
}

/// The APIC may have been disabled by firmware: CPUID.01H:EDX.APIC is clear then.
#[test]
fn a_unit_without_an_apic_counts_and_says_that_nothing_interrupts() {
    for identity in Identity::ALL {
        let overflow = |identity: Identity| {
            P6::detect(&identity, device(&identity), Unattached).map(|driver| driver.description().overflow)
        };
        assert_eq!(overflow(identity), Ok(Overflow::Interrupt));
        assert_eq!(overflow(identity.without_apic()), Ok(Overflow::None));
    }
}

/// A machine of which only these counters and their selectors are there.
fn lacking(device: &'static Unit, kept: CounterSet) -> Lacking<Unit> {
    Lacking::new(device, move |at| {
        let registers = |number| [Some(select(number)), Msr::counter(Window::Narrow, number)];
        kept.into_iter().any(|counter| registers(counter.number()).contains(&Some(at)))
    })
}

fn iii(kept: u64) -> Lacking<Unit> {
    lacking(device(&Identity::PENTIUM_III), CounterSet::from_bits(kept))
}

#[test]
fn a_selector_that_swallows_writes_is_found_out() {
    let error = |kept| P6::detect(&Identity::PENTIUM_III, iii(kept).registers(), Unattached).map(|_| ()).err();
    assert_eq!(error(0b00), Some(Error::Swallowed { register: 0x186, wrote: 0xFF00, read: 0 }));
    assert_eq!(error(0b01), Some(Error::Swallowed { register: 0x187, wrote: 0xFF00, read: 0 }));
    assert_eq!(error(0b11), None);
}

#[test]
fn a_unit_that_faults_is_no_unit_where_the_kernel_survives_it() {
    let found = |kept| {
        let machine = iii(kept);
        P6::detect_guarded(&Identity::PENTIUM_III, machine.registers(), Unattached, &machine)
            .map(|driver| driver.description().general)
    };
    let none = Error::NoUnit { reason: "PerfEvtSel0 or PerfEvtSel1 faults or does not keep what is written" };
    assert_eq!([0b00, 0b01, 0b10].map(found), [Err(none); 3]);
    assert_eq!(found(0b11), Ok(BOTH));
}

#[test]
fn a_guest_without_a_unit_is_asked_once() {
    let refusing = Refusing::default();
    let identity = Identity::PENTIUM_PRO;
    assert!(P6::detect_guarded(&identity, device(&identity), Unattached, &refusing).is_err());
    assert_eq!(refusing.0.get(), 1);
}

/// With one enable bit neither counter can be started or stopped without the other.
#[test]
fn a_unit_that_somebody_else_has_enabled_is_refused() {
    let identity = Identity::PENTIUM_III;
    for (selects, is_used) in
        [([0x0041_00C0, 0], true), ([0x0040_00C0, 0x0002_0079], true), ([0x0003_00C0, 0x0003_0079], false)]
    {
        let device = device(&identity);
        device.write(select(1), selects[1]);
        device.write(select(0), selects[0]);
        let before = device.state();
        let machine = lacking(device, BOTH);
        let detected = P6::detect(&identity, machine.registers(), Unattached).map(|_| ());
        let expected = if is_used { Err(Error::UsedByOthers(BOTH)) } else { Ok(()) };
        assert_eq!(detected, expected, "{selects:x?}");
        let guarded = P6::detect_guarded(&identity, machine.registers(), Unattached, &machine).map(|_| ());
        assert_eq!(guarded, expected, "{selects:x?}");
        assert_eq!(device.state(), before, "{selects:x?}");
    }
}

#[test]
fn detection_leaves_the_unit_as_it_was() {
    let device = device(&Identity::PENTIUM_M);
    device.write(select(1), 0x0013_00C0);
    device.write(select(0), 0x0053_0079);
    let before = device.state();
    device.write(select(0), 0x0013_0079);
    P6::detect(&Identity::PENTIUM_M, device, Unattached).unwrap();
    device.write(select(0), 0x0053_0079);
    assert_eq!(device.state(), before);
}
