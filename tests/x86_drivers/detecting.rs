//! Which family's driver a processor gets, by CPUID, on 64-bit x86 and on 32-bit x86.

use pmu::arch::x86::intel::{self, Intel};
use pmu::arch::x86::{
    CpuIdReader, CpuIdResult, Detected, Detected32, Modern, Msr, Unattached, Window, amd, netburst, p5, p6,
};
use pmu::driver::{Plan, Registers};
use pmu::request::Refusal;
use pmu::virt::{Device as _, Kinds, Unconnected, Work};
use pmu::{Error, Mode, Unit};

use crate::support::memory::Msrs;
use crate::support::registers::Altered;

/// Registers of a unit that is there: IA32_MISC_ENABLE has its bit for performance monitoring (SDM vol. 4, "IA-32
/// Architectural MSRs").
pub(crate) fn file() -> Msrs {
    Msrs::new().with(Msr::MISC_ENABLE, 1 << 7)
}

const INTEL: &[u8; 12] = b"GenuineIntel";
const AMD: &[u8; 12] = b"AuthenticAMD";

/// A processor of this vendor with this signature, and a leaf 0AH if `version` is not 0.
fn processor(vendor: &[u8; 12], signature: u32, version: u32) -> impl CpuIdReader + use<> {
    let [b, d, c] = [0, 4, 8].map(|at| u32::from_le_bytes(vendor[at..at + 4].try_into().unwrap()));
    move |leaf: u32, _: u32| {
        let [eax, ebx, ecx, edx] = match leaf {
            0 => [if version > 0 { 0xA } else { 2 }, b, c, d],
            // MSR, APIC and MMX.
            1 => [signature, 0, 0, 1 << 5 | 1 << 9 | 1 << 23],
            0xA => [version | 2 << 8 | 40 << 16 | 7 << 24, 0, 0, 0],
            _ => [0; 4],
        };
        CpuIdResult { eax, ebx, ecx, edx }
    }
}

/// The driver that x86-64 gives it.
fn found(cpuid: &impl CpuIdReader) -> Result<&'static str, Error> {
    Detected::detect(cpuid, &file(), Unattached).map(|driver| of_64_bits(&driver))
}

fn of_64_bits<R, L>(driver: &Detected<R, L>) -> &'static str {
    match driver {
        Detected::Modern(driver) => modern(driver),
        Detected::Netburst(_) => "Netburst",
        _ => "another",
    }
}

/// The driver that it gets where no Pentium 4 is expected.
fn found_modern(cpuid: &impl CpuIdReader) -> Result<&'static str, Error> {
    Modern::detect(cpuid, &file(), Unattached).map(|driver| modern(&driver))
}

fn modern<R, L>(driver: &Modern<R, L>) -> &'static str {
    match driver {
        Modern::Intel(_) => "Intel",
        Modern::Amd(_) => "Amd",
        _ => "another",
    }
}

/// The driver that 32-bit x86 gives it.
fn found_32(cpuid: &impl CpuIdReader) -> Result<&'static str, Error> {
    Detected32::detect(cpuid, &file(), Unattached).map(|driver| match driver {
        Detected32::Later(driver) => of_64_bits(&driver),
        Detected32::P6(_) => "P6",
        Detected32::P5(_) => "P5",
        _ => "another",
    })
}

/// The signatures are those of InstLatx64's dumps.
#[test]
fn each_processor_gets_its_familys_driver() {
    let processors = [
        (INTEL, 0x0000_052C, 0, "P5", "Pentium"),
        (INTEL, 0x0000_0543, 0, "P5", "Pentium with MMX"),
        (INTEL, 0x0000_0619, 0, "P6", "Pentium Pro"),
        (INTEL, 0x0000_0653, 0, "P6", "Pentium II"),
        (INTEL, 0x0000_068A, 0, "P6", "Pentium III"),
        (INTEL, 0x0000_06D8, 0, "P6", "Pentium M"),
        (INTEL, 0x0000_06E8, 1, "Intel", "Core Duo"),
        (INTEL, 0x0000_06FB, 2, "Intel", "Core 2"),
        (INTEL, 0x0000_0F0A, 0, "Netburst", "Willamette"),
        (INTEL, 0x0000_0F29, 0, "Netburst", "Northwood"),
        (INTEL, 0x0000_0F43, 0, "Netburst", "Prescott"),
        (INTEL, 0x0000_0F61, 2, "Intel", "a guest of family 15 whose hypervisor has architectural monitoring"),
        (AMD, 0x0000_06A0, 0, "Amd", "Athlon"),
        (AMD, 0x0010_0F42, 0, "Amd", "Opteron of family 10h"),
    ];
    for (vendor, signature, version, driver, name) in processors {
        let cpuid = processor(vendor, signature, version);
        assert_eq!(found_32(&cpuid), Ok(driver), "{name}");
        match driver {
            "P5" | "P6" => {
                let error = found(&cpuid).unwrap_err();
                assert!(
                    matches!(error, Error::OtherDriver { driver: other, .. } if other == driver),
                    "{name}: {error}"
                );
            }
            _ => assert_eq!(found(&cpuid), Ok(driver), "{name}"),
        }
    }
}

