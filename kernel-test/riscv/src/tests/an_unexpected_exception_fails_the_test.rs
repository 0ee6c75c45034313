//! An exception that the kernel did not provoke on purpose ends the test.

use core::arch::asm;

pub fn test() {
    // SAFETY: it is what the test is about: an illegal instruction.
    unsafe { asm!(".4byte 0") };
}
