//! A visit to problem state and back, for counters that tell the modes apart.

use core::sync::atomic::AtomicUsize;

use harness::Call;

use crate::assembly;
use crate::low;

static KERNEL_STACK_POINTER: AtomicUsize = AtomicUsize::new(0);

unsafe extern "C" {
    fn visit_problem_state(body: extern "C" fn(), stack: usize);
}

/// Runs `body` in problem state.
pub fn run(body: extern "C" fn()) {
    // SAFETY: `visit_problem_state` keeps to the calling convention and to the visitor's own stack.
    unsafe { visit_problem_state(body, low::user_stack() - 128) };
}

assembly!(
    r#"
    .set VISIT, 24 * WORD + 64
    .section .text.visit, "ax"
    .align 4
    .global visit_problem_state
visit_problem_state:
    store_and_update 1, -VISIT(1)
    .irp number, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    store \number, WORD * (\number - 10) + 32(1)
    .endr
    mflr 0
    store 0, 32(1)
    mfcr 0
    store 0, 32 + WORD(1)
    lis 5, {stack_pointer}@h
    ori 5, 5, {stack_pointer}@l
    store 1, 0(5)
    lis 5, 3f@h
    ori 5, 5, 3f@l
    mtspr 26, 5
    mfmsr 5
    ori 5, 5, 0x4000                # PR
    mtspr 27, 5
    mtctr 3
    mr 12, 3
    mr 1, 4
    return_from_interrupt
3:  bctrl
    li 0, {leave_user}
    sc

    .global come_back_entry
come_back_entry:
    lis 5, {stack_pointer}@h
    ori 5, 5, {stack_pointer}@l
    load 1, 0(5)
    take_interrupts
    load 0, 32(1)
    mtlr 0
    load 0, 32 + WORD(1)
    mtcr 0
    .irp number, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    load \number, WORD * (\number - 10) + 32(1)
    .endr
    addi 1, 1, VISIT
    blr
    "#,
    stack_pointer = sym KERNEL_STACK_POINTER,
    leave_user = const Call::LeaveUser as usize,
);
