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
        let those = |wanted: fn(&Request) -> bool| {
            let chosen = requests.iter().zip(&slots).filter(move |(request, _)| wanted(request));
            chosen.map(|(_, slot)| slot.counter).collect()
        };
        Ok(Self {
            counters: those(|_| true),
            occupied: slots[..length].iter().fold(CounterSet::EMPTY, |set, slot| set.or(slot.occupies())),
            sampling: those(|request| request.sampling.is_some()),
            once: those(is_once),
            slots,
            program,
        })
    }
}

pub(super) fn is_once(request: &Request) -> bool {
    request.sampling.is_some_and(|sampling| sampling.repeat == Repeat::OneShot)
}
