//! How a driver and the interrupt speak of a counter that has overflowed, and of the period that begins then.

use crate::event::{CounterId, CounterSet};

/// A counter's next period: [`Backend::renew`](crate::Backend::renew) asks how long it is, and says what became of it.
pub trait Period {
    /// Events from one overflow to the next.
    fn length(&self) -> u64;

    /// It begins, `length` events long. MUST NOT touch the unit.
    fn begin(&self, length: u64);

    /// So many events have passed since the overflow, which are all of it or more.
    fn outrun(&self, past: u64);
}

/// The periods of all counters: [`Backend::renew_at_once`](crate::Backend::renew_at_once) asks for those that it needs.
pub trait Periods {
    /// This counter's.
    fn of(&self, counter: CounterId) -> impl Period;

    /// This counter's last one has ended. MUST NOT touch the unit.
    fn end(&mut self, counter: CounterId);
}

/// What [`Backend::renew_at_once`](crate::Backend::renew_at_once) found, and the periods that it has asked.
#[derive(Clone, Copy, Debug)]
pub struct Renewed<P> {
    /// The counters that have overflowed.
    pub overflowed: CounterSet,
    /// Those of them of whose next period nothing is left, and whose [`Period::outrun`] is still to be told:
    /// they are as they were.
    pub outrun: CounterSet,
    /// The periods.
    pub periods: P,
}

impl<P> Renewed<P> {
    /// Nothing yet.
    #[inline(always)]
    pub const fn nothing(periods: P) -> Self {
        Self { overflowed: CounterSet::EMPTY, outrun: CounterSet::EMPTY, periods }
    }
}
