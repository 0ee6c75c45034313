//! How often a guest's unit may interrupt.

use core::cell::Cell;

use super::Trigger;

/// A [`Trigger`] that passes on a limited number of interrupts until the host allows more, and keeps one of the rest back.
///
/// A guest can ask for an interrupt at every event. Each costs the host an exit, and time that no guest is charged for. The
/// host calls [`allow`](Self::allow) at its own tick, which limits the guest's interrupts for each tick. The interrupt that was
/// kept back comes then, late but not lost, unless the guest has withdrawn it. Counts stay exact.
///
/// If a host stopped its guest at each overflow, to make interrupts exact, it would do little else. It stops the guest where
/// [`stop_after`](Self::stop_after) says: never before the least number of steps, and not at all while the limit
/// [is reached](Self::is_reached).
///
/// What is kept back is in no snapshot: a host that stores its guest calls [`allow`](Self::allow) before, and stores the interrupt
/// with its interrupt controller. An edge that is lost is a counter that its guest never presets again.
#[derive(Debug)]
pub struct RateLimit<T> {
    trigger: T,
    least: u64,
    left: Cell<u32>,
    is_kept: Cell<bool>,
}

impl<T: Trigger> RateLimit<T> {
    /// Creates a limit that lets this many interrupts through before the first [`allow`](Self::allow).
    #[must_use]
    pub const fn new(trigger: T, interrupts: u32) -> Self {
        Self { trigger, least: 1, left: Cell::new(interrupts), is_kept: Cell::new(false) }
    }

    /// Sets the least number of steps that the guest runs before it is stopped for an overflow. An interrupt is late by fewer
    /// steps than that. The default is 1.
    #[must_use]
    pub const fn stopping_after_at_least(mut self, steps: u64) -> Self {
        self.least = steps;
        self
    }

    /// Returns after how many steps to stop a guest that overflows after so many, or `None` if it need not be stopped. They are
    /// the host's own steps ([`Device::until_overflow`](super::Device::until_overflow)); where it counts other events one by
    /// one too, the least of theirs ([`Device::until_overflow_of`](super::Device::until_overflow_of)).
    #[must_use]
    pub fn stop_after(&self, until_overflow: Option<u64>) -> Option<u64> {
        if self.is_reached() { None } else { until_overflow.map(|steps| steps.max(self.least)) }
    }

    /// Returns the trigger.
    pub const fn trigger(&self) -> &T {
        &self.trigger
    }

    /// Lets this many interrupts through from now on, whatever was left, and the one that was kept back among them.
    pub fn allow(&self, interrupts: u32) {
        self.left.set(interrupts);
        if !self.is_reached() && self.is_kept.take() {
            self.interrupt();
        }
    }

    /// Returns true if no interrupt is let through before the host allows more.
    #[must_use]
    pub fn is_reached(&self) -> bool {
        self.left.get() == 0
    }
}

impl<T: Trigger> Trigger for RateLimit<T> {
    fn interrupt(&self) {
        match self.left.get().checked_sub(1) {
            Some(left) => {
                self.left.set(left);
                self.trigger.interrupt();
            }
            None => self.is_kept.set(true),
        }
    }

    fn withdraw(&self) {
        if !self.is_kept.take() {
            self.trigger.withdraw();
        }
    }
}
