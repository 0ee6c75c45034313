//! The line by which a device's overflow reaches its [`Trigger`]. The registers' `mask` holds back an ordinary
//! interrupt.

use core::cell::Cell;
use core::fmt;

use super::Trigger;
use crate::contract::Masked;

/// How a device's interrupt is delivered to the code that drives it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Delivery {
    /// As an ordinary interrupt: it waits while interrupts are masked by [`Registers::mask`](crate::driver::Registers::mask).
    Maskable,
    /// As an interrupt that the mask does not hold back: an NMI, an FIQ, a pseudo-NMI, or the interrupt of a
    /// kernel that masks lazily.
    Nmi,
}

/// A device's line to its trigger, and the interrupt mask of the processor that drives the device.
///
/// An interrupt that comes while it is masked is delivered once when the mask is removed, unless the device has
/// withdrawn it by then.
pub(crate) struct Line<T> {
    trigger: T,
    delivery: Delivery,
    is_masked: Cell<bool>,
    is_held: Cell<bool>,
}

impl<T: Trigger> Line<T> {
    pub(crate) const fn new(trigger: T, delivery: Delivery) -> Self {
        Self { trigger, delivery, is_masked: Cell::new(false), is_held: Cell::new(false) }
    }

    pub(crate) const fn trigger(&self) -> &T {
        &self.trigger
    }

    pub(crate) fn set_delivery(&mut self, delivery: Delivery) {
        self.delivery = delivery;
    }

    #[inline]
    pub(crate) fn interrupt(&self) {
        if self.is_masked.get() && self.delivery == Delivery::Maskable {
            self.is_held.set(true);
        } else {
            self.trigger.interrupt();
        }
    }

    #[inline]
    pub(crate) fn withdraw(&self) {
        if !self.is_held.take() {
            self.trigger.withdraw();
        }
    }

    /// Raises or withdraws the interrupt of a level-triggered line, if its level has changed.
    #[inline]
    pub(crate) fn moved(&self, before: bool, now: bool) {
        match (before, now) {
            (false, true) => self.interrupt(),
            (true, false) => self.withdraw(),
            _ => {}
        }
    }

    pub(crate) fn mask(&self) -> Masked {
        Masked::from_bits(self.is_masked.replace(true).into())
    }

    pub(crate) fn unmask(&self, before: Masked) {
        self.is_masked.set(before.bits() != 0);
        if !self.is_masked.get() && self.is_held.take() {
            self.trigger.interrupt();
        }
    }
}

impl<T> fmt::Debug for Line<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { delivery, is_masked, is_held, .. } = self;
        f.debug_struct("Line")
            .field("delivery", delivery)
            .field("is_masked", is_masked)
            .field("is_held", is_held)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Heard {
        interrupts: Cell<u32>,
        withdrawals: Cell<u32>,
    }

    impl Trigger for &Heard {
        fn interrupt(&self) {
            self.interrupts.set(self.interrupts.get() + 1);
        }

        fn withdraw(&self) {
            self.withdrawals.set(self.withdrawals.get() + 1);
        }
    }

    #[test]
    fn interrupts_that_come_while_masked_are_delivered_once_as_the_mask_is_lifted() {
        let heard = Heard::default();
        let line = Line::new(&heard, Delivery::Maskable);
        let before = line.mask();
        line.interrupt();
        line.interrupt();
        assert_eq!(heard.interrupts.get(), 0);
        line.unmask(before);
        assert_eq!(heard.interrupts.get(), 1);
    }

    #[test]
    fn only_the_outermost_unmask_delivers() {
        let heard = Heard::default();
        let line = Line::new(&heard, Delivery::Maskable);
        let (outer, inner) = (line.mask(), line.mask());
        line.interrupt();
        line.unmask(inner);
        assert_eq!(heard.interrupts.get(), 0);
        line.unmask(outer);
        assert_eq!(heard.interrupts.get(), 1);
    }

    #[test]
    fn an_interrupt_that_is_withdrawn_while_masked_is_never_heard_of() {
        let heard = Heard::default();
        let line = Line::new(&heard, Delivery::Maskable);
        let before = line.mask();
        line.interrupt();
        line.withdraw();
        line.unmask(before);
        assert_eq!((heard.interrupts.get(), heard.withdrawals.get()), (0, 0));
    }

    #[test]
    fn an_interrupt_from_before_the_mask_is_withdrawn_at_once() {
        let heard = Heard::default();
        let line = Line::new(&heard, Delivery::Maskable);
        line.interrupt();
        let before = line.mask();
        line.withdraw();
        assert_eq!(heard.withdrawals.get(), 1);
        line.unmask(before);
        assert_eq!(heard.interrupts.get(), 1);
    }

    #[test]
    fn an_nmi_is_not_held_back() {
        let heard = Heard::default();
        let line = Line::new(&heard, Delivery::Nmi);
        let before = line.mask();
        line.interrupt();
        assert_eq!(heard.interrupts.get(), 1);
        line.unmask(before);
        assert_eq!(heard.interrupts.get(), 1);
    }
}
