//! An overflow whose interrupt is kept back is accounted for by the stop, and its interrupt never comes: the line falls with
//! its cause. So one that comes all the same is nobody's.

use harness::claim::{judging, verdicts};
use harness::{Guest, Kernel, Tally};
use pmu::Request;

use crate::guest::Here;

const PERIOD: u64 = 3000;

pub fn test() {
    let pmu = judging::<Here>();
    for counter in Here::counters(&pmu.description()) {
        for request in [Request::every, Request::once_after] {
            let mut session = pmu.open([request(Here::request(counter), PERIOD)]).expect("the counter is free");
            let before = (Here::overflows(), Here::interrupts());
            session.start().expect("it is stopped");
            Here::without_interrupts(2 * PERIOD, || {
                Here::exactly(PERIOD * 3 / 2);
                session.stop().expect("it runs");
            });
            assert_eq!((Here::overflows() - before.0, Here::interrupts() - before.1), (1, 0));
            Here::raise_interrupt();
            assert_eq!(verdicts(), Tally { foreign: 1, ..Tally::default() });
        }
    }
}
