//! Event names are sorted and unique, and units that announce these events count them.

use pmu::arch::aarch64::pmuv3::Capabilities;
use pmu::text::catalogue::EventName;
use pmu::{Event, Request};

use crate::aarch64::{Bench, counter, of_64_bits, plain, with};

/// Cycles, on an event counter (CPU_CYCLES).
const CYCLES: Event = Event::raw(0x0011);
/// Instructions retired (INST_RETIRED).
const INSTRUCTIONS: Event = Event::raw(0x0008);

/// A processor without a table: it has the common events' names.
fn unknown() -> Capabilities {
    with(plain(), |it| it.processor = 0)
}

#[test]
fn names_are_sorted_and_each_is_there_once() {
    let catalogue = unknown().catalogue();
    assert!(
        catalogue
            .events
            .iter()
            .is_sorted_by(|one, next| EventName::compare(&one.name.text(), &next.name.text()).is_lt())
    );
    assert!(catalogue.generic.is_sorted_by(|one, next| EventName::compare(one.name, next.name).is_lt()));
    let mut codes: Vec<_> = catalogue.events.iter().map(|named| named.code).collect();
    codes.sort_unstable();
    assert!(codes.is_sorted_by(|one, next| one < next), "a code has two names");
}

#[test]
fn names_are_of_events_that_every_event_counter_counts() {
    let capabilities = with(of_64_bits(), |it| (it.processor, it.event_counters) = (0, 31));
    let (bench, catalogue) = (Bench::new(capabilities), capabilities.catalogue());
    for named in catalogue.events {
        let request = Request::new(catalogue.event(named));
        let takes = |number: &u8| bench.encode(request.pinned_to(counter(*number))).is_ok();
        assert!((0..31).all(|number| takes(&number)) && !takes(&31), "{}", named.name);
        assert!(named.counters.covers(capabilities.counters().without(counter(31).only())), "{}", named.name);
    }
    assert!(catalogue.generic.iter().all(|generic| bench.encode(generic.event).is_ok()));
}

#[test]
fn an_event_is_found_by_its_name_and_by_its_code() {
    let catalogue = unknown().catalogue();
    let named = catalogue.named("inst_retired").unwrap();
    assert_eq!(catalogue.event(named), INSTRUCTIONS);
    assert_eq!(catalogue.of_code(0x37).map(|(named, _)| named.name), Some("LL_CACHE_MISS_RD".into()));
    assert_eq!(catalogue.default_event().map(|named| catalogue.event(named)), Some(CYCLES));
    assert_eq!(catalogue.generic("PAPI_TOT_CYC").map(|generic| generic.event), Some(Event::CYCLES));
}

/// CHAIN makes a pair of two counters, and counts nothing by itself.
#[test]
fn what_cannot_be_asked_for_has_no_name() {
    assert!(unknown().catalogue().named("CHAIN").is_none());
}
