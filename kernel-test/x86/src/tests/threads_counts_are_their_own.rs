//! Sixty-four threads, each with requests of its own, are switched at random instructions: what each
//! has counted is what its counters counted while it ran, and every turn adds its own instructions
//! and a switch's.

use core::array;

use pmu::{CounterId, Interrupted, Pmu, Set};

use super::clocked;
use super::threaded::{self, Kernel, REQUESTS, Thread};
use crate::console::println;
use crate::guest::unit::{self, Driver, Unit};
use crate::guest::{enter_nmi_at, threads};

/// Every so-manieth thread is sampled, too.
const SAMPLED: usize = 4;
/// Longer than any turn; each thread has its own.
const PERIOD: u64 = 3_001;

static UNIT: Unit<256> = Unit::new();

pmu::nmi_entry!(Nmi, on_nmi);

fn on_nmi(at: Interrupted) {
    threaded::service(&UNIT, at);
}

pub fn test() {
    enter_nmi_at(Nmi::address());
    let pmu = unit::claim(&UNIT);
    let mut costs = [Cost::default(); threads::MOST];
    let mut inspect = |thread: &mut Thread| costs[thread.context.thread() as usize].check(thread);
    let all: [_; threads::MOST] = array::from_fn(|number| Thread::new(&pmu, number, requests(&pmu, number)));
    let mut kernel = Kernel::new(&pmu, all, &mut inspect);
    let switches = threaded::switches(10_000, 100_000);
    kernel.run(switches);
    println!("{switches} switches, {} samples accounted for", unit::accounted(&UNIT));
    assert!(kernel.threads.iter().all(|thread| thread.turns > switches / 100), "every thread has run");
}

/// One to four requests, on counters that differ from those of the next thread.
fn requests(pmu: &Pmu<Driver>, number: usize) -> Set<REQUESTS> {
    let counters = clocked::counters(&pmu.description());
    let count = counters.len() as usize;
    let counter = |place: usize| -> CounterId {
        counters.into_iter().cycle().nth(number * 3 + place).expect("the unit has counters")
    };
    let mut set = Set::new();
    for place in 0..1 + number % REQUESTS.min(count) {
        let request = clocked::request(counter(place));
        let is_sampled = place == 0 && number.is_multiple_of(SAMPLED);
        let request = if is_sampled { request.every(PERIOD + 10 * number as u64) } else { request };
        set.add(request).expect("there is room");
    }
    set
}

/// What a thread's turns add to its counts beside its own instructions: the same each time.
#[derive(Clone, Copy, Default)]
struct Cost {
    own: u64,
    counts: [u64; REQUESTS],
    of_a_turn: Option<[u64; REQUESTS]>,
}

impl Cost {
    fn check(&mut self, thread: &Thread) {
        let (counts, requests) = (thread.counts(), thread.context.requests());
        assert_eq!(counts, thread.booked, "{:?} after {} turns", thread.context, thread.turns);
        let own = thread.own - self.own;
        let added = |at: usize| counts[at].wrapping_sub(self.counts[at]).wrapping_sub(own);
        let cost = array::from_fn(|at| if at < requests.len() { added(at) } else { 0 });
        if requests.iter().all(|request| request.sampling.is_none()) {
            assert_eq!(cost, *self.of_a_turn.get_or_insert(cost), "{:?}, turn {}", thread.context, thread.turns);
        }
        (self.own, self.counts) = (thread.own, counts);
    }
}
