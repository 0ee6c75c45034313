//! What an operation costs, by the unit's own count of cycles.

use core::fmt::Write;

use pmu::driver::Driver;
use pmu::{Context, Event, Pmu, Result, Session};

use crate::{Stopped, Work};

/// How often each is tried; the least is said, by which everything is in the caches.
const TRIES: usize = 10;

pub(crate) fn check<D: Driver>(pmu: &Pmu<'_, D>, work: &impl Work, out: &mut impl Write) -> Result<(), Stopped> {
    let mut clock = pmu.open([Event::CYCLES])?;
    clock.start()?;
    let mut session = pmu.open([Event::INSTRUCTIONS])?;
    let [mut start, mut stop] = [u64::MAX; 2];
    for _ in 0..TRIES {
        start = start.min(cycles(&clock, || session.start())?);
        work.run(1);
        stop = stop.min(cycles(&clock, || session.stop())?);
    }
    writeln!(out, "cycles of a start: {start}")?;
    writeln!(out, "cycles of a stop: {stop}")?;
    let mut read = u64::MAX;
    for _ in 0..TRIES {
        read = read.min(cycles(&clock, || session.read())?);
    }
    writeln!(out, "cycles of a read: {read}")?;
    drop(session);
    writeln!(out, "cycles of a switch: {}", switch(pmu, &clock, work)?)?;
    Ok(())
}

/// Two threads that count instructions take turns.
fn switch<D: Driver>(pmu: &Pmu<'_, D>, clock: &Session<'_, D, 1>, work: &impl Work) -> Result<u64> {
    let [mut first, mut second] = [1, 2].map(Context::<D, 1>::new);
    first.bind(pmu, [Event::INSTRUCTIONS])?;
    second.bind(pmu, [Event::INSTRUCTIONS])?;
    pmu.switch_in(&mut first);
    let mut least = u64::MAX;
    for _ in 0..TRIES {
        work.run(1);
        least = least.min(cycles(clock, || pmu.switch(&mut first, &mut second))?);
        work.run(1);
        least = least.min(cycles(clock, || pmu.switch(&mut second, &mut first))?);
    }
    pmu.switch_out(&mut first);
    Ok(least)
}

/// The cycles of an operation, without those of the reading.
fn cycles<D: Driver, T>(clock: &Session<'_, D, 1>, operation: impl FnOnce() -> T) -> Result<u64> {
    let [before] = clock.read()?;
    let [empty] = clock.read()?;
    let _ = operation();
    let [after] = clock.read()?;
    Ok((after - empty).saturating_sub(empty - before))
}
