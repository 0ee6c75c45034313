//! The RISC-V units: how they are detected, what the driver refuses, and what the device does.

use std::cell::Cell;

use pmu::arch::riscv::hpm::{
    Announced, CYCLES, Core, Device, Extensions, Hpm, INSTRUCTIONS, Identity, Privilege, Select,
};
use pmu::arch::riscv::{Csr, Part};
use pmu::virt::{Device as _, Fault, Kinds, Strict, Trigger, Unconnected, Work};
use pmu::{
    CounterId, CounterSet, Counters as _, Error, Event, Handled, Interrupted, Masked, Mode, Modes, OneCpu, Overflow,
    Plan as _, Recorder, Refusal, Registers, Request, Unit,
};

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

fn instructions(mode: Mode, count: u64) -> Work {
    Work::instructions(mode, count)
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
    assert_eq!((found.core, found.counters.bits(), found.width.bits()), (Core::U74, 0b101 << 32 | 0b11000, 40));
}

#[test]
fn a_processor_is_known_by_the_three_numbers_that_it_announces() {
    let of = |vendor, architecture, implementation| Core::of(Part::new(vendor, architecture, implementation));
    assert_eq!(of(0x489, 0x8000_0000_0000_0007, 1), Core::U74);
    assert_eq!(of(0, 0x7_0200, 0x7_0200), Core::Qemu);
    for identity in [Identity::U74, Identity::C906, Identity::P550, Identity::AX45, Identity::DUBHE80, Identity::CVA6] {
        let capabilities = identity.capabilities();
        assert_eq!(Core::of(capabilities.part), capabilities.core, "{}", identity.name());
    }
    assert_eq!([of(0, 0, 0), of(0x489, 8, 1), of(0, 3, 4)], [Core::Other; 3]);
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
    assert_eq!(driver.capabilities().core, Core::Other);
    assert_eq!(driver.encode(&Request::new(Event::CYCLES)).err(), None);
    let refused = driver.encode(&Request::new(Event::CYCLES).every(100_000)).err();
    assert!(matches!(refused, Some(Refusal::Impossible(reason)) if reason.contains("sample another event")));
}

#[test]
fn counters_that_cannot_be_stopped_are_said_to_count_for_others() {
    let description = driver(Identity::RV64_V1_10).description();
    assert_eq!(description.used_by_others, CYCLES.only().or(INSTRUCTIONS.only()));
    assert_eq!(description.fixed, CounterSet::EMPTY);
    let pinned = Request::new(Event::CYCLES).pinned_to(CYCLES);
    assert_eq!(refusal(Identity::RV64_V1_10, pinned), Some(Refusal::NoSuchCounter(CYCLES)));
}

#[test]
fn qemu_counts_each_event_on_one_counter() {
    let qemu = driver(Identity::QEMU);
    let able = |event| pmu::counters_for(&qemu, &Request::new(event)).bits();
    assert_eq!(
        [Event::CYCLES, Event::INSTRUCTIONS, Event::raw(1), Event::raw(0x1_0021)].map(able),
        [1 << 32 | 1 << 3, 1 << 34 | 1 << 4, 1 << 3, 1 << 7]
    );
    assert_eq!(refusal(Identity::QEMU, Request::new(Event::raw(3))), Some(Refusal::UnknownEvent));
}

#[test]
fn a_c906_names_the_counter_that_two_requests_for_one_event_need() {
    let device = device(Identity::C906);
    let unit = Unit::<Hpm<&Plain>, 0>::new();
    let identity = Identity::C906;
    let pmu = unit.claim(Hpm::detect(&device, identity.privilege(), &identity.announced()).unwrap()).unwrap();
    let refused = pmu.open([Request::new(Event::BRANCHES), Request::new(Event::raw(9))]).err().unwrap();
    assert!(matches!(refused, Error::Conflict(_)), "{refused}");
    assert!(refused.to_string().contains("only counters {11} are free for them"), "{refused}");
}

