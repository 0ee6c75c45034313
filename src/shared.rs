//! What a unit's threads share with its interrupt: atomic words, and nothing else that changes.
//!
//! `armed` and `spent` together are the truth about what runs, and the hardware follows them:
//! every start and stop writes `armed`, then tells the hardware, so that an interrupt in between
//! tells it the same. `live` says whose overflows the interrupt accounts for; a stop takes its
//! counters out before it accounts for what is pending itself.

use core::sync::atomic::{AtomicU8, Ordering::Relaxed};

use spin::Once;

use crate::backend::{Backend, Image};
use crate::context::Threads;
use crate::counter::{CounterId, CounterSet, Width};
use crate::error::{CpuId, Error, Result};
use crate::late::Due;
use crate::sample::{Losses, SessionId};
use crate::word::{SharedSet, Word, fence};

/// What the unit knows about one counter: its 64-bit count is `base` + the counter's position.
#[derive(Debug)]
pub(crate) struct Account {
    pub(crate) base: Word,
    /// Events from one overflow to the next.
    pub(crate) period: Word,
    /// What its samples say of it: a [`Label`](crate::sample::Label).
    pub(crate) label: Word,
}

impl Account {
    const fn closed() -> Self {
        Self { base: Word::new(0), period: Word::new(0), label: Word::new(0) }
    }

    #[inline(always)]
    pub(crate) fn open(&self, base: u64, period: u64) {
        self.base.set(base);
        self.period.set(period);
    }

    /// The 64-bit count of a counter that reads `raw`.
    #[inline(always)]
    pub(crate) fn count(&self, raw: u64, width: Width) -> u64 {
        width.position(raw).wrapping_add(self.base.get())
    }
}

/// The driver, and the CPU whose unit it drives.
pub(crate) struct Owner<B> {
    pub(crate) backend: B,
    pub(crate) this_cpu: fn() -> CpuId,
    pub(crate) cpu: CpuId,
    pub(crate) threads: Threads,
}

impl<B> Owner<B> {
    /// Is this the unit's own CPU?
    #[inline(always)]
    pub(crate) fn check(&self) -> Result<()> {
        let here = (self.this_cpu)();
        if here == self.cpu { Ok(()) } else { Err(Error::WrongCpu { owner: self.cpu, here }) }
    }
}

/// The words of one unit. Threads write `armed`, `live`, `sampling` and `once`; the interrupt adds
/// to `spent`, and so may another CPU that drops a session.
pub(crate) struct Shared<B: Backend> {
    pub(crate) owner: Once<Owner<B>>,
    pub(crate) phase: Phase,
    pub(crate) image: B::Image,
    /// The counters that shall count.
    armed: Word,
    /// Those of them that have done their one period, or whose session is gone.
    spent: SharedSet,
    /// The counters whose overflows the interrupt accounts for.
    pub(crate) live: Word,
    /// The counters whose overflows leave a sample.
    pub(crate) sampling: Word,
    /// The counters that stop at their overflow.
    pub(crate) once: Word,
    /// The counters whose session was dropped where the unit could not be touched.
    abandoned: SharedSet,
    /// The interrupts whose overflows are accounted for already.
    pub(crate) due: Due,
    /// Changes whenever a base or the set that counts changes.
    generation: Word,
    pub(crate) losses: Losses,
    pub(crate) strays: StrayCounts,
    /// The thread that is switched in.
    pub(crate) threads: Visitor,
    /// How many sessions were ever opened.
    sessions: Word,
    accounts: [Account; 64],
}

/// What [`Strays`] is kept in; only the interrupt writes it.
#[derive(Debug)]
pub(crate) struct StrayCounts {
    pub(crate) late: Word,
    pub(crate) foreign: Word,
}

impl StrayCounts {
    const fn none() -> Self {
        Self { late: Word::new(0), foreign: Word::new(0) }
    }

    pub(crate) fn summary(&self) -> Strays {
        Strays { late: self.late.get(), foreign: self.foreign.get() }
    }
}

/// Interrupts that found nothing to account for, since the unit was made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Strays {
    /// A stop had accounted for their overflow: [`Handled::Late`](crate::Handled::Late).
    pub late: u64,
    /// Not this unit's: [`Handled::NotMine`](crate::Handled::NotMine).
    pub foreign: u64,
}

