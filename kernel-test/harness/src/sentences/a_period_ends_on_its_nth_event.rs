//! The n-th event interrupts, at its very instruction, whatever n: on counters of every kind.

use core::hint::black_box;
use core::ops::RangeInclusive;

use pmu::CounterId;

use crate::accounts::accounted;
use crate::claim::{NEVER, least_once};
use crate::position::{self, watching};
use crate::{Claimed, Effort, Kernel};

const BOUNDARIES: [u64; 8] = [4095, 4096, 4097, 65_535, 65_536, 100_000, 249_999, 250_000];
/// Deep inside the loop.
const DEEP: u64 = 1000;

/// Shows it.
pub fn test<K: Kernel>() {
    let pmu = watching::<K>();
    for counter in K::punctual(&pmu.description()) {
        let lead = DEEP - shoot::<K>(&pmu, counter, DEEP, NEVER).position.expect("it comes in the loop");
        accounted(K::unit());
        let least = least_once::<K>(&pmu, K::request(counter));
        let tried = Effort::on::<K>(&pmu, counter).of(K::few_tried(DEEP), DEEP);
        for n in tried.map(|further| lead + further).filter(|&n| n >= least).chain(BOUNDARIES) {
            let shot = shoot::<K>(&pmu, counter, n, NEVER);
            assert_eq!(shot.position, Some(n - lead), "{counter}, event {n}");
            expect_sample::<K>(counter, &shot);
        }
        // A host that steps counts an ordered interrupt's instructions from another one on.
        if K::has_book() && !K::STEPS {
            ends_before_the_loop::<K>(&pmu, counter, least..=lead);
        }
    }
}

/// An event on the way to the loop interrupts where an interrupt comes that was ordered for its instruction.
fn ends_before_the_loop<K: Kernel>(pmu: &Claimed<K>, counter: CounterId, events: RangeInclusive<u64>) {
    let ordered = |instruction| shoot::<K>(pmu, counter, NEVER, instruction);
    // What lies between the order of an interrupt and the start of the counter.
    let before = DEEP - events.end() - ordered(DEEP).position.expect("it comes in the loop");
    let tried = Effort::on::<K>(pmu, counter).of(K::few_tried(*events.end()), *events.end());
    for n in tried.filter(|n| events.contains(n)) {
        let shot = shoot::<K>(pmu, counter, n, NEVER);
        assert_eq!(shot.address, ordered(before + n).address, "{counter}, event {n}");
        expect_sample::<K>(counter, &shot);
    }
}

/// Where the interrupt came.
struct Shot {
    address: u64,
    position: Option<u64>,
}

/// Counts once until the event `n`; orders an interrupt for when so many instructions have retired.
#[inline(never)]
fn shoot<K: Kernel>(pmu: &Claimed<K>, counter: CounterId, n: u64, order: u64) -> Shot {
    let mut session = pmu.open([K::request(counter).once_after(n)]).expect("the period is possible");
    position::forget();
    if K::has_book() {
        K::interrupt_after(order);
    }
    // Worked out before, since the way to the smaller one may be longer to one of them.
    let rounds = black_box(n.min(order) / 3 + 2);
    session.start().expect("it is stopped");
    K::go_round(rounds);
    session.stop().expect("it runs");
    Shot { address: position::address(), position: position::position() }
}

fn expect_sample<K: Kernel>(counter: CounterId, shot: &Shot) {
    let sample = K::unit().samples().expect("there is one reader").next().expect("it was sampled");
    assert_eq!((sample.address, sample.counter), (shot.address, counter));
}
