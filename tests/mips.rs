//! The MIPS units: how they are detected, what the driver refuses, and what the device does.

use std::cell::Cell;

use pmu::arch::mips::Cp0;
use pmu::arch::mips::mipsxx::{Core, Device, Identity, Mipsxx, events};
use pmu::notation::{Problem, Processor, perfmon};
use pmu::virt::{Device as _, Fault, Kinds, Trigger, Unconnected, Work};
use pmu::{CounterSet, Event, Handled, Interrupted, Mode, Modes, Plan as _, Recorder, Refusal, Request, Unit};

fn device(identity: Identity) -> Device<Unconnected> {
    Device::new(&identity, Kinds::CLOCK, Unconnected)
}

fn refusal(identity: Identity, request: Request) -> Option<Refusal> {
    Mipsxx::new(device(identity), identity.capabilities()).encode(&request).err()
}

#[test]
fn every_core_is_detected_with_its_counters_and_their_width() {
    for identity in Identity::ALL {
        let (expected, device) = (identity.capabilities(), device(identity));
        let found = *Mipsxx::detect(&device).unwrap().capabilities();
        let of = |it: &pmu::arch::mips::mipsxx::Capabilities| (it.core, it.counters, it.width.bits());
        assert_eq!(of(&found), of(&expected), "{}", identity.name());
    }
}

#[test]
fn the_width_and_the_number_of_counters_are_those_that_the_controls_announce() {
    let device = device(Identity::M74K.wide());
    let found = *Mipsxx::detect(&device).unwrap().capabilities();
    assert_eq!((found.core, found.counters, found.width.bits()), (Core::M74K, CounterSet::first(4), 64));
}

#[test]
fn a_code_beyond_the_cores_events_is_refused_with_its_bits() {
    assert_eq!(refusal(Identity::R10000, Request::new(Event::raw(33))), Some(Refusal::ReservedBits(0x20)));
    assert_eq!(refusal(Identity::M24K, Request::new(Event::raw(0x40))), Some(Refusal::ReservedBits(0x40)));
    assert_eq!(refusal(Identity::M20K, Request::new(Event::raw(events::ODD))), Some(Refusal::ReservedBits(0x400)));
    assert_eq!(refusal(Identity::R12000, Request::new(Event::BRANCHES)), Some(Refusal::UnknownEvent));
}

#[test]
fn only_multithreaded_cores_limit_an_event_to_a_thread() {
    let of_tc_2 = Request::new(Event::raw_with(1, 2 << 20 | 2 << 22));
    assert_eq!(refusal(Identity::M34K, of_tc_2), None);
    assert_eq!(refusal(Identity::M24K, of_tc_2), Some(Refusal::Auxiliary(2 << 20 | 2 << 22)));
}

#[test]
fn a_hypervisors_mode_is_refused() {
    let request = Request::new(Event::CYCLES).modes(Modes::HYPERVISOR);
    assert_eq!(refusal(Identity::M24K, request), Some(Refusal::Modes { able: Modes::ALL }));
}

#[test]
fn a_register_that_a_core_does_not_have_is_absent() {
    assert_eq!(device(Identity::R10000).try_read(Cp0::CONFIG1), Err(Fault::Absent));
    assert_eq!(device(Identity::M24K).try_read(Cp0::control(2).unwrap()), Err(Fault::Absent));
    assert_eq!(device(Identity::M24K).try_write(Cp0::PRID, 0), Err(Fault::ReadOnly));
}

#[test]
fn a_kernel_at_exception_level_is_counted_by_exl() {
    let device = device(Identity::M24K);
    device.try_write(Cp0::control(0).unwrap(), 1 << 5 | 1 << 1).unwrap();
    device.try_write(Cp0::control(1).unwrap(), 1 << 5 | 1).unwrap();
    device.set_exception(true);
    device.advance(&Work::instructions(Mode::Kernel, 5));
    device.set_exception(false);
    device.advance(&Work::instructions(Mode::Kernel, 30));
    assert_eq!(device.state().counters, [30, 5, 0, 0]);
}

