//! From OpenSBI's entry to Rust: a stack. QEMU zeroes the memory that is not in the image.

use core::arch::global_asm;

use crate::main;

/// The bytes of the stack.
const SIZE: usize = 64 * 1024;

// What the firmware passes on is not used: there is one hart, and the device tree is the guest's own.
global_asm!(
    r#"
    .section .text.boot, "ax"
    .global start
start:
    la sp, stack_end
    call {main}

    .section .stacks, "aw", @nobits
    .balign 16
    .skip {SIZE}
stack_end:
    "#,
    main = sym main,
    SIZE = const SIZE,
);
