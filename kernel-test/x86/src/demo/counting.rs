//! How often does each event happen during the program, and how much of it is each function's?

use pmu::{Error, Event, Generic, Result};

use super::Pmu;
use super::counter::Counter;
use super::program::{self, PARTS};
use crate::console::println;
use crate::guest::truth;

/// Prints every event's count, then every function's share.
pub fn count(pmu: &Pmu) {
    for event in Generic::ALL {
        match count_event(pmu, event) {
            Ok(()) => {}
            Err(Error::Refused { reason, .. }) => println!("refused {} {reason}", event.name()),
            Err(error) => panic!("{error}"),
        }
    }
    for part in &PARTS {
        let ([instructions], ()) = pmu.count([Event::INSTRUCTIONS], || part.check()).expect("every unit can");
        println!("share {:#x} {} {instructions}", part.address(), Generic::Instructions.name());
    }
}

fn count_event(pmu: &Pmu, event: Generic) -> Result<()> {
    let mut session = pmu.open([Event::Generic(event).into()])?;
    let counter = Counter::of(&session);
    session.start()?;
    let source = source(event, counter);
    if source == "below" {
        println!("count {} {counter} 0 {source}", event.name());
        return Ok(());
    }
    program::run();
    session.stop()?;
    let counts = session.counts()?;
    println!("count {} {counter} {} {source}", event.name(), counts.raw[0]);
    if event == Generic::Instructions {
        println!("clock {}", counts.enabled);
    }
    Ok(())
}

/// What the emulator shows of an event: each one as it happens; a clock that advances by one with
/// each instruction; or nothing, so that the counter stands still whatever happens.
fn source(event: Generic, counter: Counter) -> &'static str {
    match event {
        _ if truth::unfed().contains(counter.0) => "unobserved",
        _ if truth::is_observed() => "below",
        Generic::Cycles | Generic::ReferenceCycles => "virtual",
        _ => "observed",
    }
}
