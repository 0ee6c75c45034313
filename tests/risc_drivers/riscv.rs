//! The RISC-V units: how they are detected, what the driver refuses, and what the device does.

use crate::support::registers::Altered;
use std::cell::Cell;

use pmu::arch::riscv::hpm::sbi::{self, Sbi};
use pmu::arch::riscv::hpm::{Announced, Capabilities, Device, Extensions, Hpm, Identity, Model, Privilege, Select};
use pmu::arch::riscv::{Csr, Part};
use pmu::driver::{Counters as _, Overflow, Plan as _, Registers};
use pmu::request::Refusal;
use pmu::virt::{Device as _, Fault, Kinds, Unconnected, Work};
use pmu::{CounterId, CounterSet, Error, Event, Mode, Modes, Request, Unit};

type Plain = Device<Unconnected>;

fn device(identity: Identity) -> Plain {
    Device::new(&identity, Kinds::CLOCK, Unconnected)
}

fn driver(identity: Identity) -> Hpm<Plain> {
    Hpm::new(device(identity), identity.capabilities())
}

fn refusal(identity: Identity, request: Request) -> Option<Refusal> {
    driver(identity).encode(&request).err()
}

#[test]
fn every_identity_is_detected_with_its_counters_and_their_width() {
    for identity in Identity::ALL {
        let (device, expected) = (device(identity), identity.capabilities());
        let before = device.state();
        let found = *Hpm::detect(&device, identity.privilege(), &identity.announced()).unwrap().capabilities();
        assert_eq!(found, expected, "{}", identity.name());
        assert_eq!(device.state(), before, "{}", identity.name());
    }
}

#[test]
fn counters_that_keep_nothing_are_left_out() {
    let device = device(Identity::U74);
    let announced = Announced::new(Extensions::from_isa("rv64imafdc"));
    let found = *Hpm::detect(&device, Privilege::Machine, &announced).unwrap().capabilities();
    assert_eq!((found.model, found.counters.bits(), found.width.bits()), (Model::U74, 0b101 << 32 | 0b11000, 40));
}

#[test]
fn a_processor_is_known_by_the_three_numbers_that_it_announces() {
    let of = |vendor, architecture, implementation| Model::of(Part::new(vendor, architecture, implementation));
    assert_eq!(of(0x489, 0x8000_0000_0000_0007, 1), Model::U74);
    assert_eq!(of(0, 0x7_0200, 0x7_0200), Model::Qemu);
    for identity in &Identity::ALL {
        let capabilities = identity.capabilities();
        // T-Head's have the same numbers.
        if ![Part::UNKNOWN, Identity::D1.capabilities().part].contains(&capabilities.part) {
            assert_eq!(Model::of(capabilities.part), capabilities.model, "{}", identity.name());
        }
    }
    assert_eq!([of(0, 0, 0), of(0x489, 8, 1), of(0, 3, 4)], [Model::Other; 3]);
}

/// perf's mapfile.csv has SiFive's lists by the generation in marchid, and by the leading digit of mimpid.
#[test]
fn a_sifive_processors_list_is_told_by_its_generation_and_the_leading_digit_of_its_version() {
    let of = |generation: u64, series, implementation| {
        Model::of(Part::new(0x489, 0x8000_0000_0000_0000 | generation << 8 | series, implementation))
    };
    assert_eq!([0x7A, 0x8000, 0xA0_0000, 0xC123].map(|version| of(1, 7, version)), [Model::Bullet07; 4]);
    assert_eq!([of(1, 7, 0xD0), of(0xE, 7, 0xDABC)], [Model::Bullet0D; 2]);
    assert_eq!([of(1, 8, 0x90), of(6, 8, 0xB0_0001)], [Model::P650; 2]);
    assert_eq!([of(0, 7, 0xD0), of(0, 8, 0x90)], [Model::U74, Model::P550]);
    let unknown = [of(1, 7, 0x1000), of(0xF, 7, 0x7000), of(7, 8, 0x9000), of(1, 9, 0x7000), of(1, 7, 0)];
    assert_eq!(unknown, [Model::Other; 5]);
}

#[test]
fn a_supervisor_without_delegation_has_no_unit_of_its_own() {
    let announced = Announced::new(Extensions::from_isa("rv64imac_sscofpmf"));
    let outcome = Hpm::detect(device(Identity::RV64), Privilege::Supervisor, &announced);
    assert!(matches!(outcome, Err(Error::NoUnit { .. })), "{outcome:?}");
}

#[test]
fn without_sscofpmf_a_period_is_refused_and_the_way_out_named() {
    let refused = refusal(Identity::RV64_PLAIN, Request::new(Event::CYCLES).every(100_000)).unwrap();
    assert_eq!(refused, Refusal::NoInterrupt);
    assert!(refused.to_string().contains("Timer"));
    assert_eq!(driver(Identity::RV64_PLAIN).description().overflow, Overflow::None);
}

