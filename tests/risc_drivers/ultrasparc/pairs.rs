//! What is I's and II's own of two counters in one register, and the index of a user page.

use pmu::arch::sparc::ultrasparc::{Identity, UltraSparc};
use pmu::driver::{Control, Counters, Image as _, Plan, Recorder, Remaining, Slot, Steps};
use pmu::{CounterSet, Event};

use super::{PIC0, Registers, device, driver, pic1};

type Image = <UltraSparc<Registers> as Counters>::Image;

/// The bound on I and II: a preset accesses nothing, and a change of what runs halts the other one for four accesses.
#[test]
fn a_counter_of_ii_that_begins_halts_the_other_for_four_accesses() {
    let recorder = Recorder::<_, 64>::new(device(&Identity::II));
    let driver = UltraSparc::new(&recorder, Identity::II.capabilities());
    let image = Image::BLANK;
    let demands = [Event::INSTRUCTIONS; 2].map(|event| driver.encode(&event.into()).unwrap());
    let mut slots = [Slot::EMPTY; 2];
    driver.place(&image.occupancy(), &demands, Steps::OPEN, &mut slots).unwrap();
    driver.load(&image, &(), &slots);
    driver.run(&image, PIC0.only());
    recorder.clear();
    driver.preset(&image, pic1(), Remaining::events(1000));
    assert_eq!(recorder.len(), 0);
    driver.run(&image, CounterSet::first(2));
    let lines = (0..recorder.len()).filter_map(|number| recorder.access(number)).map(|access| format!("{access:?}"));
    let kinds: Vec<_> = lines.map(|line| line[..10].to_owned()).collect();
    assert_eq!(kinds, ["write %pcr", "read %pic ", "write %pic", "write %pcr"]);
}

#[test]
fn a_user_page_has_the_half_of_pic_as_its_index() {
    for identity in &Identity::ALL {
        let (driver, image) = (driver(identity), Image::BLANK);
        let mut slots = [Slot::EMPTY; 2];
        let demands = [Event::CYCLES, Event::INSTRUCTIONS].map(|event| driver.encode(&event.into()).unwrap());
        driver.place(&image.occupancy(), &demands, Steps::OPEN, &mut slots).unwrap();
        let expected = slots.each_ref().map(|slot| Some(slot.counter.number().into()));
        assert_eq!(slots.map(|slot| driver.counter(&slot).user_index), expected, "{}", identity.name());
    }
}
