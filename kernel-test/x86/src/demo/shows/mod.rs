//! Runs as the tools of other systems show them, each printed by the crate's own report types.

mod callers;
mod cpustat;
mod cputrack;
mod flame;
mod misaligned;
mod oprofile;
mod perfex;
mod pmc;
mod processes;
mod profile;
mod sharing;

use core::{array, fmt};

use harness::demo::program::PARTS;
use harness::println;
use harness::threads::{Scheduler, Threads, Turn};
use pmu::text::{notation::Cpc, notation::Processor};
use pmu::{Pmu, Set};

use crate::catalogue::ARCHITECTURAL;
use crate::guest::Here;
use crate::guest::threads;
use crate::guest::unit::{self, Driver};
use crate::identity::{self, Processor as Presented};
use crate::trap::Frame;

/// Every show that people read, by its name.
const ALL: [(&str, fn()); 10] = [
    ("cputrack", cputrack::run),
    ("cpustat", cpustat::run),
    ("perfex", perfex::run),
    ("pmc", pmc::run),
    ("profile", profile::run),
    ("callers", callers::run),
    ("opreport", processes::run),
    ("oprofile", oprofile::run),
    ("misaligned", misaligned::run),
    ("sharing", sharing::run),
];
/// What programs read, and people do not.
const STREAMS: [(&str, fn()); 3] = [("perf", processes::stream), ("mem", sharing::stream), ("flame", flame::run)];

/// The show with this name; `every` is all that people read.
pub fn named(name: &str) -> Option<fn()> {
    let every: (&str, fn()) = ("every", || ALL.iter().for_each(|(_, run)| run()));
    ALL.into_iter().chain([every]).chain(STREAMS).find_map(|(known, run)| (known == name).then_some(run))
}

/// A unit of one show, for as long as it runs.
fn with_pmu<const SAMPLES: usize>(unit: &'static unit::Unit<SAMPLES>, show: impl FnOnce(&Pmu<'static, Driver>)) {
    let pmu = unit::claim(unit);
    show(&pmu);
    pmu.release().expect("nothing is open any more");
}

/// Returns true if counter 0 counts instructions and cycles, as the texts for Solaris' tools ask. Prints why the tool is left
/// out if it does not.
fn first_counts_instructions(tool: &str) -> bool {
    let counts = !matches!(identity::presented().processor, Presented::Netburst(_));
    if !counts {
        println!(
            "\n# {tool} is left out: it asks for instructions on counter 0, which counts the bus and the clock here"
        );
    }
    counts
}

/// What this text asks for, in cputrack's notation.
fn requests<const N: usize>(pmu: &Pmu<Driver>, text: &str) -> Set<N> {
    let processor = Processor::new(pmu.description(), &ARCHITECTURAL);
    match Cpc::parse(text, processor) {
        Ok(set) => set,
        Err(error) => panic!("{}", error.in_text(text)),
    }
}

/// The time in nanoseconds: the guest's clock advances by one with each instruction of the guest's.
fn now() -> u64 {
    // SAFETY: every 64-bit processor has the instruction, and it only reads.
    unsafe { x86::time::rdtsc() }
}

/// Why a thread leaves the processor.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cause {
    /// Its turn is over.
    Tick,
    /// Its function has returned: it cannot go on.
    End,
}

/// What a show does with the program's threads as they come and go.
trait Watcher {
    /// This thread comes to the processor.
    fn comes(&mut self, thread: usize);
    /// It has left; it may have ended.
    fn left(&mut self, thread: usize, cause: Cause);
}

/// Runs each part of the demo's program in a thread of its own, by turns of so many instructions.
fn run_program(watcher: &mut dyn Watcher, instructions: u64) {
    let mut turns = Turns { watcher, instructions, runs: array::from_fn(|_| true), next: 0 };
    let mut all = Threads::<Here>::new(&mut turns);
    let beginning = |part| threads::in_kernel(check_part as *const () as usize, part);
    (0..PARTS.len()).for_each(|part| all.begin(part, beginning(part)));
    all.run();
}

extern "C" fn check_part(part: usize) {
    PARTS[part].check();
}

/// One thread after the other, until all have ended.
struct Turns<'w> {
    watcher: &'w mut dyn Watcher,
    instructions: u64,
    runs: [bool; PARTS.len()],
    next: usize,
}

impl Scheduler<Frame> for Turns<'_> {
    fn switch(&mut self, left: Option<(usize, &Frame)>) -> Option<Turn> {
        if let Some((thread, frame)) = left {
            let cause = if threads::has_ended(frame) { Cause::End } else { Cause::Tick };
            self.runs[thread] = cause != Cause::End;
            self.watcher.left(thread, cause);
        }
        let thread = (0..PARTS.len()).map(|step| (self.next + step) % PARTS.len()).find(|&thread| self.runs[thread])?;
        self.next = thread + 1;
        self.watcher.comes(thread);
        Some(Turn { thread, instructions: self.instructions })
    }
}

/// Prints a show's first line.
fn title(command: fmt::Arguments) {
    println!("\n# {command}");
}
