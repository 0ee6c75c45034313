//! The kernel's interrupt controller, as far as it has one: the line of the unit, and the registers by
//! which the kernel acknowledges it and ends it.
//!
//! A second interrupt is the tick, which the kernel orders of the host.
//!
//! The line is a level. What a controller that takes edges would do can be ordered: while interrupts are
//! held back it remembers that the line rose.

use crate::gic;

/// The controller.
#[derive(Default)]
pub struct Interrupts {
    /// It was acknowledged and is not ended.
    is_active: bool,
    /// It came though the line is not high, or not any more.
    is_remembered: bool,
    is_held: bool,
    /// The tick has come and was not acknowledged.
    is_ticking: bool,
    taken: u64,
}

impl Interrupts {
    /// Raises the interrupt, whatever the line says.
    pub fn raise(&mut self) {
        self.is_remembered = true;
    }

    /// Keeps the interrupt back from now on.
    pub fn hold(&mut self) {
        self.is_held = true;
    }

    /// Lets through the interrupt that was kept back, if there is one.
    pub fn release(&mut self) {
        self.is_held = false;
    }

    /// The line rose.
    pub fn rise(&mut self) {
        self.is_remembered |= self.is_held;
    }

    /// Is the processor to be interrupted, where the line is `high` or not?
    pub fn is_due(&self, high: bool) -> bool {
        !self.is_active && !self.is_held && (self.is_remembered || high)
    }

    /// The tick comes, or does not any more.
    pub fn tick(&mut self, comes: bool) {
        self.is_ticking = comes;
    }

    /// Is the processor to be interrupted by the tick?
    pub fn is_tick_due(&self) -> bool {
        !self.is_active && self.is_ticking
    }

    /// The kernel reads which interrupt it is.
    pub fn acknowledge(&mut self, high: bool) -> u64 {
        if self.is_due(high) {
            (self.is_active, self.is_remembered) = (true, false);
            self.taken += 1;
            gic::OVERFLOW
        } else if self.is_tick_due() {
            (self.is_active, self.is_ticking) = (true, false);
            gic::TICK
        } else {
            gic::NONE
        }
    }

    /// The kernel ends it.
    pub fn end(&mut self) {
        self.is_active = false;
    }

    /// How many of the unit the kernel has acknowledged.
    pub fn taken(&self) -> u64 {
        self.taken
    }
}
