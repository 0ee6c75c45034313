//! The line from the unit to the guest's processor, and what the host does to it.

use core::cell::Cell;

use pmu::virt::Trigger;

/// The line from the unit to the processor: how it stands, and whether it was pulled.
#[derive(Debug, Default)]
pub struct Wire {
    was_pulled: Cell<bool>,
    is_up: Cell<bool>,
    /// The unit cannot withdraw what it has asked for.
    is_latched: bool,
}

impl Wire {
    /// A wire to a bit of the processor's, which the unit sets and does not clear.
    pub fn latched() -> Self {
        Self { is_latched: true, ..Self::default() }
    }

    /// Does it ask for an interrupt now?
    pub fn is_up(&self) -> bool {
        self.is_up.get()
    }

    /// Sets whether it asks for one, though the unit says nothing.
    pub fn set(&self, is_up: bool) {
        self.is_up.set(is_up);
    }

    /// Has the unit pulled it since this was asked last?
    pub(super) fn take_pull(&self) -> bool {
        self.was_pulled.take()
    }

    /// How it stands.
    pub(super) fn state(&self) -> [bool; 2] {
        [self.was_pulled.get(), self.is_up.get()]
    }

    /// Makes it stand so.
    pub(super) fn restore(&self, [was_pulled, is_up]: [bool; 2]) {
        self.was_pulled.set(was_pulled);
        self.is_up.set(is_up);
    }
}

impl Trigger for Wire {
    fn interrupt(&self) {
        self.was_pulled.set(true);
        self.is_up.set(true);
    }

    fn withdraw(&self) {
        if !self.is_latched {
            self.is_up.set(false);
        }
    }
}

/// What the host does to the wire.
#[derive(Default)]
pub(super) struct Mischief {
    /// An interrupt is there that no counter asked for.
    pub(super) is_forged: bool,
    /// None comes.
    pub(super) is_held: bool,
    /// How many the guest has taken.
    pub(super) taken: u64,
}
