//! How threads begin, and how their tick comes: by `TICK_CMPR`, at level 14. [`harness::threads`] switches them; the entry of
//! a tick keeps all that a thread is: its [`Frame`], and on its stack the register windows of its callers.

use core::arch::{asm, global_asm};
use core::mem::offset_of;

use harness::tick;
use pmu::Registers;

use super::unit::hardware;
use crate::low::{self, BIAS, Frame, HEADER};

/// TSTATE: ASI_PRIMARY; PEF, PRIV, IE.
const STATE: u64 = 0x80 << 24 | 0x16 << 8;

/// A thread that begins in the kernel at `entry`, with these arguments. It never returns.
pub fn in_kernel(entry: u64, [first, second]: [u64; 2]) -> Frame {
    let mut frame = Frame { address: entry, next: entry + 4, state: STATE, ..Frame::default() };
    (frame.outs[0], frame.outs[1]) = (first, second);
    frame
}

/// Gives the thread the stack that ends at this address.
pub fn put_on_stack(frame: &mut Frame, end: u64) {
    frame.outs[6] = low::stack_pointer(end);
}

/// Orders the next tick, when so many instructions more have retired; none if that is 0.
#[inline(always)]
pub fn tick_after(instructions: u64) {
    /// `TICK_CMPR`\[63\]
    const NEVER: u64 = 1 << 63;
    tick::order(instructions != 0);
    let compare = if instructions == 0 { NEVER } else { hardware().ticks() + instructions };
    // SAFETY: the interrupt that follows has an entry.
    unsafe { asm!("wr {}, 0, %asr23", in(reg) compare, options(nostack)) };
}

/// The thread that a tick has interrupted, then the one that goes on.
static mut FRAME: Frame = low::NO_FRAME;

global_asm!(
    r#"
    .register %g2, #scratch
    .register %g3, #scratch
    .register %g6, #scratch
    .register %g7, #scratch
    "#,
    crate::window_macros!(),
    r#"
    .text
    .global tick_entry
tick_entry:
    sethi %hi({frame}), %g1
    or %g1, %lo({frame}), %g1
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
    rd %y, %o1
    stx %o1, [%o0 + {y}]
    mov 1, %o1
    wr %o1, 0, %asr21                   ! CLEAR_SOFTINT
    wrpr %g0, 0x14, %pstate             ! PEF, PRIV, and the globals of everybody
    wrpr %g0, 0, %tl
    store_globals %o0 + {globals}
    flushw
    sethi %hi(tick_stack_top), %o1
    or %o1, %lo(tick_stack_top), %o1
    sub %o1, {bias} + {header}, %sp
    mov 0, %fp
    call {take_tick}
    nop
    sethi %hi({frame}), %o0
    or %o0, %lo({frame}), %o0
    load_globals %o0 + {globals}
    wrpr %g0, 0x15, %pstate             ! the alternate globals
    wrpr %g0, 1, %tl
    ldx [%o0 + {state}], %g1
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
    retry
    "#,
    bias = const BIAS,
    header = const HEADER,
    frame = sym FRAME,
    globals = const offset_of!(Frame, globals),
    outs = const offset_of!(Frame, outs),
    locals = const offset_of!(Frame, locals),
    address = const offset_of!(Frame, address),
    next = const offset_of!(Frame, next),
    state = const offset_of!(Frame, state),
    y = const offset_of!(Frame, y),
    take_tick = sym tick::come::<Frame>,
);
