//! A host feeds its guest's unit from counters of its own.

use pmu::arch::aarch64::{SystemRegister, pmuv3};
use pmu::arch::x86::{Block, Msr, Unattached, Window, amd, guest, intel};
use pmu::driver::Driver;
use pmu::request::Flag;
use pmu::virt::Feeder;
use pmu::virt::{Device, Filter, Kind, Kinds, Selection, Unconnected, Work};
use pmu::{CounterSet, Error, Event, Mode, Pmu, Request, Result, Unit};

use crate::support::bare::counter;
use crate::support::line::Line;

/// Everything, as the host's processor counts it.
const ALL: Kinds = Kinds::CLOCK.with(Kind::Branches).with(Kind::CacheMisses).with(Kind::MispredictedBranches);
/// Bits of a selector: USR, OS, INT and EN.
const USER: u64 = 0x0051_0000;
const BOTH: u64 = 0x0053_0000;
const BRANCHES: u64 = 0x00C4;
const MISSES: u64 = 0x412E;

fn set(numbers: &[u8]) -> CounterSet {
    numbers.iter().map(|&number| counter(number)).collect()
}

/// The processor on which host and guests run, with a unit of its own.
fn skylake() -> intel::Device<Unconnected> {
    intel::Device::new(&intel::Identity::SKYLAKE, ALL, Unconnected)
}

/// The host's unit, over its processor.
fn claim<R: Driver>(driver: Result<R>) -> Pmu<'static, R> {
    let unit: &'static Unit<R, 16> = Box::leak(Box::new(Unit::new()));
    unit.claim(driver.unwrap()).unwrap()
}

type Host<'p> = intel::Intel<&'p intel::Device<Unconnected>, Unattached>;

fn host(processor: &'static intel::Device<Unconnected>) -> Pmu<'static, Host<'static>> {
    claim(intel::Intel::detect(&intel::Identity::SKYLAKE, processor, Unattached))
}

fn processor() -> &'static intel::Device<Unconnected> {
    Box::leak(Box::new(skylake()))
}

/// A guest whose first counters have these selectors, and whose host observes nothing by itself.
fn guest<'h>(heard: &'h Line, selects: &[u64]) -> intel::Device<&'h Line> {
    let guest = intel::Device::new(&intel::Identity::SKYLAKE, Kinds::NONE, heard);
    for (number, &select) in (0..).zip(selects) {
        guest.try_write(Msr::select(number).unwrap(), select).unwrap();
    }
    guest.try_write(Msr::GLOBAL_CONTROL, 0xFF).unwrap();
    guest
}

fn value(guest: &impl Device<Address = Msr>, number: u8) -> u64 {
    guest.try_read(Msr::counter(Window::Full, number).unwrap()).unwrap()
}

fn work(mode: Mode) -> Work {
    Work::instructions(mode, 1000).with(Kind::Branches, 100).with(Kind::CacheMisses, 7)
}

#[test]
fn whatever_the_guest_counts_passes_through_and_the_hosts_own_work_does_not() {
    let heard = Line::default();
    let (processor, guest) = (processor(), guest(&heard, &[MISSES | BOTH, BRANCHES | USER]));
    let mut feeder = Feeder::<_, 4>::new(host(processor));
    for _ in 0..3 {
        assert_eq!(feeder.enter(&guest, |selection| selection.request()), Ok(CounterSet::EMPTY));
        processor.advance(&work(Mode::User));
        processor.advance(&work(Mode::Kernel));
        feeder.exit(&guest).unwrap();
        processor.advance(&work(Mode::Kernel));
    }
    assert_eq!([0, 1].map(|number| value(&guest, number)), [3 * 14, 3 * 100]);
    assert_eq!(feeder.counters(), set(&[0, 1]));
}

