//! An overflow whose interrupt is kept back is accounted for by the stop, and its interrupt never comes: the line falls with
//! its cause. So one that comes all the same is nobody's.

use pmu::Request;

use crate::claim::{judging, verdicts};
use crate::kernel::Kernel;
use crate::verdicts::Tally;

const PERIOD: u64 = 3000;

/// Shows it on a unit whose line is a level that nothing latches.
pub fn a_stop_takes_an_interrupt_back<K: Kernel>() {
    let pmu = judging::<K>();
    for counter in K::counters(&pmu.description()) {
        for request in [Request::every, Request::once_after] {
            let mut session = pmu.open([request(K::request(counter), PERIOD)]).expect("the counter is free");
            let before = (K::overflows(), K::interrupts());
            session.start().expect("it is stopped");
            K::without_interrupts(2 * PERIOD, || {
                K::exactly(PERIOD * 3 / 2);
                session.stop().expect("it runs");
            });
            assert_eq!((K::overflows() - before.0, K::interrupts() - before.1), (1, 0));
            K::raise_interrupt();
            assert_eq!(verdicts(), Tally { foreign: 1, ..Tally::default() });
        }
    }
}
