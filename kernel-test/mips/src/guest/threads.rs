//! How threads begin, and how their tick comes: by Count and Compare. [`harness::threads`] switches them; the vector keeps
//! all that a thread is, its [`Frame`].

use core::arch::asm;
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use harness::tick;

use super::OPEN_ON_RETURN;
use crate::low::Frame;

/// A thread that begins in the kernel, at `entry`, with this argument. It never returns.
pub fn in_kernel(entry: usize, argument: usize) -> Frame {
    let mut general = [0; 32];
    (general[4], general[25]) = (argument, entry);
    Frame { general, address: entry, status: OPEN_ON_RETURN, ..Frame::NOTHING }
}

/// Gives the thread the stack that ends at this address.
pub fn put_on_stack(frame: &mut Frame, end: usize) {
    const HEADER: usize = 64;
    frame.general[29] = end - HEADER;
}

/// What Compare was written.
static DUE: AtomicU32 = AtomicU32::new(0);

/// As far away as the clock can say.
const NEVER: u32 = 1 << 31;

/// Orders the next tick, when so many instructions more have retired; none if that is 0.
#[inline(always)]
pub fn tick_after(instructions: u32) {
    /// From reading Count to writing Compare.
    const BETWEEN: u32 = 8;
    tick::order(instructions != 0);
    compare_with(if instructions == 0 { NEVER } else { instructions + BETWEEN });
}

#[inline(always)]
fn compare_with(ahead: u32) {
    let due = count().wrapping_add(ahead);
    DUE.store(due, Relaxed);
    // SAFETY: the interrupt that follows has a handler.
    unsafe { asm!(".set noat", "mtc0 {0}, $11", ".set at", in(reg) due, options(nostack)) };
}

/// The tick that was ordered has come: the line falls.
pub fn lower_line() {
    compare_with(NEVER);
}

/// Is the timer one of those for whom the line is up? R10000 says it by its clock alone.
pub fn is_tick_due() -> bool {
    tick::is_ordered() && count().wrapping_sub(DUE.load(Relaxed)).cast_signed() >= 0
}

/// Count
#[inline(always)]
fn count() -> u32 {
    let value;
    // SAFETY: reads a clock.
    unsafe { asm!(".set noat", "mfc0 {0}, $9", ".set at", out(reg) value, options(nostack)) };
    value
}

/// Sets Count back to 0, as a sleep may.
pub fn reset_clock() {
    // SAFETY: no tick is ordered.
    unsafe { asm!("mtc0 $0, $9", options(nostack)) };
}
