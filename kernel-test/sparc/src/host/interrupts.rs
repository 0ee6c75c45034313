//! The guest's interrupts of level 15: how many it has taken, and whether they are kept back.

/// What the host does to the guest's interrupts.
#[derive(Default)]
pub struct Interrupts {
    is_held: bool,
    taken: u64,
}

impl Interrupts {
    /// Keeps every interrupt back from now on.
    pub fn hold(&mut self) {
        self.is_held = true;
    }

    /// Lets through what was kept back.
    pub fn release(&mut self) {
        self.is_held = false;
    }

    /// Is there an interrupt, if SOFTINT asks for one?
    pub fn is_due(&self, soft: bool) -> bool {
        soft && !self.is_held
    }

    /// The guest takes it.
    pub fn take(&mut self) {
        self.taken += 1;
    }

    /// How many the guest has taken.
    pub fn taken(&self) -> u64 {
        self.taken
    }
}
