//! The way from an exception to Rust and back: one table of vectors for each way that the kernel is run.
//!
//! DDI 0487, "Exception entry": sixteen vectors of 128 bytes; from the same level by its own stack
//! pointer, from a lower one. Whatever comes out of a lower level at EL2 is the host's
//! ([`metal::world`]).

use core::arch::global_asm;

use metal::put;

use super::on_trap;
use crate::trap::{FAST_INTERRUPTS, Frame, INTERRUPTS, OFFER, VECTOR};

/// The bytes that the entry takes from the stack.
const FRAME: usize = size_of::<Frame>();

unsafe extern "C" {
    static vectors_el1: u8;
    static vectors_el2: u8;
    static vectors_host: u8;
    fn interrupt_el1_1();
    fn interrupt_el1_2();
    fn interrupt_el1_5();
    fn interrupt_el1_6();
    fn interrupt_el1_9();
    fn interrupt_el1_10();
    fn interrupt_el2_5();
    fn interrupt_host_5();
    fn interrupt_host_9();
}

/// Lets interrupts arrive at these addresses from now on, in place of [`on_trap`]: those to EL1, where they may be
/// fast ones, those to EL2, and those to EL2 as a kernel's with user programs.
pub fn enter_interrupts_at(el1: u64, el2: u64, host: u64) {
    let to = |table: *const u8, vector: u64, address| branch(table as u64 + vector * VECTOR, address);
    let [_, own, lower] = INTERRUPTS;
    INTERRUPTS.into_iter().chain(FAST_INTERRUPTS).for_each(|vector| to(&raw const vectors_el1, vector, el1));
    [own, lower].into_iter().for_each(|vector| to(&raw const vectors_host, vector, host));
    to(&raw const vectors_el2, own, el2);
}

/// Lets interrupts arrive at [`on_trap`].
pub fn enter_interrupts_as_traps() {
    enter_slow_interrupts_as_traps();
    let fast = [interrupt_el1_2, interrupt_el1_6, interrupt_el1_10];
    FAST_INTERRUPTS.into_iter().zip(fast).for_each(|(vector, to)| trap(&raw const vectors_el1, vector, to));
}

/// The same of those that are no fast ones.
pub fn enter_slow_interrupts_as_traps() {
    let el1 = [interrupt_el1_1, interrupt_el1_5, interrupt_el1_9];
    INTERRUPTS.into_iter().zip(el1).for_each(|(vector, to)| trap(&raw const vectors_el1, vector, to));
    let [_, own, lower] = INTERRUPTS;
    trap(&raw const vectors_el2, own, interrupt_el2_5);
    trap(&raw const vectors_host, own, interrupt_host_5);
    trap(&raw const vectors_host, lower, interrupt_host_9);
}

fn trap(table: *const u8, vector: u64, to: unsafe extern "C" fn()) {
    branch(table as u64 + vector * VECTOR, to as *const () as u64);
}

/// Makes the instruction here a branch to there (DDI 0487, "B").
fn branch(here: u64, there: u64) {
    let distance = there.wrapping_sub(here) >> 2 & 0x3ff_ffff;
    // SAFETY: here is the first instruction of an interrupt's vector, and the image is in memory that can be
    // written; an interrupt may come before it or after it.
    unsafe { (here as *mut u32).write_volatile(0x1400_0000 | distance as u32) };
    // SAFETY: it makes the instruction visible to this CPU, and changes nothing else.
    unsafe { core::arch::asm!("dsb sy", "ic iallu", "dsb sy", "isb", options(nostack)) };
}

/// Makes the level's table this one.
pub fn load_el1() {
    put!("vbar_el1", &raw const vectors_el1 as u64);
}

/// Makes the level's table this one.
pub fn load_el2() {
    put!("vbar_el2", &raw const vectors_el2 as u64);
}

/// Makes EL2's table that of a kernel with user programs below it.
pub fn load_host() {
    put!("vbar_el2", &raw const vectors_host as u64);
}

