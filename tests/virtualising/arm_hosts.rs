//! What a guest finds in the ID registers of an Arm processor, over those of the host.

use pmu::Mode;
use pmu::arch::aarch64::SystemRegister;
use pmu::arch::aarch64::pmuv3::{Announced, Device, Identity, Machine};
use pmu::virt::{Device as _, Kind, Kinds, Unconnected, Work};

/// Reads the registers of a processor as a host reads its own, at EL2.
fn native(identity: &Identity) -> impl Fn(SystemRegister) -> u64 {
    let identity = *identity;
    move |at| match at {
        SystemRegister::EVENTS_0 => identity.announced().registers()[0],
        SystemRegister::EVENTS_1 => identity.announced().registers()[1],
        SystemRegister::CONTROL => identity.control().bits() | 0x41,
        SystemRegister::MACHINE => identity.machine().0,
        _ => identity.register(at, Mode::Hypervisor).unwrap_or(0),
    }
}

const ID: [SystemRegister; 3] =
    [SystemRegister::PROCESSOR_FEATURES, SystemRegister::DEBUG_FEATURES_0, SystemRegister::DEBUG_FEATURES_1];

#[test]
fn a_host_gives_its_guest_the_unit_that_it_has_itself() {
    for identity in Identity::ALL {
        let host = Identity::of_host(native(&identity)).unwrap();
        assert_eq!(
            (host.control().counters(), host.announced()),
            (identity.control().counters(), identity.announced())
        );
        let [of_host, of_identity] = [host, identity].map(|identity| Device::new(&identity, Kinds::CLOCK, Unconnected));
        for at in (0..=u16::MAX).filter_map(SystemRegister::from_number) {
            let is_whole = ID.contains(&at);
            assert!(is_whole || of_host.try_read(at) == of_identity.try_read(at), "{}: {at:?}", identity.name());
        }
    }
}

#[test]
fn a_processor_without_the_unit_or_with_another_has_no_identity() {
    for version in [0, 0xF] {
        let registers = |at| if at == SystemRegister::DEBUG_FEATURES_0 { version << 8 } else { 0x2222 };
        assert_eq!(Identity::of_host(registers), None);
    }
}

/// A guest would look for what the later version adds.
#[test]
fn a_version_that_is_newer_than_the_device_is_announced_to_an_arm_guest_as_the_devices() {
    for (version, announced) in [(1, 1), (8, 8), (9, 9), (0xA, 9), (0xE, 9)] {
        let registers = |at| match at {
            SystemRegister::DEBUG_FEATURES_0 => version << 8,
            at => native(&Identity::ARMV9_4)(at),
        };
        let guest = Identity::of_host(registers).unwrap().for_guest();
        let merged = guest.merged(SystemRegister::DEBUG_FEATURES_0, version << 8, Mode::Kernel);
        assert_eq!(merged, Some(announced << 8));
    }
}

#[test]
fn what_is_no_field_of_the_unit_is_the_hosts() {
    let guest = Identity::CORTEX_A57.for_guest();
    // The fields of breakpoints and watchpoints, and the version of the debug architecture.
    let merged = guest.merged(SystemRegister::DEBUG_FEATURES_0, 0x0000_0000_2030_7508, Mode::Kernel);
    assert_eq!(merged, Some(0x2030_7108), "PMUVer is the A57's 1");
    let [floating_point, vectors, interrupts] = [1 << 16, 1 << 32, 1 << 24];
    let host = floating_point | vectors | interrupts | 0x1111;
    assert_eq!(guest.merged(SystemRegister::PROCESSOR_FEATURES, host, Mode::Kernel), Some(host & !0xFF00));
    assert_eq!(guest.merged(SystemRegister::CONTROL, 7, Mode::Kernel), None, "the device answers it");
}

#[test]
fn units_that_the_device_is_not_are_hidden_from_an_arm_guest() {
    let host_0 = 0x6 << 8 | 1 << 16 | 1 << 24 | 3 << 32 | 1 << 44 | 1 << 48 | 2 << 52;
    let host_1 = 1 << 32 | 1 << 36 | 1 << 48 | 0xFF;
    for identity in Identity::ALL {
        let merged_0 = identity.merged(SystemRegister::DEBUG_FEATURES_0, host_0, Mode::Kernel).unwrap();
        let merged_1 = identity.merged(SystemRegister::DEBUG_FEATURES_1, host_1, Mode::Kernel).unwrap();
        assert_eq!(merged_0 & 0x00FF_F00F_0F0F_0000, 0, "{}", identity.name());
        // The activity monitors count what EL2 does.
        let levels = identity.merged(SystemRegister::PROCESSOR_FEATURES, 1 << 44 | 0x11, Mode::Kernel).unwrap();
        assert_eq!(levels >> 44 & 0xF, 0, "{}", identity.name());
        assert_eq!(merged_1 & 0x000F_000F_0000_00FF, 0xFF, "{}", identity.name());
    }
}

