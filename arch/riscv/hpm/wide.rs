//! Registers of 64 bits, which a processor of 32 bits has in halves.

use crate::arch::riscv::Csr;
use crate::contract::Registers;

/// A register of 64 bits, whole or in halves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Handle {
    low: Csr,
    in_halves: bool,
}

impl Handle {
    #[inline(always)]
    pub(super) const fn new(low: Csr, in_halves: bool) -> Self {
        Self { low, in_halves }
    }

    /// Reads the register.
    #[inline(always)]
    pub(super) fn read<R: Registers<Address = Csr>>(self, registers: &R) -> u64 {
        self.read_by(|at| registers.read(at))
    }

    /// Reads a counter by the fast path.
    #[inline(always)]
    pub(super) fn read_counter<R: Registers<Index = Csr>>(self, registers: &R) -> u64 {
        self.read_by(|at| registers.read_counter(at))
    }

    /// Reads halves of one value, whatever is carried between them: a half that has carried is read again, and does not
    /// carry again for 2^32 events.
    #[inline(always)]
    fn read_by(self, read: impl Fn(Csr) -> u64) -> u64 {
        if !self.in_halves {
            return read(self.low);
        }
        let (before, low, high) = (read(self.low.high()), read(self.low), read(self.low.high()));
        let low = if before == high { low } else { read(self.low) };
        high << 32 | low & 0xFFFF_FFFF
    }

    /// Writes the register. A counter must not count meanwhile.
    #[inline(always)]
    pub(super) fn write<R: Registers<Address = Csr>>(self, registers: &R, value: u64) {
        if self.in_halves {
            registers.write(self.low.high(), value >> 32);
            registers.write(self.low, value & 0xFFFF_FFFF);
        } else {
            registers.write(self.low, value);
        }
    }

    /// Writes a register of which only the upper half changes.
    #[inline(always)]
    pub(super) fn write_high<R: Registers<Address = Csr>>(self, registers: &R, value: u64) {
        if self.in_halves {
            registers.write(self.low.high(), value >> 32);
        } else {
            registers.write(self.low, value);
        }
    }
}
