//! All counters of the unit overflow on the same instruction: one interrupt comes, and each of them leaves its sample;
//! and so they go on together.

use pmu::{CounterId, Request};

use crate::claim::NEVER;
use crate::position::{self, watching};
use crate::together::{Together, together};
use crate::{Claimed, Kernel};

struct AllTogether;

/// Shows it.
pub fn test<K: Kernel>() {
    together::<K, AllTogether>(&watching::<K>());
}

impl<K: Kernel> Together<K> for AllTogether {
    fn test<const N: usize>(pmu: &Claimed<K>, counters: [CounterId; N]) {
        // Where there is no global control, a counter that is started earlier has to wait longer.
        let alone = counters.map(|counter| shoot::<K, N>(pmu, counters.map(|each| only::<K>(counter, each))));
        let last = alone.into_iter().max().expect("there are counters");
        let place = |counter| counters.iter().position(|&each| each == counter).unwrap_or(0);
        let wait = |counter| period::<K>() + last - alone[place(counter)];
        let before = (K::overflows(), K::interrupts());
        let position = shoot::<K, N>(pmu, counters.map(|counter| K::request(counter).once_after(wait(counter))));
        assert_eq!((K::overflows() - before.0, K::interrupts() - before.1), (1, 1), "on one instruction");
        assert_eq!(position, last);
        let samples = K::unit().samples().expect("nobody else reads").map(|sample| sample.counter);
        assert!(samples.skip(N).eq(counters), "one of each, after those that came alone");
        go_on_together::<K, N>(pmu, counters);
    }
}

/// More than the start of all counters takes.
const fn period<K: Kernel>() -> u64 {
    if K::PERIOD > 2000 { K::PERIOD } else { 2000 }
}

/// All counters have a period, for those that have one may be started after those that have none.
fn only<K: Kernel>(sampled: CounterId, counter: CounterId) -> Request {
    K::request(counter).once_after(if counter == sampled { period::<K>() } else { NEVER })
}

/// Where in the loop the last interrupt comes.
fn shoot<K: Kernel, const N: usize>(pmu: &Claimed<K>, requests: [Request; N]) -> u64 {
    let mut session = pmu.open(requests).expect("there are as many counters");
    session.start().expect("it is stopped");
    K::go_round(period::<K>());
    session.stop().expect("it runs");
    position::position().expect("it comes in the loop")
}

fn go_on_together<K: Kernel, const N: usize>(pmu: &Claimed<K>, counters: [CounterId; N]) {
    let requests = counters.map(|counter| K::request(counter).every(period::<K>()));
    let mut session = pmu.open(requests).expect("they are free");
    session.start().expect("it is stopped");
    K::exactly(period::<K>() * K::samples().div_ceil(50).min(40));
    session.stop().expect("it runs");
    let counts = session.read().expect("this is its CPU");
    let mut numbers = [0; 64];
    let mut samples = K::unit().samples().expect("nobody else reads");
    samples.by_ref().for_each(|sample| numbers[usize::from(sample.counter.number())] += 1);
    let sampled = counters.map(|counter| numbers[usize::from(counter.number())]);
    let ended = counts.map(|count| count / period::<K>());
    // A period that ends amid the stop leaves no sample.
    let stopped = samples.lost().stopped;
    assert!(sampled.iter().zip(&ended).all(|(sampled, ended)| ended.wrapping_sub(*sampled) <= 1));
    assert_eq!(sampled.iter().sum::<u64>() + stopped, ended.iter().sum(), "{sampled:?} of {ended:?}");
    assert_eq!(samples.lost().total(), stopped);
}
