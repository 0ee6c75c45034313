//! What the processor does not have raises a general protection fault, as it would.

use crate::guest::msr::{self, Faulted};

/// Between the families' registers; nobody has it.
const NOBODYS: u32 = 0x1fff;
/// Of an AMD processor: PERF_CTL0.
const ANOTHER_VENDORS: u32 = 0xc001_0200;
/// Beyond every counter.
const NO_COUNTER: u32 = 31;

pub fn test() {
    assert_eq!(msr::read(NOBODYS), Err(Faulted));
    assert_eq!(msr::write(NOBODYS, 0), Err(Faulted));
    assert_eq!(msr::read(ANOTHER_VENDORS), Err(Faulted));
    assert_eq!(msr::read_counter(NO_COUNTER), Err(Faulted));
    assert_eq!(msr::read(super::programs::SELECT), Ok(0), "and the guest goes on");
}
