//! Detection: by the family, by registers that keep what is written, and by those that fault.

use pmu::arch::x86::CpuIdResult;
use pmu::arch::x86::amd::{Amd, Capabilities, Device, Identity, Microarchitecture};
use pmu::arch::x86::{Block, Detected, Msr, Unattached, intel};
use pmu::driver::Registers;
use pmu::virt::{Device as _, Unconnected};
use pmu::{CounterSet, Error};

use crate::amd::device;
use crate::lacking::{Lacking, Refusing};

/// A processor of AMD's with this signature, and these answers of the extended leaves.
fn processor(signature: u32, features: u32, monitoring: [u32; 2]) -> impl Fn(u32, u32) -> CpuIdResult + Clone {
    move |leaf, _| {
        let [eax, ebx, ecx, edx] = match leaf {
            0 => [1, 0x6874_7541, 0x444D_4163, 0x6974_6E65],
            1 => [signature, 0, 0, 0],
            0x8000_0000 => [0x8000_0022, 0, 0, 0],
            0x8000_0001 => [signature, 0, features, 0],
            0x8000_0022 => [monitoring[0], monitoring[1], 0, 0],
            _ => [0; 4],
        };
        CpuIdResult { eax, ebx, ecx, edx }
    }
}

const CORE: u32 = 1 << 23;

fn shape(capabilities: &Capabilities) -> (Microarchitecture, Block, u32, u8) {
    (capabilities.microarchitecture, capabilities.block, capabilities.counters.len(), capabilities.version)
}

#[test]
fn a_unit_that_no_cpuid_bit_announces_is_known_by_its_family() {
    let four = |microarchitecture| (microarchitecture, Block::Legacy, 4, 0);
    let found = [Identity::K7, Identity::K8, Identity::FAMILY_10H, Identity::FAMILY_16H];
    let generations =
        [Microarchitecture::K7, Microarchitecture::K8, Microarchitecture::Family10h, Microarchitecture::Family16h];
    assert_eq!(found.map(|identity| shape(&identity.capabilities())), generations.map(four));
}

#[test]
fn six_counters_are_announced_and_so_is_version_2() {
    assert_eq!(shape(&Identity::FAMILY_15H.capabilities()), (Microarchitecture::Family15h, Block::Core, 6, 0));
    assert_eq!(shape(&Identity::ZEN_2.capabilities()), (Microarchitecture::Zen, Block::Core, 6, 0));
    assert_eq!(shape(&Identity::ZEN_4.capabilities()), (Microarchitecture::Zen3, Block::Core, 6, 2));
}

#[test]
fn a_guest_of_which_the_six_are_hidden_has_four() {
    let capabilities = Capabilities::discover(&processor(0x0083_0F10, 0, [0, 0])).unwrap();
    assert_eq!(shape(&capabilities), (Microarchitecture::Zen, Block::Legacy, 4, 0));
}

#[test]
fn version_2_says_how_many_counters_there_are() {
    let capabilities = |count| Capabilities::discover(&processor(0x00A1_0F11, CORE, [1, count]));
    assert_eq!(capabilities(4).unwrap().counters, CounterSet::first(4));
    assert_eq!(capabilities(15).unwrap().counters, CounterSet::first(6), "no more than have addresses");
    assert_eq!(capabilities(0).unwrap_err(), Error::NoUnit { reason: "CPUID leaf 80000022H announces no counter" });
}

#[test]
fn version_2_says_whether_its_counters_can_freeze() {
    let freezes = |features| Capabilities::discover(&processor(0x00A1_0F11, CORE, [features, 6])).unwrap().freezes;
    assert_eq!([0b000, 0b001, 0b101, 0b100].map(freezes), [false, false, true, false]);
}

#[test]
fn a_family_that_is_not_known_is_named_and_refused() {
    let error = Capabilities::discover(&processor(0x00B0_0F00 | 5 << 20, 0, [0, 0])).unwrap_err();
    assert_eq!(error, Error::UnknownProcessor { family: 0x1E, model: 0 });
    let error = Capabilities::discover(&intel::Identity::SKYLAKE).unwrap_err();
    assert_eq!(error, Error::UnknownProcessor { family: 6, model: 0x5E });
}

/// A machine of which only these counters are there.
fn lacking(identity: &Identity, kept: u64) -> Lacking<Device<Unconnected>> {
    Lacking::new(device(identity), move |at| {
        CounterSet::from_bits(kept).into_iter().any(|counter| {
            let own = [Msr::core_select, Msr::core_counter]
                .map(|register| [Block::Legacy, Block::Core].map(|block| register(block, counter.number())));
            own.as_flattened().contains(&Some(at))
        })
    })
}

#[test]
fn counters_that_swallow_writes_are_left_out() {
    let machine = lacking(&Identity::FAMILY_15H, 0b00_1111);
    let driver = Amd::<_, _>::detect(&Identity::FAMILY_15H, machine.registers(), Unattached).unwrap();
    assert_eq!(driver.capabilities().counters, CounterSet::first(4));
}

#[test]
fn a_unit_that_swallows_every_write_is_found_out() {
    let machine = lacking(&Identity::K8, 0);
    let error = Amd::<_, _>::detect(&Identity::K8, machine.registers(), Unattached).err();
    assert_eq!(error, Some(Error::Swallowed { register: 0xC001_0000, wrote: 0xFF00, read: 0 }));
}

#[test]
fn counters_that_fault_are_left_out_where_the_kernel_survives_it() {
    let machine = lacking(&Identity::K8, 0b0101);
    let driver = Amd::<_, _>::detect_guarded(&Identity::K8, machine.device, Unattached, &machine).unwrap();
    assert_eq!(driver.capabilities().counters, CounterSet::from_bits(0b0101));
    let none = lacking(&Identity::K8, 0);
    let error = Amd::<_, _>::detect_guarded(&Identity::K8, none.device, Unattached, &none).unwrap_err();
    assert_eq!(error, UNREACHABLE);
}

/// What is said of a unit that faults.
const UNREACHABLE: Error =
    Error::NoUnit { reason: "no counter can be accessed without a fault and keeps what is written" };

#[test]
fn a_guest_without_a_unit_is_asked_once_for_each_counter() {
    let refusing = Refusing::default();
    let device = device(&Identity::K7);
    assert_eq!(Amd::<_, _>::detect_guarded(&Identity::K7, device, Unattached, &refusing).unwrap_err(), UNREACHABLE);
    assert_eq!(refusing.0.get(), 4);
}

#[test]
fn detection_leaves_the_unit_as_it_was() {
    let device = device(&Identity::ZEN_4);
    device.write(Msr::core_select(Block::Core, 0).unwrap(), 0x0043_00C0);
    let before = device.state();
    Detected::detect(&Identity::ZEN_4, device, Unattached).unwrap();
    assert_eq!(device.state(), before);
}

#[test]
fn a_vendor_that_no_driver_knows_is_refused() {
    let transmeta = |leaf: u32, _: u32| {
        let [eax, ebx, ecx, edx] = match leaf {
            0 => [1, 0x756E_6547, 0x3638_784D, 0x5465_6E69],
            1 => [0x0000_0542, 0, 0, 0],
            _ => [0; 4],
        };
        CpuIdResult { eax, ebx, ecx, edx }
    };
    let error = Detected::detect(&transmeta, device(&Identity::K8), Unattached).unwrap_err();
    assert_eq!(error, Error::UnknownVendor { name: *b"GenuineTMx86" });
}
