//! A hypervisor that keeps counters for itself counts on those, at EL2, and its kernel would find the others and no
//! more: the processor says so at EL1, and the driver at EL2 takes none that it lends.

use metal::get;
use pmu::arch::aarch64::pmuv3::{Pmuv3, Share};
use pmu::request::Refusal;
use pmu::{CounterId, CounterSet, Error, Event, Request};

use crate::guest::instructions;
use crate::guest::unit::{self, Unit};

static UNIT: Unit<0> = unit::new();

const LENT: u8 = 4;

pub fn test() {
    let capabilities = *unit::detect().expect("it has a unit").capabilities();
    let share = Share::beside_guests(&capabilities, LENT).expect("this is EL2, and two counters are left");
    let driver = Pmuv3::new(unit::hardware(), capabilities, share);
    let pmu = UNIT.claim(driver).expect("nobody has it yet");
    assert_eq!(get!("mdcr_el2") & 0x1f, u64::from(LENT), "HPMN");
    assert_eq!(pmu.description().general, CounterSet::first(6).without(CounterSet::first(LENT)));
    let lent = pmu.open([Request::new(Event::INSTRUCTIONS).pinned_to(CounterId::ZERO)]).err();
    let refused = Refusal::NoSuchCounter(CounterId::ZERO);
    assert!(matches!(lent, Some(Error::Refused { reason, .. }) if reason == refused), "{lent:?}");

    let mut session = pmu.open([Request::new(Event::INSTRUCTIONS)]).expect("two are left");
    session.start().expect("it is stopped");
    instructions::exactly(1000);
    session.stop().expect("it runs");
    let [count] = session.read().expect("this is its CPU");
    assert!((1000..1200).contains(&count), "{count}");
    drop(session);
    pmu.release().expect("nothing is open");
    assert_eq!(get!("mdcr_el2") & 0x1f, 6, "all are lent again");
}
