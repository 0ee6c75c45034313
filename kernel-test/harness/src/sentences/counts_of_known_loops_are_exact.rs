//! A loop of n instructions counts n more on every counter, alone and beside all others, read 64 bits wide and as wide
//! as the counter is; from a start to a stop too.

use core::array;

use pmu::{CounterId, Event, Request};

use crate::booked::{Booked, reads};
use crate::claim::claim;
use crate::together::{Together, together};
use crate::{Claimed, Effort, Kernel};

const LENGTHS: [u64; 5] = [1000, 4321, 65_536, 1_000_000, 12_345_678];

struct AllTogether;

/// Shows it.
pub fn test<K: Kernel>() {
    let pmu = claim::<K>();
    let unit = pmu.description();
    for counter in K::counters(&unit) {
        reads_exactly::<K, 1>(&pmu, [K::request(counter)]);
        takes_exactly::<K>(&pmu, counter);
    }
    if K::exact(&unit) == K::counters(&unit) && K::counts_cycles_twice() {
        reads_exactly::<K, 2>(&pmu, [Event::INSTRUCTIONS, Event::CYCLES].map(Request::from));
    }
    together::<K, AllTogether>(&pmu);
}

impl<K: Kernel> Together<K> for AllTogether {
    fn test<const N: usize>(pmu: &Claimed<K>, counters: [CounterId; N]) {
        reads_exactly::<K, N>(pmu, counters.map(K::request));
    }
}

fn lengths<K: Kernel>() -> impl Iterator<Item = u64> {
    let effort = Effort::chosen();
    let longest = if effort == Effort::Whole { K::LONGEST_LOOP } else { K::LONGEST_LOOP.min(1_000_000) };
    (K::FEWEST..300).step_by(effort.stride(300)).chain(LENGTHS).filter(move |&length| length <= longest)
}

/// Between two readings of a running session.
fn reads_exactly<K: Kernel, const N: usize>(pmu: &Claimed<K>, requests: [Request; N]) {
    let mut session = pmu.open(requests).expect("there are as many counters");
    session.start().expect("it is stopped");
    let reader = session.reader().expect("this is its CPU");
    let exact = K::exact(&pmu.description());
    let is_exact = |at| N == 1 || session.counter(at).is_some_and(|counter| exact.contains(counter));
    let told = |counts: [u64; N]| -> [u64; N] { array::from_fn(|at| if is_exact(at) { counts[at] } else { 0 }) };
    let empty = (reads::wide::<K, N>(&reader, K::FEWEST), reads::narrow::<K, N>(&reader, K::FEWEST));
    for length in lengths::<K>() {
        let more = |count: u64| count + length - K::FEWEST;
        assert_eq!(told(reads::wide::<K, N>(&reader, length)), told(empty.0.map(more)), "{length} instructions");
        assert_eq!(told(reads::narrow::<K, N>(&reader, length)), told(empty.1.map(more)), "{length} instructions");
    }
}

fn takes_exactly<K: Kernel>(pmu: &Claimed<K>, counter: CounterId) {
    let mut session = Booked::<K>::open(pmu, K::request(counter));
    let empty = take(&mut session, counter, K::FEWEST);
    for length in lengths::<K>() {
        assert_eq!(take(&mut session, counter, length), empty, "{length} instructions");
    }
}

/// What a session counts beyond these instructions, from a start to a stop: the same code each time.
#[inline(never)]
fn take<K: Kernel>(session: &mut Booked<K>, counter: CounterId, length: u64) -> (u64, u64) {
    let before = K::counted(counter);
    session.reset();
    session.around(|| K::exactly(length));
    let counts = session.counts();
    assert_eq!(counts.running, counts.enabled);
    assert!(!K::has_book() || counts.raw[0] == K::counted(counter) - before, "{counts:?}");
    (counts.raw[0] - length, if K::CLOCK_IS_EXACT { counts.enabled - length } else { 0 })
}
