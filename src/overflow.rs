//! The interrupt side: what happens when a counter overflows.
//!
//! Everything here may run in an NMI. It allocates nothing, locks nothing, cannot panic, uses no
//! float, no log line and no unchecked index; its loops run once a counter.
//!
//! The order is that of the quirks it survives. The unit is halted first, so that nothing changes
//! underneath; each counter is preset before its status bit is cleared, so that an old overflow
//! cannot repeat, and before the interrupt is let through again; and only then does anything
//! count, so that no overflow finds the interrupt masked.

use crate::backend::{Backend, Image, Period, Periods, Renewed};
use crate::event::{CounterId, CounterSet, Remaining};
use crate::pmu::Unit;
use crate::sample::chain::{Broken, Callers, Chains};
use crate::sample::{Interrupted, Label, Numbers, Pen};
use crate::shared::{Account, Owner, Shared};

/// Whose interrupt it was.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[must_use = "an interrupt that is not the unit's belongs to somebody else"]
pub enum Handled {
    /// Not this unit's: ask the next handler.
    NotMine,
    /// This unit's, but a stop or another interrupt had accounted for the overflow already.
    Late,
    /// This unit's: overflows were accounted for.
    Overflow,
}

impl Handled {
    /// Was it this unit's?
    #[must_use]
    pub const fn is_mine(self) -> bool {
        !matches!(self, Self::NotMine)
    }
}

impl<B: Backend, const SAMPLES: usize> Unit<B, SAMPLES> {
    /// The whole overflow handler: a plain function, to be called from the kernel's NMI entry or
    /// from the vector it has chosen, on the unit's own CPU.
    ///
    /// Where a unit has no interrupt, or none is wired, a timer may call it instead, with the
    /// unit's own interrupt impossible meanwhile.
    #[inline(always)]
    pub fn on_overflow(&self, at: Interrupted) -> Handled {
        self.handle(at, |_| ())
    }

    /// The same, with the chain of callers that `walk` finds: see [`chain`](crate::chain). The chains
    /// MUST be this unit's alone.
    ///
    /// `walk` is called once if the interrupt left samples and there is room for a chain, with the
    /// unit halted: what it does is not counted. It MUST keep to what interrupts are allowed here.
    #[inline(always)]
    pub fn on_overflow_chained<const DEPTH: usize, const N: usize>(
        &self,
        at: Interrupted,
        chains: &Chains<DEPTH, N>,
        walk: impl FnOnce(&mut Callers<'_>) -> Result<(), Broken>,
    ) -> Handled {
        self.handle(at, |samples| chains.follow(samples, walk))
    }

    /// The handler, which has `follow` do something about the samples before they are published.
    #[inline(always)]
    fn handle(&self, at: Interrupted, follow: impl FnOnce(Numbers)) -> Handled {
        let Some(owner) = self.shared.owner.get() else { return Handled::NotMine };
        if !self.shared.phase.is_claimed() {
            return self.shared.unclaimed(owner);
        }
        self.service(&owner.backend, at, follow)
    }

    #[inline(always)]
    fn service(&self, backend: &B, at: Interrupted, follow: impl FnOnce(Numbers)) -> Handled {
        backend.run(&self.shared.image, CounterSet::EMPTY);
        if backend.renews_at_once() {
            self.service_at_once(backend, at, follow)
        } else {
            self.service_singly(backend, at, follow)
        }
    }

    #[inline(always)]
    fn service_singly(&self, backend: &B, at: Interrupted, follow: impl FnOnce(Numbers)) -> Handled {
        let shared = &self.shared;
        let overflowed = backend.overflowed(&shared.image, shared.image.occupied());
        let mine = overflowed.and(shared.live.counters()).without(shared.spent());
        if mine.is_empty() {
            return shared.stray(backend, overflowed);
        }
        let mut pen = self.ring.pen(at, &shared.losses);
        let sampling = shared.sampling.counters();
        for counter in mine {
            if shared.wrap(backend, counter) && sampling.contains(counter) {
                pen.write(Label::from_bits(shared.account(counter).label.get()));
            }
        }
        follow(pen.numbers());
        pen.publish();
        backend.acknowledge(&shared.image, mine);
        shared.end(backend, mine);
        shared.go_on(backend, mine)
    }

    /// The same on a unit that [`Backend::renews_at_once`]. What calls a function does so at the end: nothing is
    /// kept for it meanwhile.
    #[inline(always)]
    fn service_at_once(&self, backend: &B, at: Interrupted, follow: impl FnOnce(Numbers)) -> Handled {
        let shared = &self.shared;
        let (pen, sampling) = (self.ring.pen(at, &shared.losses), shared.sampling.counters());
        let mut renewed = Renewed::nothing(Sampled { shared, backend, sampling, pen });
        backend.renew_at_once(&shared.image, shared.live.counters().without(shared.spent()), &mut renewed);
        let Renewed { overflowed: mine, outrun, periods: Sampled { pen, .. } } = renewed;
        if mine.is_empty() {
            return shared.found_none(backend);
        }
        follow(pen.numbers());
        pen.publish();
        if !shared.once.counters().and(mine).or(outrun).is_empty() {
            return shared.go_on_from(backend, mine, outrun);
        }
        backend.acknowledge(&shared.image, mine);
        shared.go_on(backend, mine)
    }
}

/// The periods that begin at counters' overflows, of which some leave a sample.
struct Sampled<'u, B: Backend, const SAMPLES: usize> {
    shared: &'u Shared<B>,
    backend: &'u B,
    sampling: CounterSet,
    pen: Pen<'u, SAMPLES>,
}