#[test]
fn the_identities_get_their_drivers() {
    let intels = intel::Identity::ALL.iter().map(|identity| (found_32(identity), found(identity)));
    assert!(intels.into_iter().all(|found| found == (Ok("Intel"), Ok("Intel"))));
    let amds = amd::Identity::ALL.iter().map(|identity| (found_32(identity), found(identity)));
    assert!(amds.into_iter().all(|found| found == (Ok("Amd"), Ok("Amd"))));
    assert!(p6::Identity::ALL.iter().all(|identity| found_32(identity) == Ok("P6")));
    assert!(p5::Identity::ALL.iter().all(|identity| found_32(identity) == Ok("P5")));
}

#[test]
fn intels_driver_names_the_one_that_a_processor_wants() {
    let error = |signature| {
        let file = file();
        Intel::<_, _>::detect(&processor(INTEL, signature, 0), &file, Unattached).map(|_| ()).unwrap_err()
    };
    let expected = "a processor of family 0xf, model 0x2 has another unit: use the driver Netburst";
    assert_eq!(error(0x0F29).to_string(), expected);
    assert_eq!(error(0x068A), Error::OtherDriver { family: 6, model: 8, driver: "P6" });
    assert_eq!(error(0x0543), Error::OtherDriver { family: 5, model: 4, driver: "P5" });
    assert_eq!(error(0x0590), Error::UnknownProcessor { family: 5, model: 9 }, "Quark has none");
    assert!(matches!(error(0x0005_06E3), Error::NoUnit { .. }), "Skylake, of which a hypervisor hides the unit");
}

#[test]
fn the_driver_of_intels_and_amds_units_names_the_one_that_has_a_pentium_4s_too() {
    let error = found_modern(&processor(INTEL, 0x0F29, 0)).unwrap_err();
    let expected = "a processor of family 0xf, model 0x2 has another unit: use the driver x86::Detected";
    assert_eq!(error.to_string(), expected);
    assert_eq!(
        found_modern(&processor(INTEL, 0x0F61, 2)),
        Ok("Intel"),
        "a hypervisor gives it architectural monitoring"
    );
    assert_eq!(found_modern(&processor(INTEL, 0x068A, 0)), found(&processor(INTEL, 0x068A, 0)));
    assert_eq!(found_modern(&intel::Identity::SKYLAKE), Ok("Intel"));
    assert_eq!(found_modern(&amd::Identity::ZEN_2), Ok("Amd"));
}

#[test]
fn what_no_driver_knows_is_named_and_refused() {
    let i486 = processor(INTEL, 0x0000_0480, 0);
    assert_eq!(found_32(&i486), Err(Error::UnknownProcessor { family: 4, model: 8 }));
    let text = "there is no driver for a processor of family 0x4, model 0x8; without one, a Timer samples by the kernel's tick";
    assert_eq!(found(&i486).unwrap_err().to_string(), text);
    let cyrix = processor(b"CyrixInstead", 0x0000_0600, 0);
    assert_eq!(found_32(&cyrix), Err(Error::UnknownVendor { name: *b"CyrixInstead" }));
    let text = "there is no driver for a processor of the vendor CyrixInstead; without one, a Timer samples by the kernel's tick";
    assert_eq!(found(&cyrix).unwrap_err().to_string(), text);
    let k5 = processor(AMD, 0x0000_0524, 0);
    assert_eq!(found_32(&k5), Err(Error::UnknownProcessor { family: 5, model: 2 }), "AMD's have other registers");
}

#[test]
fn a_kernel_that_asks_again_after_a_failed_detection_has_the_same_reason() {
    let unknown = processor(b"CyrixInstead", 0x0000_0600, 0);
    let hidden = processor(INTEL, 0x0005_06E3, 0);
    let expected = Error::UnknownVendor { name: *b"CyrixInstead" };
    let file = Altered::new(file()).writing(|_, at, _| panic!("{at:?} is written"));
    let swallowing = Msrs::that_swallows().with(Msr::MISC_ENABLE, 1 << 7);
    for _ in 0..2 {
        assert_eq!(Detected::detect(&unknown, &file, Unattached).err(), Some(expected));
        assert!(matches!(Detected::detect(&hidden, &file, Unattached), Err(Error::NoUnit { .. })));
        assert!(matches!(
            Detected::detect(&intel::Identity::SKYLAKE, &swallowing, Unattached),
            Err(Error::Swallowed { .. })
        ));
    }
}

