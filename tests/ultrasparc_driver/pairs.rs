//! Two counters in one register: what is done to one changes nothing of the other, but for the events between two writes.

use pmu::arch::sparc::ultrasparc::{Device, Identity, UltraSparc, events};
use pmu::virt::{Kind, Strict, Unconnected, Work};
use pmu::{Event, Mode, Recorder, Request, Unit};

use crate::device;

type Recorded = Recorder<Strict<Device<Unconnected>>, 64>;
type Driver = UltraSparc<&'static &'static Strict<Device<Unconnected>>>;

const LOADS: Request = Request::new(events::DATA_READS);
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

/// The bound that the driver states for III and later: both counters are halted between two writes of %pcr, with one read and one write of
/// %pic between them.
#[test]
fn a_preset_beside_a_counter_that_counts_halts_it_for_four_accesses() {
    use pmu::{Control, CounterSet, Counters, Image as _, Plan, Remaining, Slot, Steps};
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
        driver.preset(&image, crate::pic1(), Remaining::events(1000));
        (0..recorder.len()).filter_map(|number| recorder.access(number)).map(|access| format!("{access:?}")).collect()
    };
    let beside: Vec<String> = accesses(crate::PIC0.only());
    let alone: Vec<String> = accesses(CounterSet::EMPTY);
    let kinds = |lines: &[String]| lines.iter().map(|line| line[..10].to_owned()).collect::<Vec<_>>();
    assert_eq!(kinds(&beside), ["read %pcr ", "write %pcr", "read %pic ", "write %pic", "write %pcr"]);
    assert_eq!(kinds(&alone), ["read %pcr ", "read %pic ", "write %pic"]);
}

/// The bound on I and II: a preset accesses nothing, and a change of what runs halts the other one for four accesses.
#[test]
fn a_counter_of_ii_that_begins_halts_the_other_for_four_accesses() {
    use pmu::{Control, CounterSet, Counters, Image as _, Plan, Remaining, Slot, Steps};
    let recorder: Recorded = Recorder::new(device(&Identity::II));
    let driver = UltraSparc::new(&recorder, Identity::II.capabilities());
    let image = <UltraSparc<&Recorded> as Counters>::Image::BLANK;
    let demands = [INSTRUCTIONS; 2].map(|request| driver.encode(&request).unwrap());
    let mut slots = [Slot::EMPTY; 2];
    driver.place(&image.occupancy(), &demands, Steps::OPEN, &mut slots).unwrap();
    driver.load(&image, &(), &slots);
    driver.run(&image, crate::PIC0.only());
    recorder.clear();
    driver.preset(&image, crate::pic1(), Remaining::events(1000));
    assert_eq!(recorder.len(), 0);
    driver.run(&image, CounterSet::first(2));
    let lines = (0..recorder.len()).filter_map(|number| recorder.access(number)).map(|access| format!("{access:?}"));
    let kinds: Vec<_> = lines.map(|line| line[..10].to_owned()).collect();
    assert_eq!(kinds, ["write %pcr", "read %pic ", "write %pic", "write %pcr"]);
}
