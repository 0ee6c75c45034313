//! Two CPUs, each with a unit of its own.

use std::sync::Barrier;
use std::thread;

use super::{BESIDE, NO_EVENT, OUTSIDE, run};
use crate::perf::{Event, Hardware, Modes};
use crate::{Found, pin, value};

const CPUS: [usize; 2] = [0, 1];

/// A thread on each, both busy.
pub fn two_cpus_count_exactly_at_once() -> Found {
    const TURNS: u64 = 5_000_000;
    let both = Barrier::new(CPUS.len());
    let count = |cpu| {
        pin(cpu);
        let event = open(Modes::User)?;
        both.wait();
        let host = run(event.descriptor(), TURNS);
        Ok::<_, String>((value(&event)?, host))
    };
    let counts = thread::scope(|scope| {
        let threads = CPUS.map(|cpu| scope.spawn(move || count(cpu)));
        threads.into_iter().map(|thread| thread.join().expect("no thread panics")).collect::<Result<Vec<_>, _>>()
    })?;
    let found = format!("instructions:u on two CPUs, and what their hosts have seen: {counts:?}");
    let expected = 2 * TURNS + BESIDE;
    if counts == [(expected, expected + OUTSIDE); CPUS.len()] { Ok(found) } else { Err(found) }
}

pub fn a_thread_that_moves_counts_the_same() -> Found {
    const TURNS: u64 = 1_000_000;
    let [stays, moves, moves_less] =
        [count_on([0, 0, 0, 0], TURNS)?, count_on([1, 0, 1, 0], TURNS)?, count_on([1, 0, 1, 0], 1)?];
    let found = format!("a thread that stays: {stays} instructions:u, one that moves: {moves} and {moves_less}");
    if stays == moves && moves - moves_less == 4 * 2 * (TURNS - 1) { Ok(found) } else { Err(found) }
}

/// Counts the loop on one CPU after the other.
fn count_on(cpus: [usize; 4], turns: u64) -> Result<u64, String> {
    let event = open(Modes::User)?;
    let mut ran_on = [usize::MAX; 4];
    event.enable();
    for (cpu, ran_on) in cpus.into_iter().zip(&mut ran_on) {
        pin(cpu);
        run(NO_EVENT, turns);
        // SAFETY: it only asks.
        *ran_on = unsafe { libc::sched_getcpu() } as usize;
    }
    let count = value(&event)?;
    if ran_on == cpus { Ok(count) } else { Err(format!("the thread was on {ran_on:?} instead of {cpus:?}")) }
}

pub fn an_event_of_a_cpu_counts_what_runs_there() -> Found {
    const TURNS: u64 = 1_000_000;
    const ANY_PROCESS: i32 = -1;
    let open = |cpu| {
        let event = Event::open_with(Hardware::Instructions, Modes::User, None, 0, (ANY_PROCESS, cpu));
        event.map_err(|error| error.to_string())
    };
    let [first, second] = [open(0)?, open(1)?];
    pin(1);
    first.enable();
    run(second.descriptor(), TURNS);
    let counts = [value(&first)?, value(&second)?];
    pin(0);
    let found = format!("instructions:u on both CPUs while a thread runs on the second: {counts:?}");
    if counts == [0, 2 * TURNS + BESIDE] { Ok(found) } else { Err(found) }
}

fn open(modes: Modes) -> Result<Event, String> {
    crate::open(Hardware::Instructions, modes, None)
}
