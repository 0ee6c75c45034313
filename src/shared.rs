//! What a unit's threads share with its interrupt: atomic words, and nothing else that changes.
//!
//! `counting` is the truth about what runs, and the hardware follows it. `live` says whose overflows
//! the interrupt accounts for; a stop takes its counters out before it accounts for what is pending
//! itself.

use spin::Once;

use crate::backend::{Backend, Image};
use crate::event::{CounterId, CounterSet, CpuId, Error, Remaining, Repeat, Result, Sampling};
use crate::late::Due;
use crate::phase::Phase;
use crate::sample::{Label, Losses, SessionId};
use crate::sync::{SharedSet, Word};
use crate::visitor::{Threads, Visitor};

/// What the unit knows about one counter: its 64-bit count is `base` + the counter's position. Of a
/// thread's counter `base` is what interrupts have added since the thread has compared it.
#[derive(Debug)]
pub(crate) struct Account {
    pub(crate) base: Word,
    /// Events from one overflow to the next.
    pub(crate) period: Word,
    /// What its samples say of it: a [`Label`].
    pub(crate) label: Word,
}

impl Account {
    const fn closed() -> Self {
        Self { base: Word::new(0), period: Word::new(0), label: Word::new(0) }
    }

    #[inline(always)]
    pub(crate) fn open(&self, base: u64, period: u64, label: Label) {
        self.base.set(base);
        self.period.set(period);
        self.label.set(label.bits());
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

/// The words of one unit. Threads write `live`, `sampling` and `once`; the interrupt takes from
/// `counting` what it adds to `spent`, and so may another CPU that drops a session.
pub(crate) struct Shared<B: Backend> {
    pub(crate) owner: Once<Owner<B>>,
    pub(crate) phase: Phase,
    pub(crate) image: B::Image,
    /// The counters that shall count.
    pub(crate) counting: SharedSet,
    /// The counters that have done their one period, or whose session is gone.
    spent: SharedSet,
    /// The counters that were started, and whose overflows the interrupt accounts for.
    pub(crate) live: Word,
    /// The counters whose overflows leave a sample.
    pub(crate) sampling: Word,
    /// The counters that stop at their overflow.
    pub(crate) once: Word,
    /// The counters whose session was dropped where the unit could not be touched, and those of the
    /// thread that is in, or was last and has left them behind.
    abandoned: SharedSet,
    /// The interrupts whose overflows are accounted for already.
    pub(crate) due: Due,
    /// Counts starts and stops, but for those of threads' own counters, which are stays.
    changes: Word,
    /// Counts the interrupts that have changed a base; only they write it.
    overflows: Word,
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
            counting: SharedSet::empty(),
            spent: SharedSet::empty(),
            live: Word::new(0),
            sampling: Word::new(0),
            once: Word::new(0),
            abandoned: SharedSet::empty(),
            due: Due::nothing(),
            changes: Word::new(0),
            overflows: Word::new(0),
            losses: Losses::none(),
            strays: StrayCounts::none(),
            threads: Visitor::nobody(),
            sessions: Word::new(0),
            accounts: [const { Account::closed() }; 64],
        }
    }

    /// What tells this unit from others: none other is at its address.
    #[inline(always)]
    pub(crate) fn address(&self) -> usize {
        core::ptr::from_ref(self).addr()
    }

    #[inline(always)]
    pub(crate) fn account(&self, counter: CounterId) -> &Account {
        &self.accounts[counter.index()]
    }

    /// The counters that count now, if the hardware has followed.
    #[inline(always)]
    pub(crate) fn counting(&self) -> CounterSet {
        self.counting.counters()
    }

    /// Lets counters that had ended their one period begin another.
    #[inline(always)]
    pub(crate) fn unspend(&self, set: CounterSet) {
        self.spent.exclude(set);
    }