/// mhpmevent3h to 31h came with Sscofpmf, mcyclecfgh and minstretcfgh with Smcntrpmf. QEMU has an exception there too.
#[test]
fn on_rv32_without_filters_selections_have_no_upper_halves_and_a_claim_counts_without_them() {
    let upper = [0x721, 0x722, 0x723, 0x73F].map(|number| Csr::from_number(number).unwrap());
    let whole = device(Identity::RV32);
    assert!(upper.iter().all(|&at| whole.try_read(at).is_ok()));
    let device = device(Identity::RV32_PLAIN);
    assert_eq!(upper.map(|at| device.try_read(at)), [Err(Fault::Absent); 4]);
    let unit = Unit::<Hpm<&Plain>, 0>::new();
    let pmu = unit.claim(Hpm::new(&device, Identity::RV32_PLAIN.capabilities())).unwrap();
    let requests = [Event::INSTRUCTIONS, Event::raw(2), Event::CYCLES];
    let (counts, ()) = pmu.count(requests, || device.advance(&Work::instructions(Mode::User, 70))).unwrap();
    assert_eq!(counts, [70; 3]);
    pmu.release().unwrap();
}

#[test]
fn on_rv32_without_sscofpmf_a_code_of_more_than_32_bits_is_refused_with_its_bits() {
    let wide = Request::new(Event::raw(1 << 32 | 2));
    assert_eq!(refusal(Identity::RV32_PLAIN, wide), Some(Refusal::ReservedBits(1 << 32)));
    assert_eq!(refusal(Identity::RV32, wide), None);
}

#[test]
fn without_filters_every_mode_is_counted_or_none() {
    let of_user = |event| Request::new(event).modes(Modes::USER);
    assert!(matches!(refusal(Identity::RV64_PLAIN, of_user(Event::CYCLES)), Some(Refusal::Impossible(_))));
    assert_eq!(refusal(Identity::RV64, of_user(Event::CYCLES)), None);
    let hypervisor = Request::new(Event::CYCLES).modes(Modes::HYPERVISOR);
    assert_eq!(refusal(Identity::RV64, hypervisor), Some(Refusal::Modes { able: Modes::ALL }));
}

/// Sscofpmf: mcycle and minstret have no OF.
#[test]
fn cycles_of_a_processor_without_an_event_for_them_have_no_period() {
    let announced = Announced::new(Extensions::from_isa("rv64imac_sscofpmf"));
    let device = device(Identity::RV64);
    let driver = Hpm::detect(&device, Privilege::Machine, &announced).unwrap();
    assert_eq!(driver.capabilities().model, Model::Other);
    assert_eq!(driver.encode(&Request::new(Event::CYCLES)).err(), None);
    let refused = driver.encode(&Request::new(Event::CYCLES).every(100_000)).err();
    assert!(matches!(refused, Some(Refusal::Impossible(reason)) if reason.contains("sample another event")));
}

#[test]
fn counters_that_cannot_be_stopped_are_said_to_count_for_others() {
    let description = driver(Identity::RV64_V1_10).description();
    assert_eq!(description.used_by_others, Capabilities::MCYCLE.only().or(Capabilities::MINSTRET.only()));
    assert_eq!(description.fixed, CounterSet::EMPTY);
    let pinned = Request::new(Event::CYCLES).pinned_to(Capabilities::MCYCLE);
    assert_eq!(refusal(Identity::RV64_V1_10, pinned), Some(Refusal::NoSuchCounter(Capabilities::MCYCLE)));
}

#[test]
fn qemu_counts_each_event_on_one_counter() {
    let qemu = driver(Identity::QEMU);
    let able = |event| pmu::driver::counters_for(&qemu, &Request::new(event)).bits();
    assert_eq!(
        [Event::CYCLES, Event::INSTRUCTIONS, Event::raw(1), Event::raw(0x1_0021)].map(able),
        [1 << 32 | 1 << 3, 1 << 34 | 1 << 4, 1 << 3, 1 << 7]
    );
    assert_eq!(refusal(Identity::QEMU, Request::new(Event::raw(3))), Some(Refusal::UnknownEvent));
}

#[test]
fn a_d1_names_the_counter_that_two_requests_for_one_event_need() {
    let device = device(Identity::D1);
    let unit = Unit::<Hpm<&Plain>, 0>::new();
    let identity = Identity::D1;
    let pmu = unit.claim(Hpm::detect(&device, identity.privilege(), &identity.announced()).unwrap()).unwrap();
    let refused = pmu.open([Request::new(Event::BRANCHES), Request::new(Event::raw(7))]).err().unwrap();
    assert!(matches!(refused, Error::Conflict(_)), "{refused}");
    assert!(refused.to_string().contains("only counter 9 is free for them"), "{refused}");
}

