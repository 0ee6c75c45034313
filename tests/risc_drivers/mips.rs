//! The MIPS units: how they are detected, what the driver refuses, and what the device does.

use pmu::arch::mips::Cp0;
use pmu::arch::mips::mipsxx::Capabilities;
use pmu::arch::mips::mipsxx::Thread;
use pmu::arch::mips::mipsxx::{Device, Identity, Mipsxx, Model, PerfCtl};
use pmu::driver::{Plan as _, Recorder};
use pmu::request::Refusal;
use pmu::text::{notation::Perfmon, notation::Problem, notation::Processor};
use pmu::virt::{Device as _, Fault, Kind, Kinds, Unconnected, Work};
use pmu::{CounterSet, Event, Handled, Interrupted, Mode, Modes, Request, Unit};

use crate::support::line::Level;

/// The event is what its number means on the odd counters.
const ODD: u64 = 0x400;

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
        let of = |it: &pmu::arch::mips::mipsxx::Capabilities| (it.model, it.counters, it.width.bits());
        assert_eq!(of(&found), of(&expected), "{}", identity.name());
    }
}

#[test]
fn the_width_and_the_number_of_counters_are_those_that_the_controls_announce() {
    let device = device(Identity::M74K.wide());
    let found = *Mipsxx::detect(&device).unwrap().capabilities();
    assert_eq!((found.model, found.counters, found.width.bits()), (Model::M74K, CounterSet::first(4), 64));
}

/// Cavium's cvmx-core.h: two counters of 64 bits, and event 1 for cycles.
#[test]
fn an_octeons_counters_interrupt_as_bit_63_sets() {
    let device = Device::new(&Identity::OCTEON_II, Kinds::CLOCK, Level::default());
    let (control, counter) = (Cp0::control(1).unwrap(), Cp0::counter(1).unwrap());
    device.try_write(counter, (1 << 63) - 5).unwrap();
    device.try_write(control, 1 << 5 | 1 << 4 | 1 << 3).unwrap();
    device.advance(&Work::instructions(Mode::User, 4));
    assert!(!device.trigger().is_high());
    device.advance(&Work::instructions(Mode::User, 1));
    assert_eq!((device.try_read(counter), device.trigger().is_high()), (Ok(1 << 63), true));
    assert_eq!(device.try_read(Cp0::control(0).unwrap()), Ok(0b11 << 30));
}

#[test]
fn a_code_beyond_the_cores_events_is_refused_with_its_bits() {
    assert_eq!(refusal(Identity::R10000, Request::new(Event::raw(33))), Some(Refusal::ReservedBits(0x20)));
    assert_eq!(refusal(Identity::M24K, Request::new(Event::raw(0x40))), Some(Refusal::ReservedBits(0x40)));
    assert_eq!(refusal(Identity::M20K, Request::new(Event::raw(ODD))), Some(Refusal::ReservedBits(0x400)));
    assert_eq!(refusal(Identity::R12000, Request::new(Event::BRANCHES)), Some(Refusal::UnknownEvent));
}

#[test]
fn a_period_may_be_shorter_where_the_kernel_is_not_counted() {
    let of = |modes, period| refusal(Identity::M24K, Request::new(Event::CYCLES).modes(modes).every(period));
    for (modes, least) in
        [(Modes::USER, Capabilities::LEAST_IN_USER), (Modes::ALL, Capabilities::LEAST_OF_OTHERS_IN_KERNEL)]
    {
        assert_eq!(of(modes, least), None);
        assert_eq!(of(modes, least - 1), Some(Refusal::PeriodTooShort { least }));
    }
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
    let processor = Processor::of(&driver);
    let parse = |text| Perfmon::parse::<1>(text, processor).map(|set| set.requests()[0]);
    let instructions = parse("mips_74k::INSTRUCTIONS:u:e:s").unwrap();
    assert_eq!(instructions, Request::new(Event::raw_with(1, 1 | 1 << 2)).modes(Modes::USER));
    assert_eq!(Perfmon::of(&[instructions], processor).unwrap().to_string(), "mips_74k::INSTRUCTIONS:e:s:u");
    assert_eq!(parse("INSTRUCTIONS:k:e=0"), Ok(Request::new(Event::raw(1)).modes(Modes::KERNEL)));
    let none = parse("INSTRUCTIONS:k=0").unwrap_err();
    assert_eq!(none.problem, Problem::Expected("a mode to count in"));
}

/// As libpfm's `:e` and `:s` (lib/pfmlib_mips.c): any of the four modes replaces the default.
#[test]
fn a_mode_of_the_processors_own_is_counted_alone() {
    let identity = Identity::M74K;
    let device = device(identity);
    let driver = Mipsxx::new(&device, identity.capabilities());
    let processor = Processor::of(&driver);
    for (text, control) in [("mips_74k::CYCLES:e", 1), ("mips_74k::CYCLES:s", 4), ("mips_74k::CYCLES:e:s", 5)] {
        let requests = Perfmon::parse::<1>(text, processor).unwrap();
        assert_eq!(requests.requests(), [Request::new(Event::raw_with(0, control)).modes(Modes::NONE)]);
        assert_eq!(Perfmon::of(requests.requests(), processor).unwrap().to_string(), text);
    }
    let unit = Unit::<Mipsxx<&Device<Unconnected>>, 0>::new();
    let pmu = unit.claim(driver).unwrap();
    let exceptions = Request::new(Event::raw_with(1, 1)).modes(Modes::NONE);
    let mut session = pmu.open([exceptions]).unwrap();
    session.start().unwrap();
    device.advance(&Work::instructions(Mode::User, 1000));
    device.advance(&Work::instructions(Mode::Kernel, 70));
    device.set_exception(true);
    device.advance(&Work::instructions(Mode::Kernel, 3));
    assert_eq!(session.read(), Ok([3]));
}

