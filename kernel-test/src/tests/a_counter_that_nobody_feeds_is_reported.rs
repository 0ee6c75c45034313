//! A counter that selects what QEMU cannot show is no silent zero: the host says so.

use pmu::CounterSet;

use super::programs::{self, COUNTING, SELECT};
use crate::guest::{msr, truth};

/// Last-level cache misses (event 2EH, mask 41H), in any ring.
const CACHE_MISSES: u64 = 0x43_412e;

pub fn test() {
    msr::write(COUNTING.register, COUNTING.value).expect("instructions can be counted");
    assert_eq!(truth::unfed(), CounterSet::EMPTY);
    msr::write(SELECT, CACHE_MISSES).expect("cache misses can be selected");
    assert_eq!(truth::unfed(), CounterSet::first(1));
    programs::stop();
}
