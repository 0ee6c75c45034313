//! The guest's clock does not see how an NMI got in: it costs what `int 2` does, which the host
//! has no hand in.

use core::arch::asm;

use crate::guest::on_nmi;
use crate::trap::Frame;
use harness::Call;

pub fn test() {
    on_nmi(|_: &mut Frame| {});
    for _ in 0..100 {
        assert_eq!(by_order(), by_instruction());
    }
}

/// What passes on the clock during an NMI that the host delivers behind this call.
fn by_order() -> u32 {
    let (before, after): (u32, u32);
    // SAFETY: the call changes DX and AX; the handler saves what it uses.
    unsafe {
        asm!(
            "rdtsc", "mov {before:e}, eax", "mov eax, {call}", "vmmcall", "rdtsc",
            call = const Call::InterruptAfter as u64,
            before = out(reg) before, out("eax") after, in("edi") 0, out("edx") _,
        );
    }
    after - before
}

/// What passes on the clock during the instruction that does the same.
fn by_instruction() -> u32 {
    let (before, after): (u32, u32);
    // SAFETY: the handler saves what it uses.
    unsafe {
        asm!(
            "rdtsc", "mov {before:e}, eax", "nop", "int 2", "rdtsc",
            before = out(reg) before, out("eax") after, out("edx") _,
        );
    }
    after - before
}
