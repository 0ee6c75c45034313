//! Where each counter counts, and when it alerts.

use super::feed::{Selection, selection};
use super::{Device, FIRES, SIGN};
use crate::arch::powerpc::book3s::{Control, Freeze, Generation, Sampled};
use crate::counter::{CounterId, CounterSet};
use crate::event::Mode;
use crate::virt::{Kind, Kinds, Trigger, Work};

const MODES: [Mode; 3] = [Mode::User, Mode::Kernel, Mode::Hypervisor];

/// PMC1, on whose becoming negative the others may wait.
const FIRST: CounterSet = CounterId::ZERO.only();
/// PMC1 to PMC4, which MMCR0's FC1-4 freezes.
const FIRST_FOUR: CounterSet = CounterSet::first(4);

impl<T: Trigger> Device<T> {
    #[inline(always)]
    pub(super) fn control(&self) -> Control {
        Control::from_bits_retain(self.control.get())
    }

    /// The counters that MMCR0 does not speak of: PMC5 and PMC6 where it excludes them (PMCC = 3), or
    /// where they are apart.
    #[inline(always)]
    pub(super) fn excluded(&self) -> CounterSet {
        let excludes = self.limits.is_207() && self.control().contains(Control::PROBLEM_ACCESS);
        let last_two = self.limits.counters().without(FIRST_FOUR);
        if excludes { last_two } else { self.limits.apart() }
    }

    /// Does nothing keep this counter from counting in this mode? In which state of the processor
    /// besides, the host has told.
    fn counts_in(&self, id: CounterId, mode: Mode) -> bool {
        if self.excluded().contains(id) {
            return true;
        }
        let others_wait = self.control().contains(Control::TRIGGER) && !FIRST.contains(id);
        let is_frozen = self.is_frozen_by_kind(id) || self.freezes_all(mode) || self.freezes_one(id, mode);
        !others_wait && !is_frozen
    }

    /// FC1-4, FC5-6, FCWAIT; where POWER4 and the 970 have these bits they select. Before POWER8
    /// FCWAIT is for all counters; from then on for the first four, and not for what PMC1 counts by F0.
    fn is_frozen_by_kind(&self, id: CounterId) -> bool {
        if self.limits.generation() <= Generation::Ppc970 {
            return false;
        }
        let control = self.control();
        let is_first_four = FIRST_FOUR.contains(id);
        let freeze = if is_first_four { Control::FREEZE_FIRST_FOUR } else { Control::FREEZE_LAST_TWO };
        let waits = control.contains(Control::FREEZE_WAITING) && !self.context.get().running;
        let concerned = !self.limits.is_207() || is_first_four && !self.counts_waiting(id);
        control.contains(freeze) || waits && concerned
    }

    fn counts_waiting(&self, id: CounterId) -> bool {
        FIRST.contains(id) && self.selects.get() >> 24 & 0xFF == 0xF0
    }

    /// FC, FCS, FCP, FCH, FCM0 and FCM1. With FCPC set, FCP says in which problem state: clear, in that
    /// under a hypervisor; set, in that of a kernel that is its own.
    fn freezes_all(&self, mode: Mode) -> bool {
        let control = self.control();
        let conditional = self.limits.is_207() && control.contains(Control::FREEZE_PROBLEM_IF);
        let by_mode = match mode {
            Mode::User => {
                control.contains(Control::FREEZE_PROBLEM) != (conditional && !self.limits.is_own_hypervisor())
            }
            Mode::Kernel => control.contains(Control::FREEZE_SUPERVISOR),
            Mode::Hypervisor => control.contains(Control::FREEZE_HYPERVISOR),
        };
        let mark = if self.context.get().marked { Control::FREEZE_MARKED } else { Control::FREEZE_UNMARKED };
        control.contains(Control::FREEZE) || by_mode || control.contains(mark)
    }