#[test]
fn fixed_counters_are_fed_too() {
    let heard = Line::default();
    let (processor, guest) = (processor(), guest(&heard, &[]));
    guest.try_write(Msr::FIXED_CONTROL, 0x23).unwrap();
    guest.try_write(Msr::GLOBAL_CONTROL, 0b11 << 32).unwrap();
    let mut feeder = Feeder::<_, 4>::new(host(processor));
    assert_eq!(feeder.enter(&guest, |selection| selection.request()), Ok(CounterSet::EMPTY));
    processor.advance(&work(Mode::User));
    processor.advance(&work(Mode::Kernel));
    feeder.exit(&guest).unwrap();
    assert_eq!((guest.state().fixed[0], guest.state().fixed[1]), (2000, 1000));
}

#[test]
fn an_overflow_of_what_is_fed_interrupts_the_guest_at_the_exit() {
    let heard = Line::default();
    let (processor, guest) = (processor(), guest(&heard, &[MISSES | BOTH]));
    guest.try_write(Msr::counter(Window::Full, 0).unwrap(), (1 << 48) - 5).unwrap();
    let mut feeder = Feeder::<_, 1>::new(host(processor));
    feeder.enter(&guest, |selection| selection.request()).unwrap();
    processor.advance(&work(Mode::User));
    assert_eq!(heard.rises(), 0);
    feeder.exit(&guest).unwrap();
    assert_eq!((heard.rises(), value(&guest, 0)), (1, 2));
}

#[test]
fn a_counter_that_changes_its_event_is_fed_by_the_new_one_and_one_that_stops_is_not() {
    let heard = Line::default();
    let (processor, guest) = (processor(), guest(&heard, &[MISSES | BOTH]));
    let mut feeder = Feeder::<_, 1>::new(host(processor));
    let mut pass = |select: u64| {
        guest.try_write(Msr::select(0).unwrap(), select).unwrap();
        feeder.enter(&guest, |selection| selection.request()).unwrap();
        processor.advance(&work(Mode::User));
        feeder.exit(&guest).unwrap();
        (value(&guest, 0), feeder.counters())
    };
    assert_eq!(pass(MISSES | BOTH), (7, set(&[0])));
    assert_eq!(pass(BRANCHES | BOTH), (107, set(&[0])));
    assert_eq!(pass(BRANCHES | 0x0010_0000), (107, CounterSet::EMPTY), "it is not enabled");
    assert_eq!(pass(BRANCHES | USER), (207, set(&[0])));
}

#[test]
fn what_cannot_be_fed_is_returned() {
    let heard = Line::default();
    let (processor, guest) = (processor(), guest(&heard, &[MISSES | BOTH, BRANCHES | BOTH, 0x0151 | BOTH]));
    let known = |selection: &Selection| selection.request().filter(|_| selection.raw() & 0xFFFF != 0x0151);
    let mut feeder = Feeder::<_, 1>::new(host(processor));
    assert_eq!(feeder.enter(&guest, known), Ok(set(&[1, 2])), "there is room for one");
    feeder.exit(&guest).unwrap();
    let mut feeder = Feeder::<_, 4>::new(host(self::processor()));
    assert_eq!(feeder.enter(&guest, known), Ok(set(&[2])));
}

#[test]
fn a_host_whose_counters_are_taken_says_which_of_its_guests_are_not_fed() {
    let heard = Line::default();
    let (processor, guest) = (processor(), guest(&heard, &[MISSES | BOTH, BRANCHES | BOTH]));
    let pmu = host(processor);
    let _own = pmu.open([0x0151_u64; 7].map(Event::raw)).unwrap();
    let mut feeder = Feeder::<_, 4>::new(pmu);
    assert_eq!(feeder.enter(&guest, |selection| selection.request()).map(CounterSet::bits), Ok(0b10));
    processor.advance(&work(Mode::User));
    feeder.exit(&guest).unwrap();
    assert_eq!([0, 1].map(|number| value(&guest, number)), [7, 0]);
}

