//! The unit as user programs access it: by the copies, which can be read.
//!
//! Source: "PowerPC e500 Core Family Reference Manual", table 7-2, "Performance Monitor Registers - User
//! Level (Read-Only)", and section 7.3.

use super::{Device, Fault};
use crate::arch::powerpc::Pmr;
use crate::event::Mode;
use crate::virt::Trigger;

impl<T: Trigger> Device<T> {
    /// Reads a register in this mode.
    ///
    /// # Errors
    /// Returns [`Fault::Absent`], or in problem state [`Fault::Trapped`] for a register of the kernel's.
    pub fn read_from(&self, mode: Mode, at: Pmr) -> Result<u64, Fault> {
        check(mode, at)?;
        self.read_register(at)
    }

    /// Writes a register in this mode. Problem state can write none.
    ///
    /// # Errors
    /// Returns [`Fault::Absent`] or [`Fault::ReadOnly`], or in problem state [`Fault::Trapped`] for a register of the
    /// kernel's.
    pub fn write_from(&self, mode: Mode, at: Pmr, value: u64) -> Result<(), Fault> {
        check(mode, at)?;
        self.write_register(at, value)
    }
}

/// Checks that this mode has the register.
fn check(mode: Mode, at: Pmr) -> Result<(), Fault> {
    if mode != Mode::User || at.is_user() { Ok(()) } else { Err(Fault::Trapped(Mode::Kernel)) }
}
