//! The first pages of memory: the exception vectors, and the guest's registers behind them.
//!
//! Three ways lead from a vector. The performance monitor's own goes straight to the library's entry
//! ([`crate::guest::Pmi`], or what [`lead_to`] is given), and the decrementer's to that of preemptive threads: that is
//! what a kernel on QEMU's unit is interrupted by. Everything else is a guest's, and leads to `low.rs`.
//!
//! Power ISA Book III, "Interrupt Vectors" (version 3.1: figure 65), and the "Programming Environments Manual for 32-Bit
//! Implementations of the PowerPC Architecture", table 6-2.

use core::arch::asm;

use harness::by_width;

use crate::assembly;
use crate::low::{Low, PERFORMANCE_MONITOR};

/// Has the performance monitor's vector branch to this entry, from now on.
pub fn lead_to(entry: u64) {
    /// `ba` (Power ISA Book I, "Branch Instructions"): it reaches the first 32 MiB.
    const BRANCH: u64 = 18 << 26 | 1 << 1;
    const REACHED: u64 = 1 << 25;
    assert!(entry < REACHED, "the image lies at the bottom of memory");
    let vector = PERFORMANCE_MONITOR as *mut u32;
    // SAFETY: the vector is a branch to an entry, and stays one; what is fetched from there is made new.
    unsafe {
        vector.write_volatile((BRANCH | entry) as u32);
        asm!("dcbst 0, {0}", "sync", "icbi 0, {0}", "isync", in(reg) vector, options(nostack, preserves_flags));
    }
}

assembly!(
    by_width!(
        r#"
    .macro vector_of_book_e
    .endm
    "#,
        r#"
    .macro vector_of_book_e
        .org 0xd40
        b book_e_step
    .endm
    "#
    ),
    r#"
    .macro leave_by vector
        .org \vector
        mtspr 273, 3                   # SPRG1
        li 3, \vector
        b leave_guest
    .endm

    .section .text.vectors, "ax"
vectors:
    .org 0x10                       # where the powernv board begins
    b boot
    .org 0x100                      # where the pseries board does
    b boot
    .irp vector, 0x200, 0x300, 0x380, 0x400, 0x480, 0x500, 0x600, 0x700, 0x800
    leave_by \vector
    .endr
    .org 0x900
    b {tick}
    .irp vector, 0x980, 0xa00, 0xc00
    leave_by \vector
    .endr
    .org 0xd00
    b step
    vector_of_book_e
    .irp vector, 0xe00, 0xe20, 0xe40, 0xe60, 0xe80, 0xea0
    leave_by \vector
    .endr
    .org {performance_monitors}
    b {performance_monitor}
    .irp vector, 0xf20, 0xf40, 0xf60, 0xf80, 0x1000, 0x1100, 0x1200, 0x1300, 0x1400, 0x1500, 0x1600, 0x1700
    leave_by \vector
    .endr

    .org 0x2000
    .global low_memory
low_memory:
    .skip {low_size}
    # No code in the same page: QEMU looks at each write to a page of code whether it changes that.
    .balign 4096
    "#,
    tick = sym crate::guest::threads::tick_entry,
    performance_monitors = const PERFORMANCE_MONITOR,
    performance_monitor = sym <crate::guest::Pmi as pmu::arch::powerpc::entry::Handler>::stub,
    low_size = const size_of::<Low>(),
);
