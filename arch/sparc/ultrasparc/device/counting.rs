//! Where each counter counts, and when it overflows.

use super::Device;
use super::feed::{Selection, selection};
use crate::arch::sparc::Half;
use crate::arch::sparc::ultrasparc::Pcr;
use crate::event::{CounterId, CounterSet, Mode, Modes};
use crate::virt::{Decode, Kind, Selected, Table, Trigger, Work};

/// The number of values of a counter.
const MODULUS: u64 = 1 << 32;

impl<T: Trigger> Decode for Device<T> {
    fn table(&self) -> &Table {
        &self.table
    }

    fn existing(&self) -> CounterSet {
        Half::ALL.into_iter().map(Half::counter).collect()
    }

    fn decode(&self, id: CounterId) -> Selected {
        let selection = self.selection(half_of(id));
        let counted = [Mode::User, Mode::Kernel, Mode::Hypervisor].into_iter().filter(|&mode| self.counts_in(mode));
        let modes = counted.fold(Modes::NONE, |all, mode| all.and(mode.only()));
        let is_idle = selection == Selection::Nothing;
        Selected { modes: if is_idle { Modes::NONE } else { modes }, source: selection.source(), interrupts: false }
    }

    fn enabled(&self, _: Mode) -> CounterSet {
        self.existing()
    }

    fn raw(&self, id: CounterId) -> u64 {
        self.control().select(half_of(id)).into()
    }
}

/// Returns the half whose counter has this number.
fn half_of(id: CounterId) -> Half {
    if id == Half::Pic1.counter() { Half::Pic1 } else { Half::Pic0 }
}

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

    /// Counts `work` on both counters. From III on a wrap interrupts.
    pub(super) fn count(&self, work: &Work) {
        self.ticks.set(self.ticks.get().wrapping_add(work.of(Kind::Cycles)));
        self.add_to(self.counting(work.mode()), |id| self.table.events(id, work));
    }

    /// Counts events on one counter, if it counts in this mode.
    pub(super) fn count_on(&self, id: CounterId, mode: Mode, events: u64) {
        self.add_to(self.counting(mode).and(id.only()), |_| events);
    }

    fn add_to(&self, counters: CounterSet, happened: impl Fn(CounterId) -> u64) {
        let of = |id| if counters.contains(id) { happened(id) } else { 0 };
        let events = Half::ALL.map(|half| (half, of(half.counter())));
        let wrapped = events.map(|(half, events)| self.add(half, events));
        if self.capabilities.interrupts() && wrapped.contains(&true) {
            self.line.interrupt();
        }
    }

    /// Adds events to a counter. Returns true if it wraps.
    fn add(&self, half: Half, events: u64) -> bool {
        let counter = self.counter(half);
        let reached = counter.get().saturating_add(events);
        counter.set(counter.get().wrapping_add(events) % MODULUS);
        reached >= MODULUS
    }

    /// Returns after how many repetitions of `step` a counter interrupts, or `None` if none will.
    pub(super) fn steps_until_interrupt(&self, step: &Work) -> Option<u64> {
        self.steps_until(self.counting(step.mode()), |id| self.table.events(id, step))
    }

    /// Returns after how many events of its own a counter interrupts, or `None` if it will not.
    pub(super) fn events_until_overflow(&self, id: CounterId, mode: Mode) -> Option<u64> {
        self.steps_until(self.counting(mode).and(id.only()), |_| 1)
    }

    fn steps_until(&self, counting: CounterSet, happens: impl Fn(CounterId) -> u64) -> Option<u64> {
        let steps = |id| {
            let left = MODULUS - self.counter(half_of(id)).get();
            left.checked_sub(1)?.checked_div(happens(id))?.checked_add(1)
        };
        if self.capabilities.interrupts() { counting.into_iter().filter_map(steps).min() } else { None }
    }
}
