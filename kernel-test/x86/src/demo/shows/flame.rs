//! Folded stacks for a flame graph: the demo's program, its functions in threads of their own, and the program whose
//! callers are known. `cargo xtask demo --run flame` puts names in place of the addresses, and draws it.

use core::array;
use core::fmt::Arguments;
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use harness::demo::program::{self, PARTS};
use harness::println;
use pmu::output::profile::Nameless;
use pmu::output::report::FoldedStack;
use pmu::samples::chain::Chains;
use pmu::{Context, Event, Interrupted, Pmu, Request};

use super::{Cause, Watcher, run_program, with_pmu};
use crate::guest::unit::{Driver, Unit};
use crate::guest::{callers, enter_nmi_at};

/// A prime, so that samples do not keep step with a loop.
const PERIOD: u64 = 50_021;
/// The callers' program is shorter.
const CALLERS_PERIOD: u64 = 1009;
/// Instructions of a turn.
const TURN: u64 = 730_003;
/// The deepest that the callers' program goes, and more.
const DEPTH: usize = 8;
const ROOM: usize = 1024;

static UNIT: Unit<ROOM> = Unit::new();
static CHAINS: Chains<DEPTH, ROOM> = Chains::new();
/// The thread that runs.
static WHO: AtomicU32 = AtomicU32::new(0);

// Of code without frame pointers the function alone is known.
pmu::nmi_entry!(Nmi, |at: Interrupted| {
    let _ = UNIT.on_overflow_chained(at.in_thread(WHO.load(Relaxed)), &CHAINS, |_| Ok(()));
});
pmu::nmi_entry!(Framed, framed: |at, frame_pointer| {
    let _ = UNIT.on_overflow_chained(at, &CHAINS, |chain| callers::walk(frame_pointer, chain));
});

/// Prints a line for each sample.
pub fn run() {
    with_pmu(&UNIT, |pmu| {
        enter_nmi_at(Nmi::address());
        sample(pmu, PERIOD, "program", program::run);
        run_program(&mut Sampled { pmu, threads: array::from_fn(|number| thread(pmu, number)) }, TURN);
        enter_nmi_at(Framed::address());
        sample(pmu, CALLERS_PERIOD, "callers", callers::run);
    });
}

/// Samples what this CPU does during `work`.
fn sample(pmu: &Pmu<'static, Driver>, period: u64, root: &str, work: impl FnOnce()) {
    let mut session = pmu.open([Request::new(Event::INSTRUCTIONS).every(period)]).expect("every unit counts them");
    session.start().expect("it is stopped");
    work();
    session.stop().expect("it runs");
    print(format_args!("{root}"));
}

/// Prints the samples that are there, under this root.
fn print(root: Arguments) {
    let samples = CHAINS.pair(UNIT.samples().expect("nobody else reads")).expect("nobody else pairs");
    for (sample, chain) in samples {
        println!("{root};{}", FoldedStack::new(&sample, chain.as_ref(), &Nameless));
    }
    assert_eq!(UNIT.samples().expect("nobody else reads").lost().ring_full, 0, "the ring has room for all");
}

/// The context of a thread that is sampled.
fn thread(pmu: &Pmu<'static, Driver>, number: usize) -> Context<Driver, 1> {
    let mut context = Context::new(number as u32);
    context.bind(pmu, [Request::new(Event::INSTRUCTIONS).every(PERIOD)]).expect("every unit counts them");
    context
}

/// The threads that are sampled.
struct Sampled<'p> {
    pmu: &'p Pmu<'static, Driver>,
    threads: [Context<Driver, 1>; PARTS.len()],
}

impl Watcher for Sampled<'_> {
    fn comes(&mut self, thread: usize) {
        WHO.store(thread as u32, Relaxed);
        self.pmu.switch_in(&mut self.threads[thread]);
    }

    fn left(&mut self, thread: usize, _: Cause) {
        self.pmu.switch_out(&mut self.threads[thread]);
        print(format_args!("thread {thread}"));
    }
}
