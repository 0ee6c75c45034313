//! What the registers of a test have in common with others, as functions of an `impl Registers`; and registers that find out
//! where an interrupt may come.

use std::cell::Cell;

use pmu::OneCpu;
use pmu::driver::{Masked, Registers};

/// No clock, and no interrupts to mask.
macro_rules! without_clock {
    () => {
        type Kernel = pmu::OneCpu;

        fn kernel(&self) -> pmu::OneCpu {
            pmu::OneCpu
        }

        fn ticks(&self) -> u64 {
            0
        }

        fn mask(&self) -> pmu::driver::Masked {
            pmu::driver::Masked::from_bits(0)
        }

        fn unmask(&self, _: pmu::driver::Masked) {}
    };
}

/// All but its reads and writes is that of the device in `self.$device`.
macro_rules! rest_of {
    ($($device:tt)+) => {
        type Kernel = pmu::OneCpu;

        fn kernel(&self) -> pmu::OneCpu {
            pmu::OneCpu
        }

        fn read_counter(&self, index: Self::Index) -> u64 {
            self.$($device)+.read_counter(index)
        }

        fn ticks(&self) -> u64 {
            self.$($device)+.ticks()
        }

        fn mask(&self) -> pmu::driver::Masked {
            self.$($device)+.mask()
        }

        fn unmask(&self, before: pmu::driver::Masked) {
            self.$($device)+.unmask(before);
        }
    };
}

pub(crate) use {rest_of, without_clock};

/// Registers that nothing may access unless interrupts are masked.
pub(crate) struct Masking<R> {
    registers: R,
    pub(crate) is_masked: Cell<bool>,
}

impl<R> Masking<R> {
    pub(crate) fn new(registers: R) -> Self {
        Self { registers, is_masked: Cell::new(false) }
    }
}

impl<R: Registers> Registers for Masking<R> {
    type Address = R::Address;
    type Index = R::Index;
    type Kernel = OneCpu;

    fn kernel(&self) -> OneCpu {
        OneCpu
    }

    fn read(&self, at: R::Address) -> u64 {
        assert!(self.is_masked.get(), "an interrupt may come before this read");
        self.registers.read(at)
    }

    fn write(&self, at: R::Address, value: u64) {
        assert!(self.is_masked.get(), "an interrupt may come before this write");
        self.registers.write(at, value);
    }

    fn read_counter(&self, index: R::Index) -> u64 {
        assert!(self.is_masked.get(), "an interrupt may come before this read");
        self.registers.read_counter(index)
    }

    fn ticks(&self) -> u64 {
        0
    }

    fn mask(&self) -> Masked {
        Masked::from_bits(self.is_masked.replace(true).into())
    }

    fn unmask(&self, before: Masked) {
        self.is_masked.set(before.bits() != 0);
    }
}
