//! The firmware's own counters: they count what the host does for its guest.
//!
//! Source: "RISC-V Supervisor Binary Interface Specification", chapter "Performance Monitoring Unit Extension", "Firmware
//! Events".

use super::Host;
use super::call::{Answer, Place, indices};
use crate::arch::riscv::sbi::SbiError;
use crate::virt::Trigger;

/// The number of the firmware's events in version 2.0, without the platform's own.
const EVENTS: u8 = 22;
/// All of them, one bit each.
pub(super) const ALL: u32 = (1 << EVENTS) - 1;

impl<T: Trigger> Host<T> {
    /// Sets which events of the firmware's own the host counts, one bit for each. The others are refused. The default is all.
    #[must_use]
    pub fn counting_firmware(mut self, events: u32) -> Self {
        self.counted_of_firmware = events & ALL;
        self
    }

    /// Counts events of the firmware's own, by their numbers in the specification: what the host has done for the guest.
    pub fn count_firmware(&self, event: u16, events: u64) {
        for (index, value) in self.values.iter().enumerate() {
            let counts = self.events[index].get() == event.saturating_add(1) && self.running.get() >> index & 1 == 1;
            value.set(value.get().wrapping_add(if counts { events } else { 0 }));
        }
    }

    /// Gives the lowest of these counters that is free an event of the firmware's.
    pub(super) fn matched_in_firmware(&self, named: u64, event: u64) -> Answer {
        if event >= EVENTS.into() || self.counted_of_firmware >> event & 1 == 0 {
            return Err(SbiError::NotSupported);
        }
        let free =
            |&index: &u64| matches!(self.place_of(index), Some(Place::Firmware(_))) && !self.is_configured(index);
        let index = indices(named).find(free).ok_or(SbiError::NotSupported)?;
        if let Some(Place::Firmware(at)) = self.place_of(index) {
            self.events[at].set(event as u16 + 1);
            self.values[at].set(0);
        }
        self.configured.set(self.configured.get() | 1 << index);
        Ok(index)
    }

    /// Returns the value of one of the firmware's counters.
    pub(super) fn read_firmware(&self, index: u64) -> Answer {
        match self.place_of(index) {
            Some(Place::Firmware(at)) if self.is_configured(index) => Ok(self.values[at].get()),
            _ => Err(SbiError::InvalidParameter),
        }
    }
}
