//! A guest that loses its interrupt table ends, and the next one has it again.

use core::arch::asm;

use crate::machine_code::TablePointer;

pub fn test() {
    let nothing = TablePointer { limit: 0, base: 0 };
    // SAFETY: the host outlives the triple fault that follows.
    unsafe {
        nothing.load_interrupts();
        asm!("ud2");
    }
}
