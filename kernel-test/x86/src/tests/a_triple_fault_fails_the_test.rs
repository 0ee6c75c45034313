//! A guest that loses its interrupt table ends, and the next one has it again.

use core::arch::asm;

use x86_64::VirtAddr;
use x86_64::instructions::tables::lidt;
use x86_64::structures::DescriptorTablePointer;

pub fn test() {
    let nothing = DescriptorTablePointer { limit: 0, base: VirtAddr::zero() };
    // SAFETY: the host outlives the triple fault that follows.
    unsafe {
        lidt(&nothing);
        asm!("ud2");
    }
}
