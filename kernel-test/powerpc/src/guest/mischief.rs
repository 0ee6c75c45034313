//! What the guest does not do to itself: exceptions that no counter asked for, such as are late, and a
//! hypervisor's instructions.

use crate::hypercall::{Call, call};

/// Raises a performance monitor exception when `instructions` more have retired after this call's own.
#[inline(always)]
pub fn interrupt_after(instructions: u64) {
    call(Call::InterruptAfter, instructions as usize, 0);
}

/// Keeps such exceptions back until `instructions` more have retired after this call's own.
#[inline(always)]
pub fn hold_interrupts(instructions: u64) {
    call(Call::HoldInterrupts, instructions as usize, 0);
}

/// So many instructions retire in hypervisor state.
#[inline(always)]
pub fn hypervise(instructions: u64) {
    call(Call::Hypervise, instructions as usize, 0);
}
