//! An exception that nobody expects ends the guest.

use core::arch::asm;

pub fn test() {
    // SAFETY: the exception goes to the guest's own table, and does not come back.
    unsafe { asm!("ud2") };
}
