//! An overflow on any instruction of an operation: on each of a short one, on a dozen of a long one,
//! which are others on each processor and counter.
//!
//! The host keeps a book of the instructions that retire while a counter is on. It knows nothing of
//! presets, wraps and late interrupts, so whatever the driver makes of those must come to the same
//! number.

use pmu::{CounterId, Pmu, Request, Session};

use super::clocked;
use crate::guest::unit::{Driver, Unit};
use crate::guest::{instructions, truth};
use crate::identity;

/// Instructions before the operation: more than the longest operation, so that one period passes.
const LEAD: u64 = 100_000;

/// So many instructions are tried at most: a step is slow.
const SHOTS: u64 = 12;

/// A session of one counter, beside the host's book of it.
pub struct Booked {
    pub session: Session<'static, Driver, 1>,
    counter: CounterId,
    /// What the book had when the count was 0.
    zero: u64,
    period: u64,
}

impl Booked {
    /// Opens it.
    pub fn open(pmu: &Pmu<'static, Driver>, request: Request) -> Self {
        let session = pmu.open([request]).expect("the counter is free");
        let counter = session.counter(0).expect("it has a counter");
        let period = request.sampling.map_or(0, |sampling| sampling.period);
        Self { session, counter, zero: truth::counted(counter), period }
    }

    /// What it should have counted.
    pub fn booked(&self) -> u64 {
        truth::counted(self.counter) - self.zero
    }

    /// What it has counted since it was opened, which the book confirms; it does not run.
    pub fn count(&mut self) -> u64 {
        let count = self.session.read().expect("this is its CPU")[0];
        if self.session.has_ended(0) {
            // The counter was on for a little longer, until the interrupt had halted it.
            self.zero += self.booked() - self.period;
        }
        assert_eq!(count, self.booked(), "{}", self.counter);
        count
    }
}

/// A moment in the life of a session.
struct Moment {
    counted: u64,
    retired: u64,
}

/// What an operation was seen to do.
pub struct Passage {
    begin: Moment,
    end: Moment,
    /// What the operation says that it has counted itself.
    pub others: u64,
}

impl Passage {
    /// Instructions of the operation that the sampling counter was on for.
    pub fn counted(&self) -> u64 {
        self.end.counted - self.begin.counted
    }

    /// Instructions of the operation that it was off for.
    pub fn halted(&self) -> u64 {
        self.end.retired - self.begin.retired - self.counted()
    }
}

/// Samples by what `request` makes of a period, and does `operation` meanwhile: each time with the
/// overflow on another one of the instructions that are counted in it, which have numbers from 1.
/// `compare` is given the operation without and with it.
pub fn on_any_instruction(
    unit: &'static Unit<64>,
    pmu: &Pmu<'static, Driver>,
    request: impl Fn(u64) -> Request,
    mut operation: impl FnMut(&mut Booked) -> u64,
    mut compare: impl FnMut(u64, &Passage, &Passage),
) {
    let mut run = |period| Accounts::around(unit, || passage(Booked::open(pmu, request(period)), &mut operation));
    let (calm, accounts) = run(2 * LEAD);
    assert_eq!(accounts, Accounts::NOTHING, "the period is too short");
    assert!((1..LEAD).contains(&calm.counted()), "the operation is too long");
    let stride = calm.counted().div_ceil(SHOTS);
    let first = 1 + (u64::from(identity::presented().version()) >> 16) % stride;
    for instruction in (first..=calm.counted()).step_by(stride as usize) {
        let (stormy, accounts) = run(calm.begin.counted + instruction);
        assert_eq!(stormy.begin.counted, calm.begin.counted, "instruction {instruction}");
        assert_eq!(accounts, Accounts::ONE, "instruction {instruction}");
        compare(instruction, &calm, &stormy);
    }
}

fn passage(mut sampler: Booked, operation: &mut impl FnMut(&mut Booked) -> u64) -> Passage {
    sampler.session.start().expect("it can start");
    instructions::exactly(LEAD);
    let begin = Moment { retired: truth::retired(), counted: sampler.booked() };
    let others = operation(&mut sampler);
    let end = Moment { counted: sampler.booked(), retired: truth::retired() };
    sampler.session.stop().expect("it runs");
    sampler.count();
    Passage { begin, end, others }
}

/// What became of overflows.
#[derive(PartialEq, Debug)]
pub struct Accounts {
    overflows: u64,
    /// Samples, and overflows that are said to have left none.
    kept: u64,
    unclaimed: u64,
}

impl Accounts {
    const NOTHING: Self = Self { overflows: 0, kept: 0, unclaimed: 0 };
    /// One overflow, and it is accounted for.
    pub const ONE: Self = Self { overflows: 1, kept: 1, unclaimed: 0 };

    /// What becomes of those that happen in `body`.
    pub fn around<T>(unit: &'static Unit<64>, body: impl FnOnce() -> T) -> (T, Self) {
        let before = Self::of(unit);
        let result = body();
        let after = Self::of(unit);
        let accounts = Self {
            overflows: after.overflows - before.overflows,
            kept: after.kept - before.kept,
            unclaimed: after.unclaimed - before.unclaimed,
        };
        (result, accounts)
    }

    fn of(unit: &'static Unit<64>) -> Self {
        let mut samples = unit.samples().expect("nobody else reads");
        samples.by_ref().for_each(drop);
        let kept = samples.received() + samples.lost().total();
        Self { overflows: truth::overflows(), kept, unclaimed: unit.strays().foreign }
    }
}

/// Each counter can be opened: nobody has kept one.
pub fn assert_all_free(pmu: &Pmu<'static, Driver>) {
    let mut sessions = [const { None }; 64];
    let counters = clocked::counters(&pmu.description());
    for (session, counter) in sessions.iter_mut().zip(counters) {
        *session = Some(pmu.open([clocked::request(counter)]).expect("every counter is free"));
    }
}
