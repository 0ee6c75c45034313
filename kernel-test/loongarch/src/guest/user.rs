//! A visit to the programs' level and back, for counters that tell the levels apart.

use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

use harness::Call;

use super::OPEN;
use crate::assembly;
use crate::low::{self, Frame, exception};

static KERNEL_STACK_POINTER: AtomicU64 = AtomicU64::new(0);
static REFUSED: AtomicU64 = AtomicU64::new(0);

unsafe extern "C" {
    fn visit_programs_level(body: extern "C" fn(), stack: u64);
    safe fn probe_counter() -> u64;
    static come_back_to_kernel: u8;
}

/// Runs `body` at PLV3.
pub fn run(body: extern "C" fn()) {
    // SAFETY: `visit_programs_level` keeps to the calling convention and to the visitor's own stack.
    unsafe { visit_programs_level(body, low::user_stack() - 64) };
}

/// The visitor has called: its kernel goes on where it left.
pub fn come_back(frame: &mut Frame) {
    frame.address = &raw const come_back_to_kernel as u64;
    frame.general[3] = KERNEL_STACK_POINTER.load(Relaxed);
    frame.mode = OPEN;
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
    let is_probe = exception == exception::PRIVILEGED && address == probe_counter as *const () as u64;
    assert!(is_probe, "exception {exception:#x} at {address:#x}");
    REFUSED.store(1, Relaxed);
    frame.address += 4;
}

assembly!(
    r#"
    .text
    .global probe_counter
probe_counter:
    csrrd $a0, 0x201
    ret

    .global visit_programs_level
visit_programs_level:
    keep_callers
    la.pcrel $t0, {stack_pointer}
    st.d $sp, $t0, 0
    li.w $t0, 4                     # CRMD[IE]: an interrupt would have ERA and PRMD
    move $t1, $zero
    csrxchg $t1, $t0, 0x0
    la.pcrel $t0, 1f
    csrwr $t0, 0x6
    li.w $t0, 7                     # PRMD: PLV3, interrupts on
    csrwr $t0, 0x1
    move $t1, $a0
    move $sp, $a1
    ertn
1:  jirl $ra, $t1, 0
    li.w $a7, {leave_user}
    syscall 0
    .global come_back_to_kernel
come_back_to_kernel:
    give_callers_back
    ret
    "#,
    stack_pointer = sym KERNEL_STACK_POINTER,
    leave_user = const Call::LeaveUser as u64,
);
