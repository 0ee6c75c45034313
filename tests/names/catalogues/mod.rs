//! Every processor's events by name: sorted, counted where their lines say, and read by each notation
//! as they were printed.

mod aarch64;
pub(crate) mod amd;
mod constants;
mod elsewhere;
mod enumerating;
mod generic;
mod generic_maps;
mod groups;
mod inputs;
mod intel;
mod kept;
mod libpfm;
mod listing;
mod loongarch;
mod marks;
mod mips;
mod netburst;
mod niagara;
mod p5;
mod p6;
mod perf;
mod power32;
mod power64;
mod riscv;
mod texts;
mod ultrasparc;

use pmu::driver::{Description, Plan, counters_for};
use pmu::request::{Flags, Refusal};
use pmu::text::{
    catalogue::Catalogue, catalogue::Effect, catalogue::EventName, catalogue::NamedEvent, catalogue::Preset,
};
use pmu::text::{notation::Cpc, notation::Perfmon, notation::Processor};
use pmu::{CounterId, CounterSet, Request};

/// Checks everything that must hold of a catalogue.
pub(crate) fn check(driver: &impl Plan) {
    let (description, catalogue) = (driver.description(), driver.catalogue());
    assert!(!catalogue.events.is_empty(), "{}: no events", description.name);
    is_sorted(catalogue);
    for named in catalogue.events {
        is_counted(driver, named);
    }
    for generic in catalogue.generic {
        assert!(driver.encode(&Request::new(generic.event)).is_ok(), "{}: {}", catalogue.unit, generic.name);
    }
    let default = catalogue.default_event().map(|named| driver.encode(&Request::new(catalogue.event(named))));
    assert!(default.is_some_and(|demand| demand.is_ok()), "{}: {}", catalogue.unit, catalogue.default);
    generic_events_are_placed_by_name(driver);
    presets_are_counted(driver);
    costs_are_of_events(catalogue);
    generic::are_the_processors_own(driver);
    another_name_is_of_what_happens_each_time(Processor::of(driver));
    words_are_the_units(&description, catalogue);
    inputs::are_as_the_guide_says(driver);
    texts::come_back(Processor::of(driver));
}

/// For cputrack the name of a generic event can be typed for each counter that has the event, and for no other.
fn generic_events_are_placed_by_name(driver: &impl Plan) {
    let (description, catalogue) = (driver.description(), driver.catalogue());
    let here = Processor::of(driver);
    for generic in catalogue.generic {
        let is_taken = |(place, _): &(usize, CounterId)| {
            let text = format!("pic{place}={}", generic.name);
            Cpc::parse::<1>(&text, here).is_ok()
        };
        let taken: CounterSet = description.counters().enumerate().filter(is_taken).map(|(_, it)| it).collect();
        assert_eq!(taken, counters_for(driver, &generic.event.into()), "{}: {}", catalogue.unit, generic.name);
    }
}

/// Each name is unique, is found, and has no byte that would end it in a text.
fn is_sorted(catalogue: &Catalogue) {
    let mut pairs = catalogue.events.iter().zip(catalogue.events.iter().skip(1));
    let unsorted = pairs.find(|(one, next)| EventName::compare(&one.name.text(), &next.name.text()).is_ge());
    assert!(unsorted.is_none(), "{}: {unsorted:?}", catalogue.unit);
    let is_mark = |byte: u8| byte == b'_' || (b'!'..b'?').contains(&byte) && !b":,=".contains(&byte);
    let is_word = |byte: u8| byte.is_ascii_alphabetic() || is_mark(byte);
    let unreadable = catalogue.events.iter().find(|named| !named.name.text().bytes().all(is_word));
    assert!(unreadable.is_none(), "{}: {unreadable:?}", catalogue.unit);
    let is_sorted = catalogue.generic.is_sorted_by(|one, next| EventName::compare(one.name, next.name).is_lt());
    assert!(is_sorted, "{}: {:?}", catalogue.unit, catalogue.generic);
}

/// The counters of this processor that the event's line names.
pub(crate) fn counters(description: &Description, named: NamedEvent) -> CounterSet {
    description.counters().filter(|counter| named.counters.contains(*counter)).collect()
}