#[test]
fn two_guests_take_turns_on_the_counters_of_one_unit() {
    let (heard, processor) = (Line::default(), processor());
    let pmu = host(processor);
    let _own = pmu.open([0x0151_u64; 7].map(Event::raw)).unwrap();
    let guests = [MISSES, BRANCHES].map(|event| guest(&heard, &[event | BOTH]));
    let mut feeders = [(); 2].map(|()| Feeder::<_, 4>::new(pmu));
    for turn in 0..6 {
        let (feeder, guest) = (&mut feeders[turn % 2], &guests[turn % 2]);
        assert_eq!(feeder.enter(guest, |selection| selection.request()), Ok(CounterSet::EMPTY));
        processor.advance(&work(Mode::User));
        feeder.exit(guest).unwrap();
        feeder.release();
    }
    assert_eq!(guests.each_ref().map(|guest| value(guest, 0)), [3 * 7, 3 * 100]);
}

#[test]
fn a_unit_that_sleeps_counts_for_no_guest_and_says_so() {
    let heard = Line::default();
    let (processor, guest) = (processor(), guest(&heard, &[MISSES | BOTH]));
    let unit: &'static Unit<Host<'static>, 16> = Box::leak(Box::new(Unit::new()));
    let driver = intel::Intel::detect(&intel::Identity::SKYLAKE, processor, Unattached);
    let pmu = unit.claim(driver.unwrap()).unwrap();
    let mut feeder = Feeder::<_, 4>::new(pmu);
    pmu.suspend().unwrap();
    assert_eq!(feeder.enter(&guest, |selection| selection.request()), Err(Error::Suspended));
    unit.resume().unwrap();
    feeder.enter(&guest, |selection| selection.request()).unwrap();
    processor.advance(&work(Mode::User));
    feeder.exit(&guest).unwrap();
    assert_eq!(value(&guest, 0), 7);
}

/// A counter that nobody feeds is one that the host cannot count, and not one that it may not count now.
#[test]
fn a_unit_that_is_halted_or_given_up_counts_for_no_guest_and_says_so() {
    type End = fn(&Pmu<'static, Host<'static>>);
    let halt: End = |pmu| pmu.halt();
    let give_up: End = |pmu| pmu.revoke().unwrap();
    for (end, error) in [(halt, Error::Halted), (give_up, Error::NotClaimed)] {
        let heard = Line::default();
        let (processor, guest) = (processor(), guest(&heard, &[MISSES | BOTH]));
        let pmu = host(processor);
        let mut feeder = Feeder::<_, 4>::new(pmu);
        end(&pmu);
        assert_eq!(feeder.enter(&guest, |selection| selection.request()), Err(error));
        processor.advance(&work(Mode::User));
        assert_eq!((feeder.counters(), value(&guest, 0)), (CounterSet::EMPTY, 0));
    }
}

#[test]
fn what_the_host_withholds_takes_no_counter_of_its_own() {
    const NOTHING: Filter = Filter::allow(&[]);
    let unit = intel::Device::new(&intel::Identity::SKYLAKE, Kinds::NONE.filtered(NOTHING), Unconnected);
    unit.try_write(Msr::select(0).unwrap(), MISSES | BOTH).unwrap();
    let mut feeder = Feeder::<_, 4>::new(host(processor()));
    assert_eq!(feeder.enter(&unit, |selection| selection.request()), Ok(CounterSet::EMPTY));
    assert_eq!((feeder.counters(), unit.withheld()), (CounterSet::EMPTY, set(&[0])));
}

