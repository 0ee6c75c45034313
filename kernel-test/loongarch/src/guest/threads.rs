//! How threads begin, and how their tick comes: by the timer. [`harness::threads`] switches them; the vector keeps all that a
//! thread is, its [`Frame`].

use core::arch::asm;

use harness::tick;

use super::OPEN;
use crate::low::Frame;

/// A thread that begins in the kernel, at `entry`, with this argument. It never returns.
pub fn in_kernel(entry: u64, argument: u64) -> Frame {
    let mut general = [0; 32];
    general[4] = argument;
    Frame { general, address: entry, mode: OPEN, status: 0 }
}

/// Gives the thread the stack that ends at this address.
pub fn put_on_stack(frame: &mut Frame, end: u64) {
    frame.general[3] = end - 16;
}

/// Orders the next tick, when so many instructions more have retired; none if that is 0.
#[inline(always)]
pub fn tick_after(instructions: u64) {
    tick::order(instructions != 0);
    // The stable counter advances by 4 an instruction here; bit 0 is TCFG\[En\].
    write_timer(if instructions == 0 { 0 } else { instructions << 2 | 1 });
}

#[inline(always)]
fn write_timer(value: u64) {
    // SAFETY: the interrupt that follows has a handler.
    unsafe { asm!("csrwr {0}, 0x41", inout(reg) value => _, options(nostack)) };
}

/// The tick that was ordered has come: the line falls.
pub fn lower_line() {
    // SAFETY: the tick is being handled.
    unsafe { asm!("csrwr {0}, 0x44", inout(reg) 1_u64 => _, options(nostack)) };
}

/// Sets the stable counter back to 0, as a sleep may, by its compensation.
pub fn reset_clock() {
    // SAFETY: this reads and changes what is added to a clock.
    unsafe {
        asm!(
            "csrwr {zero}, 0x43",
            "rdtime.d {time}, $zero",
            "sub.d {time}, $zero, {time}",
            "csrwr {time}, 0x43",
            zero = inout(reg) 0_u64 => _,
            time = out(reg) _,
            options(nostack)
        );
    }
}
