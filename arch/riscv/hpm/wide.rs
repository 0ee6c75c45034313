//! Registers of 64 bits, which a processor of 32 bits has in halves.

use super::{Extensions, Model};
use crate::arch::riscv::Csr;
use crate::contract::Registers;

/// A register of 64 bits, and how it is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Handle {
    low: Csr,
    form: Form,
}

/// What a register of 64 bits is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// One register.
    Whole,
    /// Two registers.
    Halves,
    /// Two registers, which are halves of one value only while nothing counts. QEMU works out each half by itself, so that the
    /// upper half of a counter that has wrapped stays behind until it is stopped (QEMU 10.0, target/riscv/csr.c,
    /// riscv_pmu_read_ctr).
    Apart,
}

impl Form {
    /// Returns the form of a counter that counts, on a unit of this model and with these extensions, whose counters can be
    /// stopped or not.
    #[inline(always)]
    pub(super) const fn of(model: Model, extensions: Extensions, can_stop: bool) -> Self {
        match extensions.contains(Extensions::RV32) {
            false => Self::Whole,
            true if matches!(model, Model::Qemu) && can_stop => Self::Apart,
            true => Self::Halves,
        }
    }
}

impl Handle {
    #[inline(always)]
    pub(super) const fn new(low: Csr, in_halves: bool) -> Self {
        Self { low, form: if in_halves { Form::Halves } else { Form::Whole } }
    }

    /// A counter that is read while it counts.
    #[inline(always)]
    pub(super) const fn counting(low: Csr, form: Form) -> Self {
        Self { low, form }
    }

    /// Reads a counter that counts, by the fast path. One whose halves are apart is read by `stopped`.
    #[inline(always)]
    pub(super) fn read_counting<R: Registers<Index = Csr>>(
        self,
        registers: &R,
        stopped: impl FnOnce(Self) -> u64,
    ) -> u64 {
        match self.form {
            Form::Whole => registers.read_counter(self.low),
            Form::Halves => self.read_counter(registers),
            Form::Apart => stopped(self),
        }
    }

    /// Returns the bit of this counter in mcountinhibit.
    #[inline(always)]
    pub(super) const fn bit(self) -> u64 {
        1 << (self.low.number() & 31)
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
        if self.form == Form::Whole {
            return read(self.low);
        }
        let (before, low, high) = (read(self.low.high()), read(self.low), read(self.low.high()));
        let low = if before == high { low } else { read(self.low) };
        high << 32 | low & 0xFFFF_FFFF
    }

    /// Writes the register. A counter must not count meanwhile.
    #[inline(always)]
    pub(super) fn write<R: Registers<Address = Csr>>(self, registers: &R, value: u64) {
        if self.form == Form::Whole {
            registers.write(self.low, value);
        } else {
            registers.write(self.low.high(), value >> 32);
            registers.write(self.low, value & 0xFFFF_FFFF);
        }
    }

    /// Writes a register of which only the upper half changes.
    #[inline(always)]
    pub(super) fn write_high<R: Registers<Address = Csr>>(self, registers: &R, value: u64) {
        if self.form == Form::Whole {
            registers.write(self.low, value);
        } else {
            registers.write(self.low.high(), value >> 32);
        }
    }
}
