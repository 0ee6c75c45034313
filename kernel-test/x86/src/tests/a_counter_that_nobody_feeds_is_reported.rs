//! A counter that selects what QEMU cannot show is no silent zero: the host says so.

use harness::Guest;
use pmu::CounterSet;

use super::programs::{self, COUNTING};
use crate::guest::Here;
use crate::identity::{self, Processor};

/// Mispredicted branches, in any ring: event C5H of Intel's, C3H of AMD's.
fn mispredictions() -> u64 {
    match identity::presented().processor {
        Processor::Amd(_) => 0x43_00c3,
        _ => 0x43_00c5,
    }
}

pub fn test() {
    programs::set(COUNTING).expect("instructions can be counted");
    assert_eq!(Here::unfed(), CounterSet::EMPTY);
    programs::set(mispredictions()).expect("mispredicted branches can be selected");
    assert_eq!(Here::unfed(), programs::number().only());
    programs::stop();
}
