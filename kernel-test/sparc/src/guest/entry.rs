//! The guest's trap table, and where its entries lead.
//!
//! An overflow (4FH) is taken on the stack of what it interrupts, in a register window of its own: what a function may
//! change is in that window's locals. SOFTINT's bit is cleared before the handler is called, so that an overflow
//! meanwhile interrupts once more.

use core::arch::{asm, global_asm};

unsafe extern "C" {
    static guest_table: u8;
}

/// Has traps lead to the guest's table.
pub fn use_table() {
    // SAFETY: the table has an entry for every trap that the host hands on.
    unsafe { asm!("wrpr {}, 0, %tba", in(reg) &raw const guest_table as u64, options(nostack)) };
}

/// Where level 15's entry in the table is.
const OVERFLOW: u64 = 32 * 0x4f;

/// Has overflows lead to this entry, which is an [`overflow_entry!`](crate::overflow_entry).
pub fn lead_to(entry: unsafe extern "C" fn()) {
    /// `ba,a,pt %xcc`, whose distance is in words, with nineteen bits.
    const BRANCH: u32 = 1 << 29 | 8 << 25 | 1 << 22 | 2 << 20 | 1 << 19;
    let vector = &raw const guest_table as u64 + OVERFLOW;
    let words = (entry as *const () as u64).wrapping_sub(vector) as i64 >> 2;
    assert!((-(1 << 18)..1 << 18).contains(&words), "the entry is near");
    // SAFETY: the table is the guest's, and the entry is one of such a trap. FLUSH has the processor fetch it anew.
    unsafe {
        (vector as *mut u32).write_volatile(BRANCH | words as u32 & 0x7_ffff);
        asm!("flush {}", in(reg) vector, options(nostack));
    }
}

/// Makes an entry for level 15 that calls `$handler`, an `extern "C" fn(u64, u64, u64)`: with TPC, TSTATE, and the stack
/// pointer of the code that is interrupted.
#[macro_export]
macro_rules! overflow_entry {
    ($name:literal, $handler:path) => {
        core::arch::global_asm!(
            "    .register %g2, #scratch",
            "    .register %g3, #scratch",
            "    .text",
            concat!("    .global ", $name),
            concat!($name, ":"),
            r#"
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
    call {overflowed}
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
            bias = const $crate::low::BIAS,
            overflowed = sym $handler,
        );
    };
}

crate::overflow_entry!("overflow_entry", super::overflowed);

global_asm!(
    r#"
    .macro leads_to target
    ba,pt %xcc, \target
    nop
    .align 32
    .endm

    .section .traps, "ax"
    .align 32768
    .global guest_table
guest_table:
    .skip 32 * 0x10
    leads_to refused_entry
    .skip 32 * (0x4e - 0x11)
    leads_to tick_entry
    leads_to overflow_entry
    .skip 32 * (0x100 - 0x50)
    leads_to come_back_entry
    "#
);
