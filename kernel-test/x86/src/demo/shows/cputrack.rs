//! `cputrack`: each thread's own counts, whoever ran in between.

use core::array;

use harness::demo::program::PARTS;
use harness::println;
use pmu::output::{
    report::Columns, report::CputrackRow, report::CputrackTitle, report::LifeCycle, report::Processes, report::Reading,
};
use pmu::{Context, Pmu};

use super::{Cause, Watcher, first_counts_instructions, now, requests, run_program, title, with_pmu};
use crate::guest::unit::{Driver, Unit};

const SPECIFICATION: &str = "pic0=PAPI_tot_ins,pic1=PAPI_tot_cyc,sys";
/// Instructions of a turn; a row is due after so many turns.
const TURN: u64 = 100_000;
const TURNS_TO_A_ROW: u64 = 8;

static UNIT: Unit<0> = Unit::new();

pub fn run() {
    if !first_counts_instructions("cputrack") {
        return;
    }
    title(format_args!("cputrack -c {SPECIFICATION}"));
    with_pmu(&UNIT, |pmu| {
        let columns = Columns { tick: Some("tsc"), counters: &[0, 1] };
        println!("{}", CputrackTitle { processes: Processes::One, columns });
        let mut tracks = Tracks { pmu, threads: array::from_fn(|number| Track::new(pmu, number)), began: now() };
        run_program(&mut tracks, TURN);
        tracks.end();
    });
}

/// All threads that are tracked.
struct Tracks<'p> {
    pmu: &'p Pmu<'static, Driver>,
    threads: [Track; PARTS.len()],
    began: u64,
}

/// One thread, and what was known at its last row.
struct Track {
    context: Context<Driver, 2>,
    turns: u64,
    shown: ([u64; 2], u64),
}

impl Track {
    fn new(pmu: &Pmu<Driver>, number: usize) -> Self {
        let mut context = Context::new(number as u32 + 1);
        context.bind(pmu, requests::<2>(pmu, SPECIFICATION)).expect("every unit has two counters");
        Self { context, turns: 0, shown: ([0; 2], 0) }
    }

    /// Prints what was counted since the last row.
    fn show(&mut self, time: u64, event: LifeCycle) {
        let counts = self.context.counts().expect("it is bound and out");
        let since = array::from_fn::<_, 2, _>(|at| counts.raw[at] - self.shown.0[at]);
        let reading = Reading { time, tick: Some(counts.enabled - self.shown.1), counts: &since };
        println!("{}", CputrackRow { process: None, thread: self.context.thread(), event, reading, set: None });
        self.shown = (counts.raw, counts.enabled);
    }
}

impl Watcher for Tracks<'_> {
    fn comes(&mut self, thread: usize) {
        let track = &mut self.threads[thread];
        if track.turns == 0 {
            track.show(now() - self.began, LifeCycle::ThreadCreated);
        }
        track.turns += 1;
        self.pmu.switch_in(&mut track.context);
    }

    fn left(&mut self, thread: usize, cause: Cause) {
        let track = &mut self.threads[thread];
        self.pmu.switch_out(&mut track.context);
        match cause {
            Cause::End => track.show(now() - self.began, LifeCycle::ThreadEnded),
            Cause::Tick if track.turns.is_multiple_of(TURNS_TO_A_ROW) => {
                track.show(now() - self.began, LifeCycle::Tick)
            }
            Cause::Tick => {}
        }
    }
}

impl Tracks<'_> {
    /// The last row has the sums of all threads.
    fn end(&self) {
        let counts = || self.threads.iter().map(|track| track.context.counts().expect("it is bound and out"));
        let sums = array::from_fn::<_, 2, _>(|at| counts().map(|counts| counts.raw[at]).sum());
        let tick = Some(counts().map(|counts| counts.enabled).sum());
        let reading = Reading { time: now() - self.began, tick, counts: &sums };
        println!("{}", CputrackRow { process: None, thread: 1, event: LifeCycle::Exit, reading, set: None });
        assert!(sums.iter().all(|sum| *sum > 0), "the threads were counted");
    }
}
