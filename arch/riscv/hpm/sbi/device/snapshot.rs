//! Snapshot memory: a page of the guest's, which a stop writes and a start reads.
//!
//! Source: "RISC-V Supervisor Binary Interface Specification", "Set PMU Snapshot Shared Memory": the overflows are the word at
//! 0, and the values the 64 words from 8 on, both by the counter's number less the call's base.

use super::Host;
use crate::arch::riscv::sbi::SbiError;
use crate::virt::Trigger;

/// There is none.
pub(super) const NO_MEMORY: u64 = 0;
const PAGE: u64 = 4096;
const VALUES: u64 = 8;

/// The memory of a guest, by the addresses that it uses itself.
pub trait Memory {
    /// Reads a word of 64 bits. `None` if the guest has no such memory.
    fn read(&self, address: u64) -> Option<u64>;

    /// Writes a word of 64 bits. `None` if the guest has no such memory.
    fn write(&self, address: u64, value: u64) -> Option<()>;
}

/// A host that offers no snapshot memory.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoMemory;

impl Memory for NoMemory {
    fn read(&self, _: u64) -> Option<u64> {
        None
    }

    fn write(&self, _: u64, _: u64) -> Option<()> {
        None
    }
}

impl<T: Trigger> Host<T> {
    /// Sets the page. All bits of an address set: none any more.
    pub(super) fn set_memory(&self, low: u64, high: u64, flags: u64, memory: &impl Memory) -> Result<u64, SbiError> {
        let all = if self.is_narrow { 0xFFFF_FFFF } else { u64::MAX };
        let address = if self.is_narrow { high << 32 | low } else { low };
        if flags != 0 {
            return Err(SbiError::InvalidParameter);
        }
        if (low, high) == (all, all) {
            self.memory.set(NO_MEMORY);
            return Ok(0);
        }
        if !low.is_multiple_of(PAGE) {
            return Err(SbiError::InvalidParameter);
        }
        let last = address.checked_add(PAGE - 8);
        let is_there = self.is_narrow || high == 0;
        let found = last.filter(|_| is_there).and_then(|last| memory.read(address).and(memory.read(last)));
        found.ok_or(SbiError::InvalidAddress)?;
        self.memory.set(address + 1);
        Ok(0)
    }

    fn address(&self) -> Result<u64, SbiError> {
        self.memory.get().checked_sub(1).ok_or(SbiError::NoSharedMemory)
    }

    /// Returns the value that a counter starts from.
    pub(super) fn value_in_memory(&self, at: u64, memory: &impl Memory) -> Result<u64, SbiError> {
        memory.read(self.address()? + VALUES + 8 * at).ok_or(SbiError::InvalidAddress)
    }

    /// Writes what a stopped counter holds.
    pub(super) fn write_to_memory(
        &self,
        at: u64,
        value: u64,
        has_overflowed: bool,
        memory: &impl Memory,
    ) -> Result<(), SbiError> {
        let address = self.address()?;
        let overflows = memory.read(address).ok_or(SbiError::InvalidAddress)? & !(1 << at);
        memory.write(address + VALUES + 8 * at, value).ok_or(SbiError::InvalidAddress)?;
        memory.write(address, overflows | u64::from(has_overflowed) << at).ok_or(SbiError::InvalidAddress)
    }
}
