//! Four harts count loops of their own at once, each on its unit: the count is its book's, and each period that it has
//! counted is in its samples.

use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use harness::accounts::accounted;
use harness::{Effort, Guest, Kernel};

use super::harts;
use super::here::Here;

/// Rounds by the whole effort, and by less.
const ROUNDS: [usize; 2] = [50, 8];

/// The loops of all harts so far.
static LOOPS: AtomicUsize = AtomicUsize::new(0);

pub fn test() {
    let (hart, pmu) = (harts::number() as u64, harts::claim());
    let rounds = ROUNDS[usize::from(Effort::chosen() != Effort::Whole)];
    for counter in pmu.description().general {
        let mut session = pmu.open([Here::request(counter).every(Here::PERIOD)]).expect("the counter is free");
        let (before, loops, periods) = (Here::counted(counter), LOOPS.load(Relaxed), accounted(harts::this_unit()));
        session.start().expect("it is stopped");
        for round in 0..rounds {
            Here::exactly(1000 * (hart + 1) + round as u64);
            LOOPS.fetch_add(1, Relaxed);
        }
        session.stop().expect("it runs");
        let counted = Here::counted(counter) - before;
        assert_eq!(session.read(), Ok([counted]), "{counter}");
        assert_eq!(accounted(harts::this_unit()) - periods, counted / Here::PERIOD, "{counter}");
        assert!(LOOPS.load(Relaxed) - loops > rounds, "another hart has counted meanwhile");
        harts::meet();
    }
}
