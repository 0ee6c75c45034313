//! The world switch: into the guest, and back at its next exit.
//!
//! Everything between the two readings of the clock is a fixed number of instructions, whichever
//! way the guest goes; [`super::calibration`] measures it once and takes it off every passage.

use core::arch::{asm, naked_asm};
use core::mem::offset_of;

use metal::vmcb::Vmcb;

use crate::width::{by_width, pop_preserved, push_preserved};

/// What is on either side of a world switch, beside the control block.
///
/// The registers are popped on the way in and pushed on the way out: the stack pointer stands
/// behind them while the guest runs.
#[derive(Default)]
#[repr(C)]
pub struct World {
    /// The guest's.
    pub registers: GeneralRegisters,
    host_stack: usize,
    /// The time.
    pub passage: Passage,
}

/// The general registers that VMRUN leaves alone.
#[derive(Default)]
#[repr(C)]
pub struct GeneralRegisters {
    /// In the order of their encoding, without AX and SP.
    pub cx: usize,
    pub dx: usize,
    pub bx: usize,
    pub bp: usize,
    pub si: usize,
    pub di: usize,
    pub r8_to_r15: [usize; by_width!(8, 0)],
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
#[cfg(target_pointer_width = "64")]
#[unsafe(naked)]
pub unsafe extern "C" fn switch(vmcb: &mut Vmcb, world: &mut World) {
    naked_asm!(
        push_preserved!(),
        "mov [rsi + {host_stack}], rsp",
        // Start the timer, read the clock, hide the host's time from the guest's.
        "mov ecx, {TIMER}",
        "mov rax, [rsi + {timer}]",
        "mov [rcx], eax",
        "rdtsc; shl rdx, 32; or rax, rdx",
        "mov [rsi + {entered}], rax",
        "neg rax",
        "add rax, [rsi + {guest_clock}]",
        "mov [rdi + {tsc_offset}], rax",
        "mov rax, rdi",
        "mov rsp, rsi",
        "pop rcx; pop rdx; pop rbx; pop rbp; pop rsi; pop rdi",
        "pop r8; pop r9; pop r10; pop r11; pop r12; pop r13; pop r14; pop r15",
        "vmrun rax",
        "push r15; push r14; push r13; push r12; push r11; push r10; push r9; push r8",
        "push rdi; push rsi; push rbp; push rbx; push rdx; push rcx",
        // Read the clock, stop the timer.
        "rdtsc; shl rdx, 32; or rax, rdx",
        "mov [rsp + {left}], rax",
        "mov ecx, {TIMER}",
        "mov dword ptr [rcx], 0",
        "mov rsp, [rsp + {host_stack}]",
        pop_preserved!(),
        // Let the host take the timer's NMI, if there is one, before anything else is queued.
        "stgi; nop; nop; clgi",
        "ret",
        TIMER = const TIMER_INITIAL_COUNT,
        tsc_offset = const offset_of!(Vmcb, control.tsc_offset),
        host_stack = const offset_of!(World, host_stack),
        guest_clock = const offset_of!(World, passage.guest_clock),
        timer = const offset_of!(World, passage.timer),
        entered = const offset_of!(World, passage.entered),
        left = const offset_of!(World, passage.left),
    )
}

/// As above, with registers of 32 bits.
///
/// # Safety
/// - `vmcb` describes a guest that may do whatever it does to memory.
/// - The host's save area is set, interrupts are globally off (`clgi`), the timer interrupts by NMI.
#[cfg(target_pointer_width = "32")]
#[unsafe(naked)]
pub unsafe extern "C" fn switch(vmcb: &mut Vmcb, world: &mut World) {
    naked_asm!(
        push_preserved!(),
        "mov edi, [esp + 20]", // the arguments, above what was pushed and the return address
        "mov esi, [esp + 24]",
        "mov [esi + {host_stack}], esp",
        // Start the timer, read the clock, hide the host's time from the guest's.
        "mov ecx, {TIMER}",
        "mov eax, [esi + {timer}]",
        "mov [ecx], eax",
        "rdtsc",
        "mov [esi + {entered}], eax",
        "mov [esi + {entered} + 4], edx",
        "mov ecx, [esi + {guest_clock}]",
        "mov ebx, [esi + {guest_clock} + 4]",
        "sub ecx, eax",
        "sbb ebx, edx",
        "mov [edi + {tsc_offset}], ecx",
        "mov [edi + {tsc_offset} + 4], ebx",
        "mov eax, edi",
        "mov esp, esi",
        "pop ecx; pop edx; pop ebx; pop ebp; pop esi; pop edi",
        "vmrun eax",
        "push edi; push esi; push ebp; push ebx; push edx; push ecx",
        // Read the clock, stop the timer.
        "rdtsc",
        "mov [esp + {left}], eax",
        "mov [esp + {left} + 4], edx",
        "mov ecx, {TIMER}",
        "mov dword ptr [ecx], 0",
        "mov esp, [esp + {host_stack}]",
        pop_preserved!(),
        // Let the host take the timer's NMI, if there is one, before anything else is queued.
        "stgi; nop; nop; clgi",
        "ret",
        TIMER = const TIMER_INITIAL_COUNT,
        tsc_offset = const offset_of!(Vmcb, control.tsc_offset),
        host_stack = const offset_of!(World, host_stack),
        guest_clock = const offset_of!(World, passage.guest_clock),
        timer = const offset_of!(World, passage.timer),
        entered = const offset_of!(World, passage.entered),
        left = const offset_of!(World, passage.left),
    )
}

/// Keeps every interrupt, NMIs too, out of the host; [`switch`] opens a window for the timer's.
pub fn hold_interrupts() {
    // SAFETY: nothing in the host waits for an interrupt.
    unsafe { asm!("clgi", options(nostack)) };
}

const _: () = assert!(offset_of!(World, registers) == 0, "the registers are popped from the beginning");
