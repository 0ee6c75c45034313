//! Whose a unit is: one owner's, and on its own processor.

use core::fmt::Debug;
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use pmu::{CounterId, CpuId, Error, Unit};

use crate::amid::{Book, assert_all_free};

/// A unit that takes no samples.
type Counting<K> = Unit<<K as Book>::Driver, 0>;

const HOME: u32 = 4;
const ELSEWHERE: u32 = 7;
const WRONG: Error = Error::WrongCpu { owner: CpuId(HOME), here: CpuId(ELSEWHERE) };

static HERE: AtomicU32 = AtomicU32::new(HOME);

fn this_cpu() -> CpuId {
    CpuId(HERE.load(Relaxed))
}

/// A thread that has moved to another processor is told so, by every operation, and touches nothing of what
/// `registers` tells of.
pub fn refuse_elsewhere<K: Book, S: PartialEq + Debug>(
    unit: &'static Counting<K>,
    driver: K::Driver,
    registers: fn() -> S,
) {
    let pmu = unit.claim(driver, this_cpu).expect("nobody has it yet");
    let request = K::request(CounterId::ZERO);
    let mut resting = pmu.open([request]).expect("the counter is free");
    let mut moved = pmu.open([K::request(CounterId::new(1).unwrap())]).expect("the counter is free");
    moved.start().expect("it can start");
    moved.stop().expect("it runs");
    let before = registers();

    HERE.store(ELSEWHERE, Relaxed);
    assert_eq!(pmu.open([request]).err(), Some(WRONG));
    assert_eq!([resting.start(), resting.resume()], [Err(WRONG); 2]);
    assert_eq!(
        (resting.read(), resting.counts().err(), resting.reader().err()),
        (Err(WRONG), Some(WRONG), Some(WRONG))
    );
    drop(moved);
    assert_eq!((pmu.release(), registers()), (Err(WRONG), before));

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

/// A claim that is refused does not disturb the owner, nor what `registers` tells of; and a unit that was released can
/// be claimed again.
pub fn refuse_second<K: Book, S: PartialEq + Debug>(
    unit: &'static Counting<K>,
    [first, second]: [K::Driver; 2],
    this_cpu: fn() -> CpuId,
    registers: fn() -> S,
) {
    let pmu = unit.claim(first, this_cpu).expect("nobody has it yet");
    let mut session = pmu.open([K::request(CounterId::ZERO)]).expect("the counter is free");
    session.start().expect("it can start");
    session.stop().expect("it runs");
    let before = registers();
    assert_eq!(unit.claim(second, this_cpu).err(), Some(Error::AlreadyClaimed));
    assert_eq!(registers(), before);
    session.start().expect("it can start again");
    K::exactly(1000);
    session.stop().expect("it runs");
    assert!(session.read().expect("this is its CPU")[0] >= 1000);

    assert_eq!(pmu.release(), Err(Error::InUse(CounterId::ZERO.only())));
    drop(session);
    pmu.release().expect("nothing is open");
    assert!(unit.reclaim().is_ok(), "a unit that was released can be claimed again");
}
