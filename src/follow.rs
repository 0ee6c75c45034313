//! How the hardware follows what shall count.
//!
//! Every start and stop changes `counting`, then tells the hardware, so that an interrupt in between
//! tells it the same. Most of them are a matter of a few instructions, and are done at once; what takes
//! more is left to the caller's other way, so that the short one pays nothing for it.

use crate::backend::Backend;
use crate::counter::CounterSet;
use crate::shared::Shared;

/// What could not be done at once.
#[derive(Debug)]
pub(crate) enum Behind {
    /// Nothing was done: on this unit it takes more.
    Everything,
    /// An interrupt has ended a one-shot period since the hardware was told to count these.
    Hardware(CounterSet),
    /// A counter that was stopped has overflowed, and is to be accounted for.
    Accounts,
}

impl<B: Backend> Shared<B> {
    /// Starts `set` beside what counts.
    #[inline(always)]
    pub(crate) fn arm(&self, backend: &B, set: CounterSet) {
        self.count_on(set);
        self.follow(backend);
    }

    /// The same, if it is a matter of a few instructions; else the caller is to [`Shared::arm_behind`].
    #[inline(always)]
    pub(crate) fn arm_at_once(&self, backend: &B, set: CounterSet) -> Result<(), Behind> {
        if !backend.runs_at_once() {
            return Err(Behind::Everything);
        }
        self.count_on(set);
        self.follow_at_once(backend)
    }

    /// Starts `set` the long way.
    pub(crate) fn arm_behind(&self, backend: &B, set: CounterSet, behind: Behind) {
        match behind {
            Behind::Everything => self.arm(backend, set),
            Behind::Hardware(counted) => self.follow_again(backend, counted),
            Behind::Accounts => {}
        }
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

    /// The same, if it is a matter of a few instructions; else the caller is to [`Shared::disarm_behind`].
    #[inline(always)]
    pub(crate) fn disarm_at_once(&self, backend: &B, set: CounterSet) -> Result<(), Behind> {
        if !backend.runs_at_once() {
            return Err(Behind::Everything);
        }
        self.counting.exclude(set);
        self.follow_at_once(backend)?;
        self.hush(backend, set);
        let pending = backend.overflowed_at_once(&self.image, set).and(set);
        if pending.is_empty() { Ok(()) } else { Err(Behind::Accounts) }
    }

    /// Stops `set` the long way.
    pub(crate) fn disarm_behind(&self, backend: &B, set: CounterSet, behind: Behind) {
        match behind {
            Behind::Everything => self.halt(backend, set),
            Behind::Hardware(counted) => self.follow_again(backend, counted),
            Behind::Accounts => {}
        }
        self.settle(backend, set);
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

    /// Makes the hardware count what shall count, unless an interrupt has ended a one-shot period amid it.
    #[inline(always)]
    fn follow_at_once(&self, backend: &B) -> Result<(), Behind> {
        backend.fence();
        let counting = self.counting();
        backend.run_at_once(&self.image, counting);
        backend.fence();
        if self.counting() == counting { Ok(()) } else { Err(Behind::Hardware(counting)) }
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
        backend.run_kept(&self.image, counting);
        backend.fence();
        counting
    }

    #[cold]
    #[inline(never)]
    fn follow_again(&self, backend: &B, counted: CounterSet) {
        self.follow(backend);
        self.unrun(backend, counted.without(self.counting()).and(self.once.counters()));
    }
}
