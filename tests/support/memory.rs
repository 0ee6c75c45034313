//! Registers that keep what is written to them, but for those that a test takes away.

use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::Hash;

use pmu::driver::Registers;

use super::registers;

/// Every register holds 0 until it is written.
#[derive(Debug)]
pub(crate) struct Memory<A> {
    values: RefCell<HashMap<A, u64>>,
    swallows: bool,
}

impl<A> Memory<A> {
    /// Registers that live as long as the test.
    pub(crate) fn leaked() -> &'static Self {
        Box::leak(Box::new(Self::new()))
    }

    pub(crate) fn new() -> Self {
        Self { values: RefCell::default(), swallows: false }
    }

    /// One that keeps nothing.
    pub(crate) fn that_swallows() -> Self {
        Self { values: RefCell::default(), swallows: true }
    }
}

impl<A: Copy + Eq + Hash> Registers for Memory<A> {
    type Address = A;
    type Index = A;

    registers::without_clock!();

    fn read(&self, at: A) -> u64 {
        self.values.borrow().get(&at).copied().unwrap_or_default()
    }

    fn write(&self, at: A, value: u64) {
        if !self.swallows {
            self.values.borrow_mut().insert(at, value);
        }
    }

    fn read_counter(&self, index: A) -> u64 {
        self.read(index)
    }
}
