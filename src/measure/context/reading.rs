//! What a thread has counted, while it is in.

use super::{Context, NEVER, Position};
use crate::contract::Driver;
use crate::event::{Error, Result};
use crate::measure::Counts;
use crate::unit::Pmu;

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
        if !operation.shared.residency.is_occupant(context.ticket) {
            return Err(Error::Invalidated);
        }
        let mut counts = self.waiting_counts(context);
        if context.position == Position::In {
            if !operation.shared.counting.is_halted() {
                counts.running = counts.enabled.wrapping_sub(context.waited);
            }
            counts.raw = operation.read_again(context.counters(), || context.values(*self));
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

impl<D: Driver, const N: usize> Context<D, N> {
    fn values(&self, pmu: Pmu<'_, D>) -> [u64; N] {
        let mut counts = self.entries.each_ref().map(|entry| entry.count);
        let places = self.placement.as_ref().map_or(&[][..], |placement| &placement.places[..self.set.len().min(N)]);
        for (count, place) in counts.iter_mut().zip(places) {
            *count = place.count(pmu);
        }
        counts
    }
}
