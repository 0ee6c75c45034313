//! The stubs for registers of 32 bits.

use core::arch::naked_asm;

use super::{Handler, interrupted};

/// The stub. It calls the handler with EIP, CS and EBP, which a call preserves.
///
/// SDM vol. 3, "Interrupt and Exception Handling", figure "Stack Usage on Transfers to Interrupt and
/// Exception-Handling Routines": EIP, CS and EFLAGS are on a stack with any alignment, and above them ESP and SS
/// if the processor was in ring 3. Functions expect their arguments on a boundary of 16 bytes (System V ABI, Intel386
/// supplement, "The Stack Frame").
#[unsafe(naked)]
pub(super) unsafe extern "C" fn stub<H: Handler>() {
    naked_asm!(
        "push eax",
        "push ecx",
        "push edx",
        "push ebx",
        "mov eax, ds", // LLVM pushes 16 bits of a segment register
        "push eax",
        "mov eax, es",
        "push eax",
        "cld",
        "mov eax, ss",
        "mov ds, eax",
        "mov es, eax",
        "mov ebx, esp",
        "and esp, -16",
        "push eax", // for the boundary
        "push ebp",
        "push dword ptr [ebx + 28]",
        "push dword ptr [ebx + 24]",
        "call {enter}",
        "mov esp, ebx",
        "pop eax",
        "mov es, eax",
        "pop eax",
        "mov ds, eax",
        "pop ebx",
        "pop edx",
        "pop ecx",
        "pop eax",
        "iretd",
        enter = sym enter::<H>,
    )
}

extern "C" fn enter<H: Handler>(address: u32, segment: u32, frame_pointer: u32) {
    H::handle(interrupted(address.into(), segment.into()), frame_pointer.into());
}
