//! What a driver must not do to this unit although hardware permits it.

use super::{Device, Place, numbers};
use crate::arch::riscv::Csr;
use crate::arch::riscv::hpm::Select;
use crate::virt::{Discipline, Trigger, forbid};

impl<T: Trigger> Discipline for Device<T> {
    fn check_write(&self, at: Csr, value: u64) -> Result<(), &'static str> {
        let place = self.place(at).map_err(|_| "the register is no part of this unit")?;
        forbid(at.is_read_only(), "a read-only register is written")?;
        forbid(self.is_narrow() && value >> 32 != 0, "a register of 32 bits is given more")?;
        match place {
            Place::Counter(counter, _) => forbid(self.is_running(counter), "a counter that counts is written"),
            Place::Select(counter, half) => {
                let new = Select::from_bits_retain(half.replaced(self.select(counter).bits(), value));
                let changes = new.union(Select::OVERFLOWED) != self.select(counter).union(Select::OVERFLOWED);
                let stops = new.intersection(Select::EVENT).is_empty();
                forbid(
                    self.is_running(counter) && changes && !stops,
                    "what a counter counts is changed while it counts",
                )?;
                forbid(new.contains(Select::OVERFLOWED), "an overflow is written that did not happen")
            }
            Place::Mask(mode) => {
                let before = u64::from(self.selecting(mode));
                let changed = before ^ at.written(value, || Ok::<_, &'static str>(before))?;
                let is_running = |counter: u8| changed >> counter & 1 == 1 && self.is_running(counter);
                forbid(numbers(self.all).any(is_running), "where a counter counts is changed while it counts")
            }
            Place::Overflowed => {
                let is_any_running = numbers(self.all).any(|counter| self.is_running(counter));
                forbid(
                    is_any_running,
                    "overflows are cleared while a counter counts, whose overflow amid this is lost",
                )?;
                let before = u64::from(self.overflowed.get());
                let after = at.written(value, || Ok::<_, &'static str>(before))?;
                forbid(after & !before != 0, "an overflow is written that did not happen")
            }
            Place::Inhibit => {
                let reserved = value & !u64::from(self.delegated());
                forbid(reserved != 0, "counters are stopped that do not exist")
            }
            _ => Ok(()),
        }
    }
}
