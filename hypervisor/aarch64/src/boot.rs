//! From QEMU's entry to Rust: a stack. QEMU zeroes the memory that is not in the image.

use core::arch::global_asm;

use crate::main;

/// The bytes of the stack.
const SIZE: usize = 64 * 1024;

// The processor is at EL2, without translation. The device tree that QEMU passes on is not used: the guest has its own.
global_asm!(
    r#"
    .section .text.boot, "ax"
    .global start
start:
    ldr x0, =stack_end
    mov sp, x0
    bl {main}

    .section .bss
    .balign 16
    .skip {SIZE}
stack_end:
    "#,
    main = sym main,
    SIZE = const SIZE,
);
