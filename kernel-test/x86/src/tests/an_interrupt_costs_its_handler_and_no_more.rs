//! The guest's clock does not see how an NMI got in: it costs what `int 2` does, which the host
//! has no hand in.

use core::arch::asm;

use crate::guest::on_nmi;
use crate::hypercall::Call;
use crate::trap::Frame;

pub fn test() {
    on_nmi(|_: &mut Frame| {});
    for _ in 0..100 {
        assert_eq!(by_order(), by_instruction());
    }
}

/// What passes on the clock during an NMI that the host delivers behind this call.
fn by_order() -> u64 {
    let (before, after): (u64, u64);
    // SAFETY: the call changes RAX; the handler saves what it uses.
    unsafe {
        asm!(
            "rdtsc", "mov r8, rax", "mov rax, {call}", "vmmcall", "rdtsc",
            call = const Call::InterruptAfter as u64,
            out("r8") before, out("rax") after, in("rdi") 0, out("rdx") _,
        );
    }
    after - before
}

/// What passes on the clock during the instruction that does the same.
fn by_instruction() -> u64 {
    let (before, after): (u64, u64);
    // SAFETY: the handler saves what it uses.
    unsafe {
        asm!(
            "rdtsc", "mov r8, rax", "nop", "int 2", "rdtsc",
            out("r8") before, out("rax") after, out("rdx") _,
        );
    }
    after - before
}
