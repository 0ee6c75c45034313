//! What the processor does not have raises a general protection fault, as it would.

use crate::guest::msr::{self, Faulted};
use crate::identity::{self, Processor};

/// Between the families' registers; nobody has it.
const NOBODYS: u32 = 0x1fff;
/// Beyond every counter.
const NO_COUNTER: u32 = 31;

pub fn test() {
    assert_eq!(msr::read(NOBODYS), Err(Faulted));
    assert_eq!(msr::write(NOBODYS, 0), Err(Faulted));
    assert_eq!(msr::read(another_vendors()), Err(Faulted));
    assert_eq!(msr::read_counter(NO_COUNTER), Err(Faulted));
    assert_eq!(msr::read(super::programs::select()), Ok(0), "and the guest goes on");
}

/// PerfEvtSel0 on Intel's processors, IA32_PERFEVTSEL0 on AMD's.
fn another_vendors() -> u32 {
    match identity::presented().processor {
        Processor::Amd(_) => 0x186,
        _ => 0xc001_0000,
    }
}
