//! Where each counter counts, and when it overflows.

use super::Device;
use super::feed::{Selection, selection};
use crate::arch::sparc::Half;
use crate::arch::sparc::ultrasparc::Pcr;
use crate::event::{CounterSet, Mode};
use crate::virt::{Kind, Kinds, Trigger, Work};

/// The number of values of a counter.
const MODULUS: u64 = 1 << 32;

impl<T: Trigger> Device<T> {
    pub(super) fn control(&self) -> Pcr {
        Pcr::from_bits_retain(self.control.get())
    }

    fn selection(&self, half: Half) -> Selection {
        selection(self.capabilities.model, half, self.control().select(half))
    }

    /// Returns true if a counter counts nothing with this value of %pcr.
    pub(super) fn is_parked(&self, control: Pcr, half: Half) -> bool {
        selection(self.capabilities.model, half, control.select(half)) == Selection::Nothing
    }

    /// Returns true if both counters are enabled in this mode.
    fn counts_in(&self, mode: Mode) -> bool {
        match mode {
            Mode::User => self.control().contains(Pcr::USER),
            Mode::Kernel => self.control().contains(Pcr::KERNEL),
            Mode::Hypervisor => false,
        }
    }

    /// Returns the halves that count something in some mode.
    fn running_halves(&self) -> impl Iterator<Item = Half> {
        let enabled = self.control().intersects(Pcr::MODES);
        Half::ALL.into_iter().filter(move |&half| enabled && self.selection(half) != Selection::Nothing)
    }

    /// Returns the counters that count something in some mode.
    pub(super) fn running(&self) -> CounterSet {
        self.running_halves().map(Half::counter).collect()
    }

    /// Returns the kinds that running counters count.
    pub(super) fn kinds(&self) -> Kinds {
        self.running_halves().filter_map(|half| self.selection(half).kind()).fold(Kinds::NONE, Kinds::with)
    }

    /// Returns the running counters of kinds that the host does not observe.
    pub(super) fn silent(&self) -> CounterSet {
        let is_fed = |half: Half| self.selection(half).kind().is_some_and(|kind| self.observed.contains(kind));
        self.running_halves().filter(|&half| !is_fed(half)).map(Half::counter).collect()
    }

    /// Returns how many events of `work` a counter counts.
    fn events(&self, half: Half, work: &Work) -> u64 {
        let events = self.selection(half).kind().map_or(0, |kind| work.of(kind));
        if self.counts_in(work.mode()) { events } else { 0 }
    }

    /// Counts `work` on both counters. From III on a wrap interrupts.
    pub(super) fn count(&self, work: &Work) {
        self.ticks.set(self.ticks.get().wrapping_add(work.of(Kind::Cycles)));
        let events = Half::ALL.map(|half| (half, self.events(half, work)));
        let wrapped = events.map(|(half, events)| self.add(half, events));
        if self.capabilities.interrupts() && wrapped.contains(&true) {
            self.line.interrupt();
        }
    }

    /// Adds events to a counter. Returns true if it wraps.
    fn add(&self, half: Half, events: u64) -> bool {
        let counter = self.counter(half);
        let reached = counter.get().saturating_add(events);
        counter.set(reached % MODULUS);
        reached >= MODULUS
    }

    /// Returns after how many repetitions of `step` a counter interrupts, or `None` if none will.
    pub(super) fn steps_until_interrupt(&self, step: &Work) -> Option<u64> {
        let steps = |half| {
            let left = MODULUS - self.counter(half).get();
            left.checked_sub(1)?.checked_div(self.events(half, step))?.checked_add(1)
        };
        Half::ALL.into_iter().filter(|_| self.capabilities.interrupts()).filter_map(steps).min()
    }
}
