//! Instructions to count, and the calls of the hypervisor.

use std::arch::{asm, naked_asm};
use std::ops::Range;

/// The instructions beside the loop's that [`run`] executes between its two system calls: two of them are the second
/// call's arguments, and one is the call.
pub const BESIDE: u64 = 3;
/// The instructions that the host sees, and the event does not: from the first question to the first system call, and from
/// the second one to the second question.
pub const OUTSIDE: u64 = 7 + 2;

/// Enables the event, executes `turns` times two instructions, and disables the event. Returns how many instructions the
/// host has seen in user mode.
///
/// The event counts 2 * `turns` + [`BESIDE`] instructions in user mode, and the host [`OUTSIDE`] more.
pub fn run(event: i32, turns: u64) -> u64 {
    // SAFETY: it follows the calling convention, and the two calls concern the event alone.
    unsafe { measured(event, turns) }
}

/// The addresses of what is counted.
pub fn code() -> Range<u64> {
    let begin = measured as *const () as u64;
    begin..begin + 128
}

/// `vmmcall` asks the host for its book of ring 3. `ioctl` (16) with PERF_EVENT_IOC_ENABLE and with
/// PERF_EVENT_IOC_DISABLE is for the whole group.
#[unsafe(naked)]
unsafe extern "C" fn measured(event: i32, turns: u64) -> u64 {
    naked_asm!(
        "mov r8, rsi",
        "mov r10, rdi",
        "mov eax, 1",
        "mov edi, 3",
        "vmmcall",
        "mov r9, rax",
        "mov rdi, r10",
        "mov eax, 16",
        "mov esi, 0x2400",
        "mov edx, 1",
        "syscall",
        "2: dec r8",
        "jnz 2b",
        "mov eax, 16",
        "mov esi, 0x2401",
        "syscall",
        "mov eax, 1",
        "mov edi, 3",
        "vmmcall",
        "sub rax, r9",
        "ret",
    )
}

/// Ends the machine.
pub fn end(went_well: bool) -> ! {
    // SAFETY: it does not come back.
    unsafe { asm!("vmmcall", in("rax") 0, in("rdi") u64::from(!went_well), options(noreturn)) };
}
