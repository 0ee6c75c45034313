//! The unit as user programs access it: they read %pic if PRIV is clear.
//!
//! Source: "SPARC Joint Programming Specification (JPS1): Commonality", section 5.2.11: privileged_opcode for %pcr,
//! privileged_action for %pic.

use super::Device;
use crate::arch::sparc::Asr;
use crate::arch::sparc::ultrasparc::Pcr;
use crate::event::Mode;
use crate::virt::{Fault, Trigger};

impl<T: Trigger> Device<T> {
    /// Reads a register in this mode.
    ///
    /// # Errors
    /// Returns [`Fault::Trapped`] in user mode for %pcr, and for %pic unless it is lent.
    pub fn read_from(&self, mode: Mode, at: Asr) -> Result<u64, Fault> {
        self.check_mode(mode, at)?;
        Ok(self.read_register(at))
    }

    /// Writes a register in this mode: whoever may read %pic may write it.
    ///
    /// # Errors
    /// Those of [`Self::read_from`].
    pub fn write_from(&self, mode: Mode, at: Asr, value: u64) -> Result<(), Fault> {
        self.check_mode(mode, at)?;
        self.write_register(at, value);
        Ok(())
    }

    fn check_mode(&self, mode: Mode, at: Asr) -> Result<(), Fault> {
        let is_lent = at == Asr::Pic && !self.control().contains(Pcr::PRIVILEGED);
        if mode != Mode::User || is_lent { Ok(()) } else { Err(Fault::Trapped(Mode::Kernel)) }
    }
}