    /// The counter's own bits of MMCR2.
    fn freezes_one(&self, id: CounterId, mode: Mode) -> bool {
        if !self.limits.is_207() {
            return false;
        }
        let freeze = Freeze::from_register(id, self.freezes.get());
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

    /// A counter that MMCR0 does not speak of counts while the processor runs, whatever CC5-6RUN says.
    pub(super) fn selection(&self, id: CounterId) -> Selection {
        let control = self.control();
        let heard = if self.excluded().contains(id) { control.difference(Control::ALWAYS_RUN) } else { control };
        selection(self.limits.generation(), id, heard, self.selects.get())
    }

    /// The counters that select something and count it in some mode.
    pub(super) fn running(&self) -> CounterSet {
        let counts = |id: CounterId| MODES.into_iter().any(|mode| self.counts_in(id, mode));
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
        let events = match self.selection(id) {
            Selection::Work(kind) => work.of(kind),
            Selection::RunningWork(kind) if self.context.get().running => work.of(kind),
            _ => 0,
        };
        if events != 0 && self.counts_in(id, work.mode()) { events } else { 0 }
    }

    /// Counts `work` on every counter, then lets the unit come to rest.
    pub(super) fn count(&self, work: &Work) {
        self.ticks.set(self.ticks.get().wrapping_add(work.of(Kind::Cycles)));
        let counters = self.limits.counters().into_iter();
        let events = counters.map(|id| (id, self.events(id, work)));
        let mut counted = [0; super::COUNTERS];
        events.for_each(|(id, events)| counted[usize::from(id.number() & 7)] = events);
        let became = |id: &CounterId| self.count_one(*id, counted[usize::from(id.number() & 7)]);
        let negative = self.limits.counters().into_iter().filter(became).collect();
        self.rest(work.mode(), negative);
    }

    /// Adds events to a counter; was it negative on the way, or is it?
    fn count_one(&self, id: CounterId, events: u64) -> bool {
        let Some(counter) = self.counters.get(usize::from(id.number())) else { return false };
        let before = counter.get();
        counter.set(before.wrapping_add(events) & u64::from(u32::MAX));
        before & SIGN != 0 || events >= FIRES - before
    }

    /// The counters that are negative.
    pub(super) fn negative(&self) -> CounterSet {
        let is_negative = |id: &CounterId| self.counters[usize::from(id.number() & 7)].get() & SIGN != 0;
        self.limits.counters().into_iter().filter(is_negative).collect()
    }

    /// The counters whose being negative is an enabled condition.
    fn conditions(&self) -> CounterSet {
        let control = self.control();
        let first = if control.contains(Control::FIRST) { FIRST } else { CounterSet::EMPTY };
        let counters = self.limits.counters();
        let others = if control.contains(Control::OTHERS) { counters.without(FIRST) } else { CounterSet::EMPTY };
        first.or(others).without(self.excluded())
    }

    /// What follows from these counters' being negative, and from what is negative then. Each of the
    /// three things that can follow happens once at the most.
    pub(super) fn rest(&self, mode: Mode, negative: CounterSet) {
        let mut negative = negative;
        while self.follow(mode, negative) {
            negative = self.negative();
        }
    }

    /// One step to where the unit rests; false if it does.
    fn follow(&self, mode: Mode, negative: CounterSet) -> bool {
        let before = self.control();
        let after = self.following(negative);
        if before.difference(after).contains(Control::ALERT) {
            self.capture(mode);
        }
        self.set_control(after);
        before != after
    }

    /// MMCR0 after one step: a condition alerts, if that is on; and TRIGGER ends or, if it has ended,
    /// the counters freeze, if they shall.
    fn following(&self, negative: CounterSet) -> Control {
        let before = self.control();
        let condition = !negative.and(self.conditions()).is_empty();
        let mut after = before;
        if condition && before.contains(Control::ALERT) {
            after = after.difference(Control::ALERT).union(Control::ALERTED);
        }
        if before.contains(Control::TRIGGER) {
            let ends = condition || !negative.and(FIRST).is_empty();
            after.set(Control::TRIGGER, !ends);
        } else if condition && before.contains(Control::FREEZE_ON_CONDITION) {
            after.insert(Control::FREEZE);
        }
        after
    }

    /// Would nothing follow from what is negative now?
    pub(super) fn is_at_rest(&self) -> bool {
        self.following(self.negative()) == self.control()
    }

    /// Keeps what was executed as the alert came. POWER4 and the 970 keep nothing but of marked
    /// instructions (MMCRA, SAMPLE_ENABLE), and any is marked here.
    fn capture(&self, mode: Mode) {
        if self.limits.generation() <= Generation::Ppc970 && self.marks.get() & 1 == 0 {
            return;
        }
        let context = self.context.get();
        self.instruction.set(context.instruction);
        self.datum.set(context.datum.unwrap_or_default());
        self.capture_mode(mode, context.datum.is_some());
    }

    /// In which state it was: SIER says so from POWER8 on, MMCRA on POWER5 to POWER7, and before that
    /// nothing does.
    fn capture_mode(&self, mode: Mode, has_datum: bool) {
        let (problem, hypervisor) = (mode == Mode::User, mode == Mode::Hypervisor);
        if self.limits.is_207() {
            let mut sampled = Sampled::ADDRESS_VALID;
            sampled.set(Sampled::PROBLEM, problem);
            sampled.set(Sampled::HYPERVISOR, hypervisor);
            sampled.set(Sampled::DATUM_VALID, has_datum);
            self.sampled[0].set(sampled.bits());
        } else if let Some([in_hypervisor, in_problem]) = mode_bits(self.limits.generation()) {
            let others = self.marks.get() & !(in_hypervisor | in_problem);
            let bits = if problem { in_problem } else { 0 } | if hypervisor { in_hypervisor } else { 0 };
            self.marks.set(others | bits);
            self.capture_validity(has_datum);
        }
    }

    /// POWER7+ says in MMCRA whether SIAR and SDAR are valid.
    fn capture_validity(&self, has_datum: bool) {
        const ADDRESS: u64 = 1 << 28;
        const DATUM: u64 = 1 << 27;
        if self.limits.says_validity() {
            let others = self.marks.get() & !(ADDRESS | DATUM);
            self.marks.set(others | ADDRESS | if has_datum { DATUM } else { 0 });
        }
    }

    /// Writes MMCR0, and moves the line with it: there is an interrupt while PMAO is set, unless the alert is an event-based
    /// branch's.
    pub(super) fn set_control(&self, control: Control) {
        let before = self.holds_line();
        self.control.set(control.bits());
        match (before, self.holds_line()) {
            (false, true) => self.trigger.interrupt(),
            (true, false) => self.trigger.withdraw(),
            _ => {}
        }
    }

    fn holds_line(&self) -> bool {
        let branches = self.limits.is_207() && self.control().contains(Control::EVENT_BRANCH);
        self.control().contains(Control::ALERTED) && !branches
    }

    /// How many steps of `step` until something follows from a counter's being negative: an alert, or
    /// that counters freeze or are let go; `None` if nothing will.
    pub(super) fn steps_until_change(&self, step: &Work) -> Option<u64> {
        self.awaited().into_iter().filter_map(|id| self.steps(id, step)).min()
    }

    /// The counters from whose being negative something would follow.
    fn awaited(&self) -> CounterSet {
        let control = self.control();
        let (alerts, triggers) = (control.contains(Control::ALERT), control.contains(Control::TRIGGER));
        let freezes = control.contains(Control::FREEZE_ON_CONDITION) && !control.contains(Control::FREEZE);
        let conditions = if alerts || triggers || freezes { self.conditions() } else { CounterSet::EMPTY };
        if triggers { conditions.or(FIRST) } else { conditions }
    }

    /// How many steps until this counter is negative; `None` if it sees nothing of them.
    fn steps(&self, id: CounterId, step: &Work) -> Option<u64> {
        let left = FIRES.checked_sub(self.counters.get(usize::from(id.number()))?.get())?;
        left.checked_sub(1)?.checked_div(self.events(id, step))?.checked_add(1)
    }
}

/// SIHV and SIPR of MMCRA (POWER5: bits 35 and 36; POWER6 and POWER7: bits 21 and 22).
const fn mode_bits(generation: Generation) -> Option<[u64; 2]> {
    match generation {
        Generation::Power5 | Generation::Power5Plus => Some([1 << 28, 1 << 27]),
        Generation::Power6 | Generation::Power7 => Some([1 << 42, 1 << 41]),
        _ => None,
    }
}
