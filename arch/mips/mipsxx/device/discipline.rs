//! What a driver must not do to this unit although hardware permits it.

use super::Device;
use crate::arch::mips::Cp0;
use crate::virt::{Discipline, TopBit, Trigger};

impl<T: Trigger> Discipline for Device<T> {
    fn check_write(&self, at: Cp0, value: u64) -> Result<(), &'static str> {
        self.check_written(self.place(at), value)
    }
}
