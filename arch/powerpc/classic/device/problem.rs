//! The unit as problem state accesses it: from the 750 on by the copies, which can be read.
//!
//! Source: "MPC7400 RISC Microprocessor User's Manual", sections 11.3.1.2 to 11.3.2.3.

use super::{Device, Fault};
use crate::arch::powerpc::Spr;
use crate::arch::powerpc::classic::spr::is_user;
use crate::event::Mode;
use crate::virt::Trigger;

impl<T: Trigger> Device<T> {
    /// Reads a register in this mode.
    ///
    /// # Errors
    /// Returns [`Fault::Absent`], or in problem state [`Fault::Trapped`] for a register of the kernel's.
    pub fn read_from(&self, mode: Mode, at: Spr) -> Result<u64, Fault> {
        check(mode, at)?;
        self.read_register(at)
    }

    /// Writes a register in this mode. Problem state can write none.
    ///
    /// # Errors
    /// Returns [`Fault::Absent`] or [`Fault::ReadOnly`], or in problem state [`Fault::Trapped`] for a register of the
    /// kernel's.
    pub fn write_from(&self, mode: Mode, at: Spr, value: u64) -> Result<(), Fault> {
        check(mode, at)?;
        self.write_register(at, value)
    }
}

/// Checks that this mode has the register.
fn check(mode: Mode, at: Spr) -> Result<(), Fault> {
    if mode != Mode::User || is_user(at) { Ok(()) } else { Err(Fault::Trapped(Mode::Kernel)) }
}
