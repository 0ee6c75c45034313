//! Registers that keep what is written to them, and do nothing: for traces of drivers alone.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt::Debug;
use std::hash::Hash;

use pmu::Registers;

use crate::registers;

/// Every register holds 0 until it is written.
#[derive(Debug)]
pub(crate) struct Memory<A>(RefCell<HashMap<A, u64>>);

impl<A: Copy + Eq + Hash + Debug> Memory<A> {
    /// Registers that live as long as the test.
    pub(crate) fn new() -> &'static Self {
        Box::leak(Box::new(Self(RefCell::default())))
    }
}

impl<A: Copy + Eq + Hash + Debug> Registers for Memory<A> {
    type Address = A;
    type Index = A;

    registers::without_clock!();

    fn read(&self, at: A) -> u64 {
        self.0.borrow().get(&at).copied().unwrap_or_default()
    }

    fn write(&self, at: A, value: u64) {
        self.0.borrow_mut().insert(at, value);
    }

    fn read_counter(&self, index: A) -> u64 {
        self.read(index)
    }
}
