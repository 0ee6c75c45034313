//! Bad luck to order: NMIs that no counter asked for, and units that are not what they seem.

use super::call;
use crate::hypercall::{Call, Disguise};

/// Interrupts by an NMI when `instructions` more have retired after this call's own.
#[inline(always)]
pub fn interrupt_after(instructions: u64) {
    call(Call::InterruptAfter, instructions, 0);
}

/// Keeps NMIs back until `instructions` more have retired after this call's own.
#[inline(always)]
pub fn hold_interrupts(instructions: u64) {
    call(Call::HoldInterrupts, instructions, 0);
}

/// Presents the unit otherwise from now on, until the end of the test.
pub fn present(disguise: Disguise) {
    call(Call::Disguise, disguise as u64, 0);
}

/// Sets the time-stamp counter back to 0.
pub fn reset_clock() {
    call(Call::ResetClock, 0, 0);
}