#[test]
fn the_line_is_high_while_bit_31_is_set_and_a_counter_counts_on() {
    let device = Device::new(&Identity::R10000, Kinds::CLOCK, Level::default());
    let (control, counter) = (Cp0::control(0).unwrap(), Cp0::counter(0).unwrap());
    device.try_write(counter, 0x7FFF_FFFE).unwrap();
    device.try_write(control, 15 << 5 | 1 << 4 | 1 << 3).unwrap();
    device.advance(&Work::instructions(Mode::User, 1));
    assert!(!device.trigger().is_high());
    device.advance(&Work::instructions(Mode::User, 3));
    assert_eq!((device.try_read(counter), device.trigger().is_high()), (Ok(0x8000_0002), true));
    device.try_write(counter, 0x7FFF_FFFE).unwrap();
    assert!(!device.trigger().is_high());
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
    assert_eq!(accesses, ["read counter PerfCnt1 -> 0x7fffec78"]);
    assert_eq!(unit.spurious().foreign, 1);
}

#[test]
fn a_counter_that_is_limited_to_a_vpe_or_a_tc_counts_its_work_alone() {
    let device = device(Identity::M34K);
    for (counter, limit) in [(0, PerfCtl::of_vpe(1)), (1, PerfCtl::of_tc(2))] {
        let control = PerfCtl::of_event(1) | PerfCtl::USER | limit;
        device.try_write(Cp0::control(counter).unwrap(), control.bits().into()).unwrap();
    }
    for (vpe, tc, instructions) in [(0, 0, 1000), (0, 1, 200), (1, 2, 30), (1, 3, 4)] {
        device.set_thread(Thread { vpe, tc });
        device.advance(&Work::instructions(Mode::User, instructions));
    }
    assert_eq!(device.state().counters, [34, 30, 0, 0]);
}

#[test]
fn two_vpes_of_a_34k_share_its_counters_and_each_counts_and_samples_its_own_work() {
    let device = device(Identity::M34K);
    let units = [(); 2].map(|()| Unit::<Mipsxx<&Device<Unconnected>>, 4>::new());
    let claim = |vpe: usize| units[vpe].claim(Mipsxx::detect_with_vpe(&device, vpe as u8).unwrap()).unwrap();
    let pmus = [claim(0), claim(1)];
    let sessions = [0, 1].map(|vpe: usize| {
        let requests = [Request::new(Event::INSTRUCTIONS).every(5000), Request::new(Event::BRANCHES)];
        let mut session = pmus[vpe].open(requests).unwrap();
        session.start().unwrap();
        session
    });
    for (vpe, instructions) in [(0, 6000), (1, 70)] {
        device.set_thread(Thread { vpe, tc: vpe });
        device.advance(&Work::instructions(Mode::User, instructions).with(Kind::Branches, 7));
    }
    let handled = [0, 1].map(|vpe: usize| units[vpe].on_overflow(Interrupted::default()));
    assert_eq!(handled, [Handled::Overflow, Handled::NotMine], "VPE 1 leaves VPE 0's overflow alone");
    assert_eq!(sessions[1].read(), Ok([70, 7]));
    assert_eq!(sessions[0].read(), Ok([6000, 7]));
    assert_eq!(pmus.map(|pmu| pmu.description().general.bits()), [0b0011, 0b1100]);
}

#[test]
fn a_core_without_a_second_vpe_has_no_shares() {
    let of = |identity: Identity, vpe| Mipsxx::detect_with_vpe(device(identity), vpe).map(drop).is_ok();
    assert_eq!([of(Identity::M24K, 0), of(Identity::M34K, 2), of(Identity::M34K.with_counters(1), 1)], [false; 3]);
    assert_eq!([of(Identity::M34K, 0), of(Identity::M1004K, 1)], [true; 2]);
}

#[test]
fn a_request_that_names_a_tc_is_not_limited_to_the_shares_vpe() {
    let device = device(Identity::M34K);
    let unit = Unit::<Mipsxx<&Device<Unconnected>>, 0>::new();
    let pmu = unit.claim(Mipsxx::detect_with_vpe(&device, 0).unwrap()).unwrap();
    let of_tc_2 = Event::raw_with(1, PerfCtl::of_tc(2).bits().into());
    let mut session = pmu.open([of_tc_2, Event::raw(1)]).unwrap();
    session.start().unwrap();
    device.set_thread(Thread { vpe: 1, tc: 2 });
    device.advance(&Work::instructions(Mode::User, 50));
    assert_eq!(session.read(), Ok([50, 0]));
}
