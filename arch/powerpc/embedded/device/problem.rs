//! The unit as user programs access it: by the copies, which can be read.
//!
//! Source: "PowerPC e500 Core Family Reference Manual", table 7-2, "Performance Monitor Registers - User
//! Level (Read-Only)", and section 7.3.

use super::{Device, Fault};
use crate::arch::powerpc::Pmr;
use crate::event::Mode;
use crate::virt::Trigger;

/// The unit as user programs access it.
#[derive(Debug)]
pub struct Problem<'d, T: Trigger>(pub(super) &'d Device<T>);

impl<T: Trigger> Problem<'_, T> {
    /// Reads a register.
    ///
    /// # Errors
    /// Returns [`Fault::Absent`], or [`Fault::Trapped`] for a register of the kernel's.
    pub fn try_read(&self, at: Pmr) -> Result<u64, Fault> {
        if at.is_user() { self.0.read_register(at) } else { Err(Fault::Trapped(Mode::Kernel)) }
    }

    /// Refuses to write a register.
    ///
    /// # Errors
    /// Returns [`Fault::Absent`] or [`Fault::ReadOnly`], or [`Fault::Trapped`] for a register of the kernel's.
    pub fn try_write(&self, at: Pmr, value: u64) -> Result<(), Fault> {
        if at.is_user() { self.0.write_register(at, value) } else { Err(Fault::Trapped(Mode::Kernel)) }
    }
}
