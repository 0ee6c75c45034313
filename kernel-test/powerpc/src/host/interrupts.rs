//! When the guest takes a performance monitor exception that the unit's line does not tell of: one
//! that is forged, and none while they are held back.

/// What the host does to the guest's exceptions.
#[derive(Default)]
pub struct Interrupts {
    is_forged: bool,
    is_held: bool,
    taken: u64,
}

impl Interrupts {
    /// Raises an exception that no counter asked for.
    pub fn forge(&mut self) {
        self.is_forged = true;
    }

    /// Keeps every exception back from now on.
    pub fn hold(&mut self) {
        self.is_held = true;
    }

    /// Lets through what was kept back.
    pub fn release(&mut self) {
        self.is_held = false;
    }

    /// Is there an exception, where the unit asks for one or not?
    pub fn is_due(&self, unit_asks: bool) -> bool {
        (unit_asks || self.is_forged) && !self.is_held
    }

    /// The guest takes it.
    pub fn take(&mut self) {
        self.is_forged = false;
        self.taken += 1;
    }

    /// How many the guest has taken.
    pub fn taken(&self) -> u64 {
        self.taken
    }
}
