//! The world switch: into the guest, and back at its next exit.
//!
//! Everything between the two readings of the clock is a fixed number of instructions, whichever
//! way the guest goes; [`super::calibration`] measures it once and takes it off every passage.

use core::arch::{asm, naked_asm};
use core::mem::offset_of;

use super::vmcb::Vmcb;

/// The general registers that VMRUN leaves alone.
#[derive(Clone, Copy, Default)]
#[repr(C)]
pub struct GeneralRegisters {
    /// In the order of their encoding, without RAX and RSP.
    pub rcx: u64,
    pub rdx: u64,
    pub rbx: u64,
    pub rbp: u64,
    pub rsi: u64,
    pub rdi: u64,
    pub r8_to_r15: [u64; 8],
}

/// What a world switch is given about time, and what it brings back.
#[derive(Clone, Copy, Default)]
#[repr(C)]
pub struct Passage {
    /// What the guest's time-stamp counter shall read at its first instruction.
    pub guest_clock: u64,
    /// What the timer's initial count is set to; 0 leaves it off.
    pub timer: u64,
    /// The clock just before the guest.
    pub entered: u64,
    /// The clock just after it.
    pub left: u64,
}

/// The local APIC timer's initial count in the xAPIC's memory (Intel SDM volume 3, "Local APIC
/// Register Address Map").
const TIMER_INITIAL_COUNT: u32 = 0xfee0_0380;

/// Runs the guest until it is left.
///
/// # Safety
/// - `vmcb` describes a guest that may do whatever it does to memory.
/// - The host's save area is set, interrupts are globally off (`clgi`), the timer interrupts by NMI.
#[unsafe(naked)]
pub unsafe extern "C" fn switch(vmcb: &mut Vmcb, registers: &mut GeneralRegisters, passage: &mut Passage) {
    naked_asm!(
        "push rbx",
        "push rbp",
        "push r12",
        "push r13",
        "push r14",
        "push r15",
        "push rdx",
        "push rsi",
        // Start the timer, read the clock, hide the host's time from the guest's.
        "mov r8, rdx",
        "mov ecx, {TIMER}",
        "mov rax, [r8 + {timer}]",
        "mov [rcx], eax",
        "rdtsc",
        "shl rdx, 32",
        "or rax, rdx",
        "mov [r8 + {entered}], rax",
        "neg rax",
        "add rax, [r8 + {guest_clock}]",
        "mov [rdi + {tsc_offset}], rax",
        "mov rax, rdi",
        "mov rcx, [rsi + {rcx}]",
        "mov rdx, [rsi + {rdx}]",
        "mov rbx, [rsi + {rbx}]",
        "mov rbp, [rsi + {rbp}]",
        "mov rdi, [rsi + {rdi}]",
        "mov r8,  [rsi + {r8}]",
        "mov r9,  [rsi + {r8} + 8]",
        "mov r10, [rsi + {r8} + 16]",
        "mov r11, [rsi + {r8} + 24]",
        "mov r12, [rsi + {r8} + 32]",
        "mov r13, [rsi + {r8} + 40]",
        "mov r14, [rsi + {r8} + 48]",
        "mov r15, [rsi + {r8} + 56]",
        "mov rsi, [rsi + {rsi}]",
        "vmrun rax",
        "push rcx",
        "push rdx",
        // Read the clock, stop the timer.
        "rdtsc",
        "shl rdx, 32",
        "or rax, rdx",
        "mov rcx, [rsp + 24]",
        "mov [rcx + {left}], rax",
        "mov ecx, {TIMER}",
        "mov dword ptr [rcx], 0",
        "mov rax, [rsp + 16]",
        "pop qword ptr [rax + {rdx}]",
        "pop qword ptr [rax + {rcx}]",
        "mov [rax + {rbx}], rbx",
        "mov [rax + {rbp}], rbp",
        "mov [rax + {rsi}], rsi",
        "mov [rax + {rdi}], rdi",
        "mov [rax + {r8}], r8",
        "mov [rax + {r8} + 8], r9",
        "mov [rax + {r8} + 16], r10",
        "mov [rax + {r8} + 24], r11",
        "mov [rax + {r8} + 32], r12",
        "mov [rax + {r8} + 40], r13",
        "mov [rax + {r8} + 48], r14",
        "mov [rax + {r8} + 56], r15",
        "add rsp, 16",
        "pop r15",
        "pop r14",
        "pop r13",
        "pop r12",
        "pop rbp",
        "pop rbx",
        // Let the host take the timer's NMI, if there is one, before anything else is queued.
        "stgi",
        "nop",
        "nop",
        "clgi",
        "ret",
        TIMER = const TIMER_INITIAL_COUNT,
        tsc_offset = const offset_of!(Vmcb, control.tsc_offset),
        guest_clock = const offset_of!(Passage, guest_clock),
        timer = const offset_of!(Passage, timer),
        entered = const offset_of!(Passage, entered),
        left = const offset_of!(Passage, left),
        rcx = const offset_of!(GeneralRegisters, rcx),
        rdx = const offset_of!(GeneralRegisters, rdx),
        rbx = const offset_of!(GeneralRegisters, rbx),
        rbp = const offset_of!(GeneralRegisters, rbp),
        rsi = const offset_of!(GeneralRegisters, rsi),
        rdi = const offset_of!(GeneralRegisters, rdi),
        r8 = const offset_of!(GeneralRegisters, r8_to_r15),
    )
}

/// Keeps every interrupt, NMIs too, out of the host; [`switch`] opens a window for the timer's.
pub fn hold_interrupts() {
    // SAFETY: nothing in the host waits for an interrupt.
    unsafe { asm!("clgi", options(nostack)) };
}
