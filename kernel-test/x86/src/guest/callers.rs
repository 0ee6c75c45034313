//! A program whose functions keep frame pointers, as compilers make them when they are told to: who
//! calls whom is known, and so is how often.
//!
//! `left` and `right` call `spin`, the one three times as long as the other, and `left` has work of
//! its own besides. Of all that happens, 80 of 100 instructions are in `spin`, 60 of them for `left`.

use core::arch::{asm, naked_asm};

use pmu::output::profile::Symbol;
use pmu::samples::{chain::Broken, chain::Callers, chain::Frames};

use crate::boot;
use crate::width::{by_width, whole};

/// Rounds of a loop of two instructions that are a hundredth of the program.
pub const SHARE: u64 = 2_000;

/// The program's functions, in the order of their addresses.
pub fn symbols() -> [Symbol<'static>; 4] {
    harness::symbols([("outermost", outermost), ("left", left), ("right", right), ("spin", spin)])
}

/// Runs the program.
pub fn run() {
    // SAFETY: it keeps to the calling convention, but for EDI, which is the callee's to keep in 32 bits.
    unsafe { asm!("call {outermost}", outermost = sym outermost, out("edi") _, clobber_abi("C")) };
}

/// Runs a loop with this value for a frame pointer.
pub fn spin_astray(frame_pointer: u64) {
    // SAFETY: the frame pointer is put back, and nobody uses it in between but who walks frames.
    unsafe {
        asm!(
            whole!("xchg {frame_pointer}, ", bp),
            "2:",
            whole!("dec ", di),
            "jnz 2b",
            whole!("xchg {frame_pointer}, ", bp),
            frame_pointer = inout(reg) frame_pointer as usize => _,
            inout("edi") SHARE as usize => _,
        );
    };
}

/// Who called the code that was interrupted with this frame pointer.
///
/// # Errors
/// The stack makes no sense.
pub fn walk(frame_pointer: u64, callers: &mut Callers<'_>) -> Result<(), Broken> {
    let stack = boot::guest_stack_bounds();
    let frames = by_width!(Frames::new, Frames::of_32_bits);
    frames(frame_pointer, stack.clone()).walk(callers, |address| {
        // SAFETY: it is a word of the guest's stack, which is mapped for ever; what it holds is a number.
        stack.contains(&address).then(|| unsafe { (address as *const usize).read_volatile() as u64 })
    })
}

/// As a thread's first function: there is no frame behind its own.
#[unsafe(naked)]
extern "C" fn outermost() {
    naked_asm!(
        whole!("push ", bp),
        "xor ebp, ebp",
        "call {left}",
        "call {right}",
        whole!("pop ", bp),
        "ret",
        left = sym left,
        right = sym right,
    )
}

#[unsafe(naked)]
extern "C" fn left() {
    naked_asm!(
        whole!("push ", bp),
        whole!("mov ", bp, ", ", sp),
        "mov edi, {own}",
        "2:",
        whole!("dec ", di),
        "jnz 2b",
        "mov edi, {rounds}",
        "call {spin}",
        whole!("pop ", bp),
        "ret",
        own = const 20 * SHARE,
        rounds = const 60 * SHARE,
        spin = sym spin,
    )
}

#[unsafe(naked)]
extern "C" fn right() {
    naked_asm!(
        whole!("push ", bp),
        whole!("mov ", bp, ", ", sp),
        "mov edi, {rounds}",
        "call {spin}",
        whole!("pop ", bp),
        "ret",
        rounds = const 20 * SHARE,
        spin = sym spin,
    )
}

#[unsafe(naked)]
extern "C" fn spin() {
    naked_asm!(
        whole!("push ", bp),
        whole!("mov ", bp, ", ", sp),
        "2:",
        whole!("dec ", di),
        "jnz 2b",
        whole!("pop ", bp),
        "ret"
    )
}
