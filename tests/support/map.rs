//! Registers that keep what is written to them, and count nothing.

use std::cell::RefCell;
use std::collections::BTreeMap;

use pmu::arch::x86::netburst::Cccr;
use pmu::arch::x86::{Index, Msr};
use pmu::driver::Registers;

use super::registers;

/// Registers by their addresses. Those that were never written hold 0.
#[derive(Debug, Default)]
pub(crate) struct Map {
    values: RefCell<BTreeMap<u32, u64>>,
}

impl Map {
    /// Sets a register.
    pub(crate) fn with(self, at: Msr, value: u64) -> Self {
        self.write(at, value);
        self
    }

    /// Everything that is not 0.
    pub(crate) fn contents(&self) -> BTreeMap<u32, u64> {
        self.values.borrow().iter().map(|(&at, &value)| (at, value)).filter(|&(_, value)| value != 0).collect()
    }
}

impl Registers for Map {
    type Address = Msr;
    type Index = Index;

    registers::without_clock!();

    fn read(&self, at: Msr) -> u64 {
        self.values.borrow().get(&at.address()).copied().unwrap_or(0)
    }

    fn write(&self, at: Msr, value: u64) {
        self.values.borrow_mut().insert(at.address(), value);
    }

    fn read_counter(&self, index: Index) -> u64 {
        self.read(Cccr::counter_msr(index.counter()))
    }
}
