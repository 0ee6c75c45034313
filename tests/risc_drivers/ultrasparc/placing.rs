//! Most events have one counter.

use pmu::arch::sparc::ultrasparc::{Identity, UltraSparc};
use pmu::driver::{Counters, Image as _};
use pmu::{Event, Request};

use super::sharing::place;
use super::{PIC0, Registers, driver, pic1};

/// Reads of the data cache (DC_rd); pic0.
const DATA_READS: Event = Event::raw(0x109);
/// Misses in the external cache (EC_misses); III to IV, pic1.
const EXTERNAL_MISSES: Event = Event::raw(0x20C);
/// References to the external cache (EC_ref); I to IV, pic0.
const EXTERNAL_REFERENCES: Event = Event::raw(0x10C);

type Image = <UltraSparc<Registers> as Counters>::Image;

const INSTRUCTIONS: Request = Request::new(Event::INSTRUCTIONS);

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
