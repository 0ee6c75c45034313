//! T-Head's and Andes' own interrupts as a supervisor has them from its firmware, and Andes' modes, which have registers of
//! their own.

use pmu::arch::riscv::Csr;
use pmu::arch::riscv::hpm::sbi::{Address, Host, Line, Sbi};
use pmu::arch::riscv::hpm::{Announced, Capabilities, Device, Hpm, Identity, Interrupt, Model, Privilege};
use pmu::driver::{Plan as _, Registers as _, counters_for};
use pmu::request::{Generic, Refusal};
use pmu::virt::{Delivery, Device as _, Fault, Kind, Kinds, Unconnected, Work};
use pmu::{CounterId, Error, Event, Handled, Interrupted, Mode, Modes, Request, Unit};

use crate::support::line::Level;

/// A counter that an AX45 has besides cycle and instret.
fn third() -> CounterId {
    CounterId::new(3).unwrap()
}

/// A stop by the firmware disables the counter's interrupt, and a start clears its bit.
#[test]
fn a_supervisor_samples_by_the_manufacturers_own_interrupt() {
    let of_sip = [Csr::SIP, Csr::SIE];
    for (identity, number, [pending, enable]) in
        [(Identity::C906, 17, of_sip), (Identity::AX45, 18, [Csr::SLIP, Csr::SLIE])]
    {
        let level = Level::default();
        let host = Host::new(&identity, Kinds::CLOCK, &level);
        let read = |at| host.read(Address::Csr(at)) >> number & 1;
        let unit = Unit::<Sbi<&Host<&Level>>, 64>::new();
        let driver = Sbi::detect(&host, &identity.announced(), Line::Local, &[]).unwrap();
        let interrupt = driver.capabilities().interrupt();
        let cause = if identity.name() == "ax45" { 274 } else { number };
        assert_eq!((interrupt.number(), interrupt.cause(Privilege::Supervisor)), (Some(number), Some(cause)));
        let pmu = unit.claim(driver).unwrap();
        assert_eq!((read(enable), read(pending)), (1, 0), "{}", identity.name());
        let mut session = pmu.open([Request::new(Event::INSTRUCTIONS).every(10_000)]).unwrap();
        session.start().unwrap();
        for _ in 0..5 {
            host.advance(&Work::instructions(Mode::Kernel, 9_999));
            assert!(!level.is_high());
            host.advance(&Work::instructions(Mode::Kernel, 1));
            assert_eq!((read(pending), level.is_high()), (1, true));
            assert_eq!(unit.on_overflow(Interrupted::new(0, Mode::Kernel)), Handled::Overflow);
            assert_eq!((read(pending), level.is_high()), (0, false));
        }
        assert_eq!(session.read(), Ok([50_000]));
        assert_eq!(unit.sample_statistics().received, 5);
        drop(session);
        pmu.release().unwrap();
        assert_eq!(read(enable), 0, "it was not enabled before");
    }
}

/// The device trees of D1 and TH1520 map the general events 5 and 6 to 7 and 6. 9 and 8 are jumps (openc910, ct_hpcp_top.v).
#[test]
fn conditional_branches_of_t_heads_processors_are_7_and_mispredicted_ones_6() {
    let device =
        Device::new(&Identity::C906, Kinds::CLOCK.with(Kind::Branches).with(Kind::MispredictedBranches), Unconnected);
    let driver = Hpm::new(&device, Identity::C906.capabilities());
    let native = [Generic::Branches, Generic::BranchMisses].map(|event| driver.native(event));
    assert_eq!(native, [Ok(Event::raw(7)), Ok(Event::raw(6))]);
    let conditional = driver.catalogue().generic.iter().find(|known| known.name == "papi_br_cn");
    assert_eq!(conditional.map(|known| known.event), Some(Event::BRANCHES));
    let unit = Unit::<Hpm<&Device<Unconnected>>, 0>::new();
    let pmu = unit.claim(driver).unwrap();
    let work = || device.advance(&Work::none(Mode::User).with(Kind::Branches, 30).with(Kind::MispredictedBranches, 4));
    assert_eq!(pmu.count([Event::BRANCHES, Event::BRANCH_MISSES], work).unwrap().0, [30, 4]);
}

