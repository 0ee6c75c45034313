//! A visit to a user program and back, for counters that tell the modes apart.

use harness::Call;

use crate::{assembly, low};

unsafe extern "C" {
    fn visit_user_state(body: extern "C" fn(), stack_pointer: u64);
}

/// Runs `body` as a user program.
pub fn run(body: extern "C" fn()) {
    // SAFETY: `visit_user_state` keeps to the calling convention and to the visitor's own stack.
    unsafe { visit_user_state(body, low::stack_pointer(low::user_stack())) };
}

assembly!(
    r#"
    .text
    .global visit_user_state, come_back_entry
visit_user_state:
    save %sp, -192, %sp
    mov %sp, %l0
    wrpr %g0, 0x14, %pstate             ! no interrupt meanwhile
    wrpr %g0, 1, %tl
    set 2f, %o0
    wrpr %o0, 0, %tpc
    add %o0, 4, %o0
    wrpr %o0, 0, %tnpc
    set 0x80001200, %o0                 ! ASI_PRIMARY; PEF, IE
    wrpr %o0, 0, %tstate
    mov %i1, %sp
    retry
2:  call %i0
    nop
    mov {leave_user}, %o0
    ta 0

come_back_entry:
    mov %l0, %sp
    wrpr %g0, 0, %tl
    wrpr %g0, 0x16, %pstate             ! PEF, PRIV, IE
    ret
    restore
    "#,
    leave_user = const Call::LeaveUser as u64,
);
