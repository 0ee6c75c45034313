//! How threads begin, and how their tick comes: by `TICK_CMPR`, at level 14. [`harness::threads`] switches them; the entry of
//! a tick keeps all that a thread is: its [`Frame`], and on its stack the register windows of its callers.

use core::arch::asm;

use harness::tick;
use pmu::driver::Registers;

use super::unit::hardware;
use crate::assembly;
use crate::frame::Frame;
use crate::low::{self, BIAS, HEADER};

/// TSTATE: ASI_PRIMARY; PEF, PRIV, IE.
const STATE: u64 = 0x80 << 24 | 0x16 << 8;

/// A thread that begins in the kernel at `entry`, with these arguments. It never returns.
pub fn in_kernel(entry: u64, [first, second]: [u64; 2]) -> Frame {
    Frame { outs: [first, second, 0, 0, 0, 0, 0, 0], address: entry, next: entry + 4, state: STATE, ..Frame::NOTHING }
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

/// Sets %tick back to 0, as a sleep may.
pub fn reset_clock() {
    // SAFETY: no tick is ordered.
    unsafe { asm!("wrpr %g0, 0, %tick", options(nostack)) };
}

/// The thread that a tick has interrupted, then the one that goes on.
static mut FRAME: Frame = Frame::NOTHING;

assembly!(
    r#"
    .text
    .global tick_entry
tick_entry:
    wr %g0, 1, %asr21                   ! CLEAR_SOFTINT
    set {frame}, %g1
    keep_frame
    set tick_stack_top - {bias} - {header}, %sp
    mov 0, %fp
    call {take_tick}
    nop
    set {frame}, %o0
    load_frame
    retry
    "#,
    bias = const BIAS,
    header = const HEADER,
    frame = sym FRAME,
    take_tick = sym tick::come::<Frame>,
);
