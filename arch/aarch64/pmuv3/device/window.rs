//! Answers a guest's loads and stores where the unit is mapped into memory.
//!
//! A [`View`](crate::arch::aarch64::View) says which half of which register a word is. Exception levels do
//! not apply to the view: PMSELR_EL0, PMUSERENR_EL0 and MDCR_EL2's HPMN, TPM and TPMCR have no effect on it (DDI
//! 0487, "Differences in the external views of the Performance Monitors registers"). Registers that are not
//! implemented there or are write-only read as 0, and read-only ones ignore writes.

use super::Device;
use super::place::Place;
use crate::arch::aarch64::{Half, SystemRegister};
use crate::event::Mode;
use crate::virt::Trigger;

impl<T: Trigger> Device<T> {
    /// Reads a half of a register.
    #[must_use]
    pub fn read_half(&self, at: SystemRegister, half: Half) -> u32 {
        half.of(self.read_from(Mode::Hypervisor, at).unwrap_or(0))
    }

    /// Writes a half of a register. The other half does not change.
    pub fn write_half(&self, at: SystemRegister, half: Half, word: u32) {
        let other = match Place::of(at) {
            Place::Counter(_) | Place::Select(_) => self.read_from(Mode::Hypervisor, at).unwrap_or(0),
            _ => 0,
        };
        let kept = other & !half.place(u32::MAX);
        let _ = self.write_from(Mode::Hypervisor, at, kept | half.place(word));
    }
}
