//! The switch from a host at EL2 to the kernel that it runs at EL1, and back at the next exception that is the host's.

use core::arch::{global_asm, naked_asm};
use core::mem::offset_of;

use pmu::Mode;

/// What is on the other side of a switch.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct World {
    /// X0 to X30.
    pub registers: [u64; 31],
    /// Where it goes on (ELR_EL2).
    pub address: u64,
    /// In which state (SPSR_EL2).
    pub state: u64,
}

impl World {
    /// Returns the mode that was left.
    pub fn mode(&self) -> Mode {
        if self.state >> 2 & 0b11 == 0 { Mode::User } else { Mode::Kernel }
    }
}

/// The vectors by which the kernel is left: an exception of an instruction, an interrupt.
pub const SYNCHRONOUS: u64 = 8;
/// See [`SYNCHRONOUS`].
pub const INTERRUPT: u64 = 9;

// The host's vectors lead here: they push X0 and X1, and put their number into X1. TPIDR_EL2 holds the world's address
// while the kernel runs.
global_asm!(
    ".section .text.left_the_kernel, \"ax\"",
    ".global left_the_kernel",
    "left_the_kernel:",
    "mrs x0, tpidr_el2",
    "stp x2, x3, [x0, #16]; stp x4, x5, [x0, #32]; stp x6, x7, [x0, #48]; stp x8, x9, [x0, #64]",
    "stp x10, x11, [x0, #80]; stp x12, x13, [x0, #96]; stp x14, x15, [x0, #112]; stp x16, x17, [x0, #128]",
    "stp x18, x19, [x0, #144]; stp x20, x21, [x0, #160]; stp x22, x23, [x0, #176]; stp x24, x25, [x0, #192]",
    "stp x26, x27, [x0, #208]; stp x28, x29, [x0, #224]; str x30, [x0, #240]",
    "ldp x2, x3, [sp], #16",
    "stp x2, x3, [x0]",
    "mrs x2, elr_el2; str x2, [x0, #{address}]",
    "mrs x2, spsr_el2; str x2, [x0, #{state}]",
    "mov x0, x1",
    "ldp x29, x30, [sp], #16; ldp x27, x28, [sp], #16; ldp x25, x26, [sp], #16",
    "ldp x23, x24, [sp], #16; ldp x21, x22, [sp], #16; ldp x19, x20, [sp], #16",
    "ret",
    address = const offset_of!(World, address),
    state = const offset_of!(World, state),
);

/// Runs the kernel until it is left; says by which vector.
///
/// # Safety
/// - `world` describes a kernel at EL1 that may do whatever it does to memory.
/// - The host's own vectors are loaded.
#[unsafe(naked)]
pub unsafe extern "C" fn switch(world: &mut World) -> u64 {
    naked_asm!(
        "stp x19, x20, [sp, #-16]!; stp x21, x22, [sp, #-16]!; stp x23, x24, [sp, #-16]!",
        "stp x25, x26, [sp, #-16]!; stp x27, x28, [sp, #-16]!; stp x29, x30, [sp, #-16]!",
        "msr tpidr_el2, x0",
        "ldr x1, [x0, #{address}]; msr elr_el2, x1",
        "ldr x1, [x0, #{state}]; msr spsr_el2, x1",
        "ldp x2, x3, [x0, #16]; ldp x4, x5, [x0, #32]; ldp x6, x7, [x0, #48]; ldp x8, x9, [x0, #64]",
        "ldp x10, x11, [x0, #80]; ldp x12, x13, [x0, #96]; ldp x14, x15, [x0, #112]; ldp x16, x17, [x0, #128]",
        "ldp x18, x19, [x0, #144]; ldp x20, x21, [x0, #160]; ldp x22, x23, [x0, #176]; ldp x24, x25, [x0, #192]",
        "ldp x26, x27, [x0, #208]; ldp x28, x29, [x0, #224]; ldr x30, [x0, #240]",
        "ldp x0, x1, [x0]",
        "eret",
        address = const offset_of!(World, address),
        state = const offset_of!(World, state),
    )
}

const _: () = assert!(offset_of!(World, registers) == 0, "the registers are addressed from the beginning");
