//! Two counters in one register: what is done to one changes nothing of the other, but for the events between two
//! writes.

use std::cell::Cell;

use pmu::arch::sparc::ultrasparc::{Device, Identity, UltraSparc};
use pmu::driver::Recorder;
use pmu::virt::{Kind, Strict, Unconnected, Work};
use pmu::{Event, Mode, Request, Unit};

use crate::support::registers::Altered;
use crate::ultrasparc::device;

/// Reads of the data cache (DC_rd); pic0.
const DATA_READS: Event = Event::raw(0x109);

type Recorded = Recorder<Strict<Device<Unconnected>>, 64>;
type Driver = UltraSparc<&'static &'static Strict<Device<Unconnected>>>;

const LOADS: Request = Request::new(DATA_READS);
const INSTRUCTIONS: Request = Request::new(Event::INSTRUCTIONS);

/// A claimed unit, and its device.
fn claimed(identity: &Identity) -> (&'static Unit<Driver, 0>, &'static Strict<Device<Unconnected>>) {
    let device: &'static _ = Box::leak(Box::new(device(identity)));
    let unit: &'static Unit<Driver, 0> = Box::leak(Box::new(Unit::new()));
    let registers: &'static _ = Box::leak(Box::new(device));
    unit.claim(UltraSparc::new(registers, identity.capabilities())).unwrap();
    (unit, device)
}

/// A hundred instructions, of which seven load.
fn work(device: &impl pmu::virt::Device) {
    device.advance(&Work::instructions(Mode::Kernel, 100).with(Kind::Loads, 7));
}

#[test]
fn a_counter_that_is_stopped_holds_its_count_while_the_other_counts() {
    for identity in &Identity::ALL {
        let (unit, device) = claimed(identity);
        let pmu = unit.here().unwrap();
        let mut instructions = pmu.open([INSTRUCTIONS]).unwrap();
        let mut others = pmu.open([LOADS]).unwrap();
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
        let mut others = pmu.open([LOADS]).unwrap();
        instructions.start().unwrap();
        others.start().unwrap();
        for _ in 0..50 {
            work(device);
            others.reset().unwrap();
        }
        assert_eq!((instructions.read(), others.read()), (Ok([5000]), Ok([0])), "{}", identity.name());
    }
}

/// The bound that the driver states for III and later: both counters are halted between two writes of %pcr, with one
/// read and one write of %pic between them.
#[test]
fn a_preset_beside_a_counter_that_counts_halts_it_for_four_accesses() {
    use pmu::CounterSet;
    use pmu::driver::{Control, Counters, Image as _, Plan, Remaining, Slot, Steps};
    let recorder: Recorded = Recorder::new(device(&Identity::III));
    let driver = UltraSparc::new(&recorder, Identity::III.capabilities());
    let image = <UltraSparc<&Recorded> as Counters>::Image::BLANK;
    let demands = [INSTRUCTIONS; 2].map(|request| driver.encode(&request).unwrap());
    let mut slots = [Slot::EMPTY; 2];
    driver.place(&image.occupancy(), &demands, Steps::OPEN, &mut slots).unwrap();
    driver.load(&image, &(), &slots);
    let accesses = |running: CounterSet| {
        driver.run(&image, running);
        recorder.clear();
        driver.preset(&image, crate::ultrasparc::pic1(), Remaining::events(1000));
        (0..recorder.len()).filter_map(|number| recorder.access(number)).map(|access| format!("{access:?}")).collect()
    };
    let beside: Vec<String> = accesses(crate::ultrasparc::PIC0.only());
    let alone: Vec<String> = accesses(CounterSet::EMPTY);
    let kinds = |lines: &[String]| lines.iter().map(|line| line[..10].to_owned()).collect::<Vec<_>>();
    assert_eq!(kinds(&beside), ["read %pcr ", "write %pcr", "read %pic ", "write %pic", "write %pcr"]);
    assert_eq!(kinds(&alone), ["read %pcr ", "read %pic ", "write %pic"]);
}

/// The bound on I and II: a preset accesses nothing, and a change of what runs halts the other one for four accesses.
#[test]
fn a_counter_of_ii_that_begins_halts_the_other_for_four_accesses() {
    use pmu::CounterSet;
    use pmu::driver::{Control, Counters, Image as _, Plan, Remaining, Slot, Steps};
    let recorder: Recorded = Recorder::new(device(&Identity::II));
    let driver = UltraSparc::new(&recorder, Identity::II.capabilities());
    let image = <UltraSparc<&Recorded> as Counters>::Image::BLANK;
    let demands = [INSTRUCTIONS; 2].map(|request| driver.encode(&request).unwrap());
    let mut slots = [Slot::EMPTY; 2];
    driver.place(&image.occupancy(), &demands, Steps::OPEN, &mut slots).unwrap();
    driver.load(&image, &(), &slots);
    driver.run(&image, crate::ultrasparc::PIC0.only());
    recorder.clear();
    driver.preset(&image, crate::ultrasparc::pic1(), Remaining::events(1000));
    assert_eq!(recorder.len(), 0);
    driver.run(&image, CounterSet::first(2));
    let lines = (0..recorder.len()).filter_map(|number| recorder.access(number)).map(|access| format!("{access:?}"));
    let kinds: Vec<_> = lines.map(|line| line[..10].to_owned()).collect();
    assert_eq!(kinds, ["write %pcr", "read %pic ", "write %pic", "write %pcr"]);
}

/// Runs a session of another counter a hundred times, or reads it as often. Returns how many events a session of
/// instructions beside it has lost. The processor executes one instruction at each access.
fn lost(identity: &Identity, is_read_only: bool) -> u64 {
    let passed = Cell::new(0);
    let registers = Altered::ticking(device(identity), &passed);
    let unit = Unit::<_, 0>::new();
    let pmu = unit.claim(UltraSparc::new(&registers, identity.capabilities())).unwrap();
    let mut instructions = pmu.open([INSTRUCTIONS]).unwrap();
    let mut others = pmu.open([LOADS]).unwrap();
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

/// Both counters are halted for three accesses, whose instructions are lost: by I and II at each start and stop, and
/// from III on at each preset, which a reset makes.
#[test]
fn the_events_that_are_lost_beside_a_start_a_stop_and_a_reset_are_bounded() {
    for identity in &Identity::ALL {
        let halts = if identity.capabilities().interrupts() { 1 } else { 2 };
        assert_eq!(lost(identity, false), 100 * halts * 3, "{}", identity.name());
    }
}
