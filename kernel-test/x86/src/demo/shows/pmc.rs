//! Heller's PMC library on his own processors: its options, an interval at a time of the processor's cycles and two
//! events, and its tables.

use harness::{Guest, println};
use pmu::Pmu;
use pmu::output::report::PmcResults;
use pmu::stats::Statistics;
use pmu::text::{notation::Options, notation::Processor};

use harness::demo::ledger;

use super::{now, title, with_pmu};
use crate::guest::Here;
use crate::guest::unit::{Driver, Unit};
use crate::identity::{self, Processor as Presented};

/// His own example on a Pentium III: instructions and micro-operations retired.
const OPTIONS: &str = "--e 192,194 -Stats 2 -trim 1";
/// One is trimmed.
const INTERVALS: usize = 11;

static UNIT: Unit<0> = Unit::new();

/// Shows nothing on a processor that has no such events by these numbers.
pub fn run() {
    let Presented::P6(presented) = &identity::presented().processor else { return };
    title(format_args!("pmc {OPTIONS}"));
    let capabilities = presented.capabilities();
    with_pmu(&UNIT, |pmu| {
        let processor = Processor::new(pmu.description(), capabilities.catalogue());
        match Options::parse(OPTIONS, processor) {
            Ok(options) => measure(pmu, &options),
            Err(error) => panic!("{}", error.in_text(OPTIONS)),
        }
    });
}

fn measure(pmu: &Pmu<'static, Driver>, options: &Options<2, 1>) {
    let [given] = options.sets() else { panic!("there is one set") };
    let &[first, second] = given.set.requests() else { panic!("there are two events") };
    let mut session = pmu.open([first, second]).expect("either counter counts either event");
    let mut total = Statistics::<2>::new(options.level).trim(options.trim);
    session.start().expect("it is stopped");
    let unfed = Here::unfed();
    for _ in 0..INTERVALS {
        let (events, began) = (session.read().expect("it runs"), now());
        ledger::run();
        let (ended, after) = (now(), session.read().expect("it runs"));
        total.accumulate(ended - began, [after[0] - events[0], after[1] - events[1]]);
    }
    session.stop().expect("it runs");
    println!("{}", PmcResults(&total));
    for event in (0..2).filter(|&event| session.counter(event).is_some_and(|counter| unfed.contains(counter))) {
        println!("this kernel's host does not observe event {event}: its zeros say nothing");
    }
    assert!(total.sum_events(0).is_some_and(|instructions| instructions > 0), "the program was counted");
}