    /// These counters count no further.
    #[inline(always)]
    pub(crate) fn spend(&self, set: CounterSet) {
        self.spent.include(set);
        self.counting.exclude(set);
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

    /// What counts is another set.
    #[inline(always)]
    pub(crate) fn changed(&self, backend: &B) {
        backend.fence();
        self.changes.add(1);
        backend.fence();
    }

    /// The interrupt has changed a base.
    #[inline(always)]
    pub(crate) fn changed_amid(&self, backend: &B) {
        backend.fence();
        self.overflows.add(1);
        backend.fence();
    }

    /// A number that changes whenever the set that counts, or a base, changes.
    pub(crate) fn generation(&self) -> u64 {
        self.changes.get().wrapping_add(self.overflows.get()).wrapping_add(self.threads.stays())
    }

    /// A number that changes whenever the interrupt changes a base.
    #[inline(always)]
    pub(crate) fn overflows(&self) -> u64 {
        self.overflows.get()
    }

    /// Takes the counters from the thread that is switched in.
    #[cold]
    #[inline(never)]
    pub(crate) fn evict(&self, backend: &B) {
        let set = self.threads.counters();
        self.abandoned.exclude(set);
        self.give_back(backend, set);
        if self.threads.is_occupied() {
            self.threads.leave();
        }
    }

    /// Leaves nothing in the counters beside these: what is there may be somebody's last count.
    ///
    /// # Errors
    /// [`Error::InUse`] with others that are somebody's; nothing has changed.
    pub(crate) fn hide_all_but(&self, backend: &B, shown: CounterSet) -> Result<()> {
        let others = self.image.occupied().without(shown);
        if !others.is_empty() {
            return Err(Error::InUse(others));
        }
        let description = backend.description();
        for counter in description.general.or(description.fixed).without(shown) {
            backend.preset(&self.image, counter, backend.longest(&self.image, counter));
        }
        Ok(())
    }

    /// Leaves counters to be collected by the next operation on their own CPU. The interrupt
    /// stops them meanwhile.
    pub(crate) fn abandon(&self, set: CounterSet) {
        self.spend(set);
        self.abandoned.include(set);
    }

    /// What the last thread has left behind, for the next one. If there is more to be taken back that
    /// is done at once, and nothing is left.
    #[inline(always)]
    pub(crate) fn left_behind(&self, backend: &B) -> CounterSet {
        let left = self.threads.occupied();
        if self.abandoned.counters() == left {
            return left;
        }
        self.collect_abandoned(backend);
        CounterSet::EMPTY
    }

    /// A thread is about to come, with these counters in the stead of what was left behind; answers the
    /// number before its stay's.
    #[inline(always)]
    pub(crate) fn take_over(&self, backend: &B, left: CounterSet, occupied: CounterSet) -> u64 {
        if left != occupied {
            self.abandoned.exclude(left);
            self.abandoned.include(occupied);
        }
        self.hush(backend, left);
        self.threads.expect(occupied)
    }

    /// Nobody finds what the last thread has left behind, which is given back.
    #[cold]
    pub(crate) fn forget(&self, backend: &B, left: CounterSet) {
        self.abandoned.exclude(left);
        self.hush(backend, left);
        self.threads.forget();
    }

    /// The interrupt accounts for the overflows of these counters again, as soon as they count.
    #[inline(always)]
    pub(crate) fn heed(&self, set: CounterSet) {
        self.live.set(self.live.counters().or(set).bits());
    }

    /// The thread that is in gives its stopped counters back.
    pub(crate) fn take_back(&self, backend: &B) {
        let set = self.threads.counters();
        self.abandoned.exclude(set);
        self.free(backend, set);
        self.threads.leave();
    }

    /// The overflows of this counter leave samples, or the first of them one; answers the period.
    #[inline(always)]
    pub(crate) fn sample(&self, counter: CounterId, sampling: Sampling) -> Remaining {
        let with = |word: &Word| word.set(word.counters().or(counter.only()).bits());
        with(&self.sampling);
        if sampling.repeat == Repeat::OneShot {
            with(&self.once);
        }
        Remaining::events(sampling.period)
    }

    /// Counters whose overflows leave a sample, and those that stop at them, in the stead of `left`.
    #[inline(always)]
    pub(crate) fn replace_kinds(&self, left: CounterSet, sampling: CounterSet, once: CounterSet) {
        self.sampling.set(self.sampling.counters().without(left).or(sampling).bits());
        self.once.set(self.once.counters().without(left).or(once).bits());
    }

    /// Of all but `others`, these leave a sample at their overflows.
    #[inline(always)]
    pub(crate) fn sample_instead(&self, others: CounterSet, sampling: CounterSet) {
        self.sampling.set(self.sampling.counters().and(others).or(sampling).bits());
    }

    /// Takes back the counters of sessions that were dropped elsewhere, and those that a thread has
    /// left behind.
    #[inline(always)]
    pub(crate) fn collect(&self, backend: &B) {
        if !self.abandoned.counters().is_empty() {
            self.collect_abandoned(backend);
        }
    }

    #[cold]
    #[inline(never)]
    fn collect_abandoned(&self, backend: &B) {
        let (last, still_in) = (self.threads.occupied(), self.threads.counters());
        self.hush(backend, last.without(still_in));
        self.threads.forget();
        let abandoned = self.abandoned.take();
        self.abandoned.include(still_in);
        self.give_back(backend, abandoned.without(still_in));
    }

    /// Frees counters whether or not they run.
    fn give_back(&self, backend: &B, set: CounterSet) {
        self.stop_amid(backend, set.and(self.live.counters()));
        self.free(backend, set);
    }

    /// Stops counters that somebody gives back before they were stopped.
    #[cold]
    #[inline(never)]
    pub(crate) fn stop_amid(&self, backend: &B, started: CounterSet) {
        self.disarm(backend, started);
    }

    /// Frees counters that do not run.
    #[inline(always)]
    pub(crate) fn free(&self, backend: &B, set: CounterSet) {
        self.sampling.set(self.sampling.counters().without(set).bits());
        self.once.set(self.once.counters().without(set).bits());
        self.unspend(set);
        backend.release(&self.image, set);
        self.changed(backend);
    }
}
