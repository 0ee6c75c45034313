//! A counter that selects what neither the clock nor a step shows is no silent zero: the host says so.

use harness::claim::claim;
use harness::{Guest as _, Kernel as _};
use pmu::Event;
use pmu::driver::Plan as _;

use crate::guest::Here;

/// Misses of the instruction cache, by the names of I to IV+ and of T1 and T2.
const MISSES: [&str; 2] = ["Dispatch0_IC_miss", "IC_miss"];

pub fn test() {
    let pmu = claim::<Here>();
    let mut fed = pmu.open([Event::INSTRUCTIONS]).expect("every unit can");
    fed.start().expect("it is stopped");
    // T1's other half, which cannot be parked, is.
    assert!(!Here::unfed().contains(fed.counter(0).expect("it has one")), "instructions are fed");
    drop(fed);
    let catalogue = pmu.driver().catalogue();
    let event = MISSES.into_iter().find_map(|name| catalogue.named(name)).expect("the processor has one of them");
    let mut misses = pmu.open([catalogue.request(event)]).expect("nothing else counts");
    misses.start().expect("it is stopped");
    Here::exactly(1000);
    assert_eq!(Here::unfed(), misses.counter(0).expect("it has one").only());
    assert_eq!(misses.read(), Ok([0]));
}
