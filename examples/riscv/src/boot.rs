//! Everything that has nothing to do with measuring: entry, stack, traps; console and exit are the machine's.
//!
//! QEMU's machine "virt" starts each hart in machine mode, with a0 its number, and zeroes what is not in the image. All harts
//! but the first sleep.

#[path = "../../common/virt.rs"]
mod virt;

use core::arch::{asm, global_asm};

use virt::on_trap;
pub(crate) use virt::println;
pub use virt::{Console, exit, first_frame, switch_stacks};

global_asm!(
    ".section .text.boot, \"ax\"",
    ".global start",
    "start:",
    "bnez a0, 1f",
    "la sp, stack_end",
    "la t0, trap",
    "csrw mtvec, t0",
    "call {main}",
    "1: wfi",
    "j 1b",
    // Every trap comes here (mtvec in direct mode). A function saves the other registers if it uses them.
    ".balign 4",
    "trap:",
    "addi sp, sp, -128",
    "sd ra, 0(sp)",
    "sd t0, 8(sp)",
    "sd t1, 16(sp)",
    "sd t2, 24(sp)",
    "sd t3, 32(sp)",
    "sd t4, 40(sp)",
    "sd t5, 48(sp)",
    "sd t6, 56(sp)",
    "sd a0, 64(sp)",
    "sd a1, 72(sp)",
    "sd a2, 80(sp)",
    "sd a3, 88(sp)",
    "sd a4, 96(sp)",
    "sd a5, 104(sp)",
    "sd a6, 112(sp)",
    "sd a7, 120(sp)",
    "csrr a0, mcause",
    "csrr a1, mepc",
    "call {on_trap}",
    "ld ra, 0(sp)",
    "ld t0, 8(sp)",
    "ld t1, 16(sp)",
    "ld t2, 24(sp)",
    "ld t3, 32(sp)",
    "ld t4, 40(sp)",
    "ld t5, 48(sp)",
    "ld t6, 56(sp)",
    "ld a0, 64(sp)",
    "ld a1, 72(sp)",
    "ld a2, 80(sp)",
    "ld a3, 88(sp)",
    "ld a4, 96(sp)",
    "ld a5, 104(sp)",
    "ld a6, 112(sp)",
    "ld a7, 120(sp)",
    "addi sp, sp, 128",
    "mret",
    ".section .bss",
    ".balign 16",
    ".skip 1 << 16",
    "stack_end:",
    main = sym crate::main,
    on_trap = sym on_trap,
);

/// Lets this hart take interrupts from now on (MIE in mstatus).
pub fn unmask_interrupts() {
    // SAFETY: the vector has a handler.
    unsafe { asm!("csrsi mstatus, 8", options(nostack)) };
}
