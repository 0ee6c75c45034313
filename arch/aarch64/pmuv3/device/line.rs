//! When the interrupt line is high, and when its trigger is called.

use super::Device;
use crate::virt::Trigger;

impl<T: Trigger> Device<T> {
    /// Returns true if PMUIRQ is high.
    #[inline(always)]
    #[must_use]
    pub fn is_asserted(&self) -> bool {
        let requests = self.overflowed.get() & self.interrupt.get();
        requests != 0 && requests & self.switched_on().bits() != 0
    }

    /// Calls the trigger if the line has changed.
    #[inline(always)]
    pub(super) fn settle(&self) {
        let requests = self.overflowed.get() & self.interrupt.get();
        if requests | u64::from(self.was_asserted.get()) != 0 {
            self.look_at_line();
        }
    }

    /// Calls the trigger if the line has changed, after a write that changes neither overflows nor which of them may
    /// interrupt. If no interrupt is requested, the line is already low.
    #[inline(always)]
    pub(super) fn settle_switch(&self) {
        if self.overflowed.get() & self.interrupt.get() != 0 {
            self.look_at_line();
        }
    }

    #[inline(never)]
    fn look_at_line(&self) {
        let is_high = self.is_asserted();
        if is_high != self.was_asserted.replace(is_high) {
            if is_high { self.line.interrupt() } else { self.line.withdraw() }
        }
    }
}
