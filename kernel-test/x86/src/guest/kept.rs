//! Do the processor's registers and flags keep their values?

use core::arch::naked_asm;

use crate::width::{by_width, pop_preserved, push_preserved};

/// Every general register but SP, which finds the others again.
type Registers = [usize; by_width!(15, 7)];

/// Carry, parity, adjust, zero, sign, direction, overflow, and the bit that is always set (Intel SDM
/// volume 1, "EFLAGS Register").
const FLAGS: usize = 0xcd7;

/// Fills every register, and sees that each keeps its value for a moment.
pub fn keep() {
    let registers: Registers =
        core::array::from_fn(|number| (0x0123_4567_89ab_cdef_u64 as usize).rotate_left(4 * number as u32));
    let mut kept = Registers::default();
    assert_eq!(fill_and_store(&registers, &mut kept), FLAGS);
    assert_eq!(kept, registers);
}

/// Fills the registers, stores them, and returns the flags.
#[cfg(target_pointer_width = "64")]
#[unsafe(naked)]
extern "C" fn fill_and_store(from: &Registers, to: &mut Registers) -> usize {
    naked_asm!(
        push_preserved!(),
        "push rsi",
        "push {flags}",
        "popfq",
        "mov rax, [rdi]", "mov rcx, [rdi + 8]", "mov rdx, [rdi + 16]", "mov rbx, [rdi + 24]",
        "mov rbp, [rdi + 32]", "mov rsi, [rdi + 40]", "mov r8, [rdi + 48]", "mov r9, [rdi + 56]",
        "mov r10, [rdi + 64]", "mov r11, [rdi + 72]", "mov r12, [rdi + 80]", "mov r13, [rdi + 88]",
        "mov r14, [rdi + 96]", "mov r15, [rdi + 104]", "mov rdi, [rdi + 112]",
        "nop",
        "xchg rdi, [rsp]",
        "mov [rdi], rax", "mov [rdi + 8], rcx", "mov [rdi + 16], rdx", "mov [rdi + 24], rbx",
        "mov [rdi + 32], rbp", "mov [rdi + 40], rsi", "mov [rdi + 48], r8", "mov [rdi + 56], r9",
        "mov [rdi + 64], r10", "mov [rdi + 72], r11", "mov [rdi + 80], r12", "mov [rdi + 88], r13",
        "mov [rdi + 96], r14", "mov [rdi + 104], r15",
        "pop rcx",
        "mov [rdi + 112], rcx",
        "pushfq",
        "pop rax",
        "cld",
        pop_preserved!(),
        "ret",
        flags = const FLAGS,
    )
}

/// As above, with registers of 32 bits.
#[cfg(target_pointer_width = "32")]
#[unsafe(naked)]
extern "C" fn fill_and_store(from: &Registers, to: &mut Registers) -> usize {
    naked_asm!(
        push_preserved!(),
        "mov edi, [esp + 20]",
        "push dword ptr [esp + 24]",
        "push {flags}",
        "popfd",
        "mov eax, [edi]", "mov ecx, [edi + 4]", "mov edx, [edi + 8]", "mov ebx, [edi + 12]",
        "mov ebp, [edi + 16]", "mov esi, [edi + 20]", "mov edi, [edi + 24]",
        "nop",
        "xchg edi, [esp]",
        "mov [edi], eax", "mov [edi + 4], ecx", "mov [edi + 8], edx", "mov [edi + 12], ebx",
        "mov [edi + 16], ebp", "mov [edi + 20], esi",
        "pop ecx",
        "mov [edi + 24], ecx",
        "pushfd",
        "pop eax",
        "cld",
        pop_preserved!(),
        "ret",
        flags = const FLAGS,
    )
}
