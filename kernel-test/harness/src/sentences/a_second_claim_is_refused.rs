//! A unit has one owner at a time, and a claim that is refused does not disturb it.

use pmu::{CpuId, Error};

use crate::Kernel;
use crate::claim::claim;

/// Shows it.
pub fn test<K: Kernel>() {
    let pmu = claim::<K>();
    let counter = K::counters(&pmu.description()).lowest().expect("there are counters");
    let mut session = pmu.open([K::request(counter)]).expect("the counter is free");
    session.start().expect("it can start");
    session.stop().expect("it runs");
    let before = K::registers();
    assert_eq!(K::unit().claim(K::detect()).err(), Some(Error::AlreadyClaimed { owner: CpuId(0) }));
    assert_eq!(K::registers(), before);
    session.start().expect("it can start again");
    K::exactly(1000);
    session.stop().expect("it runs");
    assert!(session.read().expect("this is its CPU")[0] >= 1000);

    assert_eq!(pmu.release(), Err(Error::InUse(counter.only())));
    drop(session);
    pmu.release().expect("nothing is open");
    assert!(K::unit().reclaim().is_ok(), "a unit that was released can be claimed again");
}
