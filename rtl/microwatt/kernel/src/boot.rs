//! From the reset to `main`, and the vectors. Memory is zero where the image has nothing: the statics are as they must be.

use core::arch::{asm, global_asm};

use pmu::arch::powerpc::entry::Handler;

use crate::unit;

pmu::pmi_entry!(
    /// The exception at F00H.
    pub Overflow, unit::on_overflow, stack: Sprg0, scratch: Sprg1
);

// The unit's registers have no reset, and a simulation spreads what is undefined: each is written once. The decrementer must not
// interrupt.
global_asm!(
    r#"
    .section .text.vectors, "ax"
    .global boot
boot:
    b begin
    .irp vector, 0x100, 0x200, 0x300, 0x380, 0x400, 0x480, 0x500, 0x600, 0x700, 0x800, 0x900, 0x980, 0xc00, 0xd00
    .org \vector
    li 3, \vector
    mfsrr0 4
    mfsrr1 5
    b {unexpected}
    .endr
    .org 0xe40
    li 3, 0xe40
    mfspr 4, 314
    mfspr 5, 315
    b {unexpected}
    .org 0xf00
    b {overflow}
    .org 0x1000
begin:
    lis 2, .TOC.@h
    ori 2, 2, .TOC.@l
    lis 3, 0x7fff
    mtspr 22, 3
    li 5, 0
    .irp number, 784, 785, 786, 787, 788, 789, 790, 791, 792, 796, 797, 798
    mtspr \number, 5
    .endr
    lis 3, exception_stack_top@h
    ori 3, 3, exception_stack_top@l
    mtspr 272, 3
    lis 1, host_stack_top@h
    ori 1, 1, host_stack_top@l
    stdu 5, -128(1)
    bl {main}
    nop
    "#,
    main = sym crate::main,
    overflow = sym <Overflow as Handler>::stub,
    unexpected = sym unexpected,
);

extern "C" fn unexpected(vector: u64, at: u64, state: u64) -> ! {
    panic!("an exception to {vector:#x} at {at:#x}, srr1 {state:#x}")
}

/// Lets the exception interrupt from now on: MSR\[EE\].
pub fn unmask() {
    // SAFETY: the vectors are there, and so is the unit's static.
    unsafe {
        asm!("mfmsr {0}", "ori {0}, {0}, 0x8000", "mtmsrd {0}, 1", out(reg) _, options(nostack));
    }
}