/// By the published descriptions in hardware openc906 has 8 selectors and openc910 has 16; the D1's device tree uses more.
#[test]
fn t_heads_processors_are_told_apart_by_the_number_of_their_selectors() {
    let detect = |identity: Identity, announced: Announced| {
        let device = Device::new(&identity, Kinds::CLOCK, Unconnected);
        Hpm::detect(device, Privilege::Machine, &announced).unwrap().capabilities().model
    };
    let announced = Announced::new(Identity::C910.capabilities().extensions);
    let found = [Identity::C910, Identity::C906, Identity::D1].map(|identity| detect(identity, announced));
    assert_eq!(found, [Model::C910, Model::C906, Model::D1]);
    let few = detect(Identity::C910, announced.with_counters(0x7FD));
    assert_eq!(few, Model::D1, "whose codes and counters all of them have");
    assert_eq!(detect(Identity::C910, announced.with_model(Model::D1)), Model::D1, "the kernel knows better");
    assert_eq!(detect(Identity::D1, announced.with_model(Model::C910)), Model::C910, "as a C920's kernel has to say");
}

#[test]
fn each_of_t_heads_processors_has_its_own_codes_on_its_own_counters() {
    let able = |identity: Identity, code| {
        let device = Device::new(&identity, Kinds::CLOCK, Unconnected);
        counters_for(&Hpm::new(device, identity.capabilities()), &Request::new(Event::raw(code))).bits()
    };
    let codes = [1, 7, 8, 0xB, 0xF, 0x12, 0x1D, 0x27, 0x2A, 0x2B];
    let of = |identity| codes.map(|code| able(identity, code));
    let (sixteen, eight) = (0x7_FFF8, 0x7F8);
    assert_eq!(
        of(Identity::C910),
        [sixteen, sixteen, sixteen, sixteen, sixteen, sixteen, sixteen, sixteen, sixteen, 0]
    );
    assert_eq!(of(Identity::C906), [eight, eight, 0, eight, eight, 0, 0, 0, 0, 0]);
    assert_eq!(of(Identity::D1), [1 << 3, 1 << 9, 0, 1 << 13, 1 << 17, 0, 0, 0, 0, 0]);
    let names = [Model::C910, Model::C906, Model::D1].map(|model| model.catalogue().events.iter().count());
    assert_eq!(names, [42 + 2, 12 + 2, 12 + 2], "with mcycle and minstret");
}

/// Linux reads them so: 5C5H on T-Head's and 9D4H on Andes'.
#[test]
fn a_guest_finds_what_has_overflowed_in_scounterof_until_it_starts_the_counter_again() {
    const PMU: u64 = 0x50_4D55;
    for (identity, at) in [(Identity::C906, Csr::SCOUNTEROF), (Identity::AX45, Csr::SCOUNTEROVF)] {
        let host = Host::new(&identity, Kinds::CLOCK, Unconnected);
        let call = |function, arguments| host.call(PMU, function, arguments, &pmu::arch::riscv::hpm::sbi::NoMemory);
        let overflowed = || host.read(Address::Csr(at));
        assert_eq!(call(2, [0, 0b100, 0, 2, 0, 0]), Ok(2));
        assert_eq!(call(3, [0, 0b100, 1, u64::MAX, 0, 0]), Ok(0));
        host.advance(&Work::instructions(Mode::User, 5));
        assert_eq!(overflowed(), 0b100, "{}", identity.name());
        call(4, [0, 0b100, 0, 0, 0, 0]).unwrap();
        assert_eq!(overflowed(), 0b100);
        assert_eq!(call(3, [0, 0b100, 1, 0, 0, 0]), Ok(0));
        assert_eq!(overflowed(), 0);
    }
    let host = Host::new(&Identity::RV64, Kinds::CLOCK, Unconnected);
    for at in [Csr::SCOUNTEROF, Csr::SCOUNTEROVF, Csr::SLIP, Csr::SLIE] {
        assert_eq!(host.try_read(Address::Csr(at)), Err(Fault::Absent), "{at:?}");
    }
}

/// OpenSBI's andes_pmu.c names no bit of mideleg for it, so that its software event is never raised.
#[test]
fn a_software_event_of_andes_interrupt_is_refused_with_the_way_out() {
    let detect = |identity: Identity| {
        let host = Host::new(&identity, Kinds::CLOCK, Unconnected).with_delivery(Delivery::Nmi);
        Sbi::detect(host, &identity.announced(), Line::Software, &[]).map(|_| ())
    };
    let refused = detect(Identity::AX45);
    assert!(matches!(refused, Err(Error::NoUnit { reason }) if reason.contains("use Line::Local")), "{refused:?}");
    assert_eq!(detect(Identity::C906), Ok(()));
}

