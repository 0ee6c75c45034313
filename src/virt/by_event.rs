//! What a [`Feeder`](crate::virt::Feeder) needs of a guest's unit.
//!
//! The trait has no public name. Beside [`Device`] in one scope its functions would be ambiguous.

use super::{Device, Selection};
use crate::event::{CounterId, CounterSet, Mode};

/// A guest's unit, as it is fed event by event: any [`Device`], and x86's [`guest::Unit`](crate::arch::x86::guest::Unit).
pub trait ByEvent {
    /// As [`Device::unfed`].
    fn unfed(&self) -> CounterSet;
    /// As [`Device::selection`].
    fn selection(&self, counter: CounterId) -> Option<Selection>;
    /// As [`Device::feed`].
    fn feed(&self, counter: CounterId, mode: Mode, events: u64);
}

impl<D: Device> ByEvent for D {
    fn unfed(&self) -> CounterSet {
        Device::unfed(self)
    }

    fn selection(&self, counter: CounterId) -> Option<Selection> {
        Device::selection(self, counter)
    }

    fn feed(&self, counter: CounterId, mode: Mode, events: u64) {
        Device::feed(self, counter, mode, events);
    }
}
