//! What a thread has counted, while it is in.

use super::{Context, NEVER, Position};
use crate::contract::Driver;
use crate::event::{Error, Result};
use crate::measure::Counts;
use crate::unit::{Operation, Pmu};

/// How often counts are read before their counters are stopped for it.
const ATTEMPTS: u32 = 3;

impl<D: Driver> Pmu<'_, D> {
    /// The counts of a context that is switched in here, or is switched out.
    ///
    /// # Errors
    /// [`Error::WrongCpu`] if it is switched in on another CPU, [`Error::NotBound`]; [`Error::Invalidated`]: bind it anew
    /// and try again.
    pub fn thread_counts<const N: usize>(&self, context: &Context<D, N>) -> Result<Counts<N>> {
        context.checked()?;
        if !context.is_in() {
            return Ok(context.saved());
        }
        if context.ticket == NEVER {
            return Ok(self.waiting_counts(context));
        }
        let operation = (*self).enter()?;
        let here = operation.claim().cpu();
        if context.cpu != here {
            return Err(Error::WrongCpu { owner: context.cpu, here });
        }
        if operation.shared.occupant.get() != context.ticket {
            return Err(Error::Invalidated);
        }
        let mut counts = self.waiting_counts(context);
        if context.position == Position::In {
            counts.running = counts.enabled.wrapping_sub(context.waited);
            counts.raw = operation.values_of(context);
        }
        Ok(counts)
    }

    /// The counts of a context that is in and waits.
    fn waiting_counts<const N: usize>(self, context: &Context<D, N>) -> Counts<N> {
        let mut counts = context.saved();
        counts.enabled = counts.enabled.wrapping_add(self.time().wrapping_sub(context.since));
        counts
    }
}

impl<D: Driver> Operation<'_, D> {
    fn values_of<const N: usize>(&self, context: &Context<D, N>) -> [u64; N] {
        (0..ATTEMPTS).find_map(|_| self.attempt(context)).unwrap_or_else(|| {
            let armed = self.armed().and(context.counters);
            self.disarm(armed);
            let counts = self.attempt(context).unwrap_or([0; N]);
            self.arm(armed);
            counts
        })
    }

    /// One straight reading; `None` if an interrupt changed an account meanwhile.
    fn attempt<const N: usize>(&self, context: &Context<D, N>) -> Option<[u64; N]> {
        let before = self.shared.overflows.get();
        self.fence();
        let counts =
            context.entries.each_ref().map(|entry| entry.place.map_or(entry.count, |place| place.count(**self)));
        self.fence();
        (self.shared.overflows.get() == before).then_some(counts)
    }
}
