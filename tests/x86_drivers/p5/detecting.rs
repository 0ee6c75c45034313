//! Detection: by the family and model, and by a register that keeps what is written.

use std::cell::Cell;

use pmu::arch::x86::p5::{Capabilities, Identity, P5};
use pmu::arch::x86::{CpuIdResult, Guarded, Msr, amd, intel};
use pmu::driver::{Plan, Registers as _};
use pmu::virt::Device as _;
use pmu::{CounterSet, Error, Event, Mode, Request, Unit};

use crate::p5::{Registers, counter, device};
use crate::support::memory::Msrs;
use crate::support::registers::Altered;

/// A processor of Intel's with this signature and these features.
fn processor(signature: u32, features: u32) -> impl Fn(u32, u32) -> CpuIdResult + Clone {
    move |leaf, _| {
        let [eax, ebx, ecx, edx] = match leaf {
            0 => [1, 0x756E_6547, 0x6C65_746E, 0x4965_6E69],
            1 => [signature, 0, 0, features],
            _ => [0; 4],
        };
        CpuIdResult { eax, ebx, ecx, edx }
    }
}

/// The signatures and features are those of the dumps of InstLatx64.
#[test]
fn a_pentium_is_known_by_its_model_and_mmx_by_its_feature() {
    let found = |signature, features| {
        let capabilities = Capabilities::discover(&processor(signature, features)).expect("it is a Pentium");
        (capabilities.model, capabilities.has_mmx, capabilities.counters.len())
    };
    assert_eq!(found(0x517, 0x1BF), (1, false, 2), "at 60 and 66 MHz");
    assert_eq!(found(0x52C, 0x1BF), (2, false, 2), "P54C");
    assert_eq!(found(0x1532, 0x13F), (3, false, 2), "OverDrive");
    assert_eq!(found(0x543, 0x0080_03BF), (4, true, 2), "P55C");
    assert_eq!(found(0x570, 0x1BF), (7, false, 2), "mobile P54C");
    assert_eq!(found(0x582, 0x0080_01BF), (8, true, 2), "mobile P55C");
}

#[test]
fn what_is_no_pentium_is_named_and_refused() {
    let error = |signature| Capabilities::discover(&processor(signature, 0x1BF)).unwrap_err();
    assert_eq!(error(0x590), Error::UnknownProcessor { family: 5, model: 9 }, "Quark");
    assert_eq!(error(0x480), Error::UnknownProcessor { family: 4, model: 8 }, "486");
    assert_eq!(error(0x633), Error::UnknownProcessor { family: 6, model: 3 }, "Pentium II");
    assert_eq!(error(0xF29), Error::UnknownProcessor { family: 15, model: 2 }, "Pentium 4");
    let error = Capabilities::discover(&amd::Identity::K7).unwrap_err();
    assert_eq!(error, Error::UnknownProcessor { family: 6, model: 0xA });
    let error = Capabilities::discover(&intel::Identity::CORE_DUO).unwrap_err();
    assert_eq!(error, Error::UnknownProcessor { family: 6, model: 0xE });
}

#[test]
fn a_processor_without_model_specific_registers_has_no_unit() {
    let error = Capabilities::discover(&processor(0x52C, 0x19F)).unwrap_err();
    let words = "this processor has no performance-monitoring unit: CPUID leaf 01H announces no model-specific registers \
                 (EDX.MSR)";
    assert_eq!(error.to_string(), words);
}

#[test]
fn detection_leaves_the_unit_as_it_was() {
    for identity in &Identity::ALL {
        let device = device(identity);
        device.write(Msr::CESR, 0x0216_0029);
        let before = device.state();
        P5::detect(identity, device).unwrap();
        assert_eq!(device.state(), before);
    }
}

/// Firmware, or an earlier kernel, that counts on counter 0.
fn half_used() -> Registers {
    let device = device(&Identity::P5_MMX);
    device.write(Msr::CESR, 0x0000_00F0);
    device
}

