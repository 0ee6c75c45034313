//! Do the processor's registers and flags keep their values?

use core::arch::naked_asm;

/// X0 to X30 but X18, which is the platform's.
type Registers = [u64; 30];

/// Negative, zero, carry and overflow (DDI 0487, NZCV).
const FLAGS: u64 = 0b1011 << 28;

/// Fills every register, and sees that each keeps its value for a moment.
pub fn keep() {
    let registers: Registers =
        core::array::from_fn(|number| 0x0123_4567_89ab_cdef_u64.rotate_left(4 * number as u32) ^ number as u64);
    let mut kept = Registers::default();
    assert_eq!(fill_and_store(&registers, &mut kept), FLAGS);
    assert_eq!(kept, registers);
}

/// Fills the registers, stores them, and returns the flags.
#[unsafe(naked)]
extern "C" fn fill_and_store(from: &Registers, to: &mut Registers) -> u64 {
    naked_asm!(
        "stp x19, x20, [sp, #-16]!; stp x21, x22, [sp, #-16]!; stp x23, x24, [sp, #-16]!",
        "stp x25, x26, [sp, #-16]!; stp x27, x28, [sp, #-16]!; stp x29, x30, [sp, #-16]!",
        "stp x1, x18, [sp, #-16]!",
        "mov x2, {flags}",
        "msr nzcv, x2",
        "ldp x2, x3, [x0, #16]; ldp x4, x5, [x0, #32]; ldp x6, x7, [x0, #48]; ldp x8, x9, [x0, #64]",
        "ldp x10, x11, [x0, #80]; ldp x12, x13, [x0, #96]; ldp x14, x15, [x0, #112]; ldp x16, x17, [x0, #128]",
        "ldp x19, x20, [x0, #144]; ldp x21, x22, [x0, #160]; ldp x23, x24, [x0, #176]; ldp x25, x26, [x0, #192]",
        "ldp x27, x28, [x0, #208]; ldp x29, x30, [x0, #224]; ldp x0, x1, [x0]",
        "nop",
        "nop",
        "stp x0, x1, [sp, #-16]!",
        "ldr x0, [sp, #16]",
        "stp x2, x3, [x0, #16]; stp x4, x5, [x0, #32]; stp x6, x7, [x0, #48]; stp x8, x9, [x0, #64]",
        "stp x10, x11, [x0, #80]; stp x12, x13, [x0, #96]; stp x14, x15, [x0, #112]; stp x16, x17, [x0, #128]",
        "stp x19, x20, [x0, #144]; stp x21, x22, [x0, #160]; stp x23, x24, [x0, #176]; stp x25, x26, [x0, #192]",
        "stp x27, x28, [x0, #208]; stp x29, x30, [x0, #224]",
        "ldp x2, x3, [sp], #16",
        "stp x2, x3, [x0]",
        "mrs x0, nzcv",
        "ldp x1, x18, [sp], #16",
        "ldp x29, x30, [sp], #16; ldp x27, x28, [sp], #16; ldp x25, x26, [sp], #16",
        "ldp x23, x24, [sp], #16; ldp x21, x22, [sp], #16; ldp x19, x20, [sp], #16",
        "ret",
        flags = const FLAGS,
    )
}
