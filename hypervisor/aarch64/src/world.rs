//! The world switch: into the guest, and back at its next exception that is the host's.

use core::arch::naked_asm;
use core::mem::offset_of;

use pmu::Mode;

use crate::system::{get, put};

/// What is on either side of a world switch, beside the guest's registers that the processor has twice.
#[derive(Default)]
#[repr(C)]
pub struct World {
    /// X0 to X30.
    pub registers: [u64; 31],
    /// Where the guest goes on (ELR_EL2).
    pub address: u64,
    /// In which state (SPSR_EL2).
    pub state: u64,
}

/// How the guest was left, by the number of its vector among those of a lower level.
pub const INSTRUCTION: u64 = 0;
pub const INTERRUPT: u64 = 1;

/// A state: EL1 by its own stack pointer, everything masked (SPSR_EL2).
pub const EL1: u64 = 0b0101 | 0b1111 << 6;

impl World {
    /// Runs the guest until it is left. Returns the vector.
    pub fn enter(&mut self) -> u64 {
        put!("vbar_el2", vectors as *const () as u64);
        put!("elr_el2", self.address);
        put!("spsr_el2", self.state);
        // SAFETY: the translation keeps the guest out of the host's memory.
        let vector = unsafe { switch(self) };
        self.address = get!("elr_el2");
        self.state = get!("spsr_el2");
        vector
    }

    /// The mode that was left.
    pub fn mode(&self) -> Mode {
        if self.state >> 2 & 0b11 == 0 { Mode::User } else { Mode::Kernel }
    }
}

/// # Safety
/// ELR_EL2, SPSR_EL2 and the translation describe a guest that may do whatever it does to memory; VBAR_EL2 is [`vectors`].
#[unsafe(naked)]
unsafe extern "C" fn switch(world: &mut World) -> u64 {
    naked_asm!(
        "sub sp, sp, #96",
        "stp x19, x20, [sp]; stp x21, x22, [sp, #16]; stp x23, x24, [sp, #32]",
        "stp x25, x26, [sp, #48]; stp x27, x28, [sp, #64]; stp x29, x30, [sp, #80]",
        "msr tpidr_el2, x0",
        ".irp number, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30",
        "ldr x\\number, [x0, #\\number * 8]",
        ".endr",
        "ldr x0, [x0]",
        "eret",
    )
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
        ".irp vector, 0, 1, 2, 3, 0, 1, 2, 3",
        "stp x0, x1, [sp, #-16]!",
        "mov x1, #\\vector",
        "b {leave}",
        ".balign 128",
        ".endr",
        fail = sym report,
        leave = sym leave,
    )
}

/// X0 and X1 are on the stack, and the vector is in X1.
#[unsafe(naked)]
unsafe extern "C" fn leave() {
    naked_asm!(
        "mrs x0, tpidr_el2",
        ".irp number, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30",
        "str x\\number, [x0, #\\number * 8]",
        ".endr",
        "ldp x2, x3, [sp], #16",
        "stp x2, x3, [x0]",
        "mov x0, x1",
        "ldp x19, x20, [sp]; ldp x21, x22, [sp, #16]; ldp x23, x24, [sp, #32]",
        "ldp x25, x26, [sp, #48]; ldp x27, x28, [sp, #64]; ldp x29, x30, [sp, #80]",
        "add sp, sp, #96",
        "ret",
    )
}

extern "C" fn report() -> ! {
    panic!("syndrome {:#x}, address {:#x}, of its own at {:#x}", get!("esr_el2"), get!("far_el2"), get!("elr_el2"))
}

const _: () = assert!(offset_of!(World, registers) == 0, "the registers are addressed from the beginning");
