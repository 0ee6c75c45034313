//! A program whose functions have register windows, as every function has that calls another: who calls whom is known, and
//! so is how often.
//!
//! `left` and `right` call `spin`, the one three times as long as the other, and `left` has work of its own besides. Of all
//! that happens, 80 of 100 instructions are in `spin`, 60 of them for `left`.

use core::arch::asm;

use pmu::samples::{chain::Broken, chain::Callers, chain::Frames};

use crate::assembly;
use crate::low::{self, BIAS};

/// Instructions of a loop that are a hundredth of the program.
pub const SHARE: u64 = 4_000;

harness::callers_in_assembly!();

/// Where a window that was flushed has its caller's stack pointer and its own return address: behind eight locals and six
/// ins ("The SPARC Architecture Manual, Version 9", section H.2.1, "Register windows").
const RECORD: u64 = 14 * 8;

/// Who called the code that was interrupted with this stack pointer.
///
/// # Errors
/// The stack makes no sense.
pub fn walk(stack_pointer: u64, callers: &mut Callers<'_>) -> Result<(), Broken> {
    // SAFETY: writes windows to the stacks that they are of.
    unsafe { asm!("flushw", options(nostack)) };
    let record = |stack_pointer: u64| stack_pointer + BIAS + RECORD;
    Frames::new(record(stack_pointer), 0..low::guest_stack()).walk(callers, |address| {
        // SAFETY: it is a word of memory below the stack's top, which is mapped for ever; what it holds is a number.
        let word = unsafe { (address as *const u64).read_volatile() };
        let is_stack_pointer = address & 8 == 0;
        Some(if is_stack_pointer && word != 0 { record(word) } else { word })
    })
}

assembly!(
    r#"
    .text
    .global callers_outermost, callers_left, callers_right, callers_spin
    ! As a thread's first function: there is none before it.
callers_outermost:
    save %sp, -192, %sp
    stx %i7, [%sp + {bias} + 176]
    mov 0, %i7
    call callers_left
    nop
    call callers_right
    nop
    ldx [%sp + {bias} + 176], %i7
    ret
    restore
callers_left:
    save %sp, -192, %sp
    set {own}, %o0
2:  brnz,pt %o0, 2b
    sub %o0, 1, %o0
    set {for_left}, %o0
    call callers_spin
    nop
    ret
    restore
callers_right:
    save %sp, -192, %sp
    set {for_right}, %o0
    call callers_spin
    nop
    ret
    restore
callers_spin:
    save %sp, -192, %sp
2:  brnz,pt %i0, 2b
    sub %i0, 1, %i0
    ret
    restore
    "#,
    bias = const BIAS,
    own = const 20 * SHARE / 2,
    for_left = const 60 * SHARE / 2,
    for_right = const 20 * SHARE / 2,
);
