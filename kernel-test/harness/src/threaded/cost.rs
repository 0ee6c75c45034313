//! What threads of many requests count, and what each of their turns adds to it.

use core::array;

use pmu::{CounterId, CounterSet, Set};

use super::Preempting;
use super::{REQUESTS, Thread};

/// Every so-manieth thread is sampled, too.
const SAMPLED: usize = 4;
/// Longer than any turn; each thread has its own.
const PERIOD: u64 = 3_001;

/// One to `most` requests, on those of these counters that differ from those of the next thread.
pub fn requests<K: Preempting>(counters: CounterSet, number: usize, most: usize) -> Set<REQUESTS> {
    let counter = |place: usize| -> CounterId {
        counters.into_iter().cycle().nth(number * 3 + place).expect("the unit has counters")
    };
    let mut set = Set::new();
    for place in 0..1 + number % most.min(counters.len() as usize) {
        let request = K::request(counter(place));
        let is_sampled = K::has_interrupts() && place == 0 && number.is_multiple_of(SAMPLED);
        let request = if is_sampled { request.every(PERIOD + 10 * number as u64) } else { request };
        set.add(request).expect("there is room");
    }
    set
}

/// What a thread's turns add to its counts beside its own instructions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cost {
    own: u64,
    counts: [u64; REQUESTS],
    of_a_turn: Option<[u64; REQUESTS]>,
}

impl Cost {
    /// It is the same each time, but for what the driver [varies](crate::Kernel::VARIES), unless the thread is sampled:
    /// such a turn may have an interrupt in it, or leave one to the next turn. Before the first turn of all no thread
    /// has left, which is another way through the kernel's scheduler.
    pub fn check<K: Preempting>(&mut self, thread: &Thread<K>) {
        let (counts, requests) = (thread.counts(), thread.context.requests());
        let own = thread.own - self.own;
        let added = |at: usize| counts[at].wrapping_sub(self.counts[at]).wrapping_sub(own);
        let cost = array::from_fn(|at| if at < requests.len() { added(at) } else { 0 });
        (self.own, self.counts) = (thread.own, counts);
        let was_left = K::LEAVES_INTERRUPTS && thread.interrupts > 0;
        if thread.turns > 1 && !was_left && requests.iter().all(|request| request.sampling.is_none()) {
            let first = *self.of_a_turn.get_or_insert(cost);
            let is_first = cost.iter().zip(first).all(|(cost, first)| cost.abs_diff(first) <= K::VARIES);
            assert!(is_first, "thread {}, turn {}: {cost:?} instead of {first:?}", thread.number(), thread.turns);
        }
    }
}