/// The event has a counter, and the driver takes it on each that its line names and on no other; what no counter has is
/// refused with a reason.
fn is_counted(driver: &impl Plan, named: NamedEvent) {
    let (catalogue, description) = (driver.catalogue(), driver.description());
    let counters = counters(&description, named);
    let request = catalogue.request(named);
    if named.counters.is_empty() {
        let refusal = driver.encode(&request).err();
        assert!(matches!(refusal, Some(Refusal::Impossible(_))), "{}: {}: {refusal:?}", catalogue.unit, named.name);
        return;
    }
    assert!(!counters.is_empty(), "{}: {} has no counter", catalogue.unit, named.name);
    assert!(named.kept_to.covers(named.counters), "{}: {}", catalogue.unit, named.name);
    // A fixed counter may count what the code counts on any.
    let beyond = counters_for(driver, &request).without(counters.or(description.fixed));
    assert!(beyond.is_empty(), "{}: {} has {counters:?}, and is counted on {beyond:?}", catalogue.unit, named.name);
    for counter in counters {
        let refusal = driver.encode(&request.pinned_to(counter)).err();
        assert_eq!(refusal, None, "{}: {} on {counter}", catalogue.unit, named.name);
    }
    let default = named.masks.default;
    assert!(named.masks.allows(default), "{}: {} is not {default:#x}", catalogue.unit, named.name);
}

/// Each term of each preset is an event that the driver takes; none is asked for by a generic event's name.
fn presets_are_counted(driver: &impl Plan) {
    let catalogue = driver.catalogue();
    let names: Vec<_> = catalogue.presets.iter().map(|preset| preset.name).collect();
    assert!(names.is_sorted_by(|one, next| one < next), "{}: {names:?}", catalogue.unit);
    for preset in catalogue.presets.iter() {
        for term in preset.terms() {
            let refusal = catalogue.request_of(term).map(|request| driver.encode(&request).err());
            assert_eq!(refusal, Some(None), "{}: {}: {}", catalogue.unit, preset.name, term.event);
        }
        assert_eq!(
            catalogue.requests_of(preset).count(),
            preset.terms().count(),
            "{}: {}",
            catalogue.unit,
            preset.name
        );
        assert!(catalogue.generic(preset.name).is_none(), "{}: {}", catalogue.unit, preset.name);
        assert!(Preset::is_papi(preset.name), "{}: {}", catalogue.unit, preset.name);
    }
}

/// Each cost is of an event of the processor, and between its least and its greatest value.
fn costs_are_of_events(catalogue: &Catalogue) {
    for (name, cost) in catalogue.costs {
        assert!(catalogue.named(name).is_some(), "{}: {name} is no event", catalogue.unit);
        assert!(cost.minimum <= cost.typical && cost.typical <= cost.maximum, "{}: {name}", catalogue.unit);
        assert!(cost.minimum > 0, "{}: {name}", catalogue.unit);
    }
}

/// A name that other software has for a code means the code alone. On Skylake `CPU_CLK_UNHALTED.RING0_TRANS` has the code of
/// cycles and comes before them, and `CPU_CLK_UNHALTED` counted the transitions to ring 0.
fn another_name_is_of_what_happens_each_time(here: Processor) {
    let catalogue = here.catalogue;
    for other in catalogue.other_names {
        let requests = Perfmon::parse::<1>(other.name, here);
        let requests = requests.unwrap_or_else(|error| panic!("{}: {}: {error}", catalogue.unit, other.name));
        let [Request { flags, threshold, .. }] = requests.requests() else { panic!("{} is one event", other.name) };
        assert_eq!((*flags, *threshold), (Flags::NONE, 0), "{}: {}", catalogue.unit, other.name);
    }
}

/// The request as it would be made by its event's code.
fn unnamed(mut request: Request) -> Request {
    request.name = None;
    request
}

/// No notation offers a flag that the unit has not.
fn words_are_the_units(description: &Description, catalogue: &Catalogue) {
    for word in catalogue.attributes.iter().chain(catalogue.modifiers) {
        if let Effect::Flag(flag) | Effect::NoFlag(flag) = word.effect {
            assert!(description.flags.contains(flag), "{}: {}", catalogue.unit, word.name);
        }
    }
}
