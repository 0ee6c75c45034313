//! The double of a unit that a test needs no model of: registers that keep what is written to them.

use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::Hash;
use std::marker::PhantomData;

use pmu::arch::sparc::{Asr, Half};
use pmu::arch::x86::netburst::Cccr;
use pmu::arch::x86::{Index, Msr};
use pmu::driver::Registers;

use super::registers;

/// x86's registers. The fast read is the Pentium 4's.
pub(crate) type Msrs = Memory<Msr, Index>;

/// Every register holds 0 until it is written.
#[derive(Debug)]
pub(crate) struct Memory<A, I = A> {
    values: RefCell<HashMap<A, u64>>,
    swallows: bool,
    index: PhantomData<I>,
}

impl<A: Copy + Eq + Hash, I> Memory<A, I> {
    /// Registers that live as long as the test.
    pub(crate) fn leaked() -> &'static Self {
        Box::leak(Box::new(Self::new()))
    }

    pub(crate) fn new() -> Self {
        Self { values: RefCell::default(), swallows: false, index: PhantomData }
    }

    /// One that keeps nothing.
    pub(crate) fn that_swallows() -> Self {
        Self { swallows: true, ..Self::new() }
    }

    /// Sets a register.
    pub(crate) fn with(self, at: A, value: u64) -> Self {
        self.values.borrow_mut().insert(at, value);
        self
    }

    /// Everything that is not 0.
    pub(crate) fn contents(&self) -> HashMap<A, u64> {
        self.values.borrow().iter().map(|(&at, &value)| (at, value)).filter(|&(_, value)| value != 0).collect()
    }
}

/// A counter's number for the fast read, which finds the counter in a memory.
pub(crate) trait Fast<A>: Copy {
    fn find(self, read: impl Fn(A) -> u64) -> u64;
}

impl<A: Copy> Fast<A> for A {
    fn find(self, read: impl Fn(A) -> u64) -> u64 {
        read(self)
    }
}

impl Fast<Msr> for Index {
    fn find(self, read: impl Fn(Msr) -> u64) -> u64 {
        read(Cccr::counter_msr(self.counter()))
    }
}

impl Fast<Asr> for Half {
    fn find(self, read: impl Fn(Asr) -> u64) -> u64 {
        read(Asr::Pic) >> (32 * u32::from(self.number())) & 0xFFFF_FFFF
    }
}

impl<A: Copy + Eq + Hash, I: Fast<A>> Registers for Memory<A, I> {
    type Address = A;
    type Index = I;

    registers::without_clock!();

    fn read(&self, at: A) -> u64 {
        self.values.borrow().get(&at).copied().unwrap_or_default()
    }

    fn write(&self, at: A, value: u64) {
        if !self.swallows {
            self.values.borrow_mut().insert(at, value);
        }
    }

    fn read_counter(&self, index: I) -> u64 {
        index.find(|at| self.read(at))
    }
}
