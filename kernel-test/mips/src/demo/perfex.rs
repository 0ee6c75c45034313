//! `perfex -a -y`: all 32 events of an R10000 or R12000, two at a time, over a program that misses and mispredicts in known
//! places.
//!
//! The clock shows instructions and cycles. What else happens is modelled: each part of the program says what it would do
//! on a processor with a cache of 128-byte lines that holds none of its array, and with branches that are predicted to go
//! the way they went last.

use harness::println;
use pmu::output::{perfex::Costs, perfex::Input, perfex::Inputs};
use pmu::output::{report::PerfexRow, report::PerfexTable};
use pmu::stats::Rate;
use pmu::text::catalogue::EventName;
use pmu::text::notation::PerfexCommand;
use pmu::virt::Kind;
use pmu::{Event, Multiplex};

use crate::guest::unit::{self, Unit};
use crate::guest::{happen, instructions, user};

static UNIT: Unit<0> = Unit::new();

/// Turns of the sets: each of the 16 has as many.
const TICKS: usize = 64;
/// The clock of an R10000, to say how long it took.
const CLOCK: Rate = Rate::hertz(200_000_000).unwrap();

/// Words of the array that is walked.
const WORDS: u64 = 8_192;
/// Words of a line.
const LINE: u64 = 128 / 8;

/// Walks the array: a load, an addition and a branch with its delay slot for each word. Each line is missed once, and the
/// last branch goes another way than those before it.
fn walk() {
    instructions::exactly(4 * WORDS);
    happen(Kind::Loads, WORDS);
    happen(Kind::CacheMisses, WORDS / LINE);
    happen(Kind::Branches, WORDS);
    happen(Kind::MispredictedBranches, 1);
}

/// Sorts the words of a line at a time: three instructions in ten are loads, one is a store, and two are branches, half of
/// which go another way than the last time. No line is missed.
fn sort() {
    instructions::exactly(10 * WORDS);
    happen(Kind::Loads, 3 * WORDS);
    happen(Kind::Stores, WORDS);
    happen(Kind::Branches, 2 * WORDS);
    happen(Kind::MispredictedBranches, WORDS);
}

/// In user mode, which is what perfex counts.
extern "C" fn program() {
    walk();
    sort();
}

/// What the guest runs.
pub fn run() {
    println!("\n% perfex -a -y walk-and-sort");
    println!("Instructions and cycles are counted. Loads, stores, branches, mispredictions and misses are modelled:");
    println!(
        "{TICKS} times, a walk over {WORDS} words misses {} lines, and a sort mispredicts {WORDS} branches.",
        WORDS / LINE
    );
    println!("Nothing shows the other events here: their counts are 0.\n");
    let pmu = unit::claim(&UNIT);
    let catalogue = pmu.catalogue();
    let command = PerfexCommand::parse("perfex -a -y", pmu.processor()).expect("it is perfex' own command line");
    let mut all = Multiplex::<_, 16, 2>::new(0);
    all.bind(&pmu, command.all().expect("-a is given")).expect("they take turns");
    pmu.switch_in(all.context());
    for _ in 0..TICKS {
        user::run(program);
        pmu.rotate(&mut all);
    }
    pmu.switch_out(all.context());
    let counts: [u64; 32] = core::array::from_fn(|code| {
        let pair = all.scaled(code % 16).expect("they are out");
        pair[code / 16].expect("each set had its turns").estimate
    });
    check(&counts);
    let rows = core::array::from_fn::<_, 32, _>(|code| PerfexRow {
        number: code as u32,
        name: catalogue.of_code(code as u64).map_or(EventName::new(""), |(event, _)| event.name),
        count: counts[code],
    });
    let inputs = Inputs::counted(pmu.driver(), |event| match event {
        Event::Raw { code, .. } => counts.get(code as usize).copied(),
        _ => None,
    });
    let inputs = inputs.with(Input::L2LineBytes, 8 * LINE);
    let costs = Some((Costs::of_processor(catalogue.costs), CLOCK));
    println!("{}", PerfexTable { rows: &rows, costs, inputs: Some(inputs) });
    pmu.release().expect("nothing is open any more");
}

/// The estimates are what the program did, to a hundredth.
fn check(counts: &[u64; 32]) {
    const MISPREDICTED: usize = 24;
    const MISSED: usize = 26;
    let near = |count: u64, truth: u64| assert!(count.abs_diff(truth) * 100 < truth, "{count} of {truth}");
    near(counts[MISPREDICTED], TICKS as u64 * (WORDS + 1));
    near(counts[MISSED], TICKS as u64 * WORDS / LINE);
}