#[test]
fn a_guest_that_is_shown_another_processor_is_fed_by_what_means_the_same() {
    let processor = processor();
    let identity = guest::Identity::Amd(amd::Identity::ZEN_4);
    let guest = guest::Unit::new(identity, Kinds::NONE, Unconnected);
    let of_intel = |selection: &Selection| match selection.raw() & 0xF_0000_FFFF {
        0x00C2 => Some(Request::new(Event::raw(BRANCHES))),
        _ => None,
    };
    assert_eq!(guest.wrmsr(0xC001_0200, 0x00C2 | BOTH), Some(Ok(())));
    assert_eq!(guest.wrmsr(0xC001_0202, 0x0076 | BOTH), Some(Ok(())));
    assert_eq!(guest.wrmsr(0xC000_0301, 0b11), Some(Ok(())));
    let mut feeder = Feeder::<_, 4>::new(host(processor));
    assert_eq!(feeder.enter(&guest, of_intel), Ok(set(&[1])));
    processor.advance(&work(Mode::Kernel));
    feeder.exit(&guest).unwrap();
    assert_eq!(guest.rdpmc(0), Ok(100));
}

#[test]
fn an_arm_guest_is_fed_by_its_own_events() {
    const BR_RETIRED: u64 = 0x21;
    let identity = pmuv3::Identity::NEOVERSE_N2.for_guest();
    let processor: &'static _ = Box::leak(Box::new(pmuv3::Device::new(&identity, ALL, Unconnected)));
    let guest = pmuv3::Device::new(&identity, Kinds::NONE, Unconnected);
    guest.try_write(SystemRegister::select(0).unwrap(), BR_RETIRED).unwrap();
    guest.try_write(SystemRegister::ENABLE_SET, 1 << 31 | 1).unwrap();
    guest.try_write(SystemRegister::CONTROL, 1).unwrap();
    let mut feeder = Feeder::<_, 4>::new(claim(pmuv3::Pmuv3::detect(processor)));
    assert_eq!(feeder.enter(&guest, |selection| selection.request()), Ok(CounterSet::EMPTY));
    processor.advance(&work(Mode::Kernel));
    feeder.exit(&guest).unwrap();
    let read = |at| guest.try_read(at).unwrap();
    assert_eq!((read(SystemRegister::counter(0).unwrap()), read(SystemRegister::CYCLES)), (100, 1000));
}

#[test]
fn a_request_says_what_the_selector_does_or_there_is_none() {
    let heard = Line::default();
    let edges = guest(&heard, &[0x0151 | BOTH | 1 << 18 | 1 << 23 | 2 << 24]);
    let request = edges.selection(counter(0)).unwrap().request().unwrap();
    let expected = Request::new(Event::raw(0x0151)).flag(Flag::Edge).flag(Flag::Invert).threshold(2);
    assert_eq!(request, expected);
    let offcore = guest(&heard, &[0x01B7 | USER]);
    offcore.try_write(Msr::OFFCORE_0, 0x1_0001).unwrap();
    let request = offcore.selection(counter(0)).unwrap().request().unwrap();
    assert_eq!(request, Request::new(Event::raw_with(0x01B7, 0x1_0001)).modes(pmu::Modes::USER));
    let merged = amd::Device::new(&amd::Identity::ZEN_2, Kinds::NONE, Unconnected);
    let select = |number| Msr::core_select(Block::Core, number).unwrap();
    merged.try_write(select(1), 0xF_0000_00FF | 1 << 22).unwrap();
    merged.try_write(select(0), 0x0003 | BOTH).unwrap();
    assert_eq!(merged.selection(counter(0)).unwrap().request(), None);
}

/// Whoever feeds a unit by hand calls its functions by their names.
mod with_all_names_of_virt_in_scope {
    use pmu::Mode;
    use pmu::virt::*;

    #[test]
    fn a_unit_says_what_is_unfed_and_selected_and_is_fed() {
        let heard = super::Line::default();
        let guest = super::guest(&heard, &[super::MISSES | super::USER]);
        assert_eq!(guest.unfed(), super::set(&[0]));
        assert!(guest.selection(super::counter(0)).is_some());
        guest.feed(super::counter(0), Mode::User, 7);
        assert_eq!(guest.until_overflow_of(super::counter(0), Mode::User), Some((1 << 48) - 7));
    }
}
