//! Which counters count, what they count, and the effect of an overflow.
//!
//! Source: DDI 0487, "Controlling the PMU counters" and the pseudocode AArch64.IncrementEventCounter(),
//! AArch64.IncrementCycleCounter(), CountPMUEvents() and PMUSwIncrement().

use super::Device;
use super::feed::{Source, counts_in};
use crate::arch::aarch64::pmuv3::{CYCLE_COUNTER, Control, HypervisorControl, INSTRUCTION_COUNTER};
use crate::event::{CounterId, CounterSet, Mode};
use crate::virt::{Kind, Kinds, Trigger, Work};

const LOW: u64 = 0xFFFF_FFFF;
const CYCLES: CounterSet = CounterSet::from_bits(1 << CYCLE_COUNTER);
/// All levels.
const LEVELS: [Mode; 3] = [Mode::User, Mode::Kernel, Mode::Hypervisor];
/// PMCR_EL0.D: the cycle counter counts every 64th cycle.
const DIVISOR: u64 = 64;

/// The overflows of the counter that was processed last.
#[derive(Clone, Copy)]
struct Carry {
    from: u8,
    times: u64,
}

impl Carry {
    /// Returns the overflows that an odd counter counts of the even one below it.
    const fn to(self, number: u8) -> u64 {
        if number & 1 == 1 && self.from + 1 == number { self.times } else { 0 }
    }
}

impl<T: Trigger> Device<T> {
    /// Counts `work` on every counter that counts at its level.
    pub(super) fn count(&self, work: &Work) {
        self.ticks.set(self.ticks.get().wrapping_add(work.of(Kind::Cycles)));
        let running = self.running_in(work.mode());
        self.add_to(running, |id| self.happened(id, work));
        if running.and(CYCLES) == CYCLES {
            self.phase.set(self.phase_after(work.of(Kind::Cycles)));
        }
    }

    /// Increments each of these counters once, by a write at this level.
    pub(super) fn increment(&self, counters: CounterSet, mode: Mode) {
        let is_one = |id: CounterId| counters.contains(id) && self.source(id) == Source::Software;
        self.add_to(self.running_in(mode), |id| u64::from(is_one(id)));
    }

    /// Adds to each counter what it counts, and to the odd half of a pair the overflows of the even half. Records
    /// the overflows.
    fn add_to(&self, counters: CounterSet, happened: impl Fn(CounterId) -> u64) {
        let mut carry = Carry { from: CYCLE_COUNTER, times: 0 };
        let mut overflowed = CounterSet::EMPTY;
        for id in counters {
            let events = if self.source(id) == Source::Chain { carry.to(id.number()) } else { happened(id) };
            carry = Carry { from: id.number(), times: self.add(id, events) };
            if carry.times > 0 {
                overflowed = overflowed.or(id.only());
            }
        }
        self.overflowed.set(self.overflowed.get() | overflowed.bits());
        self.settle();
    }

    /// Adds to a counter, and returns how often it overflows.
    fn add(&self, id: CounterId, events: u64) -> u64 {
        let before = self.value(id);
        let (after, carried) = before.overflowing_add(events);
        self.set_value(id, after);
        match self.is_long(id) {
            true => u64::from(carried),
            false => (events >> 32) + (((before & LOW) + (events & LOW)) >> 32),
        }
    }

    /// Returns how many events of `work` a counter counts, if it does not count overflows.
    fn happened(&self, id: CounterId, work: &Work) -> u64 {
        let occurred = self.occurred(id, work);
        if self.is_divided(id) {
            occurred / DIVISOR + (occurred % DIVISOR + self.phase.get()) / DIVISOR
        } else {
            occurred
        }
    }

    /// Returns how many events in `work` there are of the kind that the counter counts.
    fn occurred(&self, id: CounterId, work: &Work) -> u64 {
        match self.source(id) {
            Source::Work(kind) => work.of(kind),
            _ => 0,
        }
    }

