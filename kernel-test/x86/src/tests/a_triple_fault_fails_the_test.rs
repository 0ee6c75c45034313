//! A guest that loses its interrupt table ends, and the next one has it again.

use core::arch::asm;

use x86::dtables::{DescriptorTablePointer, lidt};

pub fn test() {
    let nothing = DescriptorTablePointer::<u64>::default();
    // SAFETY: the host outlives the triple fault that follows.
    unsafe {
        lidt(&nothing);
        asm!("ud2");
    }
}
