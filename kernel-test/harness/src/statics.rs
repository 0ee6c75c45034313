//! Every test finds the kernel's statics as they were at boot, whatever the test before it did: a unit can be claimed once.
//!
//! The linker's script says where they are: from `statics_begin` to `statics_end`. Behind `image_end` there is memory that
//! nobody uses, and as much of it.

#![expect(unsafe_code, reason = "statics are written again")]

use core::ptr;

unsafe extern "C" {
    static mut statics_begin: u8;
    static mut statics_end: u8;
    static mut image_end: u8;
}

/// Writes the statics down, in the memory behind the image.
pub fn remember() {
    // SAFETY: the board has more memory than twice the image, and nobody uses it.
    unsafe { ptr::copy_nonoverlapping(begin(), copy(), length()) };
}

/// Makes the statics what they were then.
pub fn restore() {
    // SAFETY: statics are atomics and cells, and no guest runs that would refer into them; the host keeps what it needs on
    // its stack.
    unsafe { ptr::copy_nonoverlapping(copy(), begin(), length()) };
}

fn begin() -> *mut u8 {
    &raw mut statics_begin
}

fn copy() -> *mut u8 {
    &raw mut image_end
}

fn length() -> usize {
    &raw const statics_end as usize - begin() as usize
}
