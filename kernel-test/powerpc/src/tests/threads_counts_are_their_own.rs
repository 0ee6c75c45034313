//! Sixty-four threads, each with requests of its own, are preempted at random instructions: what each has
//! counted is what its counters counted while it ran, by the host's book. On QEMU's own unit, of which there
//! is no book, every turn adds the thread's own instructions and a switch's, which are the same each time.

use core::array;

use pmu::{CounterId, Interrupted, Pmu, Set};

use super::clocked;
use super::threaded::{self, Kernel, REQUESTS, SWITCHES, Thread};
use crate::guest::unit::{self, Driver, Unit};
use crate::guest::{World, on_overflow, threads, world};

/// Every so-manieth thread is sampled, too.
const SAMPLED: usize = 4;
/// Longer than any turn; each thread has its own.
const PERIOD: u64 = 3_001;

static UNIT: Unit<64> = Unit::new();

fn handle(at: Interrupted) {
    threaded::service(&UNIT, at);
}

pub fn test() {
    on_overflow(handle);
    let pmu = unit::claim(&UNIT);
    let mut costs = [Cost::default(); threads::MOST];
    let mut inspect = |thread: &mut Thread| costs[thread.number()].check(thread);
    let all: [_; threads::MOST] = array::from_fn(|number| Thread::new(&pmu, number, requests(&pmu, number)));
    let mut kernel = Kernel::new(&pmu, all, &mut inspect);
    kernel.run(SWITCHES);
    let periods: u64 = kernel.threads.iter().map(periods).sum();
    assert_eq!(unit::accounted(&UNIT), periods);
    assert!(periods > 0, "some have ended");
    assert!(kernel.threads.iter().all(|thread| thread.turns > 0), "every thread has run");
}

/// One to four requests, on counters that differ from those of the next thread.
fn requests(pmu: &Pmu<Driver>, number: usize) -> Set<REQUESTS> {
    let counters = clocked::exact_counters(&pmu.description());
    let counter = |place: usize| -> CounterId {
        counters.into_iter().cycle().nth(number * 3 + place).expect("the unit has counters")
    };
    let mut set = Set::new();
    for place in 0..1 + number % REQUESTS.min(counters.len() as usize) {
        let request = clocked::request(counter(place));
        let is_sampled = place == 0 && number.is_multiple_of(SAMPLED);
        let request = if is_sampled { request.every(PERIOD + 10 * number as u64) } else { request };
        set.add(request).expect("there is room");
    }
    set
}

/// How many of its periods have ended.
fn periods(thread: &Thread) -> u64 {
    thread.context.requests()[0].sampling.map_or(0, |sampling| thread.counts()[0] / sampling.period)
}

/// What a thread's turns add to its counts beside its own instructions.
#[derive(Clone, Copy, Default)]
struct Cost {
    own: u64,
    counts: [u64; REQUESTS],
    of_a_turn: Option<[u64; REQUESTS]>,
}

impl Cost {
    fn check(&mut self, thread: &Thread) {
        match world() {
            World::Host => assert_eq!(thread.counts(), thread.booked, "{:?}, turn {}", thread.context, thread.turns),
            World::Native => self.check_constant(thread),
        }
    }

    /// A turn of a thread that is sampled may have an exception in it.
    fn check_constant(&mut self, thread: &Thread) {
        let (counts, requests) = (thread.counts(), thread.context.requests());
        let own = thread.own - self.own;
        let added = |at: usize| counts[at].wrapping_sub(self.counts[at]).wrapping_sub(own);
        let cost = array::from_fn(|at| if at < requests.len() { added(at) } else { 0 });
        (self.own, self.counts) = (thread.own, counts);
        if requests.iter().all(|request| request.sampling.is_none()) {
            assert_eq!(cost, *self.of_a_turn.get_or_insert(cost), "{:?}, turn {}", thread.context, thread.turns);
        }
    }
}
