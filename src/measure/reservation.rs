//! The counters that a session holds: started and stopped together, given back.
//!
//! A [`Session`](super::Session) is a reservation and what reading takes. What is the same for one request and for many
//! is here, so that a kernel which opens sessions of many sizes has it once.

use crate::contract::Driver;
use crate::event::{CounterSet, Error, Remaining, Result};
use crate::sample::SessionId;
use crate::unit::{Claim, Left, Operation, Pmu};

/// Counters that belong to a session, and how long they have counted.
pub(crate) struct Reservation<'u, D: Driver> {
    pub(super) pmu: Pmu<'u, D>,
    pub(super) claim: Claim,
    serial: u64,
    /// The counters that count.
    counters: CounterSet,
    /// The counters that nobody else can use: those, and the second ones of pairs.
    pub(super) occupied: CounterSet,
    /// Ticks that it has counted for; while it counts, less the tick at which it began.
    enabled: u64,
    progress: Progress,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Progress {
    /// It has not counted since its counters were preset.
    Fresh,
    Stopped,
    Running,
}

impl<'u, D: Driver> Reservation<'u, D> {
    pub(super) const fn new(
        pmu: Pmu<'u, D>,
        claim: Claim,
        serial: u64,
        counters: CounterSet,
        occupied: CounterSet,
    ) -> Self {
        Self { pmu, claim, serial, counters, occupied, enabled: 0, progress: Progress::Fresh }
    }

    #[inline(always)]
    fn enter(&self) -> Result<Operation<'u, D>> {
        self.pmu.enter_under(self.claim)
    }

    /// Counts from 0, with whole periods.
    #[inline(never)]
    pub(super) fn start(&mut self) -> Result<()> {
        let operation = self.enter_stopped()?;
        if self.progress != Progress::Fresh {
            self.reset(&operation);
        }
        self.run(&operation);
        Ok(())
    }

    /// Counts on.
    #[inline(never)]
    pub(super) fn resume(&mut self) -> Result<()> {
        let operation = self.enter_stopped()?;
        operation.shared.ended.exclude(self.counters);
        self.run(&operation);
        Ok(())
    }

    /// Lets counters that have ended their one period begin another.
    #[inline(never)]
    pub(super) fn rearm(&mut self) -> Result<()> {
        let operation = self.enter_running()?;
        operation.shared.ended.exclude(self.counters);
        operation.arm(self.counters);
        Ok(())
    }

    #[inline(never)]
    pub(super) fn stop(&mut self) -> Result<()> {
        let operation = self.enter_running()?;
        self.enabled = self.enabled.wrapping_add(operation.now());
        operation.disarm(self.counters);
        self.progress = Progress::Stopped;
        Ok(())
    }

    #[inline(always)]
    fn run(&mut self, operation: &Operation<'_, D>) {
        self.enabled = self.enabled.wrapping_sub(operation.now());
        self.progress = Progress::Running;
        operation.arm(self.counters);
    }

    /// The counts to 0, and whole periods.
    fn reset(&mut self, operation: &Operation<'_, D>) {
        operation.shared.ended.exclude(self.counters);
        self.enabled = 0;
        for counter in self.counters {
            let period = operation.shared.account(counter).period.get();
            let width = operation.driver.counter(&operation.shared.slot(counter)).width;
            operation.put(counter, width, 0, Left::exactly(Remaining::events(period)));
        }
    }

    #[inline(always)]
    fn enter_stopped(&self) -> Result<Operation<'u, D>> {
        if self.progress == Progress::Running { Err(Error::Running) } else { self.enter() }
    }

    #[inline(always)]
    fn enter_running(&self) -> Result<Operation<'u, D>> {
        if self.progress == Progress::Running { self.enter() } else { Err(Error::Stopped) }
    }

    pub(super) const fn id(&self) -> SessionId {
        SessionId::of_session(self.serial)
    }

    /// Returns the ticks that it has counted for.
    pub(super) fn enabled(&self) -> u64 {
        if self.progress == Progress::Running { self.enabled.wrapping_add(self.pmu.time()) } else { self.enabled }
    }
}

impl<D: Driver> Drop for Reservation<'_, D> {
    fn drop(&mut self) {
        match self.enter() {
            Ok(operation) => operation.free(self.occupied),
            Err(Error::Invalidated | Error::NotClaimed) => {}
            Err(_) => self.pmu.shared.abandon(self.occupied, self.serial),
        }
    }
}

impl<D: Driver> core::fmt::Debug for Reservation<'_, D> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Session")
            .field("counters", &self.counters)
            .field("progress", &self.progress)
            .finish_non_exhaustive()
    }
}
