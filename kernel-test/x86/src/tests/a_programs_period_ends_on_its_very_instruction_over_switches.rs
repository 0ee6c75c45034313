//! Programs in ring 3 that are sampled are switched at random instructions. A period goes on in the next turn, and its
//! sample is of the very instruction: none is missing, none is of the kernel, none is another program's. If fewer events
//! are left than a counter can wait for, the sample is of the first that it can, and the next one is not later for it;
//! and a period that is over by then is said to be lost. So is the sample if the program is switched out before.

use core::array;

use harness::Effort;
use harness::claim::least_once;
use harness::running;
use harness::threaded::Plan;
use pmu::{Interrupted, Mode, Modes, Pmu};

use super::clocked;
use super::threaded::{FOR_EVER, Schedule, Thread};
use crate::guest::Here;
use crate::guest::unit::{self, Driver, Unit};
use crate::guest::{enter_nmi_at, position, threads};
use crate::trap::Frame;

const SWITCHES: u64 = 4_000;
/// Longer than most turns and longer than none, unless the unit has no period that is as short.
const PERIODS: [u64; 5] = [2_003, 503, 1_009, 64, 7];

static UNIT: Unit<256> = Unit::new();

pmu::nmi_entry!(Nmi, on_nmi);

fn on_nmi(at: Interrupted) {
    let _ = running::service(&UNIT, at);
}

pub fn test() {
    enter_nmi_at(Nmi::address());
    let pmu = unit::claim(&UNIT);
    let counters = clocked::counters(&pmu.description());
    let counter = |number: usize| counters.into_iter().cycle().nth(number).expect("the unit has counters");
    let request = |number| clocked::request(counter(number)).modes(Modes::USER);
    let least = |number| least_once::<Here>(&pmu, request(number));
    let programs = array::from_fn(|number| Program::new(PERIODS[number], least(number)));
    let sampling = |number: usize| request(number).every(programs[number].period);
    let threads = array::from_fn(|number| Thread::new(&pmu, number, [sampling(number)].into()));
    let mut sampled = Sampled { last: None, programs };
    let switches = Effort::length(SWITCHES);
    Schedule::<{ PERIODS.len() }>::new(&pmu, threads, &mut sampled).run(switches);
    assert!(sampled.programs.iter().all(|program| program.periods > switches / 200), "{:?}", sampled.programs);
    let sum = |part: fn(&Program) -> u64| sampled.programs.iter().map(part).sum::<u64>();
    let (skipped, stopped) = (sum(|program| program.skipped), sum(|program| program.stopped));
    let lost = UNIT.sample_statistics().lost;
    assert_eq!((lost.outrun, lost.stopped, lost.total()), (skipped, stopped, skipped + stopped));
}

/// What was sampled of each program.
struct Sampled {
    /// The one that ran last, whose counter may still hold its values.
    last: Option<usize>,
    programs: [Program; PERIODS.len()],
}

/// What was sampled of a program.
#[derive(Clone, Copy, Debug)]
struct Program {
    period: u64,
    /// The fewest events that its counter can wait for.
    least: u64,
    /// How many periods have ended.
    periods: u64,
    /// How many of them were over before a counter could end them.
    skipped: u64,
    /// How many were over when it was switched out, before its counter overflowed.
    stopped: u64,
    /// The instruction that the next sample is of, by its number in the program.
    next: u64,
}

impl Program {
    fn new(period: u64, least: u64) -> Self {
        let period = period.max(least);
        Self { period, least, periods: 0, skipped: 0, stopped: 0, next: period }
    }

    /// The instruction that ends its period, if a counter can wait for it.
    fn end(&self) -> u64 {
        (self.periods + 1) * self.period
    }

    /// Its counter is preset when it has retired so many.
    fn preset(&mut self, retired: u64) {
        self.next = self.end().max(retired + self.least);
    }

    /// It is switched out when it has retired so many. A period that is over ends now.
    fn stop(&mut self, retired: u64) {
        if let Some(late) = retired.checked_sub(self.end()) {
            let skipped = late / self.period;
            self.skipped += skipped;
            self.stopped += 1;
            self.periods += 1 + skipped;
            self.preset(retired);
        }
    }

    /// Returns where it was when its next sample was taken, and begins another period.
    fn end_period(&mut self) -> u64 {
        let end = self.next;
        let skipped = (end - self.end()) / self.period;
        self.skipped += skipped;
        self.periods += 1 + skipped;
        self.preset(end);
        position::next(end)
    }
}

impl Plan<Here> for Sampled {
    fn beginning(&self, _: usize) -> Frame {
        threads::in_ring_3(position::entry(), FOR_EVER)
    }

    fn came(&mut self, _: &Pmu<Driver>, thread: &Thread) {
        if self.last.replace(thread.number()) != Some(thread.number()) {
            self.programs[thread.number()].preset(thread.own);
        }
    }

    fn left(&mut self, _: &Pmu<Driver>, thread: &mut Thread) {
        assert_eq!(thread.counts()[0], thread.own, "{:?}", thread.context);
        let program = &mut self.programs[thread.number()];
        for sample in UNIT.samples().expect("nobody else reads") {
            let place = program.end_period();
            assert_eq!(thread.context.request_of(&sample), Some(0), "{sample:?} in {:?}", thread.context);
            assert_eq!((sample.mode, sample.address), (Mode::User, place), "{sample:?} of {program:?}");
        }
        assert!(program.next > thread.own, "{program:?} in {:?}", thread.context);
        program.stop(thread.own);
    }
}
