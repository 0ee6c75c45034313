//! The way from a trap to Rust and back: one stub for each vector, and the tables that lead there.
//!
//! The host uses the same stubs in a table of its own: what fails there ends as a panic, too.

use core::arch::naked_asm;
#[cfg(target_pointer_width = "32")]
use core::mem::offset_of;

use metal::vmcb::has_error_code;
use spin::Once;

use super::{on_trap, user};
#[cfg(target_pointer_width = "32")]
use crate::trap::{Frame, KERNEL_DATA};
use crate::trap::{Gate, NMI, Table};

macro_rules! stubs {
    ($table:ident: $($vector:literal)*) => {
        $($table.set($vector, stub::<$vector> as *const () as u64, Gate::Kernel);)*
    };
}

/// A table whose every exception, [`FIXED_VECTOR`](crate::trap::FIXED_VECTOR) and
/// [`TICK_VECTOR`](crate::trap::TICK_VECTOR) lead to [`on_trap`].
pub fn new_table() -> Table {
    let table = Table::empty();
    stubs!(table: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 0x40 0x41);
    table
}

/// The guest's table.
pub fn table() -> &'static Table {
    static TABLE: Once<Table> = Once::new();
    TABLE.call_once(|| {
        let table = new_table();
        table.set(usize::from(user::RETURN_VECTOR), user::return_gate(), Gate::User);
        table
    })
}

/// The stub that leads an NMI to [`on_trap`].
pub fn nmi_stub() -> u64 {
    stub::<NMI> as *const () as u64
}

#[unsafe(naked)]
extern "C" fn stub<const VECTOR: usize>() {
    naked_asm!(
        ".if {has_error_code} == 0",
        "push 0",
        ".endif",
        "push {vector}",
        "jmp {common}",
        has_error_code = const has_error_code(VECTOR) as usize,
        vector = const VECTOR,
        common = sym common,
    )
}

#[cfg(target_pointer_width = "64")]
#[unsafe(naked)]
extern "C" fn common() {
    naked_asm!(
        "push rax", "push rcx", "push rdx", "push rbx", "push rbp", "push rsi", "push rdi",
        "push r8", "push r9", "push r10", "push r11", "push r12", "push r13", "push r14", "push r15",
        "cld",
        "mov rdi, rsp",
        "call {on_trap}",
        "pop r15", "pop r14", "pop r13", "pop r12", "pop r11", "pop r10", "pop r9", "pop r8",
        "pop rdi", "pop rsi", "pop rbp", "pop rbx", "pop rdx", "pop rcx", "pop rax",
        "add rsp, 16",
        "iretq",
        on_trap = sym on_trap,
    )
}

/// In ring 0 the processor pushes no SP and SS, and IRETD pops none. So on the way in the frame is copied below what
/// was pushed, with both of them; on the way out, the frame may be another thread's, what IRETD pops is put on that
/// thread's stack.
#[cfg(target_pointer_width = "32")]
#[unsafe(naked)]
extern "C" fn common() {
    naked_asm!(
        "test dword ptr [esp + 12], 3", // CS
        "jnz 2f",
        "push {ss}",
        "push eax",
        "lea eax, [esp + 28]", // where the stack was
        "xchg eax, [esp]",
        ".rept 5", // EFLAGS, CS, EIP, the error code, the vector
        "push dword ptr [esp + 24]",
        ".endr",
        "2:",
        "push eax", "push ecx", "push edx", "push ebx", "push ebp", "push esi", "push edi",
        "cld",
        "mov ebp, esp",
        "and esp, -16",
        "sub esp, 12",
        "push ebp",
        "call {on_trap}",
        "mov esp, ebp",
        "test dword ptr [esp + {cs}], 3",
        "jnz 3f",
        "mov eax, [esp + {sp}]",
        "sub eax, 16",
        "mov ecx, [esp + {ax}]", "mov [eax], ecx",
        "mov ecx, [esp + {ip}]", "mov [eax + 4], ecx",
        "mov ecx, [esp + {cs}]", "mov [eax + 8], ecx",
        "mov ecx, [esp + {flags}]", "mov [eax + 12], ecx",
        "pop edi", "pop esi", "pop ebp", "pop ebx", "pop edx", "pop ecx",
        "mov esp, eax",
        "pop eax",
        "iretd",
        "3:",
        "pop edi", "pop esi", "pop ebp", "pop ebx", "pop edx", "pop ecx", "pop eax",
        "add esp, 8",
        "iretd",
        on_trap = sym on_trap,
        ax = const offset_of!(Frame, ax),
        ip = const offset_of!(Frame, ip),
        cs = const offset_of!(Frame, cs),
        flags = const offset_of!(Frame, flags),
        sp = const offset_of!(Frame, sp),
        ss = const KERNEL_DATA,
    )
}
