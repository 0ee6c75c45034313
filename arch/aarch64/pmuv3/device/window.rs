//! The unit where it is mapped into memory: what a host answers of a guest's loads and stores there.
//!
//! A [`View`](crate::arch::aarch64::mapped::View) says which half of which register a word is. The view
//! is outside of the levels: PMSELR_EL0, PMUSERENR_EL0 and MDCR_EL2's HPMN, TPM and TPMCR do not reach
//! it (DDI 0487, "Differences in the external views of the Performance Monitors registers"). What is
//! not implemented there, or only to be written, reads as 0; what is only to be read ignores writes.

use super::Device;
use super::place::Place;
use crate::arch::aarch64::{Half, SystemRegister};
use crate::event::Mode;
use crate::virt::Trigger;

impl<T: Trigger> Device<T> {
    /// Reads half a register.
    #[must_use]
    pub fn read_half(&self, at: SystemRegister, half: Half) -> u32 {
        half.of(self.read_from(Mode::Hypervisor, at).unwrap_or(0))
    }

    /// Writes half a register; the other half stays as it is.
    pub fn write_half(&self, at: SystemRegister, half: Half, word: u32) {
        let other = match Place::of(at) {
            Place::Counter(_) | Place::Select(_) => self.read_from(Mode::Hypervisor, at).unwrap_or(0),
            _ => 0,
        };
        let kept = other & !half.place(u32::MAX);
        let _ = self.write_from(Mode::Hypervisor, at, kept | half.place(word));
    }
}