impl<B: Backend, const SAMPLES: usize> Periods for Sampled<'_, B, SAMPLES> {
    #[inline(always)]
    fn of(&self, counter: CounterId) -> impl Period {
        self.shared.next(self.backend, counter)
    }

    #[inline(always)]
    fn end(&mut self, counter: CounterId) {
        if self.sampling.contains(counter) {
            self.pen.write(Label::from_bits(self.shared.account(counter).label.get()));
        }
    }
}

/// The period that begins at a counter's overflow.
struct Next<'u, B: Backend> {
    shared: &'u Shared<B>,
    backend: &'u B,
    account: &'u Account,
    counter: CounterId,
}

impl<B: Backend> Period for Next<'_, B> {
    #[inline(always)]
    fn length(&self) -> u64 {
        self.account.period.get()
    }

    #[inline(always)]
    fn begin(&self, length: u64) {
        self.account.base.add(length);
    }

    #[inline(always)]
    fn outrun(&self, past: u64) {
        self.shared.outrun(self.backend, self.counter, past);
    }
}

impl<B: Backend> Shared<B> {
    /// The unit is being given back, or was: it is not touched. An interrupt may still be due.
    #[cold]
    #[inline(never)]
    fn unclaimed(&self, owner: &Owner<B>) -> Handled {
        if self.due.claim(&owner.backend) { Handled::Late } else { Handled::NotMine }
    }

    /// The overflows are accounted for and acknowledged: the unit goes on.
    #[inline(always)]
    fn go_on(&self, backend: &B, mine: CounterSet) -> Handled {
        self.changed_amid(backend);
        self.due.serve(backend, mine);
        backend.rearm();
        backend.run(&self.image, self.counting());
        Handled::Overflow
    }

    /// [`Shared::go_on`], once what is rare is done: of some counters the next period is over as well, or they
    /// count one alone.
    #[cold]
    #[inline(never)]
    fn go_on_from(&self, backend: &B, mine: CounterSet, outrun: CounterSet) -> Handled {
        for counter in outrun {
            self.wrap(backend, counter);
        }
        backend.acknowledge(&self.image, mine);
        self.end(backend, mine);
        self.go_on(backend, mine)
    }

    /// [`Shared::stray`], where it was not asked yet which counters have overflowed that are not the interrupt's.
    #[cold]
    #[inline(never)]
    fn found_none(&self, backend: &B) -> Handled {
        self.stray(backend, backend.overflowed(&self.image, self.image.occupied()))
    }