/// libpfm's modifiers of MIPS: user, kernel, supervisor and exception level.
#[test]
fn libpfms_modes_of_mips_are_bits_of_the_control() {
    let identity = Identity::M74K;
    let driver = Mipsxx::new(device(identity), identity.capabilities());
    let processor = Processor { description: &driver.description(), catalogue: driver.catalogue() };
    let parse = |text| perfmon::parse::<1>(text, processor).map(|set| set.requests()[0]);
    let instructions = parse("mips_74k::INSTRUCTIONS:u:e:s").unwrap();
    assert_eq!(instructions, Request::new(Event::raw_with(1, 1 | 1 << 2)).modes(Modes::USER));
    assert_eq!(perfmon::Text::of(&[instructions], processor).unwrap().to_string(), "mips_74k::INSTRUCTIONS:e:s:u");
    assert_eq!(parse("INSTRUCTIONS:k:e=0"), Ok(Request::new(Event::raw(1)).modes(Modes::KERNEL)));
    let alone = parse("INSTRUCTIONS:e").unwrap_err();
    assert_eq!(alone.problem, Problem::Expected("a mode to count in"));
}

/// The level of a line.
#[derive(Default)]
struct Level(Cell<bool>);

impl Trigger for Level {
    fn interrupt(&self) {
        self.0.set(true);
    }

    fn withdraw(&self) {
        self.0.set(false);
    }
}

#[test]
fn the_line_is_high_while_bit_31_is_set_and_a_counter_counts_on() {
    let device = Device::new(&Identity::R10000, Kinds::CLOCK, Level::default());
    let (control, counter) = (Cp0::control(0).unwrap(), Cp0::counter(0).unwrap());
    device.try_write(counter, 0x7FFF_FFFE).unwrap();
    device.try_write(control, 15 << 5 | 1 << 4 | 1 << 3).unwrap();
    device.advance(&Work::instructions(Mode::User, 1));
    assert!(!device.trigger().0.get());
    device.advance(&Work::instructions(Mode::User, 3));
    assert_eq!((device.try_read(counter), device.trigger().0.get()), (Ok(0x8000_0002), true));
    device.try_write(counter, 0x7FFF_FFFE).unwrap();
    assert!(!device.trigger().0.get());
}

#[test]
fn a_reset_lowers_the_line_whose_cause_it_clears() {
    let device = Device::new(&Identity::R10000, Kinds::CLOCK, Level::default());
    device.try_write(Cp0::counter(0).unwrap(), 0x8000_0000).unwrap();
    device.try_write(Cp0::control(0).unwrap(), 15 << 5 | 1 << 4 | 1 << 3).unwrap();
    assert!(device.is_asserted() && device.trigger().0.get());
    device.reset();
    assert!(!device.is_asserted() && !device.trigger().0.get());
}

/// perfex -a: the 32 events two at a time, each with the one 16 numbers on.
#[test]
fn r10000_counts_each_event_of_counter_0_beside_one_of_counter_1_and_no_other() {
    let device = device(Identity::R10000);
    let unit = Unit::<Mipsxx<&Device<Unconnected>>, 0>::new();
    let pmu = unit.claim(Mipsxx::detect(&device).unwrap()).unwrap();
    for number in 0..16 {
        let both = |other| pmu.open([number, other].map(|code| Request::new(Event::raw(code)))).map(drop);
        assert_eq!(both(number + 16), Ok(()), "{number}");
        assert!(both((number + 1) % 16).is_err(), "{number}");
    }
}

/// IP7 is the timer's too.
#[test]
fn an_interrupt_of_the_timer_reads_the_counters_that_run_and_stops_none() {
    let recorder = Recorder::<_, 64>::new(device(Identity::M24K));
    let unit = Unit::<Mipsxx<&Recorder<Device<Unconnected>, 64>>, 4>::new();
    let pmu = unit.claim(Mipsxx::new(&recorder, Identity::M24K.capabilities())).unwrap();
    let mut session = pmu.open([Request::new(Event::CYCLES).every(5000)]).unwrap();
    session.start().unwrap();
    recorder.clear();
    assert_eq!(unit.on_overflow(Interrupted::default()), Handled::NotMine);
    let accesses: Vec<_> = (0..recorder.len()).map(|at| format!("{:?}", recorder.access(at).unwrap())).collect();
    assert_eq!(accesses, ["read PerfCnt0 -> 0x7fffec78"]);
    assert_eq!(unit.strays().foreign, 1);
}
