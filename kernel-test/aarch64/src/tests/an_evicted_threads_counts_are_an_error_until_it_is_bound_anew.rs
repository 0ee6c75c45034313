//! Whose counters were taken by a session or for another thread has no counts to read, right or wrong, until it is
//! bound anew.

use harness::threads;
use pmu::Threads;

use super::amid::Here;
use crate::kernel::unit::{self, Unit};

static UNIT: Unit<64> = unit::new();

pub fn test() {
    let driver = unit::detect().expect("the processor has a unit");
    let pmu = UNIT.claim_for(driver, unit::this_cpu, Threads::Yield).expect("nobody has it yet");
    threads::evict::<Here>(&pmu);
    threads::evict_for_another_thread::<Here>(&pmu);
}
