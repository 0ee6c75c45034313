//! The counters that a session holds: started and stopped together, given back.
//!
//! A [`Session`](crate::Session) is a hold and what reading takes. All that is the same for one
//! request and for many is here, so that a kernel which opens sessions of many sizes has it once.

use core::fmt;
use core::hint::black_box;

use crate::backend::Backend;
use crate::event::{CounterSet, CpuId, Error, Remaining, Result};
use crate::operation::Operation;
use crate::phase::Here;
use crate::sample::SessionId;
use crate::shared::{Owner, Shared};
use crate::take::{Taken, zero};

/// Counters that belong to somebody, and how far they have come.
pub(crate) struct Hold<'u, B: Backend> {
    pub(crate) shared: &'u Shared<B>,
    pub(crate) owner: &'u Owner<B>,
    /// The owner's, which is asked before anything else is looked up.
    this_cpu: fn() -> CpuId,
    pub(crate) id: SessionId,
    /// The counters that nobody else can use.
    pub(crate) occupied: CounterSet,
    /// Those that count.
    pub(crate) set: CounterSet,
    /// Ticks that it has counted for; while it counts, less the tick at which it began.
    enabled: u64,
    progress: Progress,
}

/// How far a session has come, and whether it goes on by the short way: that of a unit that
/// [`Backend::runs_at_once`], which the way itself need not ask then.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Progress {
    /// Its counters are preset and have not counted; the way is short.
    Fresh,
    /// The same, and the way is long.
    FreshFar,
    Stopped,
    /// It counts; the way is short.
    Running,
    /// The same, and the way is long.
    RunningFar,
}

impl Progress {
    /// That of counters which are preset.
    #[inline(always)]
    fn fresh<B: Backend>(backend: &B) -> Self {
        if backend.runs_at_once() { Self::Fresh } else { Self::FreshFar }
    }

    #[inline(always)]
    const fn is_running(self) -> bool {
        matches!(self, Self::Running | Self::RunningFar)
    }
}

impl<'u, B: Backend> Hold<'u, B> {
    #[inline(always)]
    pub(crate) fn new(shared: &'u Shared<B>, owner: &'u Owner<B>, taken: Taken) -> Self {
        let Taken { id, occupied, set } = taken;
        let progress = Progress::fresh(&owner.backend);
        Self { shared, owner, this_cpu: owner.this_cpu, id, occupied, set, enabled: 0, progress }
    }

    /// The CPU that this is. It is asked where a session is started and stopped, before anything else, so
    /// that what is called then calls nobody and keeps no register.
    #[inline(always)]
    pub(crate) fn here(&self) -> Here {
        Here::is((self.this_cpu)())
    }

    /// Has it started? If not, [`Hold::not_started`] says why.
    ///
    /// Whatever takes more than a few instructions is left to a function at the end, for which nothing is
    /// kept meanwhile. What is counted of the start itself is the same each time.
    #[inline(never)]
    pub(crate) fn start(&mut self, here: Here) -> bool {
        let Some(operation) = self.enter(here) else { return false };
        let is_fresh = self.progress == Progress::Fresh;
        operation.hand_on();
        if !is_fresh && let Err(has_started) = self.begin_anew() {
            return has_started;
        }
        self.run()
    }

    /// Has it stopped? If not, [`Hold::not_stopped`] says why.
    #[inline(never)]
    pub(crate) fn stop(&mut self, here: Here) -> bool {
        if self.progress != Progress::Running {
            return self.stop_far(here);
        }
        let (Some(operation), set) = (self.enter(here), self.set) else { return false };
        if let Err(counted) = operation.shared.halt_at_once(&operation.owner.backend, set) {
            operation.hand_on();
            return self.halt_again(counted);
        }
        if operation.shared.is_pending(&operation.owner.backend, set) {
            operation.hand_on();
            return self.settle();
        }
        self.pause(operation)
    }

    /// [`Hold::stop`], where the way is long or there is nothing to stop.
    #[cold]
    #[inline(never)]
    fn stop_far(&mut self, here: Here) -> bool {
        if self.progress != Progress::RunningFar {
            return false;
        }
        let Some(operation) = self.enter(here) else { return false };
        operation.shared.halt(&operation.owner.backend, self.set);
        operation.hand_on();
        self.settle()
    }

    /// As [`Hold::start`].
    #[inline(never)]
    pub(crate) fn resume(&mut self) -> bool {
        if self.progress.is_running() {
            return false;
        }
        let Some(operation) = self.enter(self.here()) else { return false };
        operation.shared.unspend(self.set);
        operation.hand_on();
        self.go_on()
    }

    /// As [`Hold::stop`].
    #[inline(never)]
    pub(crate) fn rearm(&mut self) -> bool {
        if !self.progress.is_running() {
            return false;
        }
        let Some(operation) = self.enter(self.here()) else { return false };
        operation.shared.unspend(self.set);
        operation.shared.arm(&operation.owner.backend, self.set);
        end(operation)
    }

