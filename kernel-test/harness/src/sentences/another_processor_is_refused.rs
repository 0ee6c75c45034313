//! A thread that has moved to another processor is told so, by every operation, and touches nothing.

use pmu::{CpuId, Error};

use crate::accounts::assert_all_free;
use crate::{Kernel, place};

const HOME: CpuId = CpuId(4);
const ELSEWHERE: CpuId = CpuId(7);
const WRONG: Error = Error::WrongCpu { owner: HOME, here: ELSEWHERE };

/// Shows it.
pub fn test<K: Kernel>() {
    place::seem_to_be_on(Some(HOME));
    let pmu = K::unit().claim(K::detect()).expect("nobody has it yet");
    let counters = K::counters(&pmu.description());
    let [first, second] = [counters.lowest(), counters.highest()].map(|counter| counter.expect("there are two"));
    let request = K::request(first);
    let mut resting = pmu.open([request]).expect("the counter is free");
    let mut moved = pmu.open([K::request(second)]).expect("the counter is free");
    moved.start().expect("it can start");
    moved.stop().expect("it runs");
    let before = K::registers();

    place::seem_to_be_on(Some(ELSEWHERE));
    assert_eq!(pmu.open([request]).err(), Some(WRONG));
    assert_eq!([resting.start(), resting.start()], [Err(WRONG); 2]);
    assert_eq!(
        (resting.read(), resting.counts().err(), resting.reader().err()),
        (Err(WRONG), Some(WRONG), Some(WRONG))
    );
    drop(moved);
    assert_eq!((pmu.release(), K::registers()), (Err(WRONG), before));

    place::seem_to_be_on(Some(HOME));
    resting.start().expect("nothing has changed");
    place::seem_to_be_on(Some(ELSEWHERE));
    assert_eq!([resting.stop(), resting.start()], [Err(WRONG); 2]);
    place::seem_to_be_on(Some(HOME));
    K::exactly(1000);
    resting.stop().expect("it runs still");
    assert!(resting.read().expect("it is home")[0] >= 1000);
    drop(resting);
    assert_all_free::<K>(&pmu);
    pmu.release().expect("nothing is open: what was dropped elsewhere was collected");
    place::seem_to_be_on(None);
}
