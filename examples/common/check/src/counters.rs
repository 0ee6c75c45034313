//! Every counter: its width, its count of a known loop, its wrap; and all at the same time.

use core::fmt::{self, Write};

use pmu::driver::{Driver, Remaining};
use pmu::{CounterId, CounterSet, Event};

use crate::alone::Alone;
use crate::{Stopped, Work, yes};

/// How often the loop of two instructions is run, once and again: so the difference is known.
const TIMES: u64 = 1000;
/// How often each count is tried. The least has the least of what the machine does besides.
const TRIES: usize = 5;

pub(crate) fn check<D: Driver>(driver: &D, work: &impl Work, out: &mut impl Write) -> Result<(), Stopped> {
    let description = driver.description();
    writeln!(out, "unit: {description}")?;
    writeln!(out, "manual: {}", description.manual)?;
    writeln!(out, "counters of others: {}", description.used_by_others)?;
    for counter in description.counters() {
        let on = |event| Alone::on(driver, event, counter.only());
        if let Some(alone) = on(Event::INSTRUCTIONS) {
            instructions(counter, &alone, work, out)?;
            wrap(counter, &alone, work, out)?;
        } else if let Some(alone) = on(Event::CYCLES) {
            writeln!(out, "counter {counter}, cycles in a loop of 2000: {}", in_loop(&alone, work))?;
            wrap(counter, &alone, work, out)?;
        } else {
            writeln!(out, "counter {counter}: counts neither instructions nor cycles")?;
        }
    }
    together(driver, work, out)?;
    Ok(())
}

/// The count of a loop, and what of it is lost if the counter wraps amid it.
fn instructions<D: Driver>(
    counter: CounterId,
    alone: &Alone<'_, D>,
    work: &impl Work,
    out: &mut impl Write,
) -> fmt::Result {
    writeln!(out, "counter {counter}, instructions in a loop of 2000: {}", in_loop(alone, work))?;
    let whole = least(alone, work, TIMES);
    let lost =
        (0..TRIES).filter_map(|_| across_wrap(alone, work)).map(|(preset, past)| whole.abs_diff(preset + past)).min();
    writeln!(out, "counter {counter}, lost at the wrap: {}", lost.unwrap_or(whole))
}

/// What a counter does at its wrap and while it is stopped, whatever it counts.
fn wrap<D: Driver>(counter: CounterId, alone: &Alone<'_, D>, work: &impl Work, out: &mut impl Write) -> fmt::Result {
    writeln!(out, "counter {counter}, bits: {}", alone.bits())?;
    alone.take_overflows();
    let wraps = across_wrap(alone, work).is_some();
    writeln!(out, "counter {counter}, wraps: {}", yes(wraps))?;
    writeln!(out, "counter {counter}, tells its overflow: {}", yes(alone.take_overflows() == counter.only()))?;
    let stopped = |_| {
        let before = alone.position();
        work.run(TIMES);
        alone.position().abs_diff(before)
    };
    let least = (0..TRIES).map(stopped).min().unwrap_or_default();
    writeln!(out, "counter {counter}, counted while it was stopped: {least}")
}

/// All counters of instructions at the same time.
fn together<D: Driver>(driver: &D, work: &impl Work, out: &mut impl Write) -> fmt::Result {
    let counts = |counter: &CounterId| Alone::on(driver, Event::INSTRUCTIONS, counter.only()).is_some();
    let all: CounterSet = driver.description().counters().filter(counts).collect();
    let Some(together) = Alone::on(driver, Event::INSTRUCTIONS, all) else {
        return writeln!(out, "counters together: refused");
    };
    together.preset_far();
    together.run(|| work.run(TIMES));
    let differ = together.positions().filter(|&position| position != together.position()).count();
    writeln!(out, "counters together: {}", all.len())?;
    writeln!(out, "counters together, counts that differ: {differ}")
}

/// What a loop of so many instructions more counts more.
fn in_loop<D: Driver>(alone: &Alone<'_, D>, work: &impl Work) -> u64 {
    least(alone, work, 2 * TIMES).wrapping_sub(least(alone, work, TIMES))
}

/// The least of some counts of the loop.
fn least<D: Driver>(alone: &Alone<'_, D>, work: &impl Work, times: u64) -> u64 {
    let count = |_| {
        alone.preset_far();
        let before = alone.position();
        alone.run(|| work.run(times));
        alone.position().wrapping_sub(before)
    };
    (0..TRIES).map(count).min().unwrap_or_default()
}

/// Lets the counter wrap amid the loop. Returns after how many events it was to, and how many came after it.
fn across_wrap<D: Driver>(alone: &Alone<'_, D>, work: &impl Work) -> Option<(u64, u64)> {
    let preset = alone.preset(Remaining::events(TIMES));
    alone.run(|| work.run(TIMES));
    Some((preset, alone.past()?))
}