    /// Returns the position in the 64 cycles of the divider after so many more cycles.
    fn phase_after(&self, cycles: u64) -> u64 {
        if self.is_divided(CYCLES.lowest().unwrap_or(CounterId::ZERO)) {
            (self.phase.get() + cycles % DIVISOR) % DIVISOR
        } else {
            self.phase.get()
        }
    }

    /// Returns what a counter counts. CHAIN is counted by odd counters, if the even one overflows from 32 bits.
    pub(super) fn source(&self, id: CounterId) -> Source {
        let number = id.number();
        match number {
            CYCLE_COUNTER => Source::Work(Kind::Cycles),
            INSTRUCTION_COUNTER => Source::Work(Kind::Instructions),
            _ => match self.feed.source(self.select(number)) {
                Source::Chain if number & 1 == 0 || self.is_long(below(id)) => Source::Untold,
                source => source,
            },
        }
    }

    /// Returns true if it overflows from 64 bits instead of 32 (PMCR_EL0.LC and LP, MDCR_EL2.HLP).
    pub(super) fn is_long(&self, id: CounterId) -> bool {
        match id.number() {
            INSTRUCTION_COUNTER => true,
            CYCLE_COUNTER => self.limits.long_cycles(self.control()),
            number if number < self.lent() => self.control().contains(Control::LONG_EVENTS),
            _ => self.hypervisor_control().contains(HypervisorControl::LONG_EVENTS),
        }
    }

    /// Returns true if it counts every 64th cycle. D is ignored if LC is set.
    pub(super) fn is_divided(&self, id: CounterId) -> bool {
        id.number() == CYCLE_COUNTER && self.control().contains(Control::DIVIDE) && !self.is_long(id)
    }

    /// Returns the counters that count something at this level.
    pub(super) fn running_in(&self, mode: Mode) -> CounterSet {
        let allowed = self.enabled().without(self.prohibited(mode));
        allowed.into_iter().filter(|id| counts_in(self.select(id.number()), mode)).collect()
    }

    /// Returns the counters that count at some level.
    pub(super) fn running(&self) -> CounterSet {
        LEVELS.into_iter().fold(CounterSet::EMPTY, |all, mode| all.or(self.running_in(mode)))
    }

    /// Returns the counters that PMCR_EL0 controls: the event counters that are lent, cycles and instructions.
    /// MDCR_EL2 controls the others.
    #[inline(always)]
    fn lent_counters(&self) -> CounterSet {
        let others = CounterSet::from_bits(1 << CYCLE_COUNTER | 1 << INSTRUCTION_COUNTER);
        CounterSet::first(self.lent()).or(others).and(self.limits.counters())
    }

    /// Returns the counters of the parts whose bits in PMCR_EL0 and MDCR_EL2 are set.
    #[inline(always)]
    fn of_halves(&self, control: Control, hypervisor: HypervisorControl) -> CounterSet {
        let lent = self.lent_counters();
        let half = |is_set, half| if is_set { half } else { CounterSet::EMPTY };
        half(self.control().contains(control), lent)
            .or(half(self.hypervisor_control().contains(hypervisor), self.limits.counters().without(lent)))
    }

    /// Returns the counters that PMCR_EL0.E and MDCR_EL2.HPME allow to count and interrupt.
    #[inline(always)]
    pub(super) fn switched_on(&self) -> CounterSet {
        self.of_halves(Control::ENABLE, HypervisorControl::ENABLE)
    }

    /// Returns the counters that are allowed to count, enabled and not frozen.
    fn enabled(&self) -> CounterSet {
        CounterSet::from_bits(self.enable.get()).and(self.switched_on()).without(self.frozen())
    }

    /// Returns the counters whose overflow freezes their part (PMCR_EL0.FZO, MDCR_EL2.HPMFZO); not cycles.
    pub(super) fn freezing(&self) -> CounterSet {
        self.of_halves(Control::FREEZE_ON_OVERFLOW, HypervisorControl::FREEZE_ON_OVERFLOW)
            .and(self.limits.all_but_cycles())
    }

