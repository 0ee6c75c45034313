//! How the guest is entered, and the host's vectors, by which it comes back at its next exception that is the host's.

use core::arch::naked_asm;

use metal::world::{World, switch};
use metal::{get, put};

/// A state: EL1 by its own stack pointer, everything masked (SPSR_EL2).
pub const EL1: u64 = 0b0101 | 0b1111 << 6;

/// Runs the guest until it is left. Returns the vector.
pub fn enter(world: &mut World) -> u64 {
    put!("vbar_el2", vectors as *const () as u64);
    // SAFETY: the translation keeps the guest out of the host's memory.
    unsafe { switch(world) }
}

/// Where the processor goes: the first eight are its own exceptions, which are bugs, and the last four those of a program of 32
/// bits.
#[unsafe(naked)]
unsafe extern "C" fn vectors() {
    naked_asm!(
        ".balign 2048",
        ".rept 8",
        "b {fail}",
        ".balign 128",
        ".endr",
        ".irp vector, 8, 9, 10, 11, 8, 9, 10, 11",
        "stp x0, x1, [sp, #-16]!",
        "mov x1, #\\vector",
        "b left_the_kernel",
        ".balign 128",
        ".endr",
        fail = sym report,
    )
}

extern "C" fn report() -> ! {
    panic!("syndrome {:#x}, address {:#x}, of its own at {:#x}", get!("esr_el2"), get!("far_el2"), get!("elr_el2"))
}
