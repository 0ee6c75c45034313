//! The overflow handler: what happens when a counter overflows.
//!
//! Everything here may run in an NMI. It allocates nothing, locks nothing, cannot panic, uses no float, no log line and
//! no unchecked index; its loops run once for each counter.
//!
//! The order of the steps is safe on all processors. On a shared line, the unit is first asked whether it asserts the line. It
//! is then halted, so that nothing changes meanwhile. Each counter is preset before its status bit is cleared, so that an old
//! overflow cannot repeat, and before the next interrupt is let through. Only then does anything count, so that no overflow
//! finds the interrupt masked. An interrupt that finds no overflow looks a second time, because the status may come later than
//! the interrupt.

use super::account::AccountSnapshot;
use crate::contract::{Branches, Driver, Registers};
use crate::event::{CounterId, CounterSet};
use crate::sample::branches::BranchLists;
use crate::sample::chain::{Broken, Callers, Chains};
use crate::sample::{Interrupted, Numbers, Writer};
use crate::unit::{Pmu, Unit};

/// How often an interrupt looks for an overflow: a status may lag behind its counter and the interrupt.
const LOOKS: u32 = 2;

/// Whose interrupt it was.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[must_use = "an interrupt that is not the unit's belongs to somebody else"]
#[non_exhaustive]
pub enum Handled {
    /// Not this unit's: ask the next handler.
    NotMine,
    /// This unit's, but a stop or another interrupt had accounted for the overflow already.
    Late,
    /// This unit's: overflows were accounted for.
    Overflow,
    /// The unit is a guest's ([`Mediated`](crate::virt::Mediated)), so it was left alone: whose interrupt it was is not known.
    /// Ask the other handlers as well, and call [`Mediated::interrupted`](crate::virt::Mediated::interrupted) once the guest has
    /// left the CPU.
    Guest,
}

impl Handled {
    /// Returns true if the interrupt was this unit's. While a guest owns the unit, every overflow is assumed to be the guest's.
    #[must_use]
    pub const fn is_mine(self) -> bool {
        !matches!(self, Self::NotMine)
    }
}

impl<D: Driver, const SAMPLES: usize> Unit<D, SAMPLES> {
    /// The whole overflow handler: a plain function, to be called from the kernel's NMI entry or from the vector that it
    /// has chosen, on the unit's own CPU.
    ///
    /// Where a unit has no interrupt, or none is wired, a timer may call it instead.
    #[inline(always)]
    pub fn on_overflow(&self, at: Interrupted) -> Handled {
        self.handle(at, |_| ())
    }

