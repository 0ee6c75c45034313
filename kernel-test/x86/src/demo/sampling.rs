//! Where is the program when a counter overflows?
//!
//! The NMI handler puts its samples into the unit's ring, and here they are taken out. Every
//! overflow is accounted for: received, or lost for a reason that is said.

use pmu::{CounterId, Event, Generic, Lost, Request, Session};

use super::counter::Counter;
use super::{Pmu, UNIT, program};
use crate::console::println;
use crate::guest::unit::Driver;

/// A prime, so that samples do not keep step with a loop.
const PERIOD: u64 = 10_007;
/// Primes again, a different one for each counter.
const PERIODS: [u64; 14] =
    [40_009, 45_007, 50_021, 55_001, 60_013, 65_003, 70_001, 75_011, 80_021, 85_009, 90_001, 95_003, 100_003, 105_019];

/// Samples the program by its instructions.
pub fn sample_one_event(pmu: &Pmu) {
    println!("sampling one event");
    sample(pmu, Generic::Instructions.name(), Request::new(Event::INSTRUCTIONS), PERIOD, program::run);
}

/// Samples a program by one event, of this name.
pub fn sample(pmu: &Pmu, name: &'static str, request: Request, period: u64, program: fn()) {
    let asked = ask(pmu, name, request, period).expect("any counter will do");
    run(&mut [Some(asked)], program);
}

/// Samples the program with every counter that has something to count, all at once.
pub fn sample_every_counter(pmu: &Pmu) {
    println!("sampling every counter at once");
    let unit = pmu.description();
    let mut counters = unit.fixed.into_iter().chain(unit.general);
    let mut asked: [Option<Asked>; PERIODS.len()] = PERIODS.map(|period| {
        let counter = counters.by_ref().find(|counter| event(*counter).is_some())?;
        // Where not every counter counts cycles, it counts instructions too.
        let events = [event(counter)?, Generic::Instructions];
        let ask =
            |event: Generic| ask(pmu, event.name(), Request::new(Event::Generic(event)).pinned_to(counter), period);
        events.into_iter().find_map(ask)
    });
    run(&mut asked, program::run);
}

/// A request, and the session that counts it.
struct Asked {
    event: &'static str,
    period: u64,
    session: Session<'static, Driver, 1>,
}

/// `None` if the unit refuses the request.
fn ask(pmu: &Pmu, event: &'static str, request: Request, period: u64) -> Option<Asked> {
    let session = pmu.open([request.every(period)]).ok()?;
    Some(Asked { event, period, session })
}

/// What a counter shall count: a fixed one has no choice, and none if it is not observed here.
fn event(counter: CounterId) -> Option<Generic> {
    match (Counter(counter).fixed(), counter.number() % 2) {
        (Some(0), _) | (None, 0) => Some(Generic::Instructions),
        (Some(1), _) | (None, _) => Some(Generic::Cycles),
        (Some(2), _) => Some(Generic::ReferenceCycles),
        (Some(_), _) => None,
    }
}

/// Runs a program with these sessions started, and prints what came of it.
fn run(asked: &mut [Option<Asked>], program: fn()) {
    let mut samples = UNIT.samples().expect("there is no other reader");
    let before = samples.lost();
    sessions(asked).for_each(|asked| asked.session.start().expect("it is stopped"));
    program();
    sessions(asked).for_each(|asked| asked.session.stop().expect("it is started"));
    let overflows: u64 = sessions(asked).map(|asked| asked.report()).sum();
    for sample in samples.by_ref() {
        println!("sample {:#x} {} {}", sample.address, Counter(sample.counter), sample.mode);
    }
    report_losses(before, samples.lost());
    println!("overflows {overflows}");
}

fn sessions(asked: &mut [Option<Asked>]) -> impl Iterator<Item = &mut Asked> {
    asked.iter_mut().flatten()
}

impl Asked {
    /// Prints the request; how often has it overflowed, by its own count?
    fn report(&self) -> u64 {
        let [count] = self.session.read().expect("this is the unit's CPU");
        println!("sampled {} {} {} {count}", self.event, Counter::of(&self.session), self.period);
        count / self.period
    }
}

fn report_losses(before: Lost, after: Lost) {
    println!("sample-lost ring-full {}", after.ring_full - before.ring_full);
    println!("sample-lost outrun {}", after.outrun - before.outrun);
    println!("sample-lost stopped {}", after.stopped - before.stopped);
}