#[test]
fn a_code_beyond_an_event_and_a_filter_that_is_none_are_refused_with_their_bits() {
    assert_eq!(refusal(Identity::RV64, Request::new(Event::raw(1 << 63 | 2))), Some(Refusal::ReservedBits(1 << 63)));
    let strange = Request::new(Event::raw_with(2, 1 << 57));
    assert_eq!(refusal(Identity::RV64, strange), Some(Refusal::Auxiliary(1 << 57)));
}

/// A device that counts 1 instruction before each access.
struct Ticking<'a>(&'a Plain);

impl Registers for Ticking<'_> {
    type Address = Csr;
    type Index = Csr;
    type Kernel = OneCpu;

    fn kernel(&self) -> OneCpu {
        OneCpu
    }

    fn read(&self, at: Csr) -> u64 {
        self.0.advance(&instructions(Mode::Kernel, 1));
        self.0.read(at)
    }

    fn write(&self, at: Csr, value: u64) {
        self.0.advance(&instructions(Mode::Kernel, 1));
        self.0.write(at, value);
    }

    fn read_counter(&self, index: Csr) -> u64 {
        self.read(index)
    }

    fn ticks(&self) -> u64 {
        0
    }

    fn mask(&self) -> Masked {
        Masked::from_bits(0)
    }

    fn unmask(&self, _: Masked) {}
}

#[test]
fn halves_are_read_without_a_tear_whenever_they_carry() {
    for identity in [Identity::RV32, Identity::RV32_DELEGATED] {
        for lead in 0..8 {
            let start = 0x6_FFFF_FFFF - lead;
            let device = device(identity);
            let driver = Hpm::new(Ticking(&device), identity.capabilities());
            let at = |of: fn(u8) -> Option<Csr>| of(3).unwrap();
            let (counter, select) = match identity.privilege() {
                Privilege::Machine => (at(Csr::counter), at(Csr::select)),
                Privilege::Supervisor => (at(Csr::delegated_counter), at(Csr::delegated_select)),
            };
            device.write(counter, start & 0xFFFF_FFFF);
            device.write(counter.high(), start >> 32);
            device.write(select, 2);
            let slot = pmu::Slot { counter: CounterId::new(3).unwrap(), ..pmu::Slot::EMPTY };
            let read = driver.read(driver.counter(&slot).handle);
            assert!((start + 1..=start + 4).contains(&read), "{}: {read:#x} of {start:#x}", identity.name());
        }
    }
}

/// A line that is a level.
#[derive(Default)]
struct Line {
    is_high: Cell<bool>,
}

impl Trigger for &Line {
    fn interrupt(&self) {
        self.is_high.set(true);
    }

    fn withdraw(&self) {
        self.is_high.set(false);
    }
}

#[test]
fn an_overflow_of_a_counter_that_is_not_ours_is_not_claimed_and_not_cleared() {
    let (line, identity) = (Line::default(), Identity::RV64);
    let device = Device::new(&identity, Kinds::CLOCK, &line);
    let unit = Unit::<Hpm<&Device<&Line>>, 16>::new();
    let pmu = unit.claim(Hpm::detect(&device, identity.privilege(), &identity.announced()).unwrap()).unwrap();
    let mut session = pmu.open([Request::new(Event::INSTRUCTIONS).every(10_000)]).unwrap();
    session.start().unwrap();
    let (foreign, select) = (Csr::counter(5).unwrap(), Csr::select(5).unwrap());
    device.write(foreign, u64::MAX);
    device.write(select, 2);
    device.write(Csr::MCOUNTINHIBIT.clearing(), 1 << 5);
    device.advance(&instructions(Mode::Kernel, 5));
    assert!(line.is_high.get());
    assert_eq!(unit.on_overflow(Interrupted::new(0, Mode::Kernel)), Handled::NotMine);
    assert_eq!((line.is_high.get(), device.read(select)), (false, Select::OVERFLOWED.bits() | 2));
    device.advance(&instructions(Mode::Kernel, 9_995));
    assert_eq!(unit.on_overflow(Interrupted::new(0, Mode::Kernel)), Handled::Overflow);
    assert_eq!(session.read(), Ok([10_000]));
}

