//! How the hardware follows what shall count.
//!
//! Every start and stop changes `counting`, then tells the hardware, so that an interrupt in between
//! tells it the same. Most of them are a matter of a few instructions, and are done at once; what takes
//! more is left to the caller's other way, so that the short one pays nothing for it.

use crate::backend::Backend;
use crate::event::CounterSet;
use crate::shared::Shared;

impl<B: Backend> Shared<B> {
    /// Starts `set` beside what counts.
    #[inline(always)]
    pub(crate) fn arm(&self, backend: &B, set: CounterSet) {
        self.count_on(set);
        self.follow(backend);
    }

    /// Writes what has to be there before `set` can be started at once.
    #[inline(always)]
    pub(crate) fn get_ready(&self, backend: &B, set: CounterSet) {
        backend.get_ready(&self.image, self.counting().or(set));
    }

    /// The same on a unit that [`Backend::runs_at_once`].
    ///
    /// # Errors
    /// What shall count, if an interrupt has ended a one-shot period since the hardware was told, or if it is
    /// still to be told: the caller is to [`Shared::follow_again`].
    #[inline(always)]
    pub(crate) fn arm_at_once(&self, backend: &B, set: CounterSet) -> Result<(), CounterSet> {
        self.count_on(set);
        self.follow_at_once(backend)
    }

    #[inline(always)]
    fn count_on(&self, set: CounterSet) {
        self.live.set(self.live.counters().or(set).bits());
        self.counting.include(set);
    }

    /// Stops `set`; the rest goes on.
    #[inline(always)]
    pub(crate) fn disarm(&self, backend: &B, set: CounterSet) {
        self.halt(backend, set);
        self.settle(backend, set);
    }

    /// [`Shared::halt`] on a unit that [`Backend::runs_at_once`].
    ///
    /// # Errors
    /// As [`Shared::arm_at_once`].
    #[inline(always)]
    pub(crate) fn halt_at_once(&self, backend: &B, set: CounterSet) -> Result<(), CounterSet> {
        self.counting.exclude(set);
        self.follow_at_once(backend)
    }

    /// Has any of `set` overflowed, which was halted at once? From here on the interrupt leaves them alone, and
    /// the caller is to [`Shared::settle`].
    #[inline(always)]
    pub(crate) fn is_pending(&self, backend: &B, set: CounterSet) -> bool {
        self.hush(backend, set);
        !backend.overflowed_at_once(&self.image, set).and(set).is_empty()
    }

    /// The first half of a stop: what has overflowed is still to be accounted for.
    #[inline(always)]
    pub(crate) fn halt(&self, backend: &B, set: CounterSet) {
        self.counting.exclude(set);
        self.follow(backend);
    }

    /// Makes the hardware count what shall count. An interrupt in between does the same; if it
    /// also ended a one-shot period, once more.
    #[inline(always)]
    fn follow(&self, backend: &B) {
        backend.fence();
        let counting = self.counting();
        backend.run(&self.image, counting);
        self.confirm(backend, counting);
    }

    /// Makes the hardware count what shall count, unless that takes more than a few instructions, or an
    /// interrupt has ended a one-shot period amid it.
    #[inline(always)]
    fn follow_at_once(&self, backend: &B) -> Result<(), CounterSet> {
        backend.fence();
        let counting = self.counting();
        let is_told = backend.run_if_ready(&self.image, counting);
        backend.fence();
        if is_told && self.counting() == counting { Ok(()) } else { Err(counting) }
    }

    /// Makes the hardware follow once more, if an interrupt has ended a one-shot period since the
    /// driver was told that `counted` shall count.
    #[inline(always)]
    pub(crate) fn confirm(&self, backend: &B, counted: CounterSet) {
        backend.fence();
        if self.counting() != counted {
            self.follow_again(backend, counted);
        }
    }

    /// [`Shared::arm`] for counters that were halted by [`Shared::halt_kept`]; answers what was said
    /// to the hardware, to be confirmed.
    #[inline(always)]
    pub(crate) fn arm_kept(&self, backend: &B, set: CounterSet) -> CounterSet {
        self.counting.include(set);
        self.follow_kept(backend)
    }

    /// [`Shared::halt`] of all but `others`, for counters that stay as they are until
    /// [`Shared::arm_kept`]: unless they have overflowed, which is for the caller to find out and then to
    /// [`Shared::hush`] them, the interrupt has no business with them. If one has come meanwhile,
    /// [`Shared::halt_again`].
    #[inline(always)]
    pub(crate) fn halt_kept(&self, backend: &B, others: CounterSet) {
        self.counting.retain(others);
        self.follow_kept(backend);
    }

    /// Makes the hardware follow once more: an interrupt may have ended a one-shot period meanwhile.
    #[cold]
    pub(crate) fn halt_again(&self, backend: &B) {
        self.follow_again(backend, self.spent());
    }

    /// Says to hardware that keeps what its counters hold what shall count.
    #[inline(always)]
    fn follow_kept(&self, backend: &B) -> CounterSet {
        backend.fence();
        let counting = self.counting();
        backend.run_at_once(&self.image, counting);
        backend.fence();
        counting
    }

    /// Makes the hardware follow once more, which was told to count these when an interrupt ended a one-shot
    /// period.
    #[cold]
    #[inline(never)]
    pub(crate) fn follow_again(&self, backend: &B, counted: CounterSet) {
        self.follow(backend);
        self.unrun(backend, counted.without(self.counting()).and(self.once.counters()));
    }
}
