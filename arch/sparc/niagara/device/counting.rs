//! Where each counter counts, and when it overflows.

use super::Device;
use super::feed::{Selection, selection};
use crate::arch::sparc::Half;
use crate::arch::sparc::niagara::{Pcr, PcrT1};
use crate::event::{CounterId, CounterSet, Mode, Modes};
use crate::virt::{Decode, Kind, Selected, Table, Trigger, Work};

/// The number of values of a counter.
const MODULUS: u64 = 1 << 32;
/// The first of the values from which T2's next event overflows: -16.
const NEAR: u64 = MODULUS - 16;

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
        match self.is_t1() {
            true if id == Half::Pic1.counter() => 0,
            true => PcrT1::from_bits_retain(self.control.get()).select().into(),
            false => self.control().select(half_of(id)).into(),
        }
    }

    fn is_fixed(&self, id: CounterId) -> bool {
        self.is_t1() && id == Half::Pic1.counter()
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

    /// Counts `work` on both counters.
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
        counter.set(counter.get().wrapping_add(events) % MODULUS);
        reached
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
        let may_rise = if self.is_asserted() { CounterSet::EMPTY } else { counting };
        may_rise.into_iter().filter_map(|id| self.steps(half_of(id), happens(id))).min()
    }

    fn steps(&self, half: Half, events: u64) -> Option<u64> {
        let (value, control) = (self.counter(half).get(), self.control());
        let left = match (self.is_t1(), value) {
            (true, _) => MODULUS - value,
            (false, _) if control.contains(Pcr::overflow(half)) || !control.contains(Pcr::trap(half)) => return None,
            (false, NEAR..) => 1,
            (false, _) => NEAR + 1 - value,
        };
        left.checked_sub(1)?.checked_div(events)?.checked_add(1)
    }
}