impl<B: Backend> Shared<B> {
    pub(crate) const fn new() -> Self {
        Self {
            owner: Once::new(),
            phase: Phase::unclaimed(),
            image: B::Image::BLANK,
            armed: Word::new(0),
            spent: SharedSet::empty(),
            live: Word::new(0),
            sampling: Word::new(0),
            once: Word::new(0),
            abandoned: SharedSet::empty(),
            due: Due::nothing(),
            generation: Word::new(0),
            losses: Losses::none(),
            strays: StrayCounts::none(),
            threads: Visitor::nobody(),
            sessions: Word::new(0),
            accounts: [const { Account::closed() }; 64],
        }
    }

    #[inline(always)]
    pub(crate) fn account(&self, counter: CounterId) -> &Account {
        &self.accounts[counter.index()]
    }

    /// The counters that count now, if the hardware has followed.
    #[inline(always)]
    pub(crate) fn counting(&self) -> CounterSet {
        self.armed.counters().without(self.spent.counters())
    }

    /// Starts `set` beside what counts.
    #[inline(always)]
    pub(crate) fn arm(&self, backend: &B, set: CounterSet) {
        self.live.set(self.live.counters().or(set).bits());
        self.armed.set(self.armed.counters().or(set).bits());
        self.follow(backend);
    }

    /// Stops `set`; the rest goes on.
    #[inline(always)]
    pub(crate) fn disarm(&self, backend: &B, set: CounterSet) {
        self.armed.set(self.armed.counters().without(set).bits());
        self.follow(backend);
        self.settle(backend, set);
    }

    /// Makes the hardware count what shall count. An interrupt in between does the same; if it
    /// also ended a one-shot period, once more.
    #[inline(always)]
    fn follow(&self, backend: &B) {
        fence();
        let counting = self.counting();
        backend.run(&self.image, counting);
        self.confirm(backend, counting);
    }

    /// Makes the hardware follow once more, if an interrupt has ended a one-shot period since the
    /// driver was told that `counted` shall count.
    #[inline(always)]
    pub(crate) fn confirm(&self, backend: &B, counted: CounterSet) {
        fence();
        if self.counting() != counted {
            self.follow_again(backend, counted);
        }
    }

    #[cold]
    #[inline(never)]
    fn follow_again(&self, backend: &B, counted: CounterSet) {
        self.follow(backend);
        self.unrun(backend, counted.without(self.counting()).and(self.once.counters()));
    }

    /// Lets counters that had ended their one period count again, or ends it.
    #[inline(always)]
    pub(crate) fn unspend(&self, set: CounterSet) {
        self.spent.exclude(set);
    }

    #[inline(always)]
    pub(crate) fn spend(&self, set: CounterSet) {
        self.spent.include(set);
    }

    #[inline(always)]
    pub(crate) fn spent(&self) -> CounterSet {
        self.spent.counters()
    }

    /// A number for the session that is being opened.
    #[inline(always)]
    pub(crate) fn next_session(&self) -> SessionId {
        self.sessions.add(1);
        SessionId::of_session(self.sessions.get())
    }

    #[inline(always)]
    pub(crate) fn changed(&self) {
        fence();
        self.generation.advance();
        fence();
    }

    #[inline(always)]
    pub(crate) fn generation(&self) -> u64 {
        self.generation.get()
    }

    /// Begins an operation on this unit, on its CPU, that none other on the same CPU is amid.
    #[inline(always)]
    pub(crate) fn enter(&self, owner: &Owner<B>) -> Result<Operation<'_>> {
        owner.check()?;
        self.phase.enter()?;
        Ok(Operation { phase: &self.phase })
    }

    /// Takes the counters from the thread that is switched in.
    #[cold]
    #[inline(never)]
    pub(crate) fn evict(&self, backend: &B) {
        self.give_back(backend, self.threads.counters());
        self.threads.leave();
    }

    /// Leaves counters to be collected by the next operation on their own CPU. The interrupt
    /// stops them meanwhile.
    pub(crate) fn abandon(&self, set: CounterSet) {
        self.spent.include(set);
        self.abandoned.include(set);
    }

    /// Takes back the counters of sessions that were dropped elsewhere.
    #[inline(always)]
    pub(crate) fn collect(&self, backend: &B) {
        if !self.abandoned.counters().is_empty() {
            self.collect_abandoned(backend);
        }
    }

    #[cold]
    #[inline(never)]
    fn collect_abandoned(&self, backend: &B) {
        self.give_back(backend, self.abandoned.take());
    }

    /// Stops counters and frees them.
    pub(crate) fn give_back(&self, backend: &B, set: CounterSet) {
        let armed = set.and(self.armed.counters());
        if !armed.is_empty() {
            self.disarm(backend, armed);
        }
        self.sampling.set(self.sampling.counters().without(set).bits());
        self.once.set(self.once.counters().without(set).bits());
        self.unspend(set);
        backend.release(&self.image, set);
        self.changed();
    }
}