/// A table, called `$level`, whose exceptions to `$at` lead to [`on_trap`], with `$lower` behind the
/// vectors from lower levels.
macro_rules! table {
    ($level:literal, $at:literal, $threads:literal, $own:literal, $lower:literal) => {
        global_asm!(
            concat!(".macro trapped_", $level, " number"),
            ".balign 128",
            "sub sp, sp, #{FRAME}",
            "stp x0, x1, [sp]",
            "mov x0, #\\number",
            concat!("b common_", $level),
            ".endm",
            concat!(".macro offered_", $level, " number"),
            ".balign 128",
            "hvc #{OFFER}",
            "sub sp, sp, #{FRAME}",
            "stp x0, x1, [sp]",
            "mov x0, #\\number",
            concat!("b common_", $level),
            ".endm",
            // The first instruction is a branch, which says where interrupts go.
            concat!(".macro interrupted_", $level, " number"),
            ".balign 128",
            concat!("b interrupt_", $level, "_\\number"),
            concat!(".global interrupt_", $level, "_\\number"),
            concat!("interrupt_", $level, "_\\number:"),
            "sub sp, sp, #{FRAME}",
            "stp x0, x1, [sp]",
            "mov x0, #\\number",
            concat!("b common_", $level),
            ".endm",
            concat!(".section .text.vectors_", $level, ", \"ax\""),
            ".balign 2048",
            concat!(".global vectors_", $level),
            concat!("vectors_", $level, ":"),
            $threads,
            $own,
            concat!("trapped_", $level, " 7"),
            $lower,
            ".irp number, 12, 13, 14, 15",
            concat!("trapped_", $level, " \\number"),
            ".endr",
            ".balign 128",
            concat!("common_", $level, ":"),
            "stp x2, x3, [sp, #16]; stp x4, x5, [sp, #32]; stp x6, x7, [sp, #48]; stp x8, x9, [sp, #64]",
            "stp x10, x11, [sp, #80]; stp x12, x13, [sp, #96]; stp x14, x15, [sp, #112]; stp x16, x17, [sp, #128]",
            "stp x18, x19, [sp, #144]; stp x20, x21, [sp, #160]; stp x22, x23, [sp, #176]; stp x24, x25, [sp, #192]",
            "stp x26, x27, [sp, #208]; stp x28, x29, [sp, #224]",
            concat!("mrs x1, elr_", $at, "; stp x30, x1, [sp, #240]"),
            concat!("mrs x1, spsr_", $at, "; stp x1, x0, [sp, #256]"),
            "mov x0, sp",
            "bl {on_trap}",
            concat!("ldr x0, [sp, #256]; msr spsr_", $at, ", x0"),
            concat!("ldp x30, x0, [sp, #240]; msr elr_", $at, ", x0"),
            "ldp x28, x29, [sp, #224]; ldp x26, x27, [sp, #208]; ldp x24, x25, [sp, #192]; ldp x22, x23, [sp, #176]",
            "ldp x20, x21, [sp, #160]; ldp x18, x19, [sp, #144]; ldp x16, x17, [sp, #128]; ldp x14, x15, [sp, #112]",
            "ldp x12, x13, [sp, #96]; ldp x10, x11, [sp, #80]; ldp x8, x9, [sp, #64]; ldp x6, x7, [sp, #48]",
            "ldp x4, x5, [sp, #32]; ldp x2, x3, [sp, #16]; ldp x0, x1, [sp]",
            "add sp, sp, #{FRAME}",
            "eret",
            FRAME = const FRAME,
            OFFER = const OFFER,
            on_trap = sym on_trap,
        );
    };
}

table!(
    "el1",
    "el1",
    "offered_el1 0\n interrupted_el1 1\n interrupted_el1 2\n trapped_el1 3",
    "offered_el1 4\n interrupted_el1 5\n interrupted_el1 6",
    "offered_el1 8\n interrupted_el1 9\n interrupted_el1 10\n trapped_el1 11"
);
table!(
    "host",
    "el2",
    ".irp number, 0, 1, 2, 3\n trapped_host \\number\n .endr",
    "trapped_host 4\n interrupted_host 5\n trapped_host 6",
    "trapped_host 8\n interrupted_host 9\n trapped_host 10\n trapped_host 11"
);
// Where the host runs the kernel at EL1, it is left by these; `left_the_kernel` is the world's.
table!(
    "el2",
    "el2",
    ".irp number, 0, 1, 2, 3\n trapped_el2 \\number\n .endr",
    "trapped_el2 4\n interrupted_el2 5\n trapped_el2 6",
    ".irp number, 8, 9, 10, 11
    .balign 128
    stp x0, x1, [sp, #-16]!
    mov x1, #\\number
    b left_the_kernel
    .endr"
);