#[test]
fn a_counter_that_counts_for_somebody_else_is_left_to_them() {
    let device = half_used();
    let driver = P5::detect(&Identity::P5_MMX, device).unwrap();
    let described = driver.description();
    assert_eq!((described.general, described.used_by_others), (counter(1).only(), counter(0).only()));
    let words = "Pentium with MMX: 1 general counters of 40 bits; counters {0} are used by others";
    assert_eq!(described.to_string(), words);
    let unit: &'static Unit<_, 0> = Box::leak(Box::new(Unit::new()));
    let pmu = unit.claim(driver).unwrap();
    let refused = |request: Request| pmu.open([request]).map(|_| ()).unwrap_err();
    let instructions = Request::new(Event::INSTRUCTIONS);
    let words = "request 0 (instructions): counters {0} that can count it, or their event selectors, are used by somebody \
                 else, as firmware or a watchdog; disable them in the firmware's setup, or stop them before the unit is \
                 detected";
    assert_eq!(refused(instructions.pinned_to(counter(0))).to_string(), words);
    let absent = refused(instructions.pinned_to(counter(2))).to_string();
    assert_eq!(absent, "request 0 (instructions): the unit has no counter 2");
    let only_there = refused(Request::new(Event::CYCLES)).to_string();
    assert!(only_there.starts_with("request 0 (cycles): counters {0} that can count it"), "{only_there}");
    let mut session = pmu.open([Event::INSTRUCTIONS]).unwrap();
    session.start().unwrap();
    device.advance(&pmu::virt::Work::instructions(Mode::User, 100));
    session.stop().unwrap();
    assert_eq!((session.read(), device.read(Msr::p5_counter(0).unwrap())), (Ok([100]), 100), "both count");
    drop(session);
    pmu.release().unwrap();
    assert_eq!(device.read(Msr::CESR), 0xF0);
}

#[test]
fn a_unit_whose_counters_both_count_for_others_is_refused() {
    let device = device(&Identity::P5);
    device.write(Msr::CESR, 0x0056_00D6);
    let error = P5::detect(&Identity::P5, device).unwrap_err();
    assert_eq!(error, Error::UsedByOthers(CounterSet::first(2)));
    assert!(
        error.to_string().starts_with("counters {0, 1} count for somebody else, as firmware or a watchdog"),
        "{error}"
    );
    assert_eq!(device.read(Msr::CESR), 0x0056_00D6);
}

/// The machine has CESR's address and nothing behind it, as some emulators do. The bits above 32 of what is read mean
/// nothing.
#[test]
fn a_unit_that_swallows_every_write_is_found_out() {
    for undefined in [0, 0xFFFF_FFFF_0000_0000] {
        let hollow = Altered::new(Msrs::that_swallows()).reading(|_, _| undefined);
        let expected = Error::Swallowed { register: 0x11, wrote: 0x003F_003F, read: 0 };
        assert_eq!(P5::detect(&Identity::P5, &hollow).err(), Some(expected), "{undefined:#x}");
    }
}

/// Accesses of a kernel that survives faults, up to the number of them that do not.
struct Faulting {
    device: Registers,
    left: Cell<u32>,
}

impl Faulting {
    fn spend(&self) -> Option<()> {
        self.left.set(self.left.get().checked_sub(1)?);
        Some(())
    }
}

impl Guarded for Faulting {
    fn try_read(&self, at: Msr) -> Option<u64> {
        self.spend()?;
        self.device.try_read(at).ok()
    }

    fn try_write(&self, at: Msr, value: u64) -> Option<()> {
        self.spend()?;
        self.device.try_write(at, value).ok()
    }
}

#[test]
fn a_unit_that_faults_is_refused_where_the_kernel_survives_it() {
    for left in 0..5 {
        let faulting = Faulting { device: device(&Identity::P5), left: Cell::new(left) };
        let error = P5::detect_guarded(&Identity::P5, faulting.device, &faulting).unwrap_err();
        assert_eq!(error, Error::NoUnit { reason: "CESR cannot be accessed without a fault" }, "{left}");
    }
    let sound = Faulting { device: device(&Identity::P5), left: Cell::new(5) };
    assert!(P5::detect_guarded(&Identity::P5, sound.device, &sound).is_ok());
}
