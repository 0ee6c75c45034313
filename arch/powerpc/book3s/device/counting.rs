//! Where each counter counts, and when it raises an alert.

use super::feed::{Selection, is_fixed, raw, selection};
use super::{Device, FIRES, SIGN};
use crate::arch::powerpc::book3s::{Freeze, Mmcr0, Model, Sampled};
use crate::event::{CounterId, CounterSet, Mode, Modes};
use crate::virt::{Decode, Kind, Selected, Table, Trigger, Work};

const MODES: [Mode; 3] = [Mode::User, Mode::Kernel, Mode::Hypervisor];

/// PMC1. The others can wait until it is negative.
const FIRST: CounterSet = CounterId::ZERO.only();
/// PMC1 to PMC4, which FC1-4 of MMCR0 freezes.
const FIRST_FOUR: CounterSet = CounterSet::first(4);

impl<T: Trigger> Decode for Device<T> {
    fn table(&self) -> &Table {
        &self.table
    }

    fn existing(&self) -> CounterSet {
        self.limits.counters()
    }

    fn decode(&self, id: CounterId) -> Selected {
        let selection = self.selection(id);
        let is_idle = matches!(selection, Selection::RunningWork(_)) && !self.context.get().running
            || selection == Selection::Nothing;
        let counted = MODES.into_iter().filter(|&mode| !is_idle && self.counts_in(id, mode));
        let modes = counted.fold(Modes::NONE, |all, mode| all.and(mode.only()));
        Selected { modes, source: selection.source(), interrupts: false }
    }

    fn enabled(&self, _: Mode) -> CounterSet {
        self.existing()
    }

    fn raw(&self, id: CounterId) -> u64 {
        raw(self.limits.model(), id, self.control(), self.selects.get())
    }

    fn is_fixed(&self, id: CounterId) -> bool {
        is_fixed(self.limits.model(), id, self.control(), self.selects.get())
    }
}

impl<T: Trigger> Device<T> {
    #[inline(always)]
    pub(super) fn control(&self) -> Mmcr0 {
        Mmcr0::from_bits_retain(self.control.get())
    }

    /// Returns the counters that MMCR0 does not control: PMC5 and PMC6 if it excludes them (PMCC = 3), or if they are
    /// apart.
    #[inline(always)]
    pub(super) fn excluded(&self) -> CounterSet {
        let excludes = self.limits.is_207() && self.control().contains(Mmcr0::PROBLEM_ACCESS);
        let last_two = self.limits.counters().without(FIRST_FOUR);
        if excludes { last_two } else { self.limits.apart() }
    }

    /// Returns true if nothing keeps a counter from counting in this mode. Other parts of the state are those that
    /// the host has set.
    fn counts_in(&self, id: CounterId, mode: Mode) -> bool {
        if self.excluded().contains(id) {
            return true;
        }
        let others_wait = self.control().contains(Mmcr0::TRIGGER) && !FIRST.contains(id);
        let is_frozen = self.is_frozen_by_kind(id) || self.freezes_all(mode) || self.freezes_one(id, mode);
        !others_wait && !is_frozen
    }

    /// FC1-4, FC5-6, FCWAIT. POWER4 and the 970 have selectors in place of these bits. Before POWER8
    /// FCWAIT is for all counters; from then on for the first four, except for the event F0 of PMC1.
    fn is_frozen_by_kind(&self, id: CounterId) -> bool {
        if self.limits.model() <= Model::Ppc970 {
            return false;
        }
        let control = self.control();
        let is_first_four = FIRST_FOUR.contains(id);
        let freeze = if is_first_four { Mmcr0::FREEZE_FIRST_FOUR } else { Mmcr0::FREEZE_LAST_TWO };
        let waits = control.contains(Mmcr0::FREEZE_WAITING) && !self.context.get().running;
        let concerned = !self.limits.is_207() || is_first_four && !self.counts_waiting(id);
        control.contains(freeze) || waits && concerned
    }

    fn counts_waiting(&self, id: CounterId) -> bool {
        FIRST.contains(id) && self.selects.get() >> 24 & 0xFF == 0xF0
    }

    /// FC, FCS, FCP, FCH, FCM0 and FCM1. FCPC makes FCP depend on the hypervisor: if it is clear, FCP freezes
    /// problem state under a hypervisor; if set, problem state of a kernel that is its own.
    fn freezes_all(&self, mode: Mode) -> bool {
        let control = self.control();
        let conditional = self.limits.is_207() && control.contains(Mmcr0::FREEZE_PROBLEM_IF);
        let by_mode = match mode {
            Mode::User => control.contains(Mmcr0::FREEZE_PROBLEM) != (conditional && !self.limits.is_own_hypervisor()),
            Mode::Kernel => control.contains(Mmcr0::FREEZE_SUPERVISOR),
            Mode::Hypervisor => control.contains(Mmcr0::FREEZE_HYPERVISOR),
        };
        let mark = if self.context.get().marked { Mmcr0::FREEZE_MARKED } else { Mmcr0::FREEZE_UNMARKED };
        control.contains(Mmcr0::FREEZE) || by_mode || control.contains(mark)
    }

