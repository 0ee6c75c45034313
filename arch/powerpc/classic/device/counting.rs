//! Where each counter counts, and what follows from its being negative.

use super::feed::{Selection, selection};
use super::{COUNTERS, Device};
use crate::arch::powerpc::classic::{Control, Place as Field, SelectField};
use crate::arch::powerpc::device::{SIGN, add, steps_until_negative};
use crate::counter::{CounterId, CounterSet};
use crate::event::Mode;
use crate::virt::{Kind, Kinds, Trigger, Work};

/// PMC1, on whose becoming negative the others may wait.
const FIRST: CounterSet = CounterId::ZERO.only();

/// A counter's number as an index.
#[inline(always)]
fn index(id: CounterId) -> usize {
    id.number().into()
}

impl<T: Trigger> Device<T> {
    #[inline(always)]
    pub(super) fn control(&self) -> Control {
        Control::from_bits_retain(self.control.get() as u32)
    }

    /// The counter's selector, wherever it is.
    fn select(&self, id: CounterId) -> u8 {
        let Some(field) = SelectField::ALL.get(index(id)) else { return 0 };
        let register = match field.place {
            Field::Control => &self.control,
            Field::Selects => &self.selects,
        };
        field.of(register.get() as u32)
    }

    fn selection(&self, id: CounterId) -> Selection {
        selection(self.limits.model(), index(id), self.select(id))
    }

    /// Does nothing keep this counter from counting? There are two states: a hypervisor's is the
    /// supervisor's.
    fn counts_in(&self, id: CounterId, mode: Mode) -> bool {
        let control = self.control();
        let by_mode = if mode == Mode::User { Control::FREEZE_PROBLEM } else { Control::FREEZE_SUPERVISOR };
        let by_mark = if self.context.get().marked { Control::FREEZE_MARKED } else { Control::FREEZE_UNMARKED };
        let waits = control.contains(Control::TRIGGER) && !FIRST.contains(id);
        !control.intersects(Control::FREEZE | by_mode | by_mark) && !waits
    }

    /// The counters that select something and count it in some mode.
    pub(super) fn running(&self) -> CounterSet {
        let counts = |id: CounterId| [Mode::User, Mode::Kernel].into_iter().any(|mode| self.counts_in(id, mode));
        let selects = |id: &CounterId| self.selection(*id) != Selection::Nothing && counts(*id);
        self.limits.counters().into_iter().filter(selects).collect()
    }

    /// What the counters that run count.
    pub(super) fn kinds(&self) -> Kinds {
        self.running().into_iter().filter_map(|id| self.selection(id).kind()).fold(Kinds::NONE, Kinds::with)
    }

    /// The counters that run on something that the host does not observe.
    pub(super) fn silent(&self) -> CounterSet {
        let is_fed = |id: CounterId| self.selection(id).kind().is_some_and(|kind| self.observed.contains(kind));
        self.running().into_iter().filter(|&id| !is_fed(id)).collect()
    }

    /// How many events a counter sees in `work`.
    fn events(&self, id: CounterId, work: &Work) -> u64 {
        let events = self.selection(id).kind().map_or(0, |kind| work.of(kind));
        if events != 0 && self.counts_in(id, work.mode()) { events } else { 0 }
    }

    /// Counts `work` on every counter, then lets the unit come to rest.
    pub(super) fn count(&self, work: &Work) {
        self.ticks.set(self.ticks.get().wrapping_add(work.of(Kind::Cycles)));
        let mut events = [0; COUNTERS];
        for id in self.limits.counters() {
            events.get_mut(index(id)).into_iter().for_each(|events| *events = self.events(id, work));
        }
        let became = |id: &CounterId| {
            self.counters.get(index(*id)).zip(events.get(index(*id))).is_some_and(|(cell, &events)| add(cell, events))
        };
        let negative = self.limits.counters().into_iter().filter(became).collect();
        self.rest(negative);
    }

    /// The counters that are negative.
    pub(super) fn negative(&self) -> CounterSet {
        let is_negative = |id: &CounterId| self.counters.get(index(*id)).is_some_and(|cell| cell.get() & SIGN != 0);
        self.limits.counters().into_iter().filter(is_negative).collect()
    }

    /// The counters whose being negative is let through.
    fn conditions(&self) -> CounterSet {
        let control = self.control();
        let first = if control.contains(Control::FIRST) { FIRST } else { CounterSet::EMPTY };
        let others = self.limits.counters().without(FIRST);
        first.or(if control.contains(Control::OTHERS) { others } else { CounterSet::EMPTY })
    }

    /// What follows from these counters' being negative, and from what is negative then. Each of the
    /// three things that can follow happens once at the most.
    pub(super) fn rest(&self, negative: CounterSet) {
        let mut negative = negative;
        while self.follow(negative) {
            negative = self.negative();
        }
    }

    /// One step to where the unit rests; false if it does.
    fn follow(&self, negative: CounterSet) -> bool {
        let before = self.control();
        let after = self.following(negative);
        self.control.set(after.bits().into());
        if before.difference(after).contains(Control::EXCEPTION) {
            self.signal(before);
        }
        before != after
    }

    /// MMCR0 after one step: what is let through interrupts, if that is on; and TRIGGER ends or, if it
    /// has ended, the counters freeze, if they shall.
    fn following(&self, negative: CounterSet) -> Control {
        let before = self.control();
        let condition = !negative.and(self.conditions()).is_empty();
        let interrupts = condition && before.contains(Control::EXCEPTION);
        let mut after = before;
        after.set(Control::EXCEPTION, before.contains(Control::EXCEPTION) && !interrupts);
        let freezes = if self.limits.freezes_by_interrupt() { interrupts } else { condition };
        if before.contains(Control::TRIGGER) {
            after.set(Control::TRIGGER, !condition && negative.and(FIRST).is_empty());
        } else if freezes && before.contains(Control::FREEZE_ON_CONDITION) {
            after.insert(Control::FREEZE);
        }
        after
    }

    /// Would nothing follow from what is negative now?
    pub(super) fn is_at_rest(&self) -> bool {
        self.following(self.negative()) == self.control()
    }

    /// Interrupts, and keeps what was executed, unless nothing was counted: SIAR does not move while
    /// the counters are frozen.
    fn signal(&self, before: Control) {
        let context = self.context.get();
        if !before.contains(Control::FREEZE) {
            self.instruction.set(context.instruction.into());
            let datum = self.limits.bits(super::Place::Datum).unwrap_or_default();
            self.datum.set(u64::from(context.datum.unwrap_or_default()) & datum);
        }
        self.trigger.interrupt();
    }

    /// How many steps of `step` until something follows from a counter's being negative; `None` if
    /// nothing will.
    pub(super) fn steps_until_change(&self, step: &Work) -> Option<u64> {
        self.awaited().into_iter().filter_map(|id| self.steps(id, step)).min()
    }

    /// The counters from whose being negative something would follow.
    fn awaited(&self) -> CounterSet {
        let control = self.control();
        let triggers = control.contains(Control::TRIGGER);
        let freezes = control.contains(Control::FREEZE_ON_CONDITION) && !self.limits.freezes_by_interrupt();
        let concerned = triggers || control.contains(Control::EXCEPTION) || freezes;
        let conditions = if concerned { self.conditions() } else { CounterSet::EMPTY };
        if triggers { conditions.or(FIRST) } else { conditions }
    }

    fn steps(&self, id: CounterId, step: &Work) -> Option<u64> {
        steps_until_negative(self.counters.get(index(id))?.get(), self.events(id, step))
    }
}
