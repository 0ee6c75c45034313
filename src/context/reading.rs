//! What a thread has counted, while it is in.

use super::Context;
use crate::backend::Backend;
use crate::event::{Error, Result};
use crate::pmu::Pmu;
use crate::reader::Counts;

impl<B: Backend> Pmu<'_, B> {
    /// The counts of a context that is switched in here, or is switched out.
    ///
    /// # Errors
    /// [`Error::WrongCpu`] if it is switched in on another CPU, [`Error::NotBound`];
    /// [`Error::Invalidated`]: bind it anew and try again.
    pub fn thread_counts<const N: usize>(&self, context: &Context<B, N>) -> Result<Counts<N>> {
        context.checked()?;
        if !context.is_in() {
            return Ok(context.saved());
        }
        self.owner.check()?;
        let stay = context.stay;
        if stay.cpu != self.owner.cpu {
            return Err(Error::WrongCpu { owner: stay.cpu, here: self.owner.cpu });
        }
        if !self.has(context) {
            return Err(Error::Invalidated);
        }
        let now = self.owner.backend.ticks();
        let mut counts = context.saved();
        counts.enabled = counts.enabled.wrapping_add(now);
        if !stay.set.is_empty() {
            counts.raw = self.thread_values(context);
            counts.running = counts.running.wrapping_add(now);
        }
        Ok(counts)
    }

    /// One straight reading, and another if an interrupt changed an account meanwhile.
    fn thread_values<const N: usize>(&self, context: &Context<B, N>) -> [u64; N] {
        loop {
            let before = self.shared.generation();
            self.owner.backend.fence();
            let mut values = [0; N];
            for (value, seat) in values.iter_mut().zip(context.seats.iter()) {
                *value = seat.count_now(self.shared, &self.owner.backend);
            }
            self.owner.backend.fence();
            if self.shared.generation() == before {
                return values;
            }
        }
    }
}
