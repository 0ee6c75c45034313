//! A program whose functions make frames, as every function does that calls another: who calls whom is
//! known, and so is how often.
//!
//! `left` and `right` call `spin`, the one three times as long as the other, and `left` has work of
//! its own besides. Of all that happens, 80 of 100 instructions are in `spin`, 60 of them for `left`.

use harness::by_width;
use pmu::samples::{chain::BackChain, chain::Broken, chain::Callers};

use crate::{assembly, low};

/// Rounds of a loop of one instruction that are a hundredth of the program.
pub const SHARE: u64 = 4_000;

harness::callers_in_assembly!();

/// Who called the code that was interrupted with this stack pointer.
///
/// # Errors
/// The stack makes no sense.
pub fn walk(stack_pointer: u64, callers: &mut Callers<'_>) -> Result<(), Broken> {
    let stack = 0..low::guest_stack() as u64;
    let chain = by_width!(BackChain::of_64_bits(stack_pointer, stack), BackChain::of_32_bits(stack_pointer, stack));
    chain.walk(callers, |address| {
        // SAFETY: it is a word of memory below the stack's top, which is mapped for ever; what it holds
        // is a number.
        Some(unsafe { (address as usize as *const usize).read_volatile() } as u64)
    })
}

assembly!(
    r#"
    .set LINK, {link}
    .macro enter_frame
    mflr 0
    store 0, LINK(1)
    store_and_update 1, -64(1)
    .endm
    .macro leave_frame
    addi 1, 1, 64
    load 0, LINK(1)
    mtlr 0
    blr
    .endm
    .macro rounds number
    lis 3, \number@h
    ori 3, 3, \number@l
    .endm

    .text
    # As a thread's first function: there is no frame behind its own.
    .global callers_outermost
callers_outermost:
    enter_frame
    li 0, 0
    store 0, 0(1)
    bl callers_left
    bl callers_right
    leave_frame

    .global callers_left
callers_left:
    enter_frame
    rounds {own}
    mtctr 3
2:  bdnz 2b
    rounds {for_left}
    bl callers_spin
    leave_frame

    .global callers_right
callers_right:
    enter_frame
    rounds {for_right}
    bl callers_spin
    leave_frame

    .global callers_spin
callers_spin:
    enter_frame
    mtctr 3
2:  bdnz 2b
    leave_frame
    "#,
    link = const by_width!(16, 4),
    own = const 20 * SHARE,
    for_left = const 60 * SHARE,
    for_right = const 20 * SHARE,
);
