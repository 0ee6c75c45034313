//! Two processes and their kernel, as OProfile's `opreport` shows them, or as a stream for Linux' `perf report`. Each process
//! runs a program of its own in ring 3, and one of them calls the kernel, whose functions keep frame pointers.

use core::fmt;
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use harness::demo::{ledger, program};
use harness::{Console, println};
use pmu::output::{perf_data::HexLines, perf_data::PerfData};
use pmu::output::{profile::ImageId, profile::Place, profile::Profile, profile::Resolver, profile::Symbol};
use pmu::output::{report::OpreportHeader, report::ProfileReport, report::SampledEvent, report::SymbolSummary};
use pmu::samples::{chain::Chained, chain::Chains};
use pmu::{Event, Interrupted, Mode, Pmu, Request, Sample};

use super::{title, with_pmu};
use crate::boot;
use crate::guest::unit::{Driver, Unit};
use crate::guest::{callers, enter_nmi_at, user};
use crate::identity;

/// A prime, so that samples do not keep step with the loop.
const PERIOD: u64 = 1009;
/// The deepest that the kernel goes, and more.
const DEPTH: usize = 8;
const ROOM: usize = 1024;

static UNIT: Unit<ROOM> = Unit::new();
static CHAINS: Chains<DEPTH, ROOM> = Chains::new();
/// The thread that runs.
static WHO: AtomicU32 = AtomicU32::new(0);

pmu::nmi_entry!(Nmi, framed: on_nmi);

/// The processes by their numbers, and where perf looks for their programs in the directory that it is told of. All are
/// this image.
const PROCESSES: [(u32, &str); 2] = [(1, "/books"), (2, "/sums")];

/// A thread, the process that it belongs to, and what it does.
pub(super) struct Thread {
    pub(super) number: u32,
    process: u32,
    name: &'static str,
    pub(super) run: fn(),
}

pub(super) const THREADS: [Thread; 3] = [
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

/// What is sampled.
const EVENT: SampledEvent = SampledEvent {
    name: "instructions",
    description: "Retired instructions",
    unit_mask: 0,
    mask_description: Some("No unit mask"),
    count: PERIOD,
};

/// The kernel, which is image 0, and the programs, which have the numbers of their processes.
pub(super) struct Images {
    kernel: [Symbol<'static>; 4],
    programs: [[Symbol<'static>; 5]; PROCESSES.len()],
}

impl Images {
    pub(super) fn new() -> Self {
        let books = symbols(PARTS_OF_BOOKS, &ledger::PARTS);
        let sums = symbols(["sieve", "multiply", "search", "sort", "hash"], program::SHORT.parts);
        Self { kernel: callers::symbols(), programs: [books, sums] }
    }
}

/// The functions of the ledger, in the order of its parts.
pub(super) const PARTS_OF_BOOKS: [&str; 5] = ["book_padded", "book_packed", "balance", "search", "digest"];

/// The symbols of a program, in the order of their addresses.
pub(super) fn symbols(names: [&'static str; 5], parts: &[program::Part; 5]) -> [Symbol<'static>; 5] {
    let mut parts = parts.iter();
    let mut symbols = names.map(|name| Symbol { name, start: parts.next().map_or(0, program::Part::address) });
    symbols.sort_unstable_by_key(|symbol| symbol.start);
    symbols
}

impl Resolver for Images {
    fn resolve(&self, place: Place) -> Option<Symbol<'_>> {
        match place.image.0.checked_sub(1) {
            None => self.kernel[..].resolve(place),
            Some(program) => self.programs.get(program as usize)?.resolve(place.address.into()),
        }
    }

    fn locate(&self, sample: &Sample, address: u64) -> Place {
        let thread = THREADS.iter().find(|thread| thread.number == sample.thread);
        let program = thread.filter(|_| sample.mode == Mode::User).map(|thread| ImageId(thread.process));
        Place { image: program.unwrap_or_default(), address }
    }

    fn image(&self, image: ImageId) -> Option<&str> {
        ["kernel", "books", "sums"].get(image.0 as usize).copied()
    }
}

/// Prints the functions of all images.
pub fn run() {
    title(format_args!("opreport -l: a sample each {PERIOD} instructions of two processes and their kernel"));
    enter_nmi_at(Nmi::address());
    with_pmu(&UNIT, |pmu| {
        let (mut profile, images) = (Profile::<ROOM>::new(), Images::new());
        for thread in &THREADS {
            sampled(pmu, thread).for_each(|(sample, _)| profile.sample(&sample, &images));
        }
        let header =
            OpreportHeader { processor: identity::presented().processor.name(), megahertz: None, events: &[EVENT] };
        println!("{header}{}", SymbolSummary::new(&profile, &images).show_addresses());
        assert_eq!(ProfileReport::by_image(&profile, &images).rows().count(), 3, "each image has samples");
    });
}

/// Writes the stream, in lines of hexadecimal digits.
pub fn stream() {
    enter_nmi_at(Nmi::address());
    with_pmu(&UNIT, |pmu| write(pmu).expect("a console takes everything"));
}

fn write(pmu: &Pmu<'static, Driver>) -> fmt::Result {
    let mut stream = PerfData::begin_chained(HexLines::new(Console), EVENT.name, PERIOD)?;
    stream.kernel(boot::code())?;
    PROCESSES.iter().try_for_each(|(process, path)| stream.map(*process, &boot::mapping(path)))?;
    for thread in &THREADS {
        stream.name(thread.process, thread.number, thread.name)?;
        sampled(pmu, thread).try_for_each(|(sample, chain)| stream.chained(thread.process, &sample, chain.as_ref()))?;
    }
    stream.finish()?.finish()
}

/// Runs a thread, and returns its samples.
fn sampled(pmu: &Pmu<'static, Driver>, thread: &Thread) -> Chained<'static, DEPTH, ROOM, ROOM> {
    WHO.store(thread.number, Relaxed);
    let mut session = pmu.open([Request::new(Event::INSTRUCTIONS).every(PERIOD)]).expect("every unit counts them");
    session.start().expect("it is stopped");
    (thread.run)();
    session.stop().expect("it runs");
    let mut samples = CHAINS.pair(UNIT.samples().expect("nobody else reads")).expect("nobody else pairs");
    assert_eq!(samples.samples().lost().ring_full, 0, "the ring has room for all");
    samples
}

/// Of a program's code, which keeps no frame pointers, the function alone is known.
fn on_nmi(at: Interrupted, frame_pointer: u64) {
    let at = at.in_thread(WHO.load(Relaxed));
    let _ = UNIT.on_overflow_chained(at, &CHAINS, |chain| match at.mode {
        Mode::Kernel => callers::walk(frame_pointer, chain),
        _ => Ok(()),
    });
}
