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

    /// Returns true if the guest has such memory, and can write a word of 64 bits to it. The question MUST write nothing.
    fn is_writable(&self, address: u64) -> bool;

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

    fn is_writable(&self, _: u64) -> bool {
        false
    }

    fn write(&self, _: u64, _: u64) -> Option<()> {
        None
    }
}

impl<T: Trigger> Host<T> {
    /// Sets the page, which the guest must be able to write. All bits of an address set: none any more.
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
        let is_there = self.is_narrow || high == 0;
        let page = Some(Page(address)).filter(|_| is_there && address.checked_add(PAGE).is_some());
        let found = page.filter(|page| page.is_usable(memory)).ok_or(SbiError::InvalidAddress)?;
        self.memory.set(found.0 + 1);
        Ok(0)
    }

    /// Returns the page, if there is one and the guest has it still: a start and a stop have no error for another address.
    pub(super) fn page(&self, memory: &impl Memory) -> Result<Page, SbiError> {
        let page = self.memory.get().checked_sub(1).map(Page);
        page.filter(|page| page.is_usable(memory)).ok_or(SbiError::NoSharedMemory)
    }
}

/// A page for snapshots, by its address.
#[derive(Clone, Copy)]
pub(super) struct Page(u64);

impl Page {
    /// Returns true if the guest can read and write the page, by its first word and its last.
    fn is_usable(self, memory: &impl Memory) -> bool {
        [self.0, self.0 + PAGE - 8].iter().all(|&word| memory.read(word).is_some() && memory.is_writable(word))
    }

    /// Returns the value that a counter starts from.
    pub(super) fn value(self, at: u64, memory: &impl Memory) -> Result<u64, SbiError> {
        memory.read(self.0 + VALUES + 8 * at).ok_or(SbiError::NoSharedMemory)
    }

    /// Writes what a stopped counter holds.
    pub(super) fn take(self, at: u64, value: u64, has_overflowed: bool, memory: &impl Memory) -> Result<(), SbiError> {
        let overflows = memory.read(self.0).ok_or(SbiError::NoSharedMemory)? & !(1 << at);
        memory.write(self.0 + VALUES + 8 * at, value).ok_or(SbiError::NoSharedMemory)?;
        memory.write(self.0, overflows | u64::from(has_overflowed) << at).ok_or(SbiError::NoSharedMemory)
    }
}