    /// Returns true if the counter's own bits of MMCR2 freeze it.
    fn freezes_one(&self, id: CounterId, mode: Mode) -> bool {
        if !self.limits.is_207() {
            return false;
        }
        let freeze = Freeze::from_register(id, self.freezes.get()).difference(self.limits.idle_freezes());
        let by_mode = match mode {
            Mode::User if self.limits.is_own_hypervisor() => Freeze::HYPERVISORS_PROBLEM,
            Mode::User => Freeze::PROBLEM,
            Mode::Kernel => Freeze::SUPERVISOR,
            Mode::Hypervisor => Freeze::HYPERVISOR,
        };
        let context = self.context.get();
        let mark = if context.marked { Freeze::MARKED } else { Freeze::UNMARKED };
        let waits = freeze.contains(Freeze::WAITING) && !context.running;
        freeze.contains(by_mode) || freeze.contains(mark) || waits
    }

    /// Returns what a counter counts. One that MMCR0 does not control counts while the processor runs, whatever
    /// CC5-6RUN is.
    pub(super) fn selection(&self, id: CounterId) -> Selection {
        let control = self.control();
        let heard = if self.excluded().contains(id) { control.difference(Mmcr0::ALWAYS_RUN) } else { control };
        selection(self.limits.model(), id, heard, self.selects.get())
    }

    /// Counts `work` on every counter, and carries out the effects.
    pub(super) fn count(&self, work: &Work) {
        self.ticks.set(self.ticks.get().wrapping_add(work.of(Kind::Cycles)));
        self.add_to(work.mode(), |id| self.table.events(id, work));
    }

    /// Counts events on one counter, if it counts in this mode.
    pub(super) fn count_on(&self, id: CounterId, mode: Mode, events: u64) {
        self.add_to(mode, |other| if other == id { events } else { 0 });
    }

    fn add_to(&self, mode: Mode, happened: impl Fn(CounterId) -> u64) {
        let counting = self.counting(mode);
        let events = |id| if counting.contains(id) { happened(id) } else { 0 };
        let became = |id: &CounterId| self.count_one(*id, events(*id));
        let negative = self.limits.counters().into_iter().filter(became).collect();
        self.rest(mode, negative);
    }

    /// Adds events to a counter. Returns true if it was or is negative.
    fn count_one(&self, id: CounterId, events: u64) -> bool {
        let Some(counter) = self.counters.get(usize::from(id.number())) else { return false };
        let before = counter.get();
        counter.set(before.wrapping_add(events) & u64::from(u32::MAX));
        before & SIGN != 0 || events >= FIRES - before
    }

    /// Returns the negative counters.
    pub(super) fn negative(&self) -> CounterSet {
        let is_negative = |id: &CounterId| self.counters[usize::from(id.number() & 7)].get() & SIGN != 0;
        self.limits.counters().into_iter().filter(is_negative).collect()
    }

    /// Returns the counters whose condition (being negative) is enabled.
    fn conditions(&self) -> CounterSet {
        let control = self.control();
        let first = if control.contains(Mmcr0::FIRST) { FIRST } else { CounterSet::EMPTY };
        let counters = self.limits.counters();
        let others = if control.contains(Mmcr0::OTHERS) { counters.without(FIRST) } else { CounterSet::EMPTY };
        first.or(others).without(self.excluded())
    }

    /// Carries out the effects of these negative counters, and of those that are negative then. Each of the three
    /// effects happens at most once.
    pub(super) fn rest(&self, mode: Mode, negative: CounterSet) {
        let mut negative = negative;
        while self.follow(mode, negative) {
            negative = self.negative();
        }
    }

    /// Carries out one effect. Returns false if there is none.
    fn follow(&self, mode: Mode, negative: CounterSet) -> bool {
        let before = self.control();
        let after = self.following(negative);
        if before.difference(after).contains(Mmcr0::ALERT) {
            self.capture(mode);
        }
        self.set_control(after);
        before != after
    }

    /// Returns MMCR0 after one effect. A condition raises an alert, if alerts are enabled. It also ends TRIGGER, or,
    /// if TRIGGER is off, freezes the counters, if that is enabled.
    fn following(&self, negative: CounterSet) -> Mmcr0 {
        let before = self.control();
        let condition = !negative.and(self.conditions()).is_empty();
        let mut after = before;
        if condition && before.contains(Mmcr0::ALERT) {
            after = after.difference(Mmcr0::ALERT).union(Mmcr0::ALERTED);
        }
        if before.contains(Mmcr0::TRIGGER) {
            let ends = condition || !negative.and(FIRST).is_empty();
            after.set(Mmcr0::TRIGGER, !ends);
        } else if condition && before.contains(Mmcr0::FREEZE_ON_CONDITION) {
            after.insert(Mmcr0::FREEZE);
        }
        after
    }

