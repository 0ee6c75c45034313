//! The stubs for registers of 64 bits.

use core::arch::naked_asm;

use super::{Handler, interrupted};

/// The stub. It calls the handler with RIP, CS and RBP, which a call preserves.
///
/// SDM vol. 3, "Interrupt and Exception Handling", section "64-Bit Mode Stack Frame": RIP, CS,
/// RFLAGS, RSP and SS are on a stack that was aligned to 16 bytes before they were pushed. After nine
/// more registers it is aligned again.
#[unsafe(naked)]
pub(super) unsafe extern "C" fn stub<H: Handler>() {
    naked_asm!(
        "push rax",
        "push rcx",
        "push rdx",
        "push rsi",
        "push rdi",
        "push r8",
        "push r9",
        "push r10",
        "push r11",
        "cld",
        "mov rdi, [rsp + 72]",
        "mov rsi, [rsp + 80]",
        "mov rdx, rbp",
        "call {enter}",
        "pop r11",
        "pop r10",
        "pop r9",
        "pop r8",
        "pop rdi",
        "pop rsi",
        "pop rdx",
        "pop rcx",
        "pop rax",
        "iretq",
        enter = sym enter::<H>,
    )
}

extern "sysv64" fn enter<H: Handler>(address: u64, segment: u64, frame_pointer: u64) {
    H::handle(interrupted(address, segment), frame_pointer);
}
