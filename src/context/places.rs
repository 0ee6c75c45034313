//! Where a thread's requests are on a unit, and what follows from that.

use crate::backend::{Backend, Slot};
use crate::counter::CounterSet;
use crate::error::Result;
use crate::event::{Repeat, Request};

/// Where requests are, and what follows from that: kept, so that a switch need not ask.
#[derive(Clone, Copy, Debug)]
pub(super) struct Places<P, const N: usize> {
    pub(super) slots: [Slot; N],
    /// The control words.
    pub(super) program: P,
    /// Their counters.
    pub(super) counters: CounterSet,
    /// The counters that nobody else can use meanwhile.
    pub(super) occupied: CounterSet,
    /// Those of their counters whose overflows leave a sample.
    pub(super) sampling: CounterSet,
    /// Those that stop at their overflow.
    pub(super) once: CounterSet,
}

impl<P: Copy, const N: usize> Places<P, N> {
    /// Finds places beside what the image holds.
    pub(super) fn find<B: Backend<Program = P>>(
        backend: &B,
        beside: &B::Image,
        demands: &[B::Demand; N],
        requests: &[Request],
    ) -> Result<Self> {
        let mut slots = [Slot::EMPTY; N];
        let length = requests.len().min(N);
        let program = backend.place(beside, &demands[..length], &mut slots[..length])?;
        let mut places = Self {
            slots,
            program,
            counters: CounterSet::EMPTY,
            occupied: CounterSet::EMPTY,
            sampling: CounterSet::EMPTY,
            once: CounterSet::EMPTY,
        };
        for (request, slot) in requests.iter().zip(&slots) {
            places.take(request, *slot);
        }
        Ok(places)
    }

    fn take(&mut self, request: &Request, slot: Slot) {
        let counter = slot.counter.only();
        let none = CounterSet::EMPTY;
        self.counters = self.counters.or(counter);
        self.occupied = self.occupied.or(slot.occupies());
        self.sampling = self.sampling.or(if request.sampling.is_some() { counter } else { none });
        self.once = self.once.or(if is_once(request) { counter } else { none });
    }
}

pub(super) fn is_once(request: &Request) -> bool {
    request.sampling.is_some_and(|sampling| sampling.repeat == Repeat::OneShot)
}