/// T-Head's interrupt lasts as long as the bit.
#[test]
fn an_overflow_of_a_counter_that_nobody_requested_does_not_interrupt_a_c906_for_ever() {
    let (line, identity) = (Line::default(), Identity::C906);
    let device = Device::new(&identity, Kinds::CLOCK, &line);
    let unit = Unit::<Hpm<&Device<&Line>>, 16>::new();
    let pmu = unit.claim(Hpm::detect(&device, identity.privilege(), &identity.announced()).unwrap()).unwrap();
    let mut session = pmu.open([Request::new(Event::INSTRUCTIONS).every(10_000)]).unwrap();
    session.start().unwrap();
    device.write(Csr::counter(0).unwrap(), u64::MAX);
    device.write(Csr::MCOUNTINHIBIT.clearing(), 1);
    device.advance(&instructions(Mode::Kernel, 5));
    assert!(line.is_high.get());
    assert_eq!(unit.on_overflow(Interrupted::new(0, Mode::Kernel)), Handled::NotMine);
    assert!(!line.is_high.get());
    device.advance(&instructions(Mode::Kernel, 9_995));
    assert_eq!(unit.on_overflow(Interrupted::new(0, Mode::Kernel)), Handled::Overflow);
    assert_eq!((session.read(), line.is_high.get()), (Ok([10_000]), false));
}

#[test]
fn a_c906_interrupts_by_number_17_while_a_counter_has_its_bit_in_both_registers() {
    let line = Line::default();
    let device = Device::new(&Identity::C906, Kinds::CLOCK, &line);
    assert_eq!(Identity::C906.capabilities().interrupt().number(), Some(17));
    let pending = || device.read(Csr::MIP) >> 17 == 1;
    device.write(Csr::counter(2).unwrap(), u64::MAX);
    device.write(Csr::MIE.setting(), 1 << 17);
    device.advance(&instructions(Mode::User, 2));
    assert_eq!((device.read(Csr::MCOUNTEROF), pending(), line.is_high.get()), (1 << 2, false, false));
    device.write(Csr::MCOUNTERINTEN, u64::MAX);
    assert_eq!((device.read(Csr::MCOUNTERINTEN), pending(), line.is_high.get()), (0xFFFF_FFFD, true, true));
    device.write(Csr::MIP.clearing(), 1 << 17);
    assert!(pending(), "mip shows the counters' bits");
    device.write(Csr::MCOUNTEROF.clearing(), 1 << 2);
    assert_eq!((device.read(Csr::MCOUNTEROF), pending(), line.is_high.get()), (0, false, false));
    assert_eq!(device.try_read(Csr::SCOUNTOVF), Err(Fault::Absent));
}

/// Zeros clear mcounterovf, and ones leave it.
#[test]
fn an_ax45_interrupts_by_number_18_until_a_zero_is_written_to_mcounterovf() {
    let line = Line::default();
    let device = Device::new(&Identity::AX45, Kinds::CLOCK, &line);
    assert_eq!(Identity::AX45.capabilities().interrupt().number(), Some(18));
    for counter in [0, 2] {
        device.write(Csr::counter(counter).unwrap(), u64::MAX);
    }
    device.write(Csr::MIE.setting(), 1 << 18);
    device.advance(&instructions(Mode::User, 2));
    assert_eq!((device.read(Csr::MCOUNTEROVF), device.read(Csr::MIP), line.is_high.get()), (0b101, 0, false));
    device.write(Csr::MCOUNTERINTEN_OF_ANDES, u64::MAX);
    assert_eq!(device.read(Csr::MCOUNTERINTEN_OF_ANDES), 0b111_1101);
    let after = |value| {
        device.write(Csr::MCOUNTEROVF, value);
        (device.read(Csr::MCOUNTEROVF), device.read(Csr::MIP) >> 18 == 1, line.is_high.get())
    };
    assert_eq!(after(u64::MAX), (0b101, true, true));
    assert_eq!(after(0b100), (0b100, true, true));
    assert_eq!(after(0), (0, false, false));
    assert_eq!([Csr::MCOUNTERINTEN, Csr::MCOUNTEROF].map(|at| device.try_read(at)), [Err(Fault::Absent); 2]);
}

