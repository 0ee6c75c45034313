//! A visit to user mode and back, for counters that tell the modes apart.

use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use harness::Call;

use super::OPEN_ON_RETURN;
use crate::assembly;
use crate::low::{self, Frame, exception};

static KERNEL_STACK_POINTER: AtomicUsize = AtomicUsize::new(0);
static REFUSED: AtomicUsize = AtomicUsize::new(0);

unsafe extern "C" {
    fn visit_user_mode(body: extern "C" fn(), stack: usize);
    safe fn probe_counter() -> usize;
    static come_back_to_kernel: u8;
}

/// Runs `body` in user mode.
pub fn run(body: extern "C" fn()) {
    // SAFETY: `visit_user_mode` keeps to the calling convention and to the visitor's own stack.
    unsafe { visit_user_mode(body, low::user_stack() - 64) };
}

/// The visitor has called: its kernel goes on where it left.
pub fn come_back(frame: &mut Frame) {
    frame.address = &raw const come_back_to_kernel as usize;
    frame.general[29] = KERNEL_STACK_POINTER.load(Relaxed);
    frame.status = OPEN_ON_RETURN;
}

/// A user program reads a counter. Returns true if that was refused.
pub fn is_refused_a_counter() -> bool {
    REFUSED.store(0, Relaxed);
    probe_counter();
    REFUSED.load(Relaxed) == 1
}

/// A user program did what it may not. Its kernel goes on behind that.
pub fn on_refusal(frame: &mut Frame) {
    let (exception, address) = (frame.exception(), frame.address);
    let is_probe = exception == exception::COPROCESSOR_UNUSABLE && address == probe_counter as *const () as usize;
    assert!(is_probe, "exception {exception} at {address:#x}");
    REFUSED.store(1, Relaxed);
    frame.address += 4;
}

assembly!(
    r#"
    .text
    .global probe_counter
probe_counter:
    mfc0 $2, $25, 1
    jr $31
    nop

    .global visit_user_mode
visit_user_mode:
    keep_callers
    place $8, {stack_pointer}
    store $29, 0($8)
    place $8, 1f
    to_cp0 $8, $14
    mfc0 $8, $12
    ori $8, $8, 0x12                # EXL; KSU: user mode
    mtc0 $8, $12
    move $25, $4
    move $29, $5
    eret
1:  jalr $25
    nop
    li $2, {leave_user}
    syscall
    .global come_back_to_kernel
come_back_to_kernel:
    give_callers_back
    jr $31
    nop
    "#,
    stack_pointer = sym KERNEL_STACK_POINTER,
    leave_user = const Call::LeaveUser as usize,
);
