//! An exception that nobody expects ends the kernel.

use core::arch::asm;

pub fn test() {
    // SAFETY: the exception goes to the kernel's own table, and does not come back.
    unsafe { asm!("udf #0") };
}