/// The processor has one event for each counter, as lowRISC's ibex: mhpmevent n reads 2^n whatever is written.
#[test]
fn a_hardwired_selector_counts_its_own_event_and_any_other_is_refused() {
    let is_select = |at: Csr| (0x323..=0x33F).contains(&at.number());
    let registers = Altered::new(device(Identity::RV32_PLAIN.with_counters(0x1FFD)))
        .reading(|device, at| if is_select(at) { 1 << (at.number() & 0x1F) } else { device.read(at) })
        .writing(|device, at, value| {
            if !is_select(at) {
                device.write(at, value);
            }
        });
    let announced = Announced::new(Identity::RV32_PLAIN.capabilities().extensions).with_counters(0x1FFD);
    let unit = Unit::<_, 0>::new();
    let pmu = unit.claim(Hpm::detect(registers, Privilege::Machine, &announced).unwrap()).unwrap();
    for (code, counter) in [(1 << 5, Some(5)), (1 << 12, Some(12)), (1 << 13, None), (2, None)] {
        let opened = pmu.open([Request::new(Event::raw(code))]).map(|session| session.counter(0));
        match counter {
            Some(_) => assert_eq!(opened, Ok(counter.and_then(CounterId::new)), "{code:#x}"),
            None => assert!(opened.unwrap_err().to_string().contains("hardwired"), "{code:#x}"),
        }
    }
    let mut thread = pmu::Context::<_, 1>::new(1);
    let refused = thread.bind(&pmu, [Request::new(Event::raw(2))]).unwrap_err();
    assert!(refused.to_string().contains("mhpmevent"), "{refused}");
}

/// Ibex Reference Guide, "Performance Counters": the association of events with the counters is hardwired.
#[test]
fn each_of_ibex_events_is_on_its_own_counter_and_no_other() {
    let device = device(Identity::IBEX);
    let expected = Identity::IBEX.capabilities();
    let announced = Announced::new(expected.extensions);
    assert_eq!(Capabilities::discover(&device, Privilege::Machine, &announced), Ok(expected));
    let unit = Unit::<Hpm<&Plain>, 0>::new();
    let pmu = unit.claim(Hpm::new(&device, expected)).unwrap();
    for number in 3..=12 {
        let (own, counter) = (Request::new(Event::raw(1 << (number - 3))), CounterId::new(number));
        assert_eq!(pmu.open([own]).map(|session| session.counter(0)), Ok(counter));
        let other = CounterId::new(if number == 3 { 4 } else { 3 }).unwrap();
        assert!(matches!(pmu.open([own.pinned_to(other)]), Err(Error::Refused { .. })), "{number}");
    }
    assert!(matches!(pmu.open([Event::raw(1 << 10)]), Err(Error::Refused { reason: Refusal::UnknownEvent, .. })));
}

/// CV32E40P User Manual, "Event Selector": with several bits the operation of the counter is undefined.
#[test]
fn cv32e40ps_events_are_one_bit_of_the_eleven_that_every_core_has() {
    let refused = |code| refusal(Identity::CV32E40P, Request::new(Event::raw(code)));
    assert!((0..=10).all(|bit| refused(1 << bit).is_none()));
    assert_eq!([1 << 11, 3 << 5, 0].map(refused), [Some(Refusal::UnknownEvent); 3]);
}

#[test]
fn a_code_beyond_an_event_and_a_filter_that_is_none_are_refused_with_their_bits() {
    assert_eq!(refusal(Identity::RV64, Request::new(Event::raw(1 << 63 | 2))), Some(Refusal::ReservedBits(1 << 63)));
    let strange = Request::new(Event::raw_with(2, 1 << 57));
    assert_eq!(refusal(Identity::RV64, strange), Some(Refusal::Auxiliary(1 << 57)));
}

/// The device counts 1 instruction before each access.
#[test]
fn halves_are_read_without_a_tear_whenever_they_carry() {
    for identity in [Identity::RV32, Identity::RV32_DELEGATED] {
        for lead in 0..8 {
            let start = 0x6_FFFF_FFFF - lead;
            let device = device(identity);
            let ticking =
                Altered::new(&device).before(|device, _| device.advance(&Work::instructions(Mode::Kernel, 1)));
            let driver = Hpm::new(ticking, identity.capabilities());
            let at = |of: fn(u8) -> Option<Csr>| of(3).unwrap();
            let (counter, select) = match identity.privilege() {
                Privilege::Machine => (at(Csr::counter), at(Csr::select)),
                Privilege::Supervisor => (at(Csr::delegated_counter), at(Csr::delegated_select)),
            };
            device.write(counter, start & 0xFFFF_FFFF);
            device.write(counter.high(), start >> 32);
            device.write(select, 2);
            let slot = pmu::driver::Slot { counter: CounterId::new(3).unwrap(), ..pmu::driver::Slot::EMPTY };
            let read = driver.read(driver.counter(&slot).handle);
            assert!((start + 1..=start + 4).contains(&read), "{}: {read:#x} of {start:#x}", identity.name());
        }
    }
}

