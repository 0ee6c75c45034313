//! Any text, as what a person types on one of several processors: every parser answers, and what it takes it takes
//! again from what was printed of it.

use crate::families;
use pmu::arch;
use pmu::arch::x86::Unattached;
use pmu::arch::x86::netburst::{self, Netburst};
use pmu::driver::Plan;
use pmu::output::perfex::Costs;
use pmu::text::{
    notation::Cpc, notation::Error, notation::Inexpressible, notation::Oprofile, notation::Options, notation::Pentium,
    notation::PerfexCommand, notation::Perfmon, notation::Processor,
};
use pmu::virt::{Kinds, Unconnected};
use pmu::{Mode, Request, Set};

type Parse = fn(&str, Processor) -> Result<Set<8>, Error>;

/// Reads a text on one of a family's processors, by its number.
type Read = fn(&str, usize);

macro_rules! reads {
    ($($isa:ident::$family:ident: $it:ident => $unit:expr, $on:ident => $driver:expr, $fields:expr;)*) => {
        [$(|text, which| {
            use arch::$isa::$family;
            let $it = $family::Identity::ALL[which % $family::Identity::ALL.len()];
            let $on = $unit;
            read_on(text, &$driver);
        },)* |text, _| read_on(text, &netburst())]
    };
}

const READS: &[Read] = &families::each!(reads);

pub(crate) fn run((which, text): (u16, &str)) {
    let which = usize::from(which);
    READS[which % READS.len()](text, which / READS.len());
    costs(text);
}

/// All 18 counters, so that cpustat's names of them are read.
fn netburst() -> impl Plan {
    let identity = netburst::Identity::PRESCOTT;
    let mut capabilities = identity.capabilities();
    capabilities.view = netburst::View::All;
    Netburst::new(netburst::Device::new(&identity, Kinds::CLOCK, Unconnected), Unattached, capabilities)
}

/// Every notation, by this processor's names.
fn read_on(text: &str, driver: &impl Plan) {
    let processor = Processor::of(driver);
    round_trip(text, processor, Cpc::parse, |read| Ok(Cpc::of(read, processor)?.to_string()));
    round_trip(text, processor, Oprofile::parse, |read| Ok(Oprofile::of(read, processor)?.to_string()));
    round_trip(text, processor, Perfmon::parse, |read| Ok(Perfmon::of(read, processor)?.to_string()));
    let pentium: Parse = |text, processor| Cpc::parse_pentium(text, processor, Pentium::P6);
    for parse in [Cpc::parse_ultrasparc, pentium, Oprofile::parse_with_call_chains] {
        points_into(text, parse(text, processor).err());
    }
    points_into(text, Options::<8, 2>::parse(text, processor).err());
    points_into(text, PerfexCommand::parse(text, processor).err());
}

/// What was read of a text is read again of what is printed of it.
fn round_trip(
    text: &str,
    processor: Processor,
    parse: Parse,
    print: impl FnOnce(&[Request]) -> Result<String, Inexpressible>,
) {
    let read = match parse(text, processor) {
        Ok(read) => read,
        Err(error) => return points_into(text, Some(error)),
    };
    let printed = print(read.requests()).expect("what was read can be said");
    let again = parse(&printed, processor).unwrap_or_else(|error| panic!("{}", error.in_text(&printed)));
    assert_eq!(again.requests(), read.requests(), "{text:?} was printed as {printed:?}");
}

/// An error says which of the text's own characters are wrong.
fn points_into(text: &str, error: Option<Error>) {
    let is_outside = |error: &Error| text.get(error.at.clone()).is_none();
    assert!(!error.as_ref().is_some_and(is_outside), "{error:?} in {text:?}");
}

/// A table of costs that is found right gives each of its events a cost.
fn costs(text: &str) {
    let texts = [text];
    let costs = Costs::of_processor(&[]).after(&texts);
    if costs.check().is_ok() {
        let events = text.lines().filter_map(|line| line.split('#').next()?.split_ascii_whitespace().next());
        events.for_each(|event| assert!(costs.of(event).is_some(), "{event} has no cost in {text:?}"));
    }
}
