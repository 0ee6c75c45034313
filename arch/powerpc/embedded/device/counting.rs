//! Where each counter counts, and the effects of its overflow.

use super::Device;
use super::feed::{Selection, selection};
use crate::arch::powerpc::device::{SIGN, add, steps_until_negative};
use crate::arch::powerpc::embedded::{Pmgc0, Pmlca};
use crate::event::{CounterId, CounterSet, Mode, Modes};
use crate::virt::{Decode, Kind, Selected, Table, Trigger, Work};

/// Returns a counter's number as an index.
#[inline(always)]
fn index(id: CounterId) -> usize {
    id.number().into()
}

impl<T: Trigger> Decode for Device<T> {
    fn table(&self) -> &Table {
        &self.table
    }

    fn existing(&self) -> CounterSet {
        self.limits.counters()
    }

    fn decode(&self, id: CounterId) -> Selected {
        let selection = self.selection(id);
        let is_idle = selection == Selection::Nothing;
        let counted = [Mode::User, Mode::Kernel, Mode::Hypervisor]
            .into_iter()
            .filter(|&mode| !is_idle && self.counts_in(id, mode));
        let modes = counted.fold(Modes::NONE, |all, mode| all.and(mode.only()));
        Selected { modes, source: selection.source(), interrupts: false }
    }

    fn enabled(&self, _: Mode) -> CounterSet {
        self.existing()
    }

    fn raw(&self, id: CounterId) -> u64 {
        self.local(id).bits().into()
    }
}

impl<T: Trigger> Device<T> {
    #[inline(always)]
    pub(super) fn global(&self) -> Pmgc0 {
        Pmgc0::from_bits_retain(self.global.get() as u32)
    }

    #[inline(always)]
    pub(super) fn set_global(&self, global: Pmgc0) {
        self.global.set(global.bits().into());
        self.table.touch(CounterSet::ALL);
    }

    /// Returns a counter's PMLCa. A counter that does not exist is frozen.
    fn local(&self, id: CounterId) -> Pmlca {
        self.locals.get(index(id)).map_or(Pmlca::FREEZE, |local| Pmlca::from_bits_retain(local.get() as u32))
    }

    fn selection(&self, id: CounterId) -> Selection {
        selection(self.limits.model(), self.local(id).event())
    }

    /// Returns true if nothing keeps a counter from counting in this mode. A hypervisor is in supervisor state,
    /// outside guest state.
    fn counts_in(&self, id: CounterId, mode: Mode) -> bool {
        let context = self.context.get();
        let by_mode = if mode == Mode::User { Pmlca::FREEZE_USER } else { Pmlca::FREEZE_SUPERVISOR };
        let by_mark = if context.marked { Pmlca::FREEZE_MARKED } else { Pmlca::FREEZE_UNMARKED };
        let by_guest = if context.guest { Pmlca::FREEZE_GUEST } else { Pmlca::FREEZE_HYPERVISOR };
        let frozen = self.local(id).intersects(Pmlca::FREEZE | by_mode | by_mark | by_guest);
        !self.global().contains(Pmgc0::FREEZE) && !frozen
    }

    /// Counts `work` on every counter, because no counter affects another meanwhile. A counter that has wrapped
    /// through its overflow has not overflowed in the end.
    pub(super) fn count(&self, work: &Work) {
        self.ticks.set(self.ticks.get().wrapping_add(work.of(Kind::Cycles)));
        self.add_to(self.counting(work.mode()), |id| self.table.events(id, work));
    }

    /// Counts events on one counter, if it counts in this mode.
    pub(super) fn count_on(&self, id: CounterId, mode: Mode, events: u64) {
        self.add_to(self.counting(mode).and(id.only()), |_| events);
    }

    fn add_to(&self, counters: CounterSet, happened: impl Fn(CounterId) -> u64) {
        self.change(|| {
            for id in counters {
                if let Some(counter) = self.counters.get(index(id)) {
                    add(counter, happened(id));
                }
            }
        });
    }

    /// Returns true if a counter whose condition is enabled has overflowed.
    fn condition(&self) -> bool {
        let is_past = |id: CounterId| self.counters.get(index(id)).is_some_and(|cell| cell.get() & SIGN != 0);
        self.conditions().into_iter().any(is_past)
    }

    /// Returns the counters whose condition is enabled.
    fn conditions(&self) -> CounterSet {
        self.limits.counters().into_iter().filter(|id| self.local(*id).contains(Pmlca::CONDITION)).collect()
    }

    /// Makes a change, carries out its effects, and sets the line.
    pub(super) fn change(&self, change: impl FnOnce()) {
        let before = self.is_asserted();
        change();
        if self.condition() && self.global().contains(Pmgc0::FREEZE_ON_CONDITION) {
            self.set_global(self.global().union(Pmgc0::FREEZE));
        }
        self.line.moved(before, self.is_asserted());
    }

    /// Returns the level of the interrupt line.
    pub fn is_asserted(&self) -> bool {
        self.global().contains(Pmgc0::INTERRUPT) && self.condition()
    }

    /// Returns true if the overflows have no further effect.
    pub(super) fn is_at_rest(&self) -> bool {
        let freezes = self.global().contains(Pmgc0::FREEZE_ON_CONDITION) && self.condition();
        !freezes || self.global().contains(Pmgc0::FREEZE)
    }

    /// Returns after how many repetitions of `step` an overflow interrupts or freezes, or `None` if none will.
    pub(super) fn steps_until_change(&self, step: &Work) -> Option<u64> {
        self.steps_until(self.counting(step.mode()), |id| self.table.events(id, step))
    }

    /// Returns the same for events of one counter.
    pub(super) fn events_until_overflow(&self, id: CounterId, mode: Mode) -> Option<u64> {
        self.steps_until(self.counting(mode).and(id.only()), |_| 1)
    }

    fn steps_until(&self, counting: CounterSet, happens: impl Fn(CounterId) -> u64) -> Option<u64> {
        if self.condition() || !self.global().intersects(Pmgc0::INTERRUPT | Pmgc0::FREEZE_ON_CONDITION) {
            return None;
        }
        let steps = |id| steps_until_negative(self.counters.get(index(id))?.get(), happens(id));
        self.conditions().and(counting).into_iter().filter_map(steps).min()
    }
}
