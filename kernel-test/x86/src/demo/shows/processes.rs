//! Two processes and their kernel, as a stream for Linux' `perf report`. Each process runs a program of its own in ring 3,
//! and one of them calls the kernel, whose functions keep frame pointers.

use core::fmt;
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use harness::demo::{ledger, program};
use pmu::chain::Chains;
use pmu::perf_data::{HexLines, PerfData};
use pmu::{Event, Interrupted, Mode, Pmu, Request};

use super::with_pmu;
use crate::boot;
use crate::console::Console;
use crate::guest::unit::{Driver, Unit};
use crate::guest::{callers, enter_nmi_at, user};

/// A prime, so that samples do not keep step with the loop.
const PERIOD: u64 = 1009;
/// The deepest that the kernel goes, and more.
const DEPTH: usize = 8;
const ROOM: usize = 1024;

static UNIT: Unit<ROOM> = Unit::new();
static CHAINS: Chains<DEPTH, ROOM> = Chains::new();
/// The thread that runs.
static WHO: AtomicU32 = AtomicU32::new(0);

pmu::nmi_entry_framed!(Nmi, on_nmi);

/// The processes by their numbers, and where perf looks for their programs in the directory that it is told of. All are
/// this image.
const PROCESSES: [(u32, &str); 2] = [(1, "/books"), (2, "/sums")];

/// A thread, the process that it belongs to, and what it does.
struct Thread {
    number: u32,
    process: u32,
    name: &'static str,
    run: fn(),
}

const THREADS: [Thread; 3] = [
    Thread { number: 1, process: 1, name: "books", run: keep_books },
    Thread { number: 2, process: 2, name: "sums", run: || user::run(sums) },
    Thread { number: 3, process: 2, name: "worker", run: || user::run(sums) },
];

/// Runs in ring 3, and then in the kernel.
fn keep_books() {
    user::run(books);
    callers::run();
}

extern "C" fn books() {
    ledger::run();
}

extern "C" fn sums() {
    (program::SHORT.run)();
}

/// Writes the stream, in lines of hexadecimal digits.
pub fn stream() {
    enter_nmi_at(Nmi::address());
    with_pmu(&UNIT, |pmu| write(pmu).expect("a console takes everything"));
}

fn write(pmu: &Pmu<'static, Driver>) -> fmt::Result {
    let mut stream = PerfData::begin_chained(HexLines::new(Console), "instructions", PERIOD)?;
    stream.kernel(boot::code())?;
    PROCESSES.iter().try_for_each(|(process, path)| stream.map(*process, &boot::mapping(path)))?;
    for thread in &THREADS {
        stream.name(thread.process, thread.number, thread.name)?;
        sample(pmu, thread);
        let mut samples = CHAINS.pair(UNIT.samples().expect("nobody else reads")).expect("nobody else pairs");
        samples.try_for_each(|(sample, chain)| stream.chained(thread.process, &sample, chain.as_ref()))?;
        assert_eq!(samples.samples().lost().ring_full, 0, "the ring has room for all");
    }
    stream.finish()?.finish()
}

fn sample(pmu: &Pmu<'static, Driver>, thread: &Thread) {
    WHO.store(thread.number, Relaxed);
    let mut session = pmu.open([Request::new(Event::INSTRUCTIONS).every(PERIOD)]).expect("every unit counts them");
    session.start().expect("it is stopped");
    (thread.run)();
    session.stop().expect("it runs");
}

/// Of a program's code, which keeps no frame pointers, the function alone is known.
fn on_nmi(at: Interrupted, frame_pointer: u64) {
    let at = at.in_thread(WHO.load(Relaxed));
    let _ = UNIT.on_overflow_chained(at, &CHAINS, |chain| match at.mode {
        Mode::Kernel => callers::walk(frame_pointer, chain),
        _ => Ok(()),
    });
}
