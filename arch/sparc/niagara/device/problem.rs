//! The unit as user programs access it: they read %pic if PRIV is clear.
//!
//! Sources: OpenSPARC T2's design, pmu_pct_ctl.v ("priv_ex"); "SPARC Joint Programming Specification (JPS1):
//! Commonality", section 5.2.11: privileged_opcode for %pcr, privileged_action for %pic.

use super::Device;
use crate::arch::sparc::Asr;
use crate::arch::sparc::niagara::Pcr;
use crate::event::Mode;
use crate::virt::{Fault, Trigger};

/// The unit as user programs access it.
#[derive(Debug)]
pub struct Problem<'d, T: Trigger>(pub(super) &'d Device<T>);

impl<T: Trigger> Problem<'_, T> {
    /// Reads a register.
    ///
    /// # Errors
    /// Returns [`Fault::Trapped`] for %pcr, and for %pic unless it is lent.
    pub fn try_read(&self, at: Asr) -> Result<u64, Fault> {
        self.check(at)?;
        Ok(self.0.read_register(at))
    }

    /// Writes a register: whoever may read %pic may write it.
    ///
    /// # Errors
    /// Those of [`Problem::try_read`].
    pub fn try_write(&self, at: Asr, value: u64) -> Result<(), Fault> {
        self.check(at)?;
        self.0.write_register(at, value);
        Ok(())
    }

    fn check(&self, at: Asr) -> Result<(), Fault> {
        let is_lent = !self.0.control().contains(Pcr::PRIVILEGED);
        if at == Asr::Pic && is_lent { Ok(()) } else { Err(Fault::Trapped(Mode::Kernel)) }
    }
}
