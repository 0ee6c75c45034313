//! A profile of threads: each is sampled at a period of its own events, which goes on over its
//! turns; and what its turns were like, by the PMC library's statistics.

use core::array;
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use harness::demo::program::PARTS;
use harness::println;
use pmu::output::report::PmcResults;
use pmu::stats::{Level, Statistics};
use pmu::{Context, Event, Interrupted, Pmu, Request};

use super::{Cause, Watcher, run_program, title, with_pmu};
use crate::guest::enter_nmi_at;
use crate::guest::unit::{Driver, Unit};

/// Primes, so that no period keeps step with a loop.
const PERIOD: u64 = 10_007;
/// Instructions of a turn.
const TURN: u64 = 73_009;

static UNIT: Unit<64> = Unit::new();
/// The thread that runs.
static WHO: AtomicU32 = AtomicU32::new(0);

pmu::nmi_entry!(Nmi, on_nmi);

fn on_nmi(at: Interrupted) {
    let _ = UNIT.on_overflow(at.in_thread(WHO.load(Relaxed)));
}

pub fn run() {
    title(format_args!("a profile of {} threads: a sample each {PERIOD} instructions of a thread's own", PARTS.len()));
    enter_nmi_at(Nmi::address());
    with_pmu(&UNIT, |pmu| {
        let mut profile = Profile { pmu, threads: array::from_fn(|number| Sampled::new(pmu, number)) };
        run_program(&mut profile, TURN);
        println!("{:>6} {:>12} {:>8} {:>8}  begins at", "thread", "instructions", "samples", "inside");
        profile.threads.iter().enumerate().for_each(|(number, thread)| thread.show(number));
        println!("\nthe turns of thread 0:\n{}", PmcResults(&profile.threads[0].turns));
    });
}

/// The threads that are sampled.
struct Profile<'p> {
    pmu: &'p Pmu<'static, Driver>,
    threads: [Sampled; PARTS.len()],
}

/// One thread, and what came of its samples.
struct Sampled {
    context: Context<Driver, 2>,
    before: [u64; 2],
    turns: Statistics<1>,
    samples: u64,
    /// Those that lie behind the beginning of its function, nearer than behind any other's.
    inside: u64,
}

impl Sampled {
    fn new(pmu: &Pmu<Driver>, number: usize) -> Self {
        let mut context = Context::new(number as u32);
        let requests = [Request::new(Event::INSTRUCTIONS).every(PERIOD), Request::new(Event::CYCLES)];
        context.bind(pmu, requests).expect("every unit has two counters");
        Self { context, before: [0; 2], turns: Statistics::new(Level::Ratios), samples: 0, inside: 0 }
    }

    fn end_turn(&mut self, number: usize) {
        let [instructions, cycles] = self.context.counts().expect("it is bound and out").raw;
        self.turns.accumulate(cycles - self.before[1], [instructions - self.before[0]]);
        self.before = [instructions, cycles];
        for sample in UNIT.samples().expect("there is no other reader") {
            assert_eq!(self.context.request_of(&sample), Some(0), "the sample is this thread's");
            self.samples += 1;
            self.inside += u64::from(function_at(sample.address) == Some(number));
        }
    }

    fn show(&self, number: usize) {
        let [instructions, _] = self.before;
        let (samples, inside) = (self.samples, self.inside);
        println!("{number:>6} {instructions:>12} {samples:>8} {inside:>8}  {:#x}", PARTS[number].address());
        let lost = UNIT.samples().expect("there is no other reader").lost().total();
        assert!(samples + lost >= instructions / PERIOD, "every period left a sample, or a loss");
    }
}

/// The part of the program that begins nearest before this address.
fn function_at(address: u64) -> Option<usize> {
    let before = PARTS.iter().enumerate().filter(|(_, part)| part.address() <= address);
    before.max_by_key(|(_, part)| part.address()).map(|(number, _)| number)
}

impl Watcher for Profile<'_> {
    fn comes(&mut self, thread: usize) {
        WHO.store(thread as u32, Relaxed);
        self.pmu.switch_in(&mut self.threads[thread].context);
    }

    fn left(&mut self, thread: usize, _: Cause) {
        self.pmu.switch_out(&mut self.threads[thread].context);
        self.threads[thread].end_turn(thread);
    }
}
