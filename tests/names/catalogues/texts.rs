//! The three notations read each event by its name, and read what they print of it as the same.

use pmu::request::Generic;
use pmu::text::{catalogue::Catalogue, catalogue::Effect, catalogue::NamedEvent};
use pmu::text::{notation::Cpc, notation::Error, notation::Oprofile, notation::Perfmon, notation::Processor};
use pmu::{Modes, Request, Set};

use crate::catalogues::counters;

/// Each event of the catalogue, by its name and printed.
pub(crate) fn come_back(here: Processor) {
    let catalogue = here.catalogue;
    for named in catalogue.events {
        let request = catalogue.request(named);
        in_cputracks_notation(named, here, flagged(catalogue, request).modes(Modes::USER));
        let count = named.least.max(100_000);
        in_oprofiles_notation(&format!("{}:{count}", named.name), here, request.every(count));
        in_libpfms_notation(&named.name.text(), here, request);
        // It is printed as without its unit.
        let text = format!("{}::{}", catalogue.unit, named.name);
        is_read(&text, Perfmon::parse(&text, here), request);
    }
    generic_ones(here);
}

/// The events that have a name on every processor, which may be a name of one of its own too.
fn generic_ones(here: Processor) {
    for name in Generic::ALL.map(Generic::name) {
        for text in [name.to_owned(), format!("perf::{name}")] {
            in_libpfms_notation(&text, here, first(&text, Perfmon::parse(&text, here)));
        }
        let text = format!("{name}:100000000");
        in_oprofiles_notation(&text, here, first(&text, Oprofile::parse(&text, here)));
        let pinned = first(name, Cpc::parse(name, here));
        let printed = Cpc::of(&[pinned], here).expect("it was read").to_string();
        is_read(&printed, Cpc::parse(&printed, here), pinned);
    }
}

/// The request with the flags that cputrack's attributes clear, which an event has without them.
fn flagged(catalogue: &Catalogue, request: Request) -> Request {
    catalogue.attributes.iter().fold(request, |request, attribute| match attribute.effect {
        Effect::NoFlag(flag) => request.flag(flag),
        _ => request,
    })
}

/// Reads the event on each counter that has it, and prints it on the first.
fn in_cputracks_notation(named: NamedEvent, here: Processor, request: Request) {
    let all = here.description.counters().enumerate();
    let on = all.filter(|(_, counter)| counters(&here.description, named).contains(*counter));
    for (nth, (number, counter)) in on.enumerate() {
        let (text, pinned) = (format!("pic{number}={}", named.name), request.pinned_to(counter));
        is_read(&text, Cpc::parse(&text, here), pinned);
        if nth == 0 {
            let printed = Cpc::of(&[pinned], here).expect("it was read").to_string();
            is_read(&printed, Cpc::parse(&printed, here), pinned);
        }
    }
}

fn in_oprofiles_notation(text: &str, here: Processor, request: Request) {
    is_read(text, Oprofile::parse(text, here), request);
    let printed = Oprofile::of(&[request], here).expect("it was read").to_string();
    is_read(&printed, Oprofile::parse(&printed, here), request);
}

fn in_libpfms_notation(text: &str, here: Processor, request: Request) {
    is_read(text, Perfmon::parse(text, here), request);
    let printed = Perfmon::of(&[request], here).expect("it was read").to_string();
    is_read(&printed, Perfmon::parse(&printed, here), request);
}

fn is_read(text: &str, read: Result<Set<1>, Error>, request: Request) {
    assert_eq!(first(text, read), request, "{text}");
}

fn first(text: &str, read: Result<Set<1>, Error>) -> Request {
    read.unwrap_or_else(|error| panic!("{}", error.in_text(text))).requests()[0]
}