    /// Like [`Unit::on_overflow`], and stores the chain of callers that `walk` finds: see [`chain`](crate::samples::chain).
    /// The chains MUST be this unit's alone.
    ///
    /// `walk` is called once if the interrupt left samples and there is room for a chain. The unit is halted meanwhile, so
    /// what `walk` does is not counted. It MUST do only what an interrupt handler may do here.
    #[inline(always)]
    pub fn on_overflow_chained<const DEPTH: usize, const N: usize>(
        &self,
        at: Interrupted,
        chains: &Chains<DEPTH, N>,
        walk: impl FnOnce(&mut Callers<'_>) -> Result<(), Broken>,
    ) -> Handled {
        self.handle(at, |samples| chains.follow(samples, walk))
    }

    /// Like [`Unit::on_overflow`], and stores the branches that led to the samples: see [`branches`](crate::branches). The lists
    /// MUST be this unit's alone, and the recorder this CPU's.
    ///
    /// The recorder is halted meanwhile, and then records what it did before. Branches of the way into the handler are not among
    /// those that are stored if an overflow freezes them
    /// ([`frozen_by_overflows`](crate::branches::BranchFilter::frozen_by_overflows)). A sample that comes while a thread has
    /// halted the recorder gets the branches from before that halt.
    #[inline(always)]
    pub fn on_overflow_with_branches<const DEPTH: usize, const N: usize>(
        &self,
        at: Interrupted,
        recorder: &impl Branches,
        lists: &BranchLists<DEPTH, N>,
    ) -> Handled {
        let recording = recorder.halt();
        let handled = self.handle(at, |samples| lists.follow(samples, recorder));
        recorder.resume(recording);
        handled
    }

    /// Handles the interrupt, and calls `follow` for its samples before they are published.
    #[inline(always)]
    fn handle(&self, at: Interrupted, follow: impl FnOnce(Numbers)) -> Handled {
        let Some(driver) = self.shared.ownership.driver() else { return Handled::NotMine };
        let pmu = Pmu::new(&self.shared, driver);
        if self.shared.ownership.is_awake() { self.service(pmu, at, follow) } else { pmu.late_or_foreign() }
    }

    #[inline(always)]
    fn service(&self, pmu: Pmu<'_, D>, at: Interrupted, follow: impl FnOnce(Numbers)) -> Handled {
        let (counting, driver, image) = (&pmu.shared.counting, pmu.driver, pmu.image());
        if !driver.is_interrupting(image) {
            return pmu.leave_to_others();
        }
        driver.run(image, CounterSet::EMPTY);
        pmu.end_dropped();
        let mut writer = self.ring.writer(at, &counting.losses);
        let mut looks = (0..LOOKS).map(|_| Self::serve(pmu, &mut writer));
        let Some(overflowed) = looks.find(|overflowed| !overflowed.is_empty()) else { return pmu.found_nothing() };
        follow(writer.numbers());
        writer.publish();
        counting.overflows.advance();
        driver.acknowledge(image, overflowed);
        counting.expected.serve(driver.late(), overflowed, || driver.registers().ticks());
        driver.rearm();
        driver.run(image, counting.running());
        Handled::Overflow
    }

    /// Serves the counters that have overflowed, and returns them.
    #[inline(always)]
    fn serve(pmu: Pmu<'_, D>, writer: &mut Writer<'_, SAMPLES>) -> CounterSet {
        let counting = &pmu.shared.counting;
        let running = counting.running();
        let mut overflowed = CounterSet::EMPTY;
        pmu.driver.overflowed(pmu.image(), pmu.occupied(), |counter, past| {
            overflowed = overflowed.or(counter.only());
            if !running.contains(counter) {
                return pmu.serve_stopped(counter, past);
            }
            let snapshot = counting.account(counter).snapshot();
            if pmu.renew_soon(counter, snapshot, past) || pmu.serve_otherwise(counter, snapshot, past) {
                writer.write(snapshot.label);
            }
        });
        overflowed
    }
}

impl<D: Driver> Pmu<'_, D> {
    /// Handles the overflow of a counter that runs, whatever it counts for. Returns true if the overflow leaves a sample.
    #[cold]
    #[inline(never)]
    fn serve_otherwise(self, counter: CounterId, snapshot: AccountSnapshot, past: i64) -> bool {
        let label = snapshot.label;
        let left_out = self.pace(counter, label, past);
        let Some(missed) = self.renew(counter, snapshot, past) else { return false };
        self.shared.counting.count_passed(counter, label, left_out, missed);
        self.end_if_once(counter, label);
        label.samples()
    }

    /// Handles the overflow of a counter that has been stopped. It leaves no sample.
    #[cold]
    #[inline(never)]
    fn serve_stopped(self, counter: CounterId, past: i64) {
        let counting = &self.shared.counting;
        if counting.expired().contains(counter) {
            // The counter ran on for some events after its period had ended, during a start or stop.
            return self.begin_period(counter);
        }
        let snapshot = counting.account(counter).snapshot();
        let missed = self.renew_stopped(counter, snapshot, past);
        counting.served.include(counter.only());
        counting.count_lost(counter, snapshot.label, missed);
    }

    /// No counter has overflowed: its overflow was accounted for already, or the interrupt is somebody else's.
    #[cold]
    #[inline(never)]
    fn found_nothing(self) -> Handled {
        self.driver.rearm();
        self.driver.run(self.image(), self.shared.counting.running());
        self.late_or_foreign()
    }

    /// No counter of the unit interrupts. What the interrupt has frozen counts on, and the next one may come.
    #[inline(always)]
    fn leave_to_others(self) -> Handled {
        self.driver.acknowledge(self.image(), CounterSet::EMPTY);
        self.driver.rearm();
        self.late_or_foreign()
    }

    /// Handles an interrupt for which no overflow is found. Touches the unit only to halt it if its guest was dropped.
    #[cold]
    #[inline(never)]
    fn late_or_foreign(self) -> Handled {
        let (counting, guest, driver) = (&self.shared.counting, self.shared.ownership.guest(), self.driver);
        if guest.is_there() {
            if guest.is_abandoned() {
                driver.run(self.image(), CounterSet::EMPTY);
            }
            Handled::Guest
        } else if counting.expected.claim(driver.late(), || driver.registers().ticks()) {
            counting.spurious.late.add(1);
            Handled::Late
        } else {
            counting.spurious.foreign.add(1);
            Handled::NotMine
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Handled;

    #[test]
    fn an_interrupt_that_is_not_the_units_belongs_to_the_next_handler() {
        let all = [Handled::NotMine, Handled::Late, Handled::Overflow, Handled::Guest];
        assert_eq!(all.map(Handled::is_mine), [false, true, true, true]);
    }
}
