//! A hidden unit is in no CPUID leaf, and each of its registers faults.

use super::programs;
use crate::guest::Here;
use crate::guest::msr::{self, Faulted};
use crate::machine_code::__cpuid;
use harness::{Disguise, Guest};

pub fn test() {
    Here::present(Disguise::Hidden);
    assert_eq!((__cpuid(0xa).eax, __cpuid(0x8000_0022).eax), (0, 0));
    assert_eq!(msr::read(programs::select()), Err(Faulted));
    assert_eq!(msr::write(programs::counter(), 0), Err(Faulted));
    assert_eq!(msr::read_counter(0), Err(Faulted));
}