#[test]
fn a_detected_unit_describes_itself_as_its_family_does() {
    let described =
        |identity: &p5::Identity| Detected32::detect(identity, file(), Unattached).unwrap().description().name;
    assert_eq!(p5::Identity::ALL.each_ref().map(described), ["Pentium", "Pentium with MMX"]);
}

/// A virtual machine may keep selectors and drop what is written to counters, or to the control of the fixed ones.
#[test]
fn a_unit_that_drops_what_is_written_to_counters_is_found_out_on_each_family() {
    fn dropped(identity: &impl CpuIdReader, register: u32) {
        let file = file();
        let registers = Altered::new(&file).writing(|file, at, value| {
            if !(register..register + 2).contains(&at.address()) {
                file.write(at, value);
            }
        });
        let error = Detected32::detect(identity, &registers, Unattached).err();
        assert!(
            matches!(error, Some(Error::Swallowed { register: at, .. }) if at == register),
            "{register:#x}: {error:?}"
        );
        assert_eq!(file.contents().len(), 1, "{register:#x}: every register has its old value");
        assert!(Detected32::detect(identity, &file, Unattached).is_ok());
    }
    dropped(&intel::Identity::CORE_2, 0xC1); // IA32_PMC0
    dropped(&intel::Identity::SKYLAKE, 0x38D); // IA32_FIXED_CTR_CTRL
    dropped(&amd::Identity::K8, 0xC001_0004); // PerfCtr0
    dropped(&p6::Identity::PENTIUM_III, 0xC1); // PerfCtr0
    dropped(&p5::Identity::ALL[0], 0x12); // CTR0
    dropped(&netburst::Identity::PRESCOTT, 0x300); // MSR_BPU_COUNTER0
}

/// A counter that follows bit 31 of what is written, and holds what no write gives it, is left alone.
#[test]
fn a_counter_that_could_not_be_restored_is_left_alone_by_detection() {
    let file = file();
    let counter = Msr::counter(Window::Narrow, 0).unwrap();
    file.write(counter, 0xAB_0000_0000);
    assert!(Detected32::detect(&p6::Identity::PENTIUM_III, &file, Unattached).is_ok());
    assert_eq!(file.read(counter), 0xAB_0000_0000);
}

/// It counted 2^47 for 1,000 instructions, and passed.
#[test]
fn a_count_of_half_the_range_is_no_sign_of_a_unit_that_counts() {
    for identity in [intel::Identity::CORE_2, intel::Identity::SKYLAKE] {
        let is_counter = |at: Msr| [0xC1, 0x309, 0x4C1].iter().any(|first| (*first..first + 8).contains(&at.address()));
        let deaf =
            Altered::new(intel::Device::new(&identity, Kinds::CLOCK, Unconnected)).writing(|device, at, value| {
                if !is_counter(at) {
                    device.write(at, value);
                }
            });
        let unit = Unit::<Intel<_, _>, 0>::new();
        let pmu = unit.claim(Intel::new(&deaf, Unattached, identity.capabilities())).unwrap();
        let error = pmu.check(1000, || deaf.advance(&Work::instructions(Mode::Kernel, 1000))).unwrap_err();
        assert!(matches!(error, Error::Silent { counted, least: 1000 } if counted > 1 << 31), "{error}");
        assert!(error.to_string().contains("drops what is written"), "{error}");
    }
}

/// A unit that counts nothing would pass the first, and one that counts would fail the others.
#[test]
fn a_check_that_could_tell_nothing_is_refused_and_runs_nothing() {
    let device = intel::Device::new(&intel::Identity::SKYLAKE, Kinds::CLOCK, Unconnected);
    let unit = Unit::<Intel<_, _>, 0>::new();
    let pmu = unit.claim(Intel::detect(&intel::Identity::SKYLAKE, &device, Unattached).unwrap()).unwrap();
    for least in [0, 1 << 47, 1 << 50] {
        let refused = pmu.check(least, || panic!("it was run")).unwrap_err();
        assert!(matches!(refused, Error::Refused { reason: Refusal::Impossible(_), .. }), "{refused}");
    }
    assert_eq!(pmu.check(1, || device.advance(&Work::instructions(Mode::Kernel, 1))), Ok(()));
}
