//! How a counter goes on for a thread that had it before.

use super::{Index, Msr};
use crate::contract::Registers;
use crate::event::CounterId;

/// What a counter selects for a thread, and where it is written: found once, so that a switch from one
/// thread to the next need not look for it.
#[derive(Clone, Copy, Debug)]
pub struct WayBack {
    pub(super) counter: CounterId,
    /// What its selector holds.
    pub(super) select: u64,
    /// Where the image notes that.
    pub(super) place: u8,
    /// What selects.
    pub(super) selector: Msr,
    /// The counter's register.
    pub(super) register: Msr,
    /// The bits that a write of it reaches.
    pub(super) written: u64,
}

impl WayBack {
    /// Puts back what the counter read when it was stopped.
    #[inline(always)]
    pub(super) fn bring<R>(&self, registers: &R, raw: u64)
    where
        R: Registers<Address = Msr, Index = Index>,
    {
        registers.write(self.register, raw & self.written);
    }
}
