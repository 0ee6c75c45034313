//! Where each counter counts, and the effects of a negative counter.

use super::Device;
use super::feed::{Selection, selection};
use crate::arch::powerpc::classic::{Mmcr0, SelectField, SelectRegister};
use crate::arch::powerpc::device::{SIGN, add, steps_until_negative};
use crate::event::{CounterId, CounterSet, Mode, Modes};
use crate::virt::{Decode, Kind, Selected, Table, Trigger, Work};

/// PMC1. The others can wait until it is negative.
const FIRST: CounterSet = CounterId::ZERO.only();

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
        self.select(id).into()
    }
}

impl<T: Trigger> Device<T> {
    #[inline(always)]
    pub(super) fn control(&self) -> Mmcr0 {
        Mmcr0::from_bits_retain(self.control.get() as u32)
    }

    /// Returns the counter's selector.
    fn select(&self, id: CounterId) -> u8 {
        let Some(field) = SelectField::ALL.get(index(id)) else { return 0 };
        let register = match field.register {
            SelectRegister::Mmcr0 => &self.control,
            SelectRegister::Mmcr1 => &self.selects,
        };
        field.of(register.get() as u32)
    }

    fn selection(&self, id: CounterId) -> Selection {
        selection(self.limits.model(), index(id), self.select(id))
    }

    /// Returns true if nothing keeps a counter from counting in this mode. There are two states: a hypervisor is in
    /// supervisor state.
    fn counts_in(&self, id: CounterId, mode: Mode) -> bool {
        let control = self.control();
        let by_mode = if mode == Mode::User { Mmcr0::FREEZE_PROBLEM } else { Mmcr0::FREEZE_SUPERVISOR };
        let by_mark = if self.context.get().marked { Mmcr0::FREEZE_MARKED } else { Mmcr0::FREEZE_UNMARKED };
        let waits = control.contains(Mmcr0::TRIGGER) && !FIRST.contains(id);
        !control.intersects(Mmcr0::FREEZE | by_mode | by_mark) && !waits
    }

    /// Counts `work` on every counter, and carries out the effects.
    pub(super) fn count(&self, work: &Work) {
        self.ticks.set(self.ticks.get().wrapping_add(work.of(Kind::Cycles)));
        self.add_to(self.counting(work.mode()), |id| self.table.events(id, work));
    }

    /// Counts events on one counter, if it counts in this mode.
    pub(super) fn count_on(&self, id: CounterId, mode: Mode, events: u64) {
        self.add_to(self.counting(mode).and(id.only()), |_| events);
    }

    fn add_to(&self, counters: CounterSet, happened: impl Fn(CounterId) -> u64) {
        let events = |id| if counters.contains(id) { happened(id) } else { 0 };
        let became = |id: &CounterId| self.counters.get(index(*id)).is_some_and(|cell| add(cell, events(*id)));
        let negative = self.limits.counters().into_iter().filter(became).collect();
        self.rest(negative);
    }

    /// Returns the negative counters.
    pub(super) fn negative(&self) -> CounterSet {
        let is_negative = |id: &CounterId| self.counters.get(index(*id)).is_some_and(|cell| cell.get() & SIGN != 0);
        self.limits.counters().into_iter().filter(is_negative).collect()
    }

    /// Returns the counters whose condition (being negative) is enabled.
    fn conditions(&self) -> CounterSet {
        let control = self.control();
        let first = if control.contains(Mmcr0::FIRST) { FIRST } else { CounterSet::EMPTY };
        let others = self.limits.counters().without(FIRST);
        first.or(if control.contains(Mmcr0::OTHERS) { others } else { CounterSet::EMPTY })
    }

    /// Carries out the effects of these negative counters, and of those that are negative then. Each of the three
    /// effects happens at most once.
    pub(super) fn rest(&self, negative: CounterSet) {
        let mut negative = negative;
        while self.follow(negative) {
            negative = self.negative();
        }
    }

    /// Carries out one effect. Returns false if there is none.
    fn follow(&self, negative: CounterSet) -> bool {
        let before = self.control();
        let after = self.following(negative);
        self.control.set(after.bits().into());
        if before != after {
            self.table.touch(CounterSet::ALL);
        }
        if before.difference(after).contains(Mmcr0::EXCEPTION) {
            self.signal(before);
        }
        before != after
    }

    /// Returns MMCR0 after one effect. An enabled condition interrupts, if interrupts are on. It also ends TRIGGER,
    /// or, if TRIGGER is off, freezes the counters, if that is enabled.
    fn following(&self, negative: CounterSet) -> Mmcr0 {
        let before = self.control();
        let condition = !negative.and(self.conditions()).is_empty();
        let interrupts = condition && before.contains(Mmcr0::EXCEPTION);
        let mut after = before;
        after.set(Mmcr0::EXCEPTION, before.contains(Mmcr0::EXCEPTION) && !interrupts);
        let freezes = if self.limits.freezes_by_interrupt() { interrupts } else { condition };
        if before.contains(Mmcr0::TRIGGER) {
            after.set(Mmcr0::TRIGGER, !condition && negative.and(FIRST).is_empty());
        } else if freezes && before.contains(Mmcr0::FREEZE_ON_CONDITION) {
            after.insert(Mmcr0::FREEZE);
        }
        after
    }

    /// Returns true if the negative counters have no further effect.
    pub(super) fn is_at_rest(&self) -> bool {
        self.following(self.negative()) == self.control()
    }

    /// Interrupts, and captures the current instruction unless nothing was counted: SIAR does not change while
    /// the counters are frozen.
    fn signal(&self, before: Mmcr0) {
        let context = self.context.get();
        if !before.contains(Mmcr0::FREEZE) {
            self.instruction.set(context.instruction.into());
            let datum = self.limits.bits(super::Place::Datum).unwrap_or_default();
            self.datum.set(u64::from(context.datum.unwrap_or_default()) & datum);
        }
        self.line.interrupt();
    }

    /// Returns after how many repetitions of `step` a negative counter has an effect, or `None` if there will be
    /// none.
    pub(super) fn steps_until_change(&self, step: &Work) -> Option<u64> {
        self.steps_until(self.counting(step.mode()), |id| self.table.events(id, step))
    }

    /// Returns the same for events of one counter.
    pub(super) fn events_until_overflow(&self, id: CounterId, mode: Mode) -> Option<u64> {
        self.steps_until(self.counting(mode).and(id.only()), |_| 1)
    }

    fn steps_until(&self, counting: CounterSet, happens: impl Fn(CounterId) -> u64) -> Option<u64> {
        let steps = |id| steps_until_negative(self.counters.get(index(id))?.get(), happens(id));
        self.awaited().and(counting).into_iter().filter_map(steps).min()
    }

    /// Returns the counters that would have an effect if they became negative.
    fn awaited(&self) -> CounterSet {
        let control = self.control();
        let triggers = control.contains(Mmcr0::TRIGGER);
        let freezes = control.contains(Mmcr0::FREEZE_ON_CONDITION) && !self.limits.freezes_by_interrupt();
        let concerned = triggers || control.contains(Mmcr0::EXCEPTION) || freezes;
        let conditions = if concerned { self.conditions() } else { CounterSet::EMPTY };
        if triggers { conditions.or(FIRST) } else { conditions }
    }
}
