//! The boot, the trap table, and the way into a guest and out of it.
//!
//! The guest runs in user state, and takes no trap by itself: every trap leaves it, but for those that spill and fill
//! register windows, which are handled here. The trap's first instruction reads the clock, and the last but one before the
//! guest goes on does so too; the instruction clock of QEMU (`-icount shift=4`, 16 ns an instruction and 10 ns a tick) makes
//! of the difference how many instructions the guest has retired. What spills and fills took is counted apart.
//!
//! The guest is left by %tick_cmpr after exactly as many instructions as the host wants.

use core::mem::offset_of;

use crate::assembly;
use crate::frame::Frame;

/// What host and assembly tell each other.
#[derive(Debug)]
#[repr(C)]
pub struct Low {
    /// The guest's registers.
    pub frame: Frame,
    /// Which trap has left the guest (TT).
    pub trap: u64,
    /// %tick when it was entered, and when it was left.
    pub entered: u64,
    /// See [`Self::entered`].
    pub left: u64,
    /// Instructions that spilled and filled its windows meanwhile.
    pub windows: u64,
    /// After how many instructions, from the reading of the clock on, %tick_cmpr leaves it.
    pub deadline: u64,
    host_stack: u64,
    host_return: u64,
}

/// The traps that a guest is left by.
pub mod trap {
    /// There is no such instruction.
    pub const ILLEGAL: u64 = 0x10;
    /// The instruction is privileged.
    pub const PRIVILEGED: u64 = 0x11;
    /// What asks is privileged.
    pub const PRIVILEGED_ACTION: u64 = 0x37;
    /// %tick_cmpr: SOFTINT's level 14.
    pub const TICK: u64 = 0x4e;
    /// SOFTINT's level 15, by which counters interrupt.
    pub const OVERFLOW: u64 = 0x4f;
    /// `ta 0`
    pub const CALL: u64 = 0x100;
    /// `ta 1`: the guest reads its clock.
    pub const MARK: u64 = 0x101;
}

/// The instructions that spill or fill a window.
pub const WINDOW: u64 = 19;

/// The distance of a stack pointer from its stack.
pub const BIAS: u64 = 2047;
/// What a function's caller leaves it: its window, six arguments, and a few words.
pub const HEADER: u64 = 192;

unsafe extern "C" {
    /// Runs the guest until a trap takes it out again.
    ///
    /// # Safety
    /// The frame describes a guest that may do whatever it does to memory.
    pub fn enter_guest(low: *mut Low);

    static guest_stack_top: u8;
    static user_stack_top: u8;
}

static mut LOW: Low =
    Low { frame: Frame::NOTHING, trap: 0, entered: 0, left: 0, windows: 0, deadline: 0, host_stack: 0, host_return: 0 };

/// What host and assembly tell each other.
pub fn low() -> *mut Low {
    &raw mut LOW
}

/// The end of the guest's stack.
pub fn guest_stack() -> u64 {
    &raw const guest_stack_top as u64
}

/// The end of a user program's stack.
pub fn user_stack() -> u64 {
    &raw const user_stack_top as u64
}

/// The stack pointer of a function without a caller on the stack that ends here.
pub fn stack_pointer(end: u64) -> u64 {
    end - HEADER - BIAS
}

assembly!(
    r#"
    .macro no_deadline scratch
    mov 1, \scratch
    sllx \scratch, 63, \scratch
    wr \scratch, 0, %asr23
    wr %g0, -1, %asr21                  ! nothing is pending
    .endm

    .section .text.boot, "ax"
    .global boot
boot:
    wrpr %g0, 0, %tl
    wrpr %g0, 0x14, %pstate             ! PEF, PRIV
    wrpr %g0, 0, %pil
    wrpr %g0, 6, %cansave
    wrpr %g0, 0, %canrestore
    wrpr %g0, 0, %otherwin
    wrpr %g0, 7, %cleanwin
    wrpr %g0, 0, %wstate
    wrpr %g0, 0, %cwp
    wr %g0, 4, %fprs
    wr %g0, 0x80, %asi
    set trap_table, %g2
    wrpr %g2, 0, %tba
    set host_stack_top - {bias} - {header}, %sp
    mov 0, %fp
    set bss_begin, %g2
    set bss_end, %g3
2:  stx %g0, [%g2]
    add %g2, 8, %g2
    cmp %g2, %g3
    blu,pt %xcc, 2b
    nop
    wrpr %g0, 0, %tick                  ! the clock is for everybody
    no_deadline %g1
    call {kernel_entry}
    nop

    .macro other_trap
    rdpr %tick, %g5
    ba,pt %xcc, leave_guest
    nop
    .align 32
    .endm
    .macro spill
    store_window %sp + {bias}
    saved
    add %g7, {window}, %g7
    retry
    .align 128
    .endm
    .macro fill
    load_window %sp + {bias}
    restored
    add %g7, {window}, %g7
    retry
    .align 128
    .endm
    .macro half_of_table
    .rept 0x80
    other_trap
    .endr
    .rept 16
    spill
    .endr
    .rept 16
    fill
    .endr
    .rept 0x100
    other_trap
    .endr
    .endm

    ! Traps from TL 0, and from above.
    .section .traps, "ax"
    .align 32768
trap_table:
    half_of_table
    half_of_table

    ! In the alternate globals, at TL 1; %g5 is the clock.
leave_guest:
    rdpr %tstate, %g1
    andcc %g1, 0x400, %g0               ! PRIV: it was no guest
    bne,pn %xcc, fault
    nop
    set {low}, %g1
    stx %g5, [%g1 + {left}]
    stx %g7, [%g1 + {windows}]
    rdpr %tt, %g2
    stx %g2, [%g1 + {trap}]
    no_deadline %g2
    ! The stack pointer stays the guest's until its windows are there.
    keep_frame
    ldx [%o0 + {host_stack}], %sp
    ldx [%o0 + {host_return}], %o7
    load_window %sp + {bias}
    retl
    nop

fault:
    rdpr %tt, %o0
    rdpr %tpc, %o1
    rdpr %tstate, %o2
    wrpr %g0, 0, %tl
    wrpr %g0, 0x14, %pstate
    set tick_stack_top - {bias} - {header}, %sp
    call host_fault
    nop

    ! %o0 leads to `Low`.
    .global enter_guest
enter_guest:
    flushw
    store_window %sp + {bias}
    stx %sp, [%o0 + {host_stack}]
    stx %o7, [%o0 + {host_return}]
    ldx [%o0 + FRAME_STATE], %g1
    rdpr %cwp, %g2
    or %g1, %g2, %g1
    stx %g1, [%o0 + FRAME_STATE]
    load_frame
    mov 0, %g7
    ldx [%g1 + {deadline}], %g2
    rdpr %tick, %g3
    stx %g3, [%g1 + {entered}]
    mulx %g3, 10, %g4
    add %g4, 15, %g4
    srlx %g4, 4, %g4
    add %g4, %g2, %g4
    sllx %g4, 4, %g4
    udivx %g4, 10, %g4
    wr %g4, 0, %asr23
    retry
    "#,
    bias = const BIAS,
    header = const HEADER,
    window = const WINDOW,
    low = sym LOW,
    kernel_entry = sym crate::kernel_entry,
    trap = const offset_of!(Low, trap),
    entered = const offset_of!(Low, entered),
    left = const offset_of!(Low, left),
    windows = const offset_of!(Low, windows),
    deadline = const offset_of!(Low, deadline),
    host_stack = const offset_of!(Low, host_stack),
    host_return = const offset_of!(Low, host_return),
);