    /// Returns the counters that an overflow in their part has frozen; cycles with the lent ones, if DP is set.
    fn frozen(&self) -> CounterSet {
        let lent = self.lent_counters();
        let freezing = self.freezing();
        let overflowed = freezing.and(CounterSet::from_bits(self.overflowed.get()));
        let half =
            |half: CounterSet| if overflowed.and(half).is_empty() { CounterSet::EMPTY } else { freezing.and(half) };
        self.with_cycles(half(lent)).or(half(self.limits.counters().without(lent)))
    }

    /// Returns the counters that do not count at this level, whatever they select (MDCR_EL2.HPMD and HCCD).
    fn prohibited(&self, mode: Mode) -> CounterSet {
        let control = self.hypervisor_control();
        if mode != Mode::Hypervisor || !self.limits.has_hypervisor {
            return CounterSet::EMPTY;
        }
        let events = match control.contains(HypervisorControl::NOT_HYPERVISOR) {
            true => self.with_cycles(self.lent_counters().without(CYCLES)),
            false => CounterSet::EMPTY,
        };
        if control.contains(HypervisorControl::CYCLES_NOT_HYPERVISOR) { events.or(CYCLES) } else { events }
    }

    /// Adds the cycle counter to event counters if PMCR_EL0.DP says that it follows the lent ones, even if none is
    /// lent.
    fn with_cycles(&self, events: CounterSet) -> CounterSet {
        let shares = self.control().contains(Control::CYCLES_AS_EVENTS);
        if shares && !events.is_empty() { events.or(CYCLES) } else { events }
    }

    /// Returns the kinds that running counters count.
    pub(super) fn kinds(&self) -> Kinds {
        let kind = |id| if let Source::Work(kind) = self.source(id) { Some(kind) } else { None };
        self.running().into_iter().filter_map(kind).fold(Kinds::NONE, Kinds::with)
    }

    /// Returns the running counters of events that are not kinds of work.
    pub(super) fn silent(&self) -> CounterSet {
        self.running().into_iter().filter(|&id| !self.feed.is_told(self.source(id))).collect()
    }

    /// Returns after how many repetitions of `step` the line rises or an overflow freezes counters, or `None` if
    /// neither happens.
    pub(super) fn steps_until_overflow(&self, step: &Work) -> Option<u64> {
        let running = self.running_in(step.mode());
        let rising = if self.is_asserted() { CounterSet::EMPTY } else { CounterSet::from_bits(self.interrupt.get()) };
        let awaited = running.and(rising.or(self.freezing()));
        awaited.into_iter().filter_map(|id| self.steps(id, running, step)).min()
    }

    /// Returns after how many repetitions of `step` this counter overflows.
    fn steps(&self, id: CounterId, running: CounterSet, step: &Work) -> Option<u64> {
        let is_chain = self.source(id) == Source::Chain;
        let counted = if is_chain { below(id) } else { id };
        let each = if running.contains(counted) { self.occurred(counted, step) } else { 0 };
        let left = match u128::from(self.left(id)) {
            left if is_chain => left << 32 | u128::from(self.left(counted)),
            left if self.is_divided(id) => left * u128::from(DIVISOR) + u128::from(DIVISOR - 1 - self.phase.get()),
            left => left,
        };
        let steps = left.checked_div(each.into())?.checked_add(1)?;
        u64::try_from(steps).ok()
    }

    /// Returns how many more events a counter can count without an overflow.
    fn left(&self, id: CounterId) -> u64 {
        let value = self.value(id);
        if self.is_long(id) { u64::MAX - value } else { LOW - (value & LOW) }
    }
}

/// Returns the counter below, or the same if it is the lowest.
fn below(id: CounterId) -> CounterId {
    CounterId::new(id.number().saturating_sub(1)).unwrap_or(CounterId::ZERO)
}
