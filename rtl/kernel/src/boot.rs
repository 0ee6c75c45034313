//! From the core's first instruction to Rust, and what becomes of a trap.

use core::arch::global_asm;
use core::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::atomics;

/// The cause of an illegal instruction (The RISC-V Instruction Set Manual, volume II, "Machine Cause").
const ILLEGAL: usize = 2;

// CV32E40P begins at its boot address, and Ibex 80H behind it. Both want a vector at a multiple of 256.
global_asm!(
    r#"
    .section .text.boot, "ax"
    .option push
    .option norvc
    .global start
start:
    j 1f
    .org 0x80
1:  la sp, stack_end
    la t0, trap
    csrw mtvec, t0
    tail {main}

    .balign 256
trap:
    csrw mscratch, sp
    addi sp, sp, -128
    sw zero, 0(sp)
    .irp number, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    sw x\number, 4 * \number(sp)
    .endr
    csrr a0, mscratch
    sw a0, 4 * 2(sp)
    csrr a0, mcause
    csrr a1, mepc
    mv a2, sp
    call {on_trap}
    csrw mepc, a0
    .irp number, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    lw x\number, 4 * \number(sp)
    .endr
    lw sp, 4 * 2(sp)
    mret
    .option pop

    .section .stacks, "aw", @nobits
    .balign 16
    .skip 64 * 1024
stack_end:
    "#,
    main = sym crate::main,
    on_trap = sym on_trap,
);

/// The next illegal instruction is one that the kernel has asked for.
static IS_EXPECTED: AtomicBool = AtomicBool::new(false);

/// Returns the address to go on at. Registers are those of the interrupted instruction.
extern "C" fn on_trap(cause: usize, at: usize, registers: &mut [usize; 32]) -> usize {
    // SAFETY: the core was about to execute what is there.
    let instruction = unsafe { atomics::instruction_at(at) };
    if cause == ILLEGAL && atomics::execute(instruction, registers) {
        return at + 4;
    }
    assert!(cause == ILLEGAL && IS_EXPECTED.load(Relaxed), "cause {cause} at {at:#x}: instruction {instruction:#010x}");
    IS_EXPECTED.store(false, Relaxed);
    at + 4
}

/// Returns true if an instruction of 32 bits is illegal.
pub fn is_illegal(instruction: impl FnOnce()) -> bool {
    IS_EXPECTED.store(true, Relaxed);
    instruction();
    let was_executed = IS_EXPECTED.load(Relaxed);
    IS_EXPECTED.store(false, Relaxed);
    !was_executed
}
