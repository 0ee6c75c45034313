//! The boot, the trap table, and the way into a guest and out of it.
//!
//! The guest runs in user state, and takes no trap by itself: every trap leaves it, but for those that spill and fill
//! register windows, which are handled here. The trap's first instruction reads the clock, and the last but one before the
//! guest goes on does so too; the instruction clock of QEMU (`-icount shift=4`, 16 ns an instruction and 10 ns a tick) makes
//! of the difference how many instructions the guest has retired. What spills and fills took is counted apart.
//!
//! The guest is left by %tick_cmpr after exactly as many instructions as the host wants.

use core::arch::global_asm;
use core::mem::offset_of;

/// What the guest's registers are while it does not run.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct Frame {
    /// %g0 to %g7, of which the first is not used.
    pub globals: [u64; 8],
    /// %o0 to %o7.
    pub outs: [u64; 8],
    /// %l0 to %l7.
    pub locals: [u64; 8],
    /// %i0 to %i7.
    pub ins: [u64; 8],
    /// Where it goes on.
    pub address: u64,
    /// And after that.
    pub next: u64,
    /// TSTATE: condition codes, ASI, PSTATE.
    pub state: u64,
    /// %y
    pub y: u64,
}

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

/// Registers that are all 0.
pub const NO_FRAME: Frame =
    Frame { globals: [0; 8], outs: [0; 8], locals: [0; 8], ins: [0; 8], address: 0, next: 0, state: 0, y: 0 };

static mut LOW: Low =
    Low { frame: NO_FRAME, trap: 0, entered: 0, left: 0, windows: 0, deadline: 0, host_stack: 0, host_return: 0 };

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

/// Assembly's words for the registers of a window, at the address in %o1, and for the outs and globals at another; once,
/// whichever of the kernel's blocks of assembly the compiler puts together.
#[macro_export]
macro_rules! window_macros {
    () => {
        r#"
    .ifndef has_window_macros
    .set has_window_macros, 1
    .macro store_window
    .irp number, 0, 1, 2, 3, 4, 5, 6, 7
    stx %l\number, [%o1 + 8 * \number]
    stx %i\number, [%o1 + 64 + 8 * \number]
    .endr
    .endm
    .macro load_window
    .irp number, 0, 1, 2, 3, 4, 5, 6, 7
    ldx [%o1 + 8 * \number], %l\number
    ldx [%o1 + 64 + 8 * \number], %i\number
    .endr
    .endm
    .macro store_outs at:vararg
    .irp number, 0, 1, 2, 3, 4, 5, 6, 7
    stx %o\number, [\at + 8 * \number]
    .endr
    .endm
    .macro load_outs at:vararg
    .irp number, 0, 1, 2, 3, 4, 5, 6, 7
    ldx [\at + 8 * \number], %o\number
    .endr
    .endm
    .macro store_globals at:vararg
    .irp number, 1, 2, 3, 4, 5, 6, 7
    stx %g\number, [\at + 8 * \number]
    .endr
    .endm
    .macro load_globals at:vararg
    .irp number, 1, 2, 3, 4, 5, 6, 7
    ldx [\at + 8 * \number], %g\number
    .endr
    .endm
    .endif
    "#
    };
}

