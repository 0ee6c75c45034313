//! The unit as problem state accesses it: from the 750 on by the copies, which can be read.
//!
//! Source: "MPC7400 RISC Microprocessor User's Manual", sections 11.3.1.2 to 11.3.2.3.

use super::{Device, Fault};
use crate::arch::powerpc::Spr;
use crate::arch::powerpc::classic::spr::is_user;
use crate::event::Mode;
use crate::virt::Trigger;

/// The unit as problem state accesses it.
#[derive(Debug)]
pub struct Problem<'d, T: Trigger>(pub(super) &'d Device<T>);

impl<T: Trigger> Problem<'_, T> {
    /// Reads a register.
    ///
    /// # Errors
    /// Returns [`Fault::Absent`], or [`Fault::Trapped`] for a register of the kernel's.
    pub fn try_read(&self, at: Spr) -> Result<u64, Fault> {
        if is_user(at) { self.0.read_register(at) } else { Err(Fault::Trapped(Mode::Kernel)) }
    }

    /// Refuses to write a register.
    ///
    /// # Errors
    /// Returns [`Fault::Absent`] or [`Fault::ReadOnly`], or [`Fault::Trapped`] for a register of the kernel's.
    pub fn try_write(&self, at: Spr, value: u64) -> Result<(), Fault> {
        if is_user(at) { self.0.write_register(at, value) } else { Err(Fault::Trapped(Mode::Kernel)) }
    }
}