#[test]
fn a_guest_finds_neither_levels_nor_aarch32_that_the_host_does_not_have() {
    let host_without_aarch32 = 0x0000_1111;
    for identity in Identity::ALL {
        let merged = identity.merged(SystemRegister::PROCESSOR_FEATURES, host_without_aarch32, Mode::Kernel).unwrap();
        let fields = |register: u64| [0, 4, 8, 12].map(|at| register >> at & 0xF);
        assert!(fields(merged).iter().zip(fields(host_without_aarch32)).all(|(&field, most)| field <= most));
    }
}

#[test]
fn within_a_host_nothing_is_announced_that_the_host_does_not_have() {
    for (identity, host) in Identity::ALL.iter().flat_map(|identity| Identity::ALL.map(|host| (*identity, host))) {
        let guest = identity.within(&host);
        let Announced { low, high } = guest.announced();
        let version =
            |identity: &Identity| identity.register(SystemRegister::DEBUG_FEATURES_0, Mode::Kernel).unwrap() >> 8;
        assert!(version(&guest) & 0xF <= version(&host) & 0xF);
        assert!(guest.control().counters() <= host.control().counters());
        assert_eq!((low & !host.announced().low, high & !host.announced().high), (0, 0));
        assert!(guest.machine().threshold_bits() <= host.machine().threshold_bits());
        assert!(host.machine().has_edges() || !guest.machine().has_edges());
        assert_eq!(guest.within(&host), guest, "once is enough");
    }
    assert_eq!(Identity::NEOVERSE_V1.within(&Identity::NEOVERSE_N1).machine(), Machine(0));
}

#[test]
fn a_guest_is_told_of_events_that_are_fed_alone() {
    const MEM_ACCESS: u16 = 0x13;
    let of = |observed| Identity::NEOVERSE_N2.for_guest().fed_by(observed).announced();
    let [clock, memory] = [Kinds::CLOCK, Kinds::CLOCK.with(Kind::Loads).with(Kind::Stores)].map(of);
    assert_eq!([clock, memory].map(|announced| announced.says(MEM_ACCESS)), [Some(false), Some(true)]);
    assert_eq!(
        [0x08, 0x11, 0x1E, 0x00, 0x04].map(|event| clock.says(event)),
        [true, true, true, true, false].map(Some)
    );
    for observed in [Kinds::CLOCK, Kinds::CLOCK.with(Kind::Branches)] {
        let identity = Identity::ARMV9_4.fed_by(observed);
        for event in (0..0x40_u16).chain(0x4000..0x4040).filter(|&event| identity.announced().says(event) == Some(true))
        {
            let unit = Device::new(&identity, observed, Unconnected);
            unit.try_write(SystemRegister::select(1).unwrap(), event.into()).unwrap();
            unit.try_write(SystemRegister::ENABLE_SET, 0b10).unwrap();
            unit.try_write(SystemRegister::CONTROL, 1).unwrap();
            let is_fed = ![STALL_FRONTEND, STALL_BACKEND, STALL].contains(&event);
            assert_eq!(unit.unfed().is_empty(), is_fed, "event {event:#x} is announced");
        }
    }
}

const STALL_FRONTEND: u16 = 0x23;
const STALL_BACKEND: u16 = 0x24;
const STALL: u16 = 0x3C;

/// What the events test of kvm-unit-tests asks for (arm/pmu.c), and STALL, as QEMU announces it.
#[test]
fn a_guest_is_told_of_the_events_that_the_architecture_requires_and_they_count_0() {
    let stalls = [STALL_FRONTEND, STALL_BACKEND, STALL];
    for (identity, required) in [
        (Identity::CORTEX_A57, [false, false, false]),
        (Identity::NEOVERSE_N1, [true, true, false]),
        (Identity::NEOVERSE_V1, [true, true, true]),
        (Identity::NEOVERSE_N2, [true, true, true]),
        (Identity::ARMV9_4, [true, true, true]),
    ] {
        let host = Device::new(&identity, Kinds::CLOCK, Unconnected);
        let of_host = Identity::of_host(|at| host.try_read(at).unwrap()).unwrap().for_guest();
        for observed in [Kinds::NONE, Kinds::CLOCK] {
            let announced = of_host.fed_by(observed).announced();
            assert_eq!(stalls.map(|event| announced.says(event)), required.map(Some), "{}", identity.name());
            assert_eq!([0x00, 0x08, 0x11].map(|event| announced.says(event)), [Some(true); 3], "{}", identity.name());
        }
        let unit = Device::new(&of_host.fed_by(Kinds::CLOCK), Kinds::CLOCK, Unconnected);
        for event in stalls {
            unit.try_write(SystemRegister::select(0).unwrap(), event.into()).unwrap();
            unit.try_write(SystemRegister::ENABLE_SET, 1).unwrap();
            unit.try_write(SystemRegister::CONTROL, 1).unwrap();
            unit.advance(&Work::instructions(Mode::Kernel, 1000));
            assert_eq!(unit.state().counters[0], 0, "{}", identity.name());
        }
    }
}
