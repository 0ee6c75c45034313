//! Where a thread's requests are on a unit, and what follows from that.

use crate::backend::{Backend, Slot};
use crate::contract::Steps;
use crate::event::{CounterSet, Repeat, Request, Result};

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
    /// Finds places beside what is in use.
    ///
    /// # Errors
    /// There are no such places; those in `home` stay.
    pub(super) fn find<B: Backend<Program = P>>(
        home: &mut Option<Self>,
        backend: &B,
        beside: &B::Occupancy,
        demands: &[B::Demand; N],
        requests: &[Request],
    ) -> Result<()> {
        let mut slots = [Slot::EMPTY; N];
        let length = requests.len().min(N);
        let (demands, out) = (&demands[..length], &mut slots[..length]);
        let program = backend.place(beside, demands, Steps::OPEN, out)?;
        let none = CounterSet::EMPTY;
        let (mut counters, mut occupied, mut sampling, mut once) = (none, none, none, none);
        for (request, slot) in requests.iter().zip(&slots) {
            let counter = slot.counter.only();
            counters = counters.or(counter);
            occupied = occupied.or(slot.occupies());
            sampling = sampling.or(if request.sampling.is_some() { counter } else { none });
            once = once.or(if is_once(request) { counter } else { none });
        }
        *home = Some(Self { slots, program, counters, occupied, sampling, once });
        Ok(())
    }
}

pub(super) fn is_once(request: &Request) -> bool {
    request.sampling.is_some_and(|sampling| sampling.repeat == Repeat::OneShot)
}
