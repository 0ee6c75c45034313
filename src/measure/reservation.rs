//! The counters that a session holds: started and stopped together, given back.
//!
//! A [`Session`](super::Session) is a reservation and what reading takes. What is the same for one request and for many
//! is here, so that a kernel which opens sessions of many sizes has it once.

use super::session::Place;
use crate::contract::Driver;
use crate::event::{CounterSet, Error, Remaining, Result};
use crate::sample::SessionId;
use crate::unit::{Claim, Operation, Pmu, Refused};

/// Counters that belong to a session, and how long they have counted.
pub(crate) struct Reservation<'u, D: Driver> {
    pub(super) pmu: Pmu<'u, D>,
    pub(super) claim: Claim,
    pub(super) serial: u64,
    /// The counters that count.
    pub(super) counters: CounterSet,
    /// The counters that nobody else can use: those, and the second ones of pairs.
    pub(super) occupied: CounterSet,
    /// Ticks that it has counted for; while it counts, less the tick at which it began.
    pub(super) enabled: u64,
    pub(super) is_running: bool,
}

impl<'u, D: Driver> Reservation<'u, D> {
    #[inline(always)]
    fn enter(&self) -> Result<Operation<'u, D>, Refused<'u>> {
        self.pmu.enter_under(self.claim)
    }

    #[inline(never)]
    pub(super) fn start(&mut self) -> Result<()> {
        let operation = self.enter()?;
        if !operation.shared.revive(self.counters) {
            return Err(Error::Halted);
        }
        if !self.is_running {
            self.is_running = true;
            self.enabled = self.enabled.wrapping_sub(operation.now());
        }
        operation.arm(self.counters);
        Ok(())
    }

    #[inline(never)]
    pub(super) fn stop(&mut self) -> Result<()> {
        let operation = self.enter()?;
        if self.is_running {
            self.is_running = false;
            self.enabled = self.enabled.wrapping_add(operation.now());
        }
        operation.disarm(self.counters);
        Ok(())
    }

    /// Sets the counts to where they began, with whole periods.
    pub(super) fn reset(&mut self, places: &[Place<D::Handle>]) -> Result<()> {
        let operation = self.enter()?;
        operation.disarm(self.counters);
        _ = operation.shared.revive(self.counters);
        for place in places {
            let period = Remaining::events(operation.shared.account(place.id).period.get());
            operation.put(place.id, place.width, place.preset, period);
        }
        self.enabled = 0;
        if self.is_running {
            self.enabled = self.enabled.wrapping_sub(operation.now());
            operation.arm(self.counters);
        }
        Ok(())
    }

    /// Its counters cannot be freed here. If it still has them, whoever can frees them later.
    #[cold]
    #[inline(never)]
    fn abandon(&self, refused: Refused<'u>) {
        if !matches!(refused.into(), Error::Invalidated | Error::NotClaimed) {
            self.pmu.shared.abandon(self.occupied, self.serial);
        }
    }

    pub(super) const fn id(&self) -> SessionId {
        SessionId::of_session(self.serial)
    }

    /// Returns the ticks that it has counted for.
    pub(super) fn enabled(&self) -> u64 {
        if self.is_running { self.enabled.wrapping_add(self.pmu.time()) } else { self.enabled }
    }
}

impl<D: Driver> Drop for Reservation<'_, D> {
    fn drop(&mut self) {
        match self.enter() {
            Ok(operation) => operation.free(self.occupied),
            Err(refused) => self.abandon(refused),
        }
    }
}

impl<D: Driver> core::fmt::Debug for Reservation<'_, D> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Session")
            .field("counters", &self.counters)
            .field("is_running", &self.is_running)
            .finish_non_exhaustive()
    }
}
