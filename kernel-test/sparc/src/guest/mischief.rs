//! What the guest does not do to itself: interrupts that no counter asked for, such as are late.

use crate::hypercall::{Call, call};

/// Raises an interrupt of level 15 when `instructions` more have retired after this call's own.
#[inline(always)]
pub fn interrupt_after(instructions: u64) {
    call(Call::InterruptAfter, instructions, 0);
}

/// Keeps such interrupts back until `instructions` more have retired after this call's own.
#[inline(always)]
pub fn hold_interrupts(instructions: u64) {
    call(Call::HoldInterrupts, instructions, 0);
}
