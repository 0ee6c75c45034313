//! Two counters in one register: what is done to one changes nothing of the other, but for the events between two writes.

use std::cell::Cell;

use pmu::arch::sparc::Asr;
use pmu::arch::sparc::niagara::{Device, Identity, Niagara, Pcr};
use pmu::driver::{Control, Counters, Image as _, Plan, Recorder, Registers, Remaining, Slot, Steps};
use pmu::virt::{Kind, Strict, Unconnected, Work};
use pmu::{CounterSet, Event, Mode, Request, Unit};

use crate::niagara::device;
use crate::support::registers::Altered;

type Recorded = Recorder<Strict<Device<Unconnected>>, 64>;
type Image = <Driver as Counters>::Image;
type Driver = Niagara<&'static &'static Strict<Device<Unconnected>>>;

/// The misses of the second level, which pic0 of T1 counts beside the instructions of pic1.
const MISSES: [Request; 2] = [Request::new(Event::raw(7)), Request::new(Event::raw(0x320))];
const INSTRUCTIONS: Request = Request::new(Event::INSTRUCTIONS);

/// A claimed unit, and its device.
fn claimed(identity: &Identity) -> (&'static Unit<Driver, 0>, &'static Strict<Device<Unconnected>>) {
    let device: &'static _ = Box::leak(Box::new(device(identity)));
    let unit: &'static Unit<Driver, 0> = Box::leak(Box::new(Unit::new()));
    let registers: &'static _ = Box::leak(Box::new(device));
    unit.claim(Niagara::new(registers, identity.capabilities())).unwrap();
    (unit, device)
}

fn misses(identity: &Identity) -> Request {
    MISSES[usize::from(!identity.capabilities().is_t1())]
}

/// A hundred instructions, of which seven missed.
fn work(device: &impl pmu::virt::Device) {
    device.advance(&Work::instructions(Mode::Kernel, 100).with(Kind::CacheMisses, 7));
}

#[test]
fn a_counter_that_is_stopped_holds_its_count_while_the_other_counts() {
    for identity in &Identity::ALL {
        let (unit, device) = claimed(identity);
        let pmu = unit.here().unwrap();
        let mut instructions = pmu.open([INSTRUCTIONS]).unwrap();
        let mut others = pmu.open([misses(identity)]).unwrap();
        instructions.start().unwrap();
        work(device);
        others.start().unwrap();
        work(device);
        instructions.stop().unwrap();
        work(device);
        assert_eq!((instructions.read(), others.read()), (Ok([200]), Ok([14])), "{}", identity.name());
        others.stop().unwrap();
        instructions.start().unwrap();
        work(device);
        assert_eq!((instructions.read(), others.read()), (Ok([300]), Ok([14])), "{}", identity.name());
    }
}

#[test]
fn a_reset_of_one_counter_leaves_the_other_its_count() {
    for identity in &Identity::ALL {
        let (unit, device) = claimed(identity);
        let pmu = unit.here().unwrap();
        let mut instructions = pmu.open([INSTRUCTIONS]).unwrap();
        let mut others = pmu.open([misses(identity)]).unwrap();
        instructions.start().unwrap();
        others.start().unwrap();
        for _ in 0..50 {
            work(device);
            others.reset().unwrap();
        }
        assert_eq!((instructions.read(), others.read()), (Ok([5000]), Ok([0])), "{}", identity.name());
    }
}

/// The bound that the driver states: both counters are halted between two writes of %pcr, with one read and one write of
/// %pic between them.
#[test]
fn a_preset_beside_a_counter_that_counts_halts_it_for_four_accesses() {
    let recorder: Recorded = Recorder::new(device(&Identity::T2));
    let driver = Niagara::new(&recorder, Identity::T2.capabilities());
    let image = Image::BLANK;
    let demands = [INSTRUCTIONS; 2].map(|request| driver.encode(&request).unwrap());
    let mut slots = [Slot::EMPTY; 2];
    driver.place(&image.occupancy(), &demands, Steps::OPEN, &mut slots).unwrap();
    driver.load(&image, &(), &slots);
    let accesses = |running: CounterSet| {
        driver.run(&image, running);
        recorder.clear();
        driver.preset(&image, crate::niagara::pic1(), Remaining::events(1000));
        (0..recorder.len()).filter_map(|number| recorder.access(number)).map(|access| format!("{access:?}")).collect()
    };
    let beside: Vec<String> = accesses(crate::niagara::PIC0.only());
    let alone: Vec<String> = accesses(CounterSet::EMPTY);
    let kinds = |lines: &[String]| lines.iter().map(|line| line[..10].to_owned()).collect::<Vec<_>>();
    assert_eq!(kinds(&beside), ["read %pcr ", "write %pcr", "read %pic ", "write %pic", "write %pcr"]);
    assert_eq!(kinds(&alone), ["read %pcr ", "read %pic ", "write %pic"]);
    let holds = |line: &&String| {
        let value = u64::from_str_radix(line.rsplit("0x").next().unwrap(), 16).unwrap();
        Pcr::from_bits_retain(value).contains(Pcr::HOLD)
    };
    assert!(beside.iter().filter(|line| line.starts_with("write %pcr")).all(|line| holds(&line)), "{beside:?}");
}