    /// No counter of the interrupt's has overflowed. Either a stop is about to account for it, or
    /// its overflow has been accounted for, or it is the last of a counter that counts no further;
    /// or the interrupt is somebody else's.
    #[cold]
    #[inline(never)]
    fn stray(&self, backend: &B, overflowed: CounterSet) -> Handled {
        let live = self.live.counters();
        self.silence(backend, overflowed.and(live));
        backend.rearm();
        backend.run(&self.image, self.counting());
        let settling = overflowed.without(live);
        if !settling.is_empty() {
            backend.withhold(&self.image, settling);
            self.due.arrive();
        } else if overflowed.is_empty() && !self.due.claim(backend) {
            self.strays.foreign.add(1);
            return Handled::NotMine;
        }
        self.strays.late.add(1);
        Handled::Late
    }

    /// Those of these counters that count one period have done so, and count no further: what the
    /// interrupt's own entry has counted since is taken back.
    #[inline(always)]
    fn end(&self, backend: &B, overflowed: CounterSet) {
        let once = self.once.counters().and(overflowed);
        if !once.is_empty() {
            self.spend(once.or(self.threads.frozen_by(once)));
            self.begin_periods(backend, once);
        }
    }

    /// Presets counters to whole periods.
    #[cold]
    #[inline(never)]
    fn begin_periods(&self, backend: &B, counters: CounterSet) {
        for counter in counters {
            let period = self.account(counter).period.get();
            backend.preset(&self.image, counter, Remaining::events(period));
        }
    }

    /// The period that begins at this counter's overflow.
    #[inline(always)]
    fn next<'u>(&'u self, backend: &'u B, counter: CounterId) -> Next<'u, B> {
        Next { shared: self, backend, account: self.account(counter), counter }
    }

    /// Accounts for an overflow. The next period counts from the event that ended this one.
    /// False if the counter is not past its overflow after all.
    #[inline(always)]
    fn wrap(&self, backend: &B, counter: CounterId) -> bool {
        backend.renew(&self.image, counter, &self.next(backend, counter))
    }

    /// Further periods have passed before this one was serviced: their samples are lost, their
    /// events are not.
    #[cold]
    #[inline(never)]
    fn outrun(&self, backend: &B, counter: CounterId, past: u64) {
        let account = self.account(counter);
        let period = account.period.get();
        let further = if self.once.counters().contains(counter) { 0 } else { past.checked_div(period).unwrap_or(0) };
        let into = past.wrapping_sub(further.wrapping_mul(period));
        if self.sampling.counters().contains(counter) {
            self.losses.outrun.update(|lost| lost.wrapping_add(further));
        }
        account.base.add(period.wrapping_mul(further.wrapping_add(1)));
        backend.preset(&self.image, counter, Remaining::events(period.wrapping_sub(into)));
    }

    /// Some counters ended their one period while a start or stop was about to let them run: takes
    /// back the few events that they have counted since.
    pub(crate) fn unrun(&self, backend: &B, ended: CounterSet) {
        let again = backend.overflowed(&self.image, ended).and(ended);
        if !again.is_empty() {
            self.due.owe_all(backend, again.len());
        }
        self.silence(backend, ended);
    }

    /// These counters count no further: their last period stands as it was, and has not ended.
    #[cold]
    #[inline(never)]
    fn silence(&self, backend: &B, ended: CounterSet) {
        self.begin_periods(backend, ended);
        if !ended.is_empty() {
            backend.acknowledge(&self.image, ended);
        }
    }

    /// After a stop: accounts for an overflow that happened and whose interrupt is on its way.
    #[inline(always)]
    pub(crate) fn settle(&self, backend: &B, stopped: CounterSet) {
        self.hush(backend, stopped);
        let pending = backend.overflowed(&self.image, stopped).and(stopped);
        if !pending.is_empty() {
            self.settle_pending(backend, pending);
        }
    }

    /// From here on the interrupt leaves these counters alone.
    #[inline(always)]
    pub(crate) fn hush(&self, backend: &B, stopped: CounterSet) {
        self.live.set(self.live.counters().without(stopped).bits());
        backend.fence();
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn settle_pending(&self, backend: &B, pending: CounterSet) {
        self.due.owe_all(backend, pending.len());
        backend.fence();
        for counter in pending {
            if self.wrap(backend, counter) && self.sampling.counters().contains(counter) {
                self.losses.stopped.update(|lost| lost.wrapping_add(1));
            }
        }
        self.end(backend, pending);
        backend.acknowledge(&self.image, pending);
        backend.admit(&self.image, pending);
        backend.fence();
        self.due.settle();
    }
}
