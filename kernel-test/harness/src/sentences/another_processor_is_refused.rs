//! A thread that has moved to another processor is told so, by every operation, and touches nothing.

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use pmu::{CounterId, CpuId, Error};

use crate::Kernel;
use crate::accounts::assert_all_free;

const HOME: u32 = 4;
const ELSEWHERE: u32 = 7;
const WRONG: Error = Error::WrongCpu { owner: CpuId(HOME), here: CpuId(ELSEWHERE) };

static HERE: AtomicU32 = AtomicU32::new(HOME);

fn this_cpu() -> CpuId {
    CpuId(HERE.load(Relaxed))
}

/// Shows it.
pub fn test<K: Kernel>() {
    HERE.store(HOME, Relaxed);
    let pmu = K::unit().claim(K::detect(), this_cpu).expect("nobody has it yet");
    let request = K::request(CounterId::ZERO);
    let mut resting = pmu.open([request]).expect("the counter is free");
    let mut moved = pmu.open([K::request(CounterId::new(1).unwrap())]).expect("the counter is free");
    moved.start().expect("it can start");
    moved.stop().expect("it runs");
    let before = K::registers();

    HERE.store(ELSEWHERE, Relaxed);
    assert_eq!(pmu.open([request]).err(), Some(WRONG));
    assert_eq!([resting.start(), resting.resume()], [Err(WRONG); 2]);
    assert_eq!(
        (resting.read(), resting.counts().err(), resting.reader().err()),
        (Err(WRONG), Some(WRONG), Some(WRONG))
    );
    drop(moved);
    assert_eq!((pmu.release(), K::registers()), (Err(WRONG), before));

    HERE.store(HOME, Relaxed);
    resting.start().expect("nothing has changed");
    HERE.store(ELSEWHERE, Relaxed);
    assert_eq!([resting.stop(), resting.rearm()], [Err(WRONG); 2]);
    HERE.store(HOME, Relaxed);
    K::exactly(1000);
    resting.stop().expect("it runs still");
    assert!(resting.read().expect("it is home")[0] >= 1000);
    drop(resting);
    assert_all_free::<K>(&pmu);
    pmu.release().expect("nothing is open: what was dropped elsewhere was collected");
}

