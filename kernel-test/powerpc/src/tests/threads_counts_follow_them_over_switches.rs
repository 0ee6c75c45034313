//! Threads hand the processor on to each other: what each has counted is what its counter counted
//! while the thread was in, by the host's book; a period is longer than any turn, goes on over the
//! others', and its sample names the thread.

use core::array;
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use pmu::{Context, CounterId, Interrupted, Pmu};

use super::clocked;
use crate::guest::unit::{self, Driver, Unit};
use crate::guest::{instructions, on_overflow, truth};

const THREADS: usize = 8;
const TURNS: u64 = 48;
/// Every so-manieth thread is sampled.
const SAMPLED: usize = 2;
/// Longer than any turn, a switch included.
const PERIOD: u64 = 2_003;

static UNIT: Unit<64> = Unit::new();
static WHO: AtomicU32 = AtomicU32::new(0);

fn handle(at: Interrupted) {
    let _ = UNIT.on_overflow(at.in_thread(WHO.load(Relaxed)));
}

pub fn test() {
    on_overflow(handle);
    let pmu = unit::claim(&UNIT);
    let counters = clocked::counters(&pmu.description());
    let counter = |number: usize| counters.into_iter().cycle().nth(number).expect("the unit has counters");
    let mut threads: [Thread; THREADS] = array::from_fn(|number| Thread::new(&pmu, number, counter(number)));
    for turn in 0..TURNS {
        threads.iter_mut().for_each(|thread| thread.take_turn(&pmu, 100 + 67 * turn % 400));
    }
    let periods: u64 = threads.iter().map(Thread::periods).sum();
    assert!(periods > 2 * THREADS as u64, "{periods} periods are too few");
    check_samples(&threads, periods);
}

/// Each is of the request of the thread that it names, and there are as many as periods have ended.
fn check_samples(threads: &[Thread], periods: u64) {
    let mut samples = UNIT.samples().expect("nobody else reads");
    for sample in samples.by_ref() {
        let thread = &threads[sample.thread as usize];
        assert_eq!(thread.context.request_of(&sample), Some(0), "{sample:?}");
    }
    assert_eq!(samples.received() + samples.lost().total(), periods);
}

struct Thread {
    context: Context<Driver, 1>,
    counter: CounterId,
    /// What its counter has counted while it was in.
    booked: u64,
}

impl Thread {
    fn new(pmu: &Pmu<Driver>, number: usize, counter: CounterId) -> Self {
        let request = clocked::request(counter);
        let request = if number.is_multiple_of(SAMPLED) { request.every(PERIOD) } else { request };
        let mut context = Context::new(number as u32);
        context.bind(pmu, [request]).expect("nobody else has a counter");
        Self { context, counter, booked: 0 }
    }

    fn take_turn(&mut self, pmu: &Pmu<Driver>, length: u64) {
        WHO.store(self.context.thread(), Relaxed);
        let before = truth::counted(self.counter);
        pmu.switch_in(&mut self.context).expect("nobody else is in");
        instructions::exactly(length);
        pmu.switch_out(&mut self.context).expect("it is in");
        self.booked += truth::counted(self.counter) - before;
        assert_eq!(self.count(), self.booked, "{:?}", self.context);
    }

    fn count(&self) -> u64 {
        self.context.counts().expect("it is bound and out").raw[0]
    }

    /// How many periods of its request have ended.
    fn periods(&self) -> u64 {
        if self.context.requests()[0].sampling.is_some() { self.count() / PERIOD } else { 0 }
    }
}
