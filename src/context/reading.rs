//! What a thread has counted, while it is in.

use super::Context;
use super::here::Here;
use super::stay::State;
use crate::backend::Backend;
use crate::error::{Error, Result};
use crate::pmu::Pmu;
use crate::session::Counts;

impl<B: Backend> Pmu<'_, B> {
    /// The counts of a context that is switched in here, or is switched out.
    ///
    /// # Errors
    /// [`Error::WrongCpu`] if it is switched in on another CPU, [`Error::NotBound`];
    /// [`Error::Invalidated`]: bind it anew and try again.
    pub fn thread_counts<const N: usize>(&self, context: &Context<B, N>) -> Result<Counts<N>> {
        if context.checked()? != State::In {
            return Ok(context.saved());
        }
        self.owner.check()?;
        let stay = context.stay;
        if stay.cpu != self.owner.cpu {
            return Err(Error::WrongCpu { owner: stay.cpu, here: self.owner.cpu });
        }
        if !Here::of(self).knows(context) {
            return Err(Error::Invalidated);
        }
        let ticks = self.owner.backend.ticks().wrapping_sub(stay.since);
        let mut counts = context.saved();
        counts.enabled = counts.enabled.wrapping_add(ticks);
        if !stay.set.is_empty() {
            counts.raw = self.thread_values(context);
            counts.running = counts.running.wrapping_add(ticks);
        }
        Ok(counts)
    }

    /// One straight reading, and another if an interrupt changed an account meanwhile.
    fn thread_values<const N: usize>(&self, context: &Context<B, N>) -> [u64; N] {
        loop {
            let before = self.shared.generation();
            self.owner.backend.fence();
            let mut values = [0; N];
            for (value, (seat, _)) in values.iter_mut().zip(context.seated()) {
                *value = seat.count(self.shared, &self.owner.backend);
            }
            self.owner.backend.fence();
            if self.shared.generation() == before {
                return values;
            }
        }
    }
}
