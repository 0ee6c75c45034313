//! What a kernel does with a unit that it has claimed, whatever the processor: it counts a closure, counts what a user
//! asks for, samples where time goes, follows threads, and sleeps.
//!
//! Every kernel here includes this file. It is generic over the driver `D`, so that it also runs over a unit in
//! software; a kernel has one driver and names it.

use core::cell::RefCell;
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use pmu::driver::{Driver, Registers};
use pmu::output::report::ProfileReport;
use pmu::output::{profile::Profile, profile::Symbol};
use pmu::text::notation::Options;
use pmu::{Context, Event, Pmu, Request, Result, Unit};

use crate::boot::println;
use crate::threads::{Stack, Thread, yield_now};

/// What is measured: code that executes about so many instructions.
pub trait Work {
    fn run(&self, instructions: u64);
}

/// What a boot loader would pass to the kernel.
const COMMAND_LINE: &str = "root=/dev/vda --e instructions,cycles quiet";

/// The thread that runs on this CPU, for the overflow interrupt: `Interrupted::in_thread` takes it.
pub static RUNNING: AtomicU32 = AtomicU32::new(0);

/// Measures `work` in every way, on the CPU that has claimed `unit`.
pub fn run<D: Driver, const SAMPLES: usize>(unit: &Unit<D, SAMPLES>, work: &impl Work) -> Result<()> {
    println!("unit: {}", unit.here()?.description());
    count(unit.here()?, work)?;
    count_asked(unit.here()?, COMMAND_LINE, work)?;
    profile(unit, work)?;
    follow_threads(unit.here()?, work)?;
    sleep(unit, work)
}

/// Counts a closure.
fn count<D: Driver>(pmu: Pmu<'_, D>, work: &impl Work) -> Result<()> {
    let ([instructions, cycles], ()) = pmu.count([Event::INSTRUCTIONS, Event::CYCLES], || work.run(10_000))?;
    assert!(instructions >= 10_000, "the closure executes more than {instructions} instructions");
    println!("counted: {instructions} instructions in {cycles} cycles");
    Ok(())
}

/// Counts what the user has asked for on the kernel's command line.
fn count_asked<D: Driver>(pmu: Pmu<'_, D>, command_line: &str, work: &impl Work) -> Result<()> {
    let options = match Options::<8, 2>::parse(command_line, pmu.processor()) {
        Ok(options) => options,
        Err(error) => {
            println!("{}", error.in_text(command_line));
            return Ok(());
        }
    };
    for given in options.sets() {
        let (counts, ()) = pmu.count_set(&given.set, || work.run(10_000))?;
        for (request, count) in given.set.requests().iter().zip(counts.values()) {
            println!("asked for: {count} {request}");
        }
    }
    Ok(())
}

/// Samples two functions by the overflow interrupt: an address every 10,007 cycles.
fn profile<D: Driver, W: Work, const SAMPLES: usize>(unit: &Unit<D, SAMPLES>, work: &W) -> Result<()> {
    let mut session = unit.here()?.open([Request::new(Event::CYCLES).every(10_007)])?;
    session.start()?;
    (0..100).for_each(|_| {
        hot(work);
        cold(work);
    });
    session.stop()?;

    let mut profile = Profile::<256>::new();
    let mut samples = unit.samples()?; // another thread, on another CPU, may read them meanwhile
    profile.extend(samples.by_ref().filter(|sample| session.request_of(sample).is_some()));
    let mut symbols = [("hot", hot::<W> as fn(&W)), ("cold", cold::<W>)]
        .map(|(name, function)| Symbol { name, start: function as usize as u64 });
    symbols.sort_unstable_by_key(|symbol| symbol.start); // a kernel has a table of all its symbols
    println!("{}lost: {}", ProfileReport::by_symbol(&profile, &symbols[..]), samples.lost());
    assert!(profile.hits().len() > 1 && samples.lost().total() == 0);
    Ok(())
}

#[inline(never)]
fn hot<W: Work>(work: &W) {
    work.run(30_000);
}

#[inline(never)]
fn cold<W: Work>(work: &W) {
    work.run(10_000);
}

/// A kernel's thread, with what is counted of it.
struct Task<'s, D: Driver> {
    number: u32,
    thread: Thread<'s>,
    counts: Guarded<D>,
}

/// A context that the thread and the scheduler both need: whoever has it keeps interrupts off, and with them the tick.
struct Guarded<D: Driver>(RefCell<Context<D, 1>>);

impl<D: Driver> Guarded<D> {
    fn with<T>(&self, pmu: Pmu<'_, D>, what: impl FnOnce(&mut Context<D, 1>) -> T) -> T {
        let registers = pmu.driver().registers();
        let before = registers.enter();
        let result = what(&mut self.0.borrow_mut());
        registers.leave(before);
        result
    }
}

/// Follows two threads, which take turns on this CPU.
fn follow_threads<D: Driver>(pmu: Pmu<'_, D>, work: &impl Work) -> Result<()> {
    let [mut first_stack, mut second_stack] = [const { Stack::new() }; 2];
    let turns = |instructions| {
        move || loop {
            work.run(instructions);
            yield_now();
        }
    };
    let (mut first, mut second) = (turns(1000), turns(3000));
    let mut tasks = [
        Task { number: 1, thread: Thread::new(&mut first_stack, &mut first), counts: guarded(1) },
        Task { number: 2, thread: Thread::new(&mut second_stack, &mut second), counts: guarded(2) },
    ];
    for task in &tasks {
        task.counts.with(pmu, |counts| counts.bind(&pmu, [Event::INSTRUCTIONS]))?;
    }
    for _ in 0..10 {
        tasks.iter_mut().try_for_each(|task| give_turn(pmu, task))?;
    }
    for (task, least) in tasks.iter().zip([10_000, 30_000]) {
        let [instructions] = task.counts.with(pmu, |counts| pmu.thread_counts(counts))?.raw;
        assert!((least..least + 5000).contains(&instructions), "{instructions}");
        println!("thread {}: {instructions} instructions of its own", task.number);
    }
    Ok(())
}

fn guarded<D: Driver>(thread: u32) -> Guarded<D> {
    Guarded(RefCell::new(Context::new(thread)))
}

/// What a scheduler does when it has chosen the next thread. One that preempts does it in its tick, with interrupts off
/// and before it exchanges the stacks: `pmu.switch(left, next)` is both halves at once.
fn give_turn<D: Driver>(pmu: Pmu<'_, D>, task: &mut Task<'_, D>) -> Result<()> {
    RUNNING.store(task.number, Relaxed);
    task.counts.with(pmu, |counts| pmu.switch_in(counts));
    task.thread.resume();
    task.counts.with(pmu, |counts| pmu.switch_out(counts));
    RUNNING.store(0, Relaxed);
    Ok(())
}

/// Puts the unit to sleep, as a CPU that loses its registers has to. The session goes on afterwards.
fn sleep<D: Driver, const SAMPLES: usize>(unit: &Unit<D, SAMPLES>, work: &impl Work) -> Result<()> {
    let mut session = unit.here()?.open([Event::INSTRUCTIONS])?;
    session.start()?;
    work.run(1000);
    unit.here()?.suspend()?;
    work.run(50_000); // the firmware's, until the CPU is awake again
    unit.resume()?;
    work.run(1000);
    session.stop()?;
    let [instructions] = session.read()?;
    assert!((2000..50_000).contains(&instructions), "{instructions}");
    println!("slept: {instructions} instructions before and after");
    Ok(())
}