global_asm!(
    r#"
    .register %g2, #scratch
    .register %g3, #scratch
    .register %g6, #scratch
    .register %g7, #scratch

    "#,
    window_macros!(),
    r#"
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
    sethi %hi(trap_table), %g2
    or %g2, %lo(trap_table), %g2
    wrpr %g2, 0, %tba
    sethi %hi(host_stack_top), %g2
    or %g2, %lo(host_stack_top), %g2
    sub %g2, {bias} + {header}, %sp
    mov 0, %fp
    sethi %hi(bss_begin), %g2
    or %g2, %lo(bss_begin), %g2
    sethi %hi(bss_end), %g3
    or %g3, %lo(bss_end), %g3
2:  stx %g0, [%g2]
    add %g2, 8, %g2
    cmp %g2, %g3
    blu,pt %xcc, 2b
    nop
    mov 1, %g1
    sllx %g1, 63, %g1
    wr %g1, 0, %asr23                   ! no deadline
    wr %g0, -1, %asr21                  ! nothing is pending
    wrpr %g0, 0, %tick                  ! the clock is for everybody
    call {kernel_entry}
    nop

    .macro other_trap
    rdpr %tick, %g5
    ba,pt %xcc, leave_guest
    nop
    .align 32
    .endm
    .macro spill
    .irp number, 0, 1, 2, 3, 4, 5, 6, 7
    stx %l\number, [%sp + {bias} + 8 * \number]
    stx %i\number, [%sp + {bias} + 64 + 8 * \number]
    .endr
    saved
    add %g7, {window}, %g7
    retry
    .align 128
    .endm
    .macro fill
    .irp number, 0, 1, 2, 3, 4, 5, 6, 7
    ldx [%sp + {bias} + 8 * \number], %l\number
    ldx [%sp + {bias} + 64 + 8 * \number], %i\number
    .endr
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
    srlx %g1, 8, %g1
    andcc %g1, 4, %g0                   ! PRIV: it was no guest
    bne,pn %xcc, fault
    nop
    sethi %hi({low}), %g1
    or %g1, %lo({low}), %g1
    stx %g5, [%g1 + {left}]
    stx %g7, [%g1 + {windows}]
    store_outs %g1 + {outs}
    mov %g1, %o0
    add %g1, {locals}, %o1
    store_window
    rdpr %tstate, %o1
    stx %o1, [%o0 + {state}]
    rdpr %tpc, %o1
    stx %o1, [%o0 + {address}]
    rdpr %tnpc, %o1
    stx %o1, [%o0 + {next}]
    rdpr %tt, %o1
    stx %o1, [%o0 + {trap}]
    rd %y, %o1
    stx %o1, [%o0 + {y}]
    mov 1, %o1
    sllx %o1, 63, %o1
    wr %o1, 0, %asr23                   ! no deadline
    wr %g0, -1, %asr21                  ! nothing is pending
    wrpr %g0, 0, %tl
    wrpr %g0, 0x14, %pstate             ! PEF, PRIV, and the globals of everybody
    store_globals %o0 + {globals}
    ! This window's stack pointer is still the guest's, as those of the windows that are spilled.
    flushw
    ldx [%o0 + {host_stack}], %sp
    ldx [%o0 + {host_return}], %o7
    add %sp, {bias}, %o1
    load_window
    retl
    nop

fault:
    rdpr %tt, %o0
    rdpr %tpc, %o1
    rdpr %tstate, %o2
    wrpr %g0, 0, %tl
    wrpr %g0, 0x14, %pstate
    sethi %hi(tick_stack_top), %g2
    or %g2, %lo(tick_stack_top), %g2
    sub %g2, {bias} + {header}, %sp
    call host_fault
    nop

    ! %o0 leads to `Low`.
    .global enter_guest
enter_guest:
    flushw
    add %sp, {bias}, %o1
    store_window
    stx %sp, [%o0 + {host_stack}]
    stx %o7, [%o0 + {host_return}]
    load_globals %o0 + {globals}
    wrpr %g0, 0x15, %pstate             ! the alternate globals
    wrpr %g0, 1, %tl
    ldx [%o0 + {state}], %g1
    rdpr %cwp, %g2
    or %g1, %g2, %g1
    wrpr %g1, 0, %tstate
    ldx [%o0 + {address}], %g1
    wrpr %g1, 0, %tpc
    ldx [%o0 + {next}], %g1
    wrpr %g1, 0, %tnpc
    ldx [%o0 + {y}], %g1
    wr %g1, 0, %y
    add %o0, {locals}, %o1
    load_window
    mov %o0, %g1
    load_outs %g1 + {outs}
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
    globals = const offset_of!(Low, frame) + offset_of!(Frame, globals),
    outs = const offset_of!(Low, frame) + offset_of!(Frame, outs),
    locals = const offset_of!(Low, frame) + offset_of!(Frame, locals),
    address = const offset_of!(Low, frame) + offset_of!(Frame, address),
    next = const offset_of!(Low, frame) + offset_of!(Frame, next),
    state = const offset_of!(Low, frame) + offset_of!(Frame, state),
    y = const offset_of!(Low, frame) + offset_of!(Frame, y),
    trap = const offset_of!(Low, trap),
    entered = const offset_of!(Low, entered),
    left = const offset_of!(Low, left),
    windows = const offset_of!(Low, windows),
    deadline = const offset_of!(Low, deadline),
    host_stack = const offset_of!(Low, host_stack),
    host_return = const offset_of!(Low, host_return),
);