#[test]
fn firmware_leaves_out_modes_on_an_ax45_and_on_a_c906_it_cannot() {
    let host = Host::new(&Identity::AX45, Kinds::CLOCK, Unconnected);
    let unit = Unit::<Sbi<&Host<Unconnected>>, 0>::new();
    let pmu = unit.claim(Sbi::detect(&host, &Identity::AX45.announced(), Line::Local, &[]).unwrap()).unwrap();
    let of = |modes| Request::new(Event::INSTRUCTIONS).modes(modes);
    for (modes, expected) in [(Modes::USER, 70), (Modes::KERNEL, 3), (Modes::ALL, 73)] {
        let work = || {
            host.advance(&Work::instructions(Mode::User, 70));
            host.advance(&Work::instructions(Mode::Kernel, 3));
        };
        assert_eq!(pmu.count([of(modes)], work).unwrap().0, [expected], "{modes:?}");
    }
    let c906 = Host::new(&Identity::C906, Kinds::CLOCK, Unconnected);
    let driver = Sbi::detect(c906, &Identity::C906.announced(), Line::Local, &[]).unwrap();
    let refused = pmu::driver::Plan::encode(&driver, &of(Modes::USER)).err();
    assert!(matches!(refused, Some(Refusal::Impossible(_))), "{refused:?}");
}

#[test]
fn machine_mode_leaves_out_modes_on_an_ax45_on_every_counter() {
    let device = Device::new(&Identity::AX45, Kinds::CLOCK, Unconnected);
    let unit = Unit::<Hpm<&Device<Unconnected>>, 0>::new();
    let pmu = unit.claim(Hpm::new(&device, Identity::AX45.capabilities())).unwrap();
    let work = || {
        device.advance(&Work::instructions(Mode::User, 70));
        device.advance(&Work::instructions(Mode::Kernel, 3));
    };
    for (event, counter) in [
        (Event::INSTRUCTIONS, Capabilities::MINSTRET),
        (Event::CYCLES, Capabilities::MCYCLE),
        (Event::raw(0x20), third()),
    ] {
        for (modes, expected) in [(Modes::USER, 70), (Modes::KERNEL, 3), (Modes::ALL, 73)] {
            let request = Request::new(event).modes(modes).pinned_to(counter);
            assert_eq!(pmu.count([request], work).unwrap().0, [expected], "{counter} {modes:?}");
        }
    }
}

/// Counters 5 and 6 are not announced to the driver.
#[test]
fn a_claim_leaves_others_bits_in_mcountermask_and_a_release_restores_its_own() {
    let device = Device::new(&Identity::AX45, Kinds::CLOCK, Unconnected);
    let masks = [Csr::MCOUNTERMASK_M, Csr::MCOUNTERMASK_S, Csr::MCOUNTERMASK_U];
    let read = || masks.map(|mask| device.read(mask));
    for (mask, bits) in masks.into_iter().zip([0x7F, 0b10_1000, 0b1000]) {
        device.write(mask, bits);
    }
    let before = read();
    assert_eq!(before, [0x7D, 0b10_1000, 0b1000], "there is no counter 1");
    let unit = Unit::<Hpm<&Device<Unconnected>>, 0>::new();
    let pmu = unit.claim(Hpm::new(&device, Identity::AX45.with_counters(0b1_1101).capabilities())).unwrap();
    let user = Request::new(Event::raw(0x20)).modes(Modes::USER).pinned_to(third());
    let during = pmu.count([user], read).unwrap().1;
    assert_eq!(during, [0x68, 0b10_1000, 0]);
    pmu.release().unwrap();
    assert_eq!(read(), before);
    let without = Device::new(&Identity::C906, Kinds::CLOCK, Unconnected);
    assert_eq!(masks.map(|mask| without.try_read(mask)), [Err(Fault::Absent); 3]);
}

#[test]
fn mhpmevent_of_an_ax45_has_no_modes() {
    let device = Device::new(&Identity::AX45, Kinds::CLOCK, Unconnected);
    device.write(Csr::MCOUNTERMASK_S, 0b1000);
    device.write(Csr::select(3).unwrap(), u64::MAX);
    assert_eq!(device.read(Csr::select(3).unwrap()), (1 << 56) - 1);
    assert_eq!(device.read(Csr::MCOUNTERMASK_S), 0b1000);
    assert_eq!(Identity::AX45.capabilities().interrupt(), Interrupt::Andes);
}