#[test]
fn no_interrupt_comes_amid_a_change_of_what_two_counters_share() {
    for identity in &Identity::ALL {
        let masked = Cell::new(0);
        let registers = Altered::masked(device(identity), &masked);
        let driver = Niagara::new(&registers, identity.capabilities());
        let image = Image::BLANK;
        driver.preset(&image, crate::niagara::PIC0, Remaining::events(1000));
        driver.acknowledge(&image, CounterSet::first(2));
        driver.lend(&image, CounterSet::first(1));
        if identity.capabilities().is_t1() {
            driver.run(&image, CounterSet::first(2));
            driver.run(&image, CounterSet::EMPTY);
        }
        assert_eq!(masked.get(), 0, "{}", identity.name());
    }
}

/// An overflow bit whose counter is not past its overflow would trap again, and is cleared. The other one stays.
#[test]
fn an_overflow_bit_without_an_overflow_is_cleared_alone() {
    let device = device(&Identity::T2);
    let driver = Niagara::new(&device, Identity::T2.capabilities());
    let image = Image::BLANK;
    let saved = <Niagara<&crate::niagara::Registers> as Control>::NOTHING_SAVED;
    driver.save(&saved);
    device.write(Asr::Pcr, (Pcr::OVERFLOW_0 | Pcr::OVERFLOW_1).bits());
    driver.overflowed(&image, crate::niagara::PIC0.only(), |_, _| panic!("its value says that it has not"));
    let left = Pcr::from_bits_retain(device.read(Asr::Pcr));
    assert!(left.contains(Pcr::OVERFLOW_1) && !left.contains(Pcr::OVERFLOW_0), "{left:?}");
}

/// Runs a session of another counter a hundred times, or reads it as often. Returns how many events a session of
/// instructions beside it has lost. The processor executes one instruction at each access.
fn lost(identity: &Identity, is_read_only: bool) -> u64 {
    let passed = Cell::new(0);
    let registers = Altered::ticking(device(identity), &passed);
    let unit = Unit::<_, 0>::new();
    let pmu = unit.claim(Niagara::new(&registers, identity.capabilities())).unwrap();
    let mut instructions = pmu.open([INSTRUCTIONS]).unwrap();
    let mut others = pmu.open([misses(identity)]).unwrap();
    instructions.start().unwrap();
    let (before, begun) = (instructions.read().unwrap()[0], passed.get());
    for _ in 0..100 {
        if is_read_only {
            others.read().unwrap();
        } else {
            others.start().unwrap();
            others.stop().unwrap();
            others.reset().unwrap();
        }
    }
    let (count, passed) = (instructions.read().unwrap()[0], passed.get());
    (passed - begun).saturating_sub(count - before)
}

#[test]
fn a_read_of_one_counter_loses_no_event_of_the_other() {
    for identity in &Identity::ALL {
        assert!(lost(identity, true) <= 1, "{}: {}", identity.name(), lost(identity, true));
    }
}

/// Both counters are halted for three accesses, whose instructions are lost: by T1 at each start and stop, and from T2 on
/// at each preset, which a reset makes.
#[test]
fn the_events_that_are_lost_beside_a_start_a_stop_and_a_reset_are_bounded() {
    for identity in &Identity::ALL {
        let halts = if identity.capabilities().is_t1() { 2 } else { 1 };
        assert_eq!(lost(identity, false), 100 * halts * 3, "{}", identity.name());
    }
}
