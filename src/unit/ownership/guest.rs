//! The guest that has the unit's counters while the unit is suspended for it ([`Mediated`](crate::virt::Mediated)).

use crate::contract::Driver;
use crate::event::Result;
use crate::sync::{Cell, Word};
use crate::unit::Pmu;

/// The guest that has the unit.
#[derive(Debug)]
pub(crate) struct Guest {
    /// The serial number of the pass-through that has the unit. No guest has it while this is 0. Only threads of the unit's
    /// CPU write it.
    serial: Cell,
    /// The serial number of the pass-through that was dropped on another CPU while it had the unit. Any CPU writes it.
    dropped: Word,
}

impl Guest {
    pub(super) const fn none() -> Self {
        Self { serial: Cell::new(0), dropped: Word::new(0) }
    }

    /// Returns true if a guest has the unit.
    pub(in crate::unit) fn is_there(&self) -> bool {
        self.serial.get() != 0
    }

    /// Returns true if the guest with this serial number has the unit.
    #[inline(always)]
    pub(crate) fn is(&self, serial: u64) -> bool {
        self.serial.get() == serial
    }

    /// No guest has the unit any more.
    pub(super) fn leave(&self) {
        self.serial.set(0);
    }

    /// The pass-through was dropped where the unit cannot be touched. The next operation at home takes the unit back, and
    /// the next overflow interrupt halts it.
    pub(crate) fn abandon(&self, serial: u64) {
        self.dropped.publish(serial);
    }

    /// Returns true if the pass-through that has the unit was dropped on another CPU.
    pub(in crate::unit) fn is_abandoned(&self) -> bool {
        self.is_there() && self.dropped.observe() == self.serial.get()
    }

    /// Forgets that the pass-through was dropped, so that the overflow handler leaves the unit alone while it is taken back.
    pub(super) fn begin_return(&self) {
        self.dropped.publish(0);
    }
}

impl<D: Driver> Pmu<'_, D> {
    /// Suspends the unit for a guest, and returns the guest's serial number. What the unit held before the claim stays saved.
    /// The selectors still have what the host has written to them; the guest's own are written before it counts, and only
    /// its counters are run. Overflows whose status came later than the stop are cleared, or the guest would have them.
    ///
    /// # Errors
    /// Those of [`Pmu::suspend`].
    pub(crate) fn give_to_guest(self) -> Result<u64> {
        let (ownership, driver) = (&self.shared.ownership, self.driver);
        let operation = self.park_all()?;
        let serial = self.shared.residency.next_serial();
        self.end_lending();
        // Set before the unit is suspended: a halt at any moment finds the unit awake or with a guest.
        ownership.guest.serial.set(serial);
        ownership.home.suspend(operation.claim());
        driver.acknowledge(self.image(), driver.description().counters().collect());
        Ok(serial)
    }
}
