//! Both counters count in the same modes, and most events have one counter.

use pmu::arch::sparc::ultrasparc::{Identity, UltraSparc};
use pmu::driver::{Control, Counters, Image as _, Plan, Slot, Steps};
use pmu::request::Conflict;
use pmu::{Event, Modes, Request};

use crate::ultrasparc::{PIC0, Registers, driver, pic1};

/// Reads of the data cache (DC_rd); pic0.
const DATA_READS: Event = Event::raw(0x109);
/// Misses in the external cache (EC_misses); III to IV, pic1.
const EXTERNAL_MISSES: Event = Event::raw(0x20C);
/// References to the external cache (EC_ref); I to IV, pic0.
const EXTERNAL_REFERENCES: Event = Event::raw(0x10C);

type Image = <UltraSparc<Registers> as Counters>::Image;

fn place(driver: &UltraSparc<Registers>, beside: &Image, requests: &[Request]) -> Result<Vec<Slot>, Conflict> {
    let demands: Vec<_> = requests.iter().map(|request| driver.encode(request).unwrap()).collect();
    let mut slots = vec![Slot::EMPTY; requests.len()];
    driver.place(&beside.occupancy(), &demands, Steps::OPEN, &mut slots).map(|()| slots)
}

const INSTRUCTIONS: Request = Request::new(Event::INSTRUCTIONS);

#[test]
fn requests_in_other_modes_conflict_over_the_modes() {
    let (driver, nothing) = (driver(&Identity::III), Image::BLANK);
    let conflict = place(&driver, &nothing, &[INSTRUCTIONS, INSTRUCTIONS.modes(Modes::USER)]).unwrap_err();
    assert_eq!(conflict.requests.bits(), 0b11);
    assert!(conflict.to_string().contains("%pcr's modes (UT, ST, HT)"), "{conflict}");
}

#[test]
fn requests_agree_on_the_modes_with_what_is_in_use() {
    let (driver, image) = (driver(&Identity::II), Image::BLANK);
    let slots = place(&driver, &image, &[INSTRUCTIONS.modes(Modes::USER)]).unwrap();
    driver.load(&image, &(), &slots);
    assert_eq!(place(&driver, &image, &[INSTRUCTIONS]).unwrap_err().requests.bits(), 0b1);
    assert!(place(&driver, &image, &[INSTRUCTIONS.modes(Modes::USER)]).is_ok());
    let (image, of_kernel) = (Image::BLANK, INSTRUCTIONS.modes(Modes::KERNEL));
    driver.load(&image, &(), &place(&driver, &image, &[of_kernel]).unwrap());
    assert_eq!(place(&driver, &image, &[INSTRUCTIONS]).unwrap_err().requests.bits(), 0b1);
}

#[test]
fn instructions_make_way_for_an_event_that_has_one_counter() {
    let (driver, nothing) = (driver(&Identity::III), Image::BLANK);
    let counters = |other: Event| {
        let slots = place(&driver, &nothing, &[INSTRUCTIONS, Request::new(other)]).unwrap();
        slots.iter().map(|slot| slot.counter).collect::<Vec<_>>()
    };
    assert_eq!(counters(EXTERNAL_REFERENCES), [pic1(), PIC0]);
    assert_eq!(counters(EXTERNAL_MISSES), [PIC0, pic1()]);
}

#[test]
fn two_events_of_pic0_compete_for_it() {
    let (driver, nothing) = (driver(&Identity::II), Image::BLANK);
    let requests = [EXTERNAL_REFERENCES, DATA_READS].map(Request::new);
    assert_eq!(place(&driver, &nothing, &requests).unwrap_err().requests.bits(), 0b11);
}
