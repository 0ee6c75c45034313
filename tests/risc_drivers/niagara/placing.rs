//! Both counters count in the same modes.

use pmu::arch::sparc::niagara::{Identity, Niagara};
use pmu::driver::{Control, Counters, Image as _, Plan, Slot, Steps};
use pmu::request::Conflict;
use pmu::{Event, Modes, Request};

use crate::niagara::{Registers, driver};

type Image = <Niagara<Registers> as Counters>::Image;

fn place(driver: &Niagara<Registers>, beside: &Image, requests: &[Request]) -> Result<Vec<Slot>, Conflict> {
    let demands: Vec<_> = requests.iter().map(|request| driver.encode(request).unwrap()).collect();
    let mut slots = vec![Slot::EMPTY; requests.len()];
    driver.place(&beside.occupancy(), &demands, Steps::OPEN, &mut slots).map(|()| slots)
}

const INSTRUCTIONS: Request = Request::new(Event::INSTRUCTIONS);

#[test]
fn requests_in_other_modes_conflict_over_the_modes() {
    let (driver, nothing) = (driver(&Identity::T2), Image::BLANK);
    let conflict = place(&driver, &nothing, &[INSTRUCTIONS, INSTRUCTIONS.modes(Modes::USER)]).unwrap_err();
    assert_eq!(conflict.requests.bits(), 0b11);
    assert!(conflict.to_string().contains("%pcr's modes (UT, ST, HT)"), "{conflict}");
}

#[test]
fn requests_agree_on_the_modes_with_what_is_in_use() {
    let (driver, image) = (driver(&Identity::T2), Image::BLANK);
    let slots = place(&driver, &image, &[INSTRUCTIONS.modes(Modes::USER)]).unwrap();
    driver.load(&image, &(), &slots);
    assert_eq!(place(&driver, &image, &[INSTRUCTIONS]).unwrap_err().requests.bits(), 0b1);
    assert!(place(&driver, &image, &[INSTRUCTIONS.modes(Modes::USER)]).is_ok());
}

#[test]
fn two_requests_of_t1s_pic0_compete_for_it() {
    let (driver, nothing) = (driver(&Identity::T1), Image::BLANK);
    let requests = [Request::new(Event::raw(2)), Request::new(Event::raw(3))];
    assert!(place(&driver, &nothing, &requests).is_err());
    assert!(place(&driver, &nothing, &[requests[0], INSTRUCTIONS]).is_ok());
}
