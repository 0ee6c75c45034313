//! A program whose functions keep frame records, as compilers make them when they are told to: who
//! calls whom is known, and so is how often.
//!
//! `left` and `right` call `spin`, the one three times as long as the other, and `left` has work of
//! its own besides. Of all that happens, 80 of 100 instructions are in `spin`, 60 of them for `left`.

use core::arch::{asm, naked_asm};
use core::ops::Range;

use pmu::output::profile::Symbol;
use pmu::samples::{chain::Broken, chain::Callers, chain::Frames};

/// Rounds of a loop of two instructions that are a hundredth of the program.
pub const SHARE: u64 = 4_000;
/// The machine's memory, all of it mapped: QEMU's "virt" has it from 1 GiB on, and is given 64 MiB.
const MEMORY: Range<u64> = 0x4000_0000..0x4400_0000;

/// The program's functions, in the order of their addresses.
pub fn symbols() -> [Symbol<'static>; 4] {
    harness::symbols([("outermost", outermost), ("left", left), ("right", right), ("spin", spin)])
}

/// Runs the program.
pub fn run() {
    // SAFETY: it keeps to the calling convention.
    unsafe { asm!("bl {outermost}", outermost = sym outermost, clobber_abi("C")) };
}

/// Who called the code that was interrupted with this frame pointer.
///
/// # Errors
/// The stack makes no sense.
pub fn walk(frame_pointer: u64, callers: &mut Callers<'_>) -> Result<(), Broken> {
    Frames::new(frame_pointer, MEMORY).walk(callers, |address| {
        // SAFETY: it is a word of memory, which is mapped for ever; what it holds is a number.
        Some(unsafe { (address as *const u64).read_volatile() })
    })
}

/// As a thread's first function: there is no record behind its own.
#[unsafe(naked)]
extern "C" fn outermost() {
    naked_asm!(
        "stp x29, x30, [sp, #-16]!",
        "mov x29, xzr",
        "bl {left}",
        "bl {right}",
        "ldp x29, x30, [sp], #16",
        "ret",
        left = sym left,
        right = sym right,
    )
}

#[unsafe(naked)]
extern "C" fn left() {
    naked_asm!(
        "stp x29, x30, [sp, #-16]!",
        "mov x29, sp",
        "ldr x0, ={own}",
        "2:",
        "subs x0, x0, #1",
        "b.ne 2b",
        "ldr x0, ={rounds}",
        "bl {spin}",
        "ldp x29, x30, [sp], #16",
        "ret",
        own = const 20 * SHARE,
        rounds = const 60 * SHARE,
        spin = sym spin,
    )
}

#[unsafe(naked)]
extern "C" fn right() {
    naked_asm!(
        "stp x29, x30, [sp, #-16]!",
        "mov x29, sp",
        "ldr x0, ={rounds}",
        "bl {spin}",
        "ldp x29, x30, [sp], #16",
        "ret",
        rounds = const 20 * SHARE,
        spin = sym spin,
    )
}

#[unsafe(naked)]
extern "C" fn spin() {
    naked_asm!(
        "stp x29, x30, [sp, #-16]!",
        "mov x29, sp",
        "2:",
        "subs x0, x0, #1",
        "b.ne 2b",
        "ldp x29, x30, [sp], #16",
        "ret",
    )
}
