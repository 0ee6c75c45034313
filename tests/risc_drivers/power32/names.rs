//! Event names are sorted, and their counters count these events.

use pmu::arch::powerpc::classic::{Capabilities, Classic, Model};
use pmu::arch::powerpc::embedded::{self, Embedded};
use pmu::arch::powerpc::{Pmr, Pvr, Spr};
use pmu::driver::Driver;
use pmu::text::{catalogue::Catalogue, catalogue::EventName};
use pmu::{CounterId, CounterSet, Request};

use crate::support::memory::Memory;

pub(crate) const CLASSIC: [u32; 5] = [0x0004_0103, 0x0009_0204, 0x0008_3100, 0x000C_0209, 0x8000_0201];
pub(crate) const EMBEDDED: [u32; 3] = [0x8085_0010, 0x8021_0030, 0x8023_0031];

fn classic(pvr: u32) -> Classic<Memory<Spr>> {
    Classic::new(Memory::new(), Capabilities::discover(Pvr::from_bits(pvr)).unwrap())
}

fn embedded(pvr: u32) -> Embedded<Memory<Pmr>> {
    Embedded::new(Memory::new(), embedded::Capabilities::discover(Pvr::from_bits(pvr)).unwrap())
}

/// Each event is taken by the counters that its line names, and by no others.
fn check<D: Driver>(driver: &D, catalogue: &Catalogue) {
    for named in catalogue.events {
        let request = Request::new(catalogue.event(named));
        let takes = |counter: &CounterId| driver.encode(&request.pinned_to(*counter)).is_ok();
        let taken: CounterSet = driver.description().general.into_iter().filter(takes).collect();
        assert_eq!(taken, named.counters, "{}: {}", catalogue.unit, named.name);
    }
    let generic = catalogue.generic.iter().map(|generic| driver.encode(&Request::new(generic.event)));
    assert!(generic.into_iter().all(|demand| demand.is_ok()), "{}", catalogue.unit);
    let default = catalogue.default_event().map(|named| catalogue.event(named));
    assert!(default.is_some_and(|event| driver.encode(&Request::new(event)).is_ok()), "{}", catalogue.unit);
}

#[test]
fn names_are_of_events_that_their_counters_count() {
    for pvr in CLASSIC {
        let driver = classic(pvr);
        check(&driver, driver.capabilities().model.catalogue());
    }
    for pvr in EMBEDDED {
        let driver = embedded(pvr);
        check(&driver, driver.capabilities().model.catalogue());
    }
}

#[test]
fn names_are_sorted_and_each_is_there_once() {
    let all = Model::ALL.map(Model::catalogue).into_iter().chain(embedded::Model::ALL.map(embedded::Model::catalogue));
    for catalogue in all {
        let is_sorted = catalogue
            .events
            .iter()
            .is_sorted_by(|one, next| EventName::compare(&one.name.text(), &next.name.text()).is_lt());
        let generic = catalogue.generic.is_sorted_by(|one, next| EventName::compare(one.name, next.name).is_lt());
        assert!(is_sorted && generic, "{}", catalogue.unit);
    }
}

#[test]
fn an_event_is_found_by_its_name_and_by_its_code() {
    let catalogue = Model::P745x.catalogue();
    let named = catalogue.named("mispredicted_branches").unwrap();
    assert_eq!((named.code, named.counters.bits()), (0x41C, 0b1000));
    assert_eq!(catalogue.of_code(0x41C).map(|(event, _)| event.name), Some("MISPREDICTED_BRANCHES".into()));
    assert_eq!(embedded::Model::E500.catalogue().named("L2MMU_MISSES").map(|event| event.code), Some(0x42));
}
