//! Where each counter counts, and when it overflows.

use super::Device;
use super::feed::{Selection, selection};
use crate::arch::sparc::Half;
use crate::arch::sparc::niagara::{Pcr, PcrT1};
use crate::event::{CounterSet, Mode};
use crate::virt::{Kind, Kinds, Trigger, Work};

/// The number of values of a counter.
const MODULUS: u64 = 1 << 32;
/// The first of the values from which T2's next event overflows: -16.
const NEAR: u64 = MODULUS - 16;

impl<T: Trigger> Device<T> {
    pub(super) fn control(&self) -> Pcr {
        Pcr::from_bits_retain(self.control.get())
    }

    fn selection(&self, half: Half) -> Selection {
        selection(self.is_t1(), half, self.control.get())
    }

    /// Returns true if both counters are enabled in this mode. T1 does not count in the hypervisor.
    fn counts_in(&self, mode: Mode) -> bool {
        let control = self.control();
        match mode {
            Mode::User => control.contains(Pcr::USER),
            Mode::Kernel => control.contains(Pcr::KERNEL),
            Mode::Hypervisor => !self.is_t1() && control.contains(Pcr::HYPERVISOR),
        }
    }

    /// Returns the halves that count something in some mode.
    fn running_halves(&self) -> impl Iterator<Item = Half> {
        let enabled = [Mode::User, Mode::Kernel, Mode::Hypervisor].into_iter().any(|mode| self.counts_in(mode));
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

    /// Counts `work` on both counters.
    pub(super) fn count(&self, work: &Work) {
        self.ticks.set(self.ticks.get().wrapping_add(work.of(Kind::Cycles)));
        let events = Half::ALL.map(|half| (half, self.events(half, work)));
        if self.is_t1() { self.count_on_t1(events) } else { self.change(|| self.count_on_t2(events)) }
    }

    /// Each wrap sets an overflow bit, and interrupts.
    fn count_on_t1(&self, events: [(Half, u64); 2]) {
        let wrapped = events.map(|(half, events)| (half, self.add(half, events) >= MODULUS));
        let overflows = wrapped.into_iter().filter(|(_, wraps)| *wraps).map(|(half, _)| PcrT1::overflow(half));
        let overflows = overflows.fold(PcrT1::empty(), PcrT1::union);
        self.control.set(self.control.get() | overflows.bits());
        if !overflows.is_empty() {
            self.line.interrupt();
        }
    }

    /// Sets the overflow bit of each counter that wraps, or that counts near its wrap while it may trap.
    fn count_on_t2(&self, events: [(Half, u64); 2]) {
        for (half, events) in events {
            let reached = self.add(half, events);
            let traps = self.control().contains(Pcr::trap(half));
            if events > 0 && (reached >= MODULUS || traps && reached > NEAR) {
                self.control.set((self.control() | Pcr::overflow(half)).bits());
            }
        }
    }

    /// Adds events to a counter. Returns the sum before it is cut to the counter's width.
    fn add(&self, half: Half, events: u64) -> u64 {
        let counter = self.counter(half);
        let reached = counter.get().saturating_add(events);
        counter.set(reached % MODULUS);
        reached
    }

    /// Returns after how many repetitions of `step` a counter interrupts, or `None` if none will.
    pub(super) fn steps_until_interrupt(&self, step: &Work) -> Option<u64> {
        let may_rise = !self.is_asserted();
        Half::ALL.into_iter().filter(|_| may_rise).filter_map(|half| self.steps(half, step)).min()
    }

    fn steps(&self, half: Half, step: &Work) -> Option<u64> {
        let (value, control, events) = (self.counter(half).get(), self.control(), self.events(half, step));
        let left = match (self.is_t1(), value) {
            (true, _) => MODULUS - value,
            (false, _) if control.contains(Pcr::overflow(half)) || !control.contains(Pcr::trap(half)) => return None,
            (false, NEAR..) => 1,
            (false, _) => NEAR + 1 - value,
        };
        left.checked_sub(1)?.checked_div(events)?.checked_add(1)
    }
}