/// No interrupt comes late, whether mip shows the counters' bits or keeps its own.
#[test]
fn a_stop_that_accounts_for_an_ax45s_overflow_clears_it_in_mip_too() {
    let device = Device::new(&Identity::AX45, Kinds::CLOCK, Unconnected);
    let recorder = Recorder::<_, 64>::new(&device);
    let unit = Unit::<Hpm<&Recorder<&Plain, 64>>, 16>::new();
    let pmu = unit.claim(Hpm::new(&recorder, Identity::AX45.capabilities())).unwrap();
    let mut session = pmu.open([Request::new(Event::INSTRUCTIONS).every(10_000)]).unwrap();
    session.start().unwrap();
    device.advance(&instructions(Mode::Kernel, 10_000));
    recorder.clear();
    session.stop().unwrap();
    let accesses = (0..recorder.len()).map(|at| format!("{:?}", recorder.access(at).unwrap()));
    let clears: Vec<_> = accesses.filter(|access| access.starts_with("write csrc")).collect();
    assert_eq!(clears, ["write csrc mcounterovf <- 0x4", "write csrc mip <- 0x40000"]);
}

/// A write replaces the bits of counters that overflow amid it. `Strict` panics if one counts.
#[test]
fn no_counter_of_a_c906_counts_while_mcounterof_is_written() {
    let (line, identity) = (Line::default(), Identity::C906);
    let device = Strict(Device::new(&identity, Kinds::CLOCK, &line));
    let unit = Unit::<Hpm<&Strict<Device<&Line>>>, 16>::new();
    let pmu = unit.claim(Hpm::detect(&device, identity.privilege(), &identity.announced()).unwrap()).unwrap();
    let mut sampling = pmu.open([Request::new(Event::INSTRUCTIONS).every(10_000)]).unwrap();
    let mut counting = pmu.open([Event::CYCLES]).unwrap();
    sampling.start().unwrap();
    counting.start().unwrap();
    device.advance(&instructions(Mode::Kernel, 10_000));
    assert!(line.is_high.get());
    sampling.stop().unwrap();
    assert!(!line.is_high.get(), "the stop has accounted for it");
    device.advance(&instructions(Mode::Kernel, 7));
    assert_eq!((sampling.read(), counting.read()), (Ok([10_000]), Ok([10_007])));
    assert_eq!(unit.sample_statistics().lost.stopped, 1);
}

/// QEMU's thead-c906 has its number and not its registers.
#[test]
fn a_c906_that_is_not_said_to_interrupt_is_asked_for_none_of_its_own_registers() {
    let device = Device::new(&Identity::CVA6, Kinds::CLOCK, Unconnected);
    let announced = Announced::new(Extensions::from_isa("rv64imac")).with_core(Core::C900);
    let unit = Unit::<Hpm<&Plain>, 0>::new();
    let driver = Hpm::detect(&device, Privilege::Machine, &announced).unwrap();
    assert_eq!(driver.description().overflow, Overflow::None);
    let pmu = unit.claim(driver).unwrap();
    let refused = pmu.open([Request::new(Event::CYCLES).every(100_000)]).err().unwrap();
    assert!(refused.to_string().contains("Timer"), "{refused}");
}

