//! The guest's trap table, and where its entries lead.
//!
//! An overflow (4FH) is taken on the stack of what it interrupts, in a register window of its own: what a function may
//! change is in that window's locals. SOFTINT's bit is cleared before the handler is called, so that an overflow
//! meanwhile interrupts once more.

use core::arch::asm;

use harness::overflow::handle_framed;
use pmu::{Interrupted, Mode};

use crate::assembly;
use crate::low::BIAS;

unsafe extern "C" {
    static guest_table: u8;
}

/// Has traps lead to the guest's table.
pub fn use_table() {
    // SAFETY: the table has an entry for every trap that the host hands on.
    unsafe { asm!("wrpr {}, 0, %tba", in(reg) &raw const guest_table as u64, options(nostack)) };
}

/// With TPC, TSTATE, and the stack pointer of the code that is interrupted.
extern "C" fn on_overflow(address: u64, state: u64, stack_pointer: u64) {
    /// TSTATE's PSTATE.PRIV.
    const PRIVILEGED: u64 = 1 << 10;
    let mode = if state & PRIVILEGED == 0 { Mode::User } else { Mode::Kernel };
    handle_framed(Interrupted::new(address, mode), stack_pointer);
}

assembly!(
    r#"
    .macro leads_to target
    ba,pt %xcc, \target
    nop
    .align 32
    .endm

    .section .traps, "ax"
    .global guest_table
    .align 32768
guest_table:
    .skip 32 * 0x10
    leads_to refused_entry
    .skip 32 * (0x4e - 0x11)
    leads_to tick_entry
    leads_to overflow_entry
    .skip 32 * (0x100 - 0x50)
    leads_to come_back_entry

    .text
overflow_entry:
    sethi %hi(1 << 15), %g1
    wr %g1, 0, %asr21                   ! CLEAR_SOFTINT
    save %sp, -208, %sp
    rdpr %tstate, %l0
    rdpr %tpc, %l1
    rdpr %tnpc, %l2
    rd %y, %l3
    wrpr %g0, 0x14, %pstate             ! PEF, PRIV, and the globals of everybody
    wrpr %g0, 0, %tl
    mov %g1, %l4
    mov %g2, %l5
    mov %g3, %l6
    mov %g4, %l7
    stx %g5, [%sp + {bias} + 176]
    mov %l1, %o0
    mov %l0, %o1
    call {on_overflow}
    mov %fp, %o2
    ldx [%sp + {bias} + 176], %g5
    mov %l7, %g4
    mov %l6, %g3
    mov %l5, %g2
    mov %l4, %g1
    wrpr %g0, 0x15, %pstate             ! the alternate globals
    wrpr %g0, 1, %tl
    wr %l3, 0, %y
    wrpr %l0, 0, %tstate
    wrpr %l1, 0, %tpc
    wrpr %l2, 0, %tnpc
    restore
    retry
    "#,
    bias = const BIAS,
    on_overflow = sym on_overflow,
);