#[test]
fn in_qemu_on_rv32_no_interrupt_comes_while_a_counter_is_stopped_to_be_read() {
    let slot = pmu::driver::Slot { counter: CounterId::new(3).unwrap(), ..pmu::driver::Slot::EMPTY };
    let mut capabilities = Identity::RV32.capabilities();
    capabilities.model = Model::Qemu;
    let masked = Cell::new(0);
    let registers = Altered::masked(device(Identity::RV32), &masked);
    let driver = Hpm::new(&registers, capabilities);
    driver.read(driver.counter(&slot).handle);
    assert_eq!(masked.get(), 0);

    let host = sbi::Host::new(&Identity::RV32, Kinds::CLOCK, Unconnected);
    let announced = Identity::RV32.announced().with_model(Model::Qemu);
    let capabilities = sbi::Capabilities::discover(&host, &announced, sbi::Line::Local, &[]).unwrap();
    let registers = Altered::masked(host, &masked);
    let driver = Sbi::new(&registers, capabilities);
    driver.read(driver.counter(&slot).handle);
    assert_eq!(masked.get(), 0);
}

#[test]
fn cycles_of_programs_are_counted_by_the_filters_of_smcntrpmf() {
    let device = device(Identity::RV64);
    let select = Csr::select(0).unwrap();
    device.write(select, u64::MAX);
    assert_eq!(device.read(select), Select::FILTERS.bits(), "mcyclecfg has no event and no OF");
    device.write(select, Select::NOT_MACHINE.bits());
    device.advance(&Work::instructions(Mode::User, 30));
    device.advance(&Work::instructions(Mode::Kernel, 500));
    assert_eq!((device.read(Csr::counter(0).unwrap()), device.read(Csr::counter(2).unwrap())), (30, 530));
}

/// Smcdeleg: what is not delegated is not there, MINH is read-only 0, and scountovf shows what mcounteren lets through.
#[test]
fn a_supervisor_has_what_was_delegated_and_nothing_of_machine_mode() {
    let identity = Identity::RV64_DELEGATED.with_counters(0b1_1101);
    let device = device(identity);
    assert_eq!(device.try_read(Csr::delegated_counter(5).unwrap()), Err(Fault::Absent));
    assert_eq!(device.try_read(Csr::counter(3).unwrap()), Err(Fault::Absent));
    let select = Csr::delegated_select(3).unwrap();
    device.write(select, u64::MAX);
    assert_eq!(device.read(select) & Select::NOT_MACHINE.bits(), 0);
    assert_eq!(device.read(Csr::SCOUNTOVF), 1 << 3);
    device.write(Csr::SISELECT, 0x41);
    assert_eq!(device.try_read(Csr::from_number(0x151).unwrap()), Err(Fault::Absent));
    device.write(Csr::SISELECT, 0x44);
    device.write(Csr::from_number(0x151).unwrap(), 77);
    assert_eq!(device.read(Csr::user_counter(4).unwrap()), 77);
}

#[test]
fn programs_read_the_counters_that_are_lent_and_no_others() {
    for identity in [Identity::RV64, Identity::RV64_DELEGATED] {
        let device = device(identity);
        let readable = if identity.privilege() == Privilege::Machine { Csr::MCOUNTEREN } else { Csr::SCOUNTEREN };
        device.write(readable, u64::MAX);
        let unit = Unit::<Hpm<&Plain>, 0>::new();
        let pmu = unit.claim(Hpm::detect(&device, identity.privilege(), &identity.announced()).unwrap()).unwrap();
        let read = |counter| device.try_read_in_user(Csr::user_counter(counter).unwrap());
        assert_eq!([read(2), read(3)], [Err(Fault::Trapped(Mode::Kernel)); 2]);
        let mut context = pmu::Context::<_, 1>::new(1);
        context.bind(&pmu, [Request::new(Event::INSTRUCTIONS)]).unwrap();
        context.restart().unwrap();
        pmu.switch_in(&mut context);
        pmu.lend().unwrap();
        device.advance(&Work::instructions(Mode::User, 9));
        assert!(read(2).is_ok() && read(3).is_err(), "{}", identity.name());
        pmu.take_back().unwrap();
        assert!(read(2).is_err(), "{}", identity.name());
        pmu.switch_out(&mut context);
    }
}
