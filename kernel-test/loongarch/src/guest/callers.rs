//! A program whose functions keep frame pointers, as compilers make them when they are told to: who calls whom is known, and so
//! is how often.
//!
//! `left` and `right` call `spin`, the one three times as long as the other, and `left` has work of its own besides. Of all
//! that happens, 80 of 100 instructions are in `spin`, 60 of them for `left`.

use core::arch::global_asm;

use pmu::samples::{chain::Broken, chain::Callers, chain::Frames};

use crate::low;

/// Rounds of a loop of two instructions that are a hundredth of the program.
pub const SHARE: u64 = 2_000;

harness::callers_in_assembly!();

/// Who called the code that was interrupted with this frame pointer.
///
/// # Errors
/// The stack makes no sense.
pub fn walk(frame_pointer: u64, callers: &mut Callers<'_>) -> Result<(), Broken> {
    Frames::new(frame_pointer, 0..low::guest_stack()).below_pointers().walk(callers, |address| {
        // SAFETY: it is a word of memory below the stack's top, which is mapped for ever; what it holds is a number.
        Some(unsafe { (address as *const u64).read_volatile() })
    })
}

global_asm!(
    r#"
    .macro enter_frame name
    .text
    .global callers_\name
callers_\name:
    addi.d $sp, $sp, -16
    st.d $ra, $sp, 8
    st.d $fp, $sp, 0
    addi.d $fp, $sp, 16
    .endm
    .macro leave_frame
    ld.d $fp, $sp, 0
    ld.d $ra, $sp, 8
    addi.d $sp, $sp, 16
    ret
    .endm

    enter_frame outermost
    move $fp, $zero                 # as a thread's first function: there is none before it
    bl callers_left
    bl callers_right
    leave_frame

    enter_frame left
    li.w $a0, {own}
2:  addi.d $a0, $a0, -1
    bnez $a0, 2b
    li.w $a0, {for_left}
    bl callers_spin
    leave_frame

    enter_frame right
    li.w $a0, {for_right}
    bl callers_spin
    leave_frame

    enter_frame spin
2:  addi.d $a0, $a0, -1
    bnez $a0, 2b
    leave_frame
    "#,
    own = const 20 * SHARE,
    for_left = const 60 * SHARE,
    for_right = const 20 * SHARE,
);
