//! When the guest is interrupted though the unit's line does not say so: an interrupt that is forged, and none while they
//! are held back.

/// What the host does to the unit's line.
#[derive(Default)]
pub struct Interrupts {
    is_forged: bool,
    is_held: bool,
    taken: u64,
}

impl Interrupts {
    /// Raises an interrupt that no counter asked for.
    pub fn forge(&mut self) {
        self.is_forged = true;
    }

    /// Keeps every interrupt back from now on.
    pub fn hold(&mut self) {
        self.is_held = true;
    }

    /// Lets through what was kept back.
    pub fn release(&mut self) {
        self.is_held = false;
    }

    /// Is the line up, where the unit asks for it or not?
    pub fn is_due(&self, unit_asks: bool) -> bool {
        (unit_asks || self.is_forged) && !self.is_held
    }

    /// The guest takes the interrupt.
    pub fn take(&mut self) {
        self.is_forged = false;
        self.taken += 1;
    }

    /// How many the guest has taken.
    pub fn taken(&self) -> u64 {
        self.taken
    }
}
