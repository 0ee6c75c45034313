//! `cputrack`: each function of the program in a thread of its own, and each thread's own counts, whoever ran in between.

use core::array;
use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use pmu::output::{
    report::Columns, report::CputrackRow, report::CputrackTitle, report::LifeCycle, report::Processes, report::Reading,
};
use pmu::{Context, Set};

use super::program::PARTS;
use crate::Claimed;
use crate::println;
use crate::threads::{Preempting, Scheduler, Threads, Turn};

/// Instructions of a turn; a row is due after so many turns.
const TURN: u64 = 100_000;
const TURNS_TO_A_ROW: u64 = 40;

/// A bit for each thread that has ended.
static ENDED: AtomicUsize = AtomicUsize::new(0);

extern "C" fn check_part<K: Preempting>(part: usize) -> ! {
    PARTS[part].check();
    ENDED.fetch_or(1 << part, Relaxed);
    loop {
        K::raise_tick();
    }
}

/// Runs the program, counts what `set` asks for, and returns the sum of all threads. The clock is in nanoseconds.
pub fn run<K: Preempting>(pmu: &Claimed<K>, set: Set<2>, now: fn() -> u64) -> [u64; 2] {
    ENDED.store(0, Relaxed);
    let threads = array::from_fn(|number| Track::new(pmu, number, set));
    let mut tracks = Tracks::<K> { pmu, threads, now, began: now(), next: 0 };
    let columns = Columns { tick: None, counters: &[0, 1] };
    println!("{}", CputrackTitle { processes: Processes::One, columns });
    let mut all = Threads::<K>::new(&mut tracks);
    (0..PARTS.len()).for_each(|part| all.begin(part, K::in_kernel(check_part::<K>, part)));
    all.run();
    tracks.end()
}

/// All threads that are tracked.
struct Tracks<'p, K: Preempting> {
    pmu: &'p Claimed<K>,
    threads: [Track<K>; PARTS.len()],
    now: fn() -> u64,
    began: u64,
    next: usize,
}

/// One thread, and what was known at its last row.
struct Track<K: Preempting> {
    context: Context<K::Driver, 2>,
    turns: u64,
    shown: [u64; 2],
}

impl<K: Preempting> Track<K> {
    fn new(pmu: &Claimed<K>, number: usize, set: Set<2>) -> Self {
        let mut context = Context::new(number as u32 + 1);
        context.bind(pmu, set).expect("its counters are free");
        Self { context, turns: 0, shown: [0; 2] }
    }

    fn counts(&self) -> [u64; 2] {
        self.context.counts().expect("it is bound and out").raw
    }

    const fn has_ended(&self, ended: usize) -> bool {
        ended >> (self.context.thread() - 1) & 1 == 1
    }
}

impl<K: Preempting> Tracks<'_, K> {
    fn row(&self, thread: u32, event: LifeCycle, counts: &[u64]) {
        let reading = Reading { time: (self.now)() - self.began, tick: None, counts };
        println!("{}", CputrackRow { process: None, thread, event, reading, set: None });
    }

    /// Prints what a thread has counted since its last row.
    fn show(&mut self, thread: usize, event: LifeCycle) {
        let track = &mut self.threads[thread];
        let counts = track.counts();
        let since = array::from_fn::<_, 2, _>(|at| counts[at] - track.shown[at]);
        track.shown = counts;
        let number = track.context.thread();
        self.row(number, event, &since);
    }

    fn leave(&mut self, thread: usize) {
        self.pmu.switch_out(&mut self.threads[thread].context);
        match &self.threads[thread] {
            track if track.has_ended(ENDED.load(Relaxed)) => self.show(thread, LifeCycle::ThreadEnded),
            track if track.turns.is_multiple_of(TURNS_TO_A_ROW) => self.show(thread, LifeCycle::Tick),
            _ => {}
        }
    }

    fn come(&mut self, thread: usize) {
        if self.threads[thread].turns == 0 {
            self.show(thread, LifeCycle::ThreadCreated);
        }
        self.threads[thread].turns += 1;
        self.pmu.switch_in(&mut self.threads[thread].context);
    }

    /// The last row has the sums of all threads.
    fn end(&mut self) -> [u64; 2] {
        let sums = array::from_fn(|at| self.threads.iter().map(|track| track.counts()[at]).sum());
        self.row(1, LifeCycle::Exit, &sums);
        sums
    }
}

/// One thread after the other, until all have ended.
impl<K: Preempting> Scheduler<K::Frame> for Tracks<'_, K> {
    fn switch(&mut self, left: Option<(usize, &K::Frame)>) -> Option<Turn> {
        if let Some((thread, _)) = left {
            self.leave(thread);
        }
        let ended = ENDED.load(Relaxed);
        let after = (0..PARTS.len()).map(|step| (self.next + step) % PARTS.len());
        let thread = after.into_iter().find(|&thread| !self.threads[thread].has_ended(ended))?;
        self.next = thread + 1;
        self.come(thread);
        Some(Turn { thread, instructions: TURN })
    }
}
