//! Bad luck to order: interrupts that no counter asked for, interrupts that come late, and units that are none.

use super::call;
use crate::hypercall::{Call, Disguise};

/// Raises the overflow interrupt when `instructions` more have retired after this call's own.
#[inline(always)]
pub fn interrupt_after(instructions: u64) {
    call(Call::InterruptAfter, instructions, 0);
}

/// Keeps the overflow interrupt back until `instructions` more have retired after this call's own, and remembers it
/// meanwhile, as a controller does that takes edges.
#[inline(always)]
pub fn hold_interrupts(instructions: u64) {
    call(Call::HoldInterrupts, instructions, 0);
}

/// Shows the unit in this disguise from now on.
pub fn present(disguise: Disguise) {
    call(Call::Present, disguise as u64, 0);
}

/// Orders the next tick of the host's, in place of any other; none if it is after no instruction.
#[inline(always)]
pub fn tick_after(instructions: u64) {
    call(Call::TickAfter, instructions, 0);
}

/// Sets the system counter back to 0, where the model's host can.
pub fn reset_clock() {
    if super::place::is_on_model() {
        call(Call::ResetClock, 0, 0);
    }
}
