//! `perfex -a -y`: one pair of events after the other over the same program, and what follows from
//! them.

use harness::demo::ledger;
use harness::println;
use pmu::output::{perfex::Costs, perfex::Input, perfex::Inputs, perfex::Perfex};
use pmu::output::{report::PerfexRow, report::PerfexTable};
use pmu::stats::Rate;
use pmu::text::catalogue::EventName;
use pmu::text::catalogue::{Cost, CostUnit as Per};
use pmu::virt::Kind;
use pmu::{Event, Pmu};

use super::{title, with_pmu};
use crate::guest::events;
use crate::guest::unit::{Driver, Unit};

/// The events that there may be: their names, and what they are inputs of.
const EVENTS: [(&str, Input, Option<Kind>); 5] = [
    ("Cycles", Input::Cycles, None),
    ("Graduated instructions", Input::Instructions, None),
    ("Graduated loads", Input::Loads, Some(Kind::Loads)),
    ("Graduated stores", Input::Stores, Some(Kind::Stores)),
    ("Decoded branches", Input::Branches, Some(Kind::Branches)),
];
/// A cycle costs a cycle.
const COSTS: [(&str, Cost); 1] = [("Cycles", Cost::always(1000, Per::Clocks))];
/// The guest's clock: an instruction a nanosecond.
const CLOCK: Rate = Rate::hertz(1_000_000_000).unwrap();

static UNIT: Unit<0> = Unit::new();

pub fn run() {
    title(format_args!("perfex -a -y ledger"));
    with_pmu(&UNIT, |pmu| {
        let counts = core::array::from_fn(|number| event(number).map(|event| count(pmu, event)));
        assert!(counts[1].is_some_and(|instructions| instructions > 0), "the program was counted");
        show(counts);
    });
}

fn show(counts: [Option<u64>; EVENTS.len()]) {
    let mut rows = [PerfexRow { number: 0, name: EventName::new(""), count: 0 }; EVENTS.len()];
    let (mut inputs, mut length) = (Inputs::none(), 0);
    for (number, ((name, input, _), count)) in (0..).zip(EVENTS.iter().zip(counts)) {
        if let Some(count) = count {
            rows[length] = PerfexRow { number, name: EventName::new(name), count };
            (inputs, length) = (inputs.with(*input, count), length + 1);
        }
    }
    let costs = Costs::of_processor(&COSTS);
    println!("{}", PerfexTable { rows: &rows[..length], costs: Some((costs, CLOCK)), inputs: Some(inputs) });
}

/// The presented processor's event; `None` if it has none, or the host does not show it.
fn event(number: usize) -> Option<Event> {
    match EVENTS[number] {
        (_, Input::Cycles, _) => Some(Event::CYCLES),
        (_, Input::Instructions, _) => Some(Event::INSTRUCTIONS),
        (_, _, kind) => events::of(kind?),
    }
}

/// How often it occurs in the program, beside its instructions.
fn count(pmu: &Pmu<'static, Driver>, event: Event) -> u64 {
    let mut perfex = Perfex::new(pmu);
    perfex.start(event, Event::INSTRUCTIONS).expect("every unit has two counters");
    ledger::run();
    perfex.read().expect("it was started").0[0]
}
