//! CPUID says what the command line said: an Intel processor with a unit of some version.

use core::arch::x86_64::__cpuid;

use crate::identity;

pub fn test() {
    let processor = &identity::presented().processor;
    assert_eq!(__cpuid(0).ebx.to_le_bytes(), *b"Genu");
    assert_eq!(__cpuid(1).eax, processor.signature());
    assert_eq!(__cpuid(0xa).eax as u8, processor.facts().version);
}