/// Whether a thread's context is switched in, and which counters it has. Only threads write it.
#[derive(Debug)]
pub(crate) struct Visitor {
    /// Counts the beginnings and ends of stays: odd while somebody is in.
    stays: Word,
    occupied: Word,
    /// Its counters, if the first of its one-shot periods to end freezes all of them.
    freezing: Word,
}

impl Visitor {
    const fn nobody() -> Self {
        Self { stays: Word::new(0), occupied: Word::new(0), freezing: Word::new(0) }
    }

    #[inline(always)]
    pub(crate) fn is_occupied(&self) -> bool {
        self.stays.get() & 1 != 0
    }

    /// Is this stay still going on?
    #[inline(always)]
    pub(crate) fn is_stay(&self, number: u64) -> bool {
        self.stays.get() == number
    }

    fn counters(&self) -> CounterSet {
        self.occupied.counters()
    }

    /// Somebody comes, with these counters; answers the number of the stay.
    #[inline(always)]
    pub(crate) fn enter(&self, occupied: CounterSet) -> u64 {
        self.occupied.set(occupied.bits());
        self.stays.add(1);
        self.stays.get()
    }

    #[inline(always)]
    pub(crate) fn leave(&self) {
        self.freezing.set(0);
        self.occupied.set(0);
        if self.is_occupied() {
            self.stays.add(1);
        }
    }

    /// When one of these counters has done its one period, all of them stop.
    #[inline(always)]
    pub(crate) fn freeze_with(&self, set: CounterSet) {
        self.freezing.set(set.bits());
    }

    /// The counters that stop because these have done their one period.
    #[inline(always)]
    pub(crate) fn frozen_by(&self, ended: CounterSet) -> CounterSet {
        let freezing = self.freezing.counters();
        if freezing.and(ended).is_empty() { CounterSet::EMPTY } else { freezing }
    }
}

/// Whether a unit is claimed, and whether an operation on it is in progress.
pub(crate) struct Phase(AtomicU8);

impl Phase {
    const READY: u8 = 0;
    const BUSY: u8 = 1;
    const UNCLAIMED: u8 = 2;

    const fn unclaimed() -> Self {
        Self(AtomicU8::new(Self::UNCLAIMED))
    }

    /// Does the interrupt find a unit that is ours?
    #[inline(always)]
    pub(crate) fn is_claimed(&self) -> bool {
        self.0.load(Relaxed) != Self::UNCLAIMED
    }

    /// From here on the unit is ours, and ready.
    pub(crate) fn claim(&self) {
        fence();
        self.0.store(Self::READY, Relaxed);
    }

    /// From here on the unit is not ours; the interrupt leaves it alone.
    pub(crate) fn release(&self) {
        self.0.store(Self::UNCLAIMED, Relaxed);
        fence();
    }

    #[inline(always)]
    fn enter(&self) -> Result<()> {
        if self.0.load(Relaxed) != Self::READY {
            return Err(self.refusal());
        }
        self.0.store(Self::BUSY, Relaxed);
        fence();
        Ok(())
    }

    #[cold]
    fn refusal(&self) -> Error {
        if self.is_claimed() { Error::Busy } else { Error::NotClaimed }
    }

    #[inline(always)]
    fn leave(&self) {
        fence();
        self.0.store(Self::READY, Relaxed);
    }
}

/// An operation in progress; the unit is not busy any more when it is dropped.
pub(crate) struct Operation<'u> {
    phase: &'u Phase,
}

impl Operation<'_> {
    /// The operation ends with the unit given back.
    pub(crate) fn end_unclaimed(self) {
        self.phase.release();
        core::mem::forget(self);
    }
}

impl Drop for Operation<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        self.phase.leave();
    }
}