    /// Gets ready to start as if it had never been started. If the way is long, or it runs: whether it has
    /// started.
    #[cold]
    #[inline(never)]
    fn begin_anew(&mut self) -> Result<(), bool> {
        let operation = self.shared.carry_on(self.owner);
        match self.progress {
            Progress::Fresh | Progress::FreshFar => {}
            Progress::Stopped => self.reset(&operation),
            Progress::Running | Progress::RunningFar => return Err(false),
        }
        operation.hand_on();
        if self.owner.backend.runs_at_once() { Ok(()) } else { Err(self.run_far()) }
    }

    /// The counters to their start values, their accounts to 0.
    fn reset(&mut self, operation: &Operation<'_, B>) {
        let (shared, backend) = (operation.shared, &operation.owner.backend);
        shared.unspend(self.set);
        self.enabled = 0;
        for counter in self.set {
            let account = shared.account(counter);
            let period = Remaining::events(account.period.get());
            account.base.set(zero(backend.width(&shared.image, counter), period));
            backend.preset(&shared.image, counter, period);
        }
    }

    /// Counts from here on, by whichever way.
    #[inline(always)]
    fn go_on(&mut self) -> bool {
        if self.owner.backend.runs_at_once() { self.run() } else { self.run_far() }
    }

    /// [`Hold::run`] by the long way.
    #[cold]
    #[inline(never)]
    fn run_far(&mut self) -> bool {
        let operation = self.shared.carry_on(self.owner);
        self.begin(&operation, Progress::RunningFar);
        operation.shared.arm(&operation.owner.backend, self.set);
        end(operation)
    }

    /// It counts from this tick on.
    #[inline(always)]
    fn begin(&mut self, operation: &Operation<'_, B>, progress: Progress) {
        operation.shared.changed(&operation.owner.backend);
        let now = operation.owner.backend.ticks();
        self.enabled = self.enabled.wrapping_sub(now);
        self.progress = progress;
    }

    /// Counts from here on. Whether it starts, starts anew or goes on it comes here: what is counted behind the
    /// counters' start is the same then.
    #[inline(never)]
    fn run(&mut self) -> bool {
        let operation = self.shared.carry_on(self.owner);
        operation.shared.get_ready(&operation.owner.backend, self.set);
        self.begin(&operation, Progress::Running);
        match operation.shared.arm_at_once(&operation.owner.backend, self.set) {
            Ok(()) => end(operation),
            Err(counted) => {
                operation.hand_on();
                self.run_on(counted)
            }
        }
    }

    /// An interrupt has ended a one-shot period amid the start.
    #[cold]
    #[inline(never)]
    fn run_on(&self, counted: CounterSet) -> bool {
        let operation = self.shared.carry_on(self.owner);
        operation.shared.follow_again(&operation.owner.backend, counted);
        black_box(end(operation))
    }

    /// An interrupt has ended a one-shot period amid the stop.
    #[cold]
    #[inline(never)]
    fn halt_again(&mut self, counted: CounterSet) -> bool {
        self.shared.follow_again(&self.owner.backend, counted);
        self.settle()
    }

    /// The halted counters may have overflowed.
    ///
    /// What it answers is kept from the compiler: if that knew it, whoever calls this would wait for its end to
    /// say so, and not just go there.
    #[cold]
    #[inline(never)]
    fn settle(&mut self) -> bool {
        let operation = self.shared.carry_on(self.owner);
        operation.shared.settle(&operation.owner.backend, self.set);
        black_box(self.pause(operation))
    }

    #[inline(always)]
    fn enter(&self, here: Here) -> Option<Operation<'u, B>> {
        self.shared.enter_on(here, self.owner)
    }

    /// Has counted until here.
    #[inline(always)]
    fn pause(&mut self, operation: Operation<'_, B>) -> bool {
        operation.shared.changed(&operation.owner.backend);
        let now = operation.owner.backend.ticks();
        self.enabled = self.enabled.wrapping_add(now);
        self.progress = Progress::Stopped;
        end(operation)
    }

    /// Why it has not started, or gone on.
    #[cold]
    #[inline(never)]
    pub(crate) fn not_started(&self) -> Result<()> {
        if self.progress.is_running() { Err(Error::Running) } else { self.shared.refused(self.owner) }
    }

    /// Why it has not stopped, or been armed again.
    #[cold]
    #[inline(never)]
    pub(crate) fn not_stopped(&self) -> Result<()> {
        if self.progress.is_running() { self.shared.refused(self.owner) } else { Err(Error::Stopped) }
    }

    /// Ticks that it has counted for.
    pub(crate) fn enabled(&self) -> u64 {
        let now = if self.progress.is_running() { self.owner.backend.ticks() } else { 0 };
        self.enabled.wrapping_add(now)
    }
}

/// The operation is done.
#[inline(always)]
fn end<B: Backend>(operation: Operation<'_, B>) -> bool {
    drop(operation);
    true
}

impl<B: Backend> Drop for Hold<'_, B> {
    fn drop(&mut self) {
        let (shared, owner) = (self.shared, self.owner);
        let Some(operation) = shared.enter(owner) else { return shared.abandon(self.occupied) };
        if self.progress.is_running() {
            shared.stop_amid(&owner.backend, self.set);
        }
        shared.free(&owner.backend, self.occupied);
        drop(operation);
    }
}

impl<B: Backend> fmt::Debug for Hold<'_, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("counters", &self.set).field("progress", &self.progress).finish_non_exhaustive()
    }
}
