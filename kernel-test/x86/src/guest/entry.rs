//! The way from a trap to Rust and back: one stub for each vector, and the tables that lead there.
//!
//! The host uses the same stubs in a table of its own: what comes to grief there ends as a panic, too.

use core::arch::naked_asm;

use spin::Once;

use super::{on_trap, user};
use crate::trap::{Gate, NMI, Table, has_error_code};

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
extern "C" fn stub<const VECTOR: u64>() {
    naked_asm!(
        ".if {has_error_code} == 0",
        "push 0",
        ".endif",
        "push {vector}",
        "jmp {common}",
        has_error_code = const has_error_code(VECTOR) as u64,
        vector = const VECTOR,
        common = sym common,
    )
}

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