    /// Returns true if the negative counters have no further effect.
    pub(super) fn is_at_rest(&self) -> bool {
        self.following(self.negative()) == self.control()
    }

    /// Captures the current instruction when an alert occurs. POWER4 and the 970 capture only marked instructions
    /// (MMCRA, SAMPLE_ENABLE), and here all instructions are marked.
    fn capture(&self, mode: Mode) {
        if self.limits.model() <= Model::Ppc970 && self.marks.get() & 1 == 0 {
            return;
        }
        let context = self.context.get();
        self.instruction.set(context.instruction);
        self.datum.set(context.datum.unwrap_or_default());
        self.capture_mode(mode, context.datum.is_some());
    }

    /// Captures the mode: in SIER from POWER8 on, in MMCRA on POWER5 to POWER7. Earlier processors do not capture
    /// it.
    fn capture_mode(&self, mode: Mode, has_datum: bool) {
        let (problem, hypervisor) = (mode == Mode::User, mode == Mode::Hypervisor);
        if self.limits.is_207() {
            let mut sampled = Sampled::ADDRESS_VALID;
            sampled.set(Sampled::PROBLEM, problem);
            sampled.set(Sampled::HYPERVISOR, hypervisor);
            sampled.set(Sampled::DATUM_VALID, has_datum);
            self.sampled[0].set(sampled.bits());
        } else if let Some([in_hypervisor, in_problem]) = mode_bits(self.limits.model()) {
            let others = self.marks.get() & !(in_hypervisor | in_problem);
            let bits = if problem { in_problem } else { 0 } | if hypervisor { in_hypervisor } else { 0 };
            self.marks.set(others | bits);
            self.capture_validity(has_datum);
        }
    }

    /// Captures whether SIAR and SDAR are valid, in MMCRA on POWER7+.
    fn capture_validity(&self, has_datum: bool) {
        const ADDRESS: u64 = 1 << 28;
        const DATUM: u64 = 1 << 27;
        if self.limits.says_validity() {
            let others = self.marks.get() & !(ADDRESS | DATUM);
            self.marks.set(others | ADDRESS | if has_datum { DATUM } else { 0 });
        }
    }

    /// Writes MMCR0 and sets the line: PMAO interrupts while it is set, unless the alert causes an event-based
    /// branch.
    pub(super) fn set_control(&self, control: Mmcr0) {
        let before = self.is_asserted();
        if self.control.replace(control.bits()) != control.bits() {
            self.table.touch(CounterSet::ALL);
        }
        self.line.moved(before, self.is_asserted());
    }

    /// Returns the level of the interrupt line.
    pub fn is_asserted(&self) -> bool {
        let branches = self.limits.is_207() && self.control().contains(Mmcr0::EVENT_BRANCH);
        self.control().contains(Mmcr0::ALERTED) && !branches
    }

    /// Returns after how many repetitions of `step` a negative counter has an effect: an alert, a freeze or the end of
    /// one, or `None` if there will be none.
    pub(super) fn steps_until_change(&self, step: &Work) -> Option<u64> {
        self.steps_until(self.counting(step.mode()), |id| self.table.events(id, step))
    }

    /// Returns the same for events of one counter.
    pub(super) fn events_until_overflow(&self, id: CounterId, mode: Mode) -> Option<u64> {
        self.steps_until(self.counting(mode).and(id.only()), |_| 1)
    }

    fn steps_until(&self, counting: CounterSet, happens: impl Fn(CounterId) -> u64) -> Option<u64> {
        self.awaited().and(counting).into_iter().filter_map(|id| self.steps(id, happens(id))).min()
    }

    /// Returns the counters that would have an effect if they became negative.
    fn awaited(&self) -> CounterSet {
        let control = self.control();
        let (alerts, triggers) = (control.contains(Mmcr0::ALERT), control.contains(Mmcr0::TRIGGER));
        let freezes = control.contains(Mmcr0::FREEZE_ON_CONDITION) && !control.contains(Mmcr0::FREEZE);
        let conditions = if alerts || triggers || freezes { self.conditions() } else { CounterSet::EMPTY };
        if triggers { conditions.or(FIRST) } else { conditions }
    }

    /// Returns after how many repetitions this counter is negative, or `None` if it counts none of them.
    fn steps(&self, id: CounterId, events: u64) -> Option<u64> {
        let left = FIRES.checked_sub(self.counters.get(usize::from(id.number()))?.get())?;
        left.checked_sub(1)?.checked_div(events)?.checked_add(1)
    }
}

/// SIHV and SIPR of MMCRA (POWER5: bits 35 and 36; POWER6 and POWER7: bits 21 and 22).
const fn mode_bits(model: Model) -> Option<[u64; 2]> {
    match model {
        Model::Power5 | Model::Power5Plus => Some([1 << 28, 1 << 27]),
        Model::Power6 | Model::Power7 => Some([1 << 42, 1 << 41]),
        _ => None,
    }
}