#[test]
fn other_processors_have_none_of_t_heads_and_andes_registers() {
    for identity in [Identity::RV64, Identity::CVA6, Identity::U74] {
        let device = device(identity);
        let own = [Csr::MCOUNTERINTEN, Csr::MCOUNTEROF, Csr::MCOUNTERINTEN_OF_ANDES, Csr::MCOUNTEROVF];
        assert_eq!(own.map(|at| device.try_read(at)), [Err(Fault::Absent); 4], "{}", identity.name());
    }
}

#[test]
fn a_counter_interrupts_again_once_its_overflow_is_cleared_and_not_before() {
    let line = Line::default();
    let device = Device::new(&Identity::RV64, Kinds::CLOCK, &line);
    let (counter, select) = (Csr::counter(3).unwrap(), Csr::select(3).unwrap());
    let overflow = || {
        device.write(counter, u64::MAX);
        device.advance(&instructions(Mode::User, 1));
        let was_high = line.is_high.get();
        device.write(Csr::MIP.clearing(), 1 << 13);
        was_high
    };
    device.write(Csr::MIE.setting(), 1 << 13);
    device.write(select, 2);
    assert_eq!([overflow(), overflow()], [true, false]);
    device.write(select, 2);
    assert_eq!(device.read(Csr::SCOUNTOVF), 0);
    assert!(overflow());
    assert_eq!(device.read(Csr::SCOUNTOVF), 1 << 3);
}

#[test]
fn cycles_of_programs_are_counted_by_the_filters_of_smcntrpmf() {
    let device = device(Identity::RV64);
    let select = Csr::select(0).unwrap();
    device.write(select, u64::MAX);
    assert_eq!(device.read(select), Select::FILTERS.bits(), "mcyclecfg has no event and no OF");
    device.write(select, Select::NOT_MACHINE.bits());
    device.advance(&instructions(Mode::User, 30));
    device.advance(&instructions(Mode::Kernel, 500));
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
        let unit = Unit::<Hpm<&Plain>, 0>::new();
        let pmu = unit.claim(Hpm::detect(&device, identity.privilege(), &identity.announced()).unwrap()).unwrap();
        let read = |counter| device.try_read_in_user(Csr::user_counter(counter).unwrap());
        assert_eq!([read(2), read(3)], [Err(Fault::Trapped(Mode::Kernel)); 2]);
        let mut context = pmu::Context::<_, 1>::new(1);
        context.bind(&pmu, [Request::new(Event::INSTRUCTIONS)]).unwrap();
        context.restart().unwrap();
        pmu.switch_in(&mut context);
        pmu.lend().unwrap();
        device.advance(&instructions(Mode::User, 9));
        assert!(read(2).is_ok() && read(3).is_err(), "{}", identity.name());
        pmu.take_back().unwrap();
        assert!(read(2).is_err(), "{}", identity.name());
        pmu.switch_out(&mut context);
    }
}

/// QEMU 10.0, target/riscv/csr.c: scountovf is masked with mcounteren in machine mode too.
#[test]
fn an_overflow_in_qemu_is_served_though_scountovf_does_not_show_it() {
    let (line, identity) = (Line::default(), Identity::QEMU);
    let device = Device::new(&identity, Kinds::CLOCK, &line);
    let unit = Unit::<Hpm<&Device<&Line>>, 16>::new();
    let pmu = unit.claim(Hpm::detect(&device, identity.privilege(), &identity.announced()).unwrap()).unwrap();
    let mut session = pmu.open([Request::new(Event::CYCLES).every(10_000)]).unwrap();
    session.start().unwrap();
    for period in 1..=3 {
        device.advance(&instructions(Mode::Kernel, 10_000));
        assert_eq!((line.is_high.get(), device.read(Csr::SCOUNTOVF)), (true, 0));
        assert_eq!(unit.on_overflow(Interrupted::new(period, Mode::Kernel)), Handled::Overflow);
    }
    assert_eq!(session.read(), Ok([30_000]));
}
