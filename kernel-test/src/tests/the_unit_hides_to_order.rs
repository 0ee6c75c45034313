//! A hidden unit is in no CPUID leaf, and each of its registers faults.

use core::arch::x86_64::__cpuid;

use super::programs::{COUNTER, SELECT};
use crate::guest::mischief;
use crate::guest::msr::{self, Faulted};
use crate::hypercall::Disguise;

pub fn test() {
    mischief::present(Disguise::Hidden);
    assert_eq!(__cpuid(0xa).eax, 0);
    assert_eq!(msr::read(SELECT), Err(Faulted));
    assert_eq!(msr::write(COUNTER, 0), Err(Faulted));
    assert_eq!(msr::read_counter(0), Err(Faulted));
}
