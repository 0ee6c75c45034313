//! A unit for tests that forbids more than hardware does.
//!
//! Hardware accepts that a counter is written while it counts, and the count is wrong afterwards. [`Strict`]
//! panics instead, and names the register and the rule. The rules of a family are its device's [`Discipline`].

use core::fmt;

use super::{Device, Fault, Filter, Fingerprint, Kinds, RestoreError, Selection, Work};
use crate::contract::{Masked, Registers};
use crate::event::{CounterId, CounterSet, Mode};

/// The rules for using a family's unit, beyond those that its hardware enforces.
pub trait Discipline: Device {
    /// Checks that writing `value` to `at` now is within the rules.
    ///
    /// # Errors
    /// The rule that the write would break, as a sentence.
    fn check_write(&self, at: Self::Address, value: u64) -> Result<(), &'static str>;
}

/// Returns this rule as an error if it is broken.
pub(crate) fn forbid(is_broken: bool, rule: &'static str) -> Result<(), &'static str> {
    if is_broken { Err(rule) } else { Ok(()) }
}

/// A device that panics if a driver breaks a rule of its family's [`Discipline`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Strict<D>(pub D);

impl<D> Registers for Strict<D>
where
    D: Discipline + Registers<Address = <D as Device>::Address, Index = <D as Device>::Index>,
    <D as Device>::Address: fmt::Debug,
{
    type Address = <D as Device>::Address;
    type Index = <D as Device>::Index;
    type Kernel = D::Kernel;

    fn kernel(&self) -> D::Kernel {
        self.0.kernel()
    }

    fn read(&self, at: Self::Address) -> u64 {
        self.0.read(at)
    }

    fn write(&self, at: Self::Address, value: u64) {
        if let Err(breach) = self.0.check_write(at, value) {
            panic!("writing {value:#x} to {at:?}: {breach}");
        }
        self.0.write(at, value);
    }

    fn read_counter(&self, index: Self::Index) -> u64 {
        self.0.read_counter(index)
    }

    fn ticks(&self) -> u64 {
        self.0.ticks()
    }

    fn mask(&self) -> Masked {
        self.0.mask()
    }

    fn unmask(&self, before: Masked) {
        self.0.unmask(before);
    }

    fn fence(&self) {
        self.0.fence();
    }
}

impl<D: Device> Device for Strict<D> {
    type Address = D::Address;
    type Index = D::Index;
    type State = D::State;

    fn try_read(&self, at: Self::Address) -> Result<u64, Fault> {
        self.0.try_read(at)
    }

    fn try_write(&self, at: Self::Address, value: u64) -> Result<(), Fault> {
        self.0.try_write(at, value)
    }

    fn try_read_counter(&self, index: Self::Index) -> Result<u64, Fault> {
        self.0.try_read_counter(index)
    }

    fn advance(&self, work: &Work) {
        self.0.advance(work);
    }

    fn until_overflow(&self, step: &Work) -> Option<u64> {
        self.0.until_overflow(step)
    }

    fn wanted(&self) -> Kinds {
        self.0.wanted()
    }

    fn unfed(&self) -> CounterSet {
        self.0.unfed()
    }

    fn withheld(&self) -> CounterSet {
        self.0.withheld()
    }

    fn set_filter(&self, filter: Filter) {
        self.0.set_filter(filter);
    }

    fn selection(&self, counter: CounterId) -> Option<Selection> {
        self.0.selection(counter)
    }

    fn feed(&self, counter: CounterId, mode: Mode, events: u64) {
        self.0.feed(counter, mode, events);
    }

    fn until_overflow_of(&self, counter: CounterId, mode: Mode) -> Option<u64> {
        self.0.until_overflow_of(counter, mode)
    }

    fn state(&self) -> Self::State {
        self.0.state()
    }

    fn fingerprint(&self) -> Fingerprint {
        self.0.fingerprint()
    }

    fn restore(&self, snapshot: &[u8]) -> Result<(), RestoreError> {
        self.0.restore(snapshot)
    }
}
