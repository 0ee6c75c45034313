//! Which counters count, what they count, and the effect of an overflow.
//!
//! Source: DDI 0487, "Controlling the PMU counters" and the pseudocode AArch64.IncrementEventCounter(),
//! AArch64.IncrementCycleCounter(), CountPMUEvents() and PMUSwIncrement().

use super::Device;
use super::feed::{Source, counts_in};
use crate::arch::aarch64::pmuv3::{CYCLE_COUNTER, Control, HypervisorControl, INSTRUCTION_COUNTER};
use crate::event::{CounterId, CounterSet, Mode, Modes};
use crate::virt::{self, Decode, Kind, Selected, Table, Trigger, Work};

const LOW: u64 = 0xFFFF_FFFF;
const CYCLES: CounterSet = CounterSet::from_bits(1 << CYCLE_COUNTER);
const INSTRUCTIONS: CounterSet = CounterSet::from_bits(1 << INSTRUCTION_COUNTER);
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

impl<T: Trigger> Decode for Device<T> {
    fn table(&self) -> &Table {
        &self.table
    }

    fn existing(&self) -> CounterSet {
        self.limits.counters()
    }

    fn decode(&self, id: CounterId) -> Selected {
        let select = self.select(id.number());
        let counted = LEVELS.into_iter().filter(|&mode| counts_in(select, mode));
        Selected {
            modes: counted.fold(Modes::NONE, |all, mode| all.and(mode.only())),
            source: self.source(id).in_table(),
            interrupts: false,
        }
    }

    fn enabled(&self, mode: Mode) -> CounterSet {
        self.allowed().without(self.prohibited(mode))
    }

    fn raw(&self, id: CounterId) -> u64 {
        self.select(id.number()).bits()
    }
}

impl<T: Trigger> Device<T> {
    /// Counts `work` on every counter that counts at its level.
    pub(super) fn count(&self, work: &Work) {
        let cycles = work.of(Kind::Cycles);
        self.ticks.set(self.ticks.get().wrapping_add(cycles));
        let running = self.counting(work.mode());
        if self.divides() && running.and(CYCLES) == CYCLES {
            let counted = cycles / DIVISOR + (cycles % DIVISOR + self.phase.get()) / DIVISOR;
            self.add_to(running, |id| if CYCLES.contains(id) { counted } else { self.table.events(id, work) });
            self.phase.set((self.phase.get() + cycles % DIVISOR) % DIVISOR);
        } else {
            self.add_to(running, |id| self.table.events(id, work));
        }
    }

    /// Counts events on one counter, and on the odd half of its pair, if it counts at this level.
    pub(super) fn count_on(&self, id: CounterId, mode: Mode, events: u64) {
        self.add_to(self.counting(mode), |other| if other == id { events } else { 0 });
    }

    /// Increments each of these counters once, by a write at this level.
    pub(super) fn increment(&self, counters: CounterSet, mode: Mode) {
        let is_one = |id: CounterId| counters.contains(id) && self.source(id) == Source::Software;
        self.add_to(self.counting(mode), |id| u64::from(is_one(id)));
    }

    /// Adds to each counter what it counts, and to the odd half of a pair the overflows of the even half. Records
    /// the overflows.
    #[inline(always)]
    fn add_to(&self, counters: CounterSet, happened: impl Fn(CounterId) -> u64) {
        let long = self.long_counters();
        let mut carry = Carry { from: CYCLE_COUNTER, times: 0 };
        let mut overflowed = CounterSet::EMPTY;
        for id in counters {
            let events = if self.is_chained(id) { carry.to(id.number()) } else { happened(id) };
            let times = self.add(id, long, events);
            if times > 0 {
                carry = Carry { from: id.number(), times };
                overflowed = overflowed.or(id.only());
            }
        }
        if !overflowed.is_empty() {
            self.overflow(overflowed);
        }
    }

    #[cold]
    fn overflow(&self, overflowed: CounterSet) {
        self.overflowed.set(self.overflowed.get() | overflowed.bits());
        self.table.touch_enables();
        self.settle();
    }

    /// Adds to a counter, and returns how often it overflows.
    #[inline(always)]
    fn add(&self, id: CounterId, long: CounterSet, events: u64) -> u64 {
        let before = self.value(id);
        let (after, carried) = before.overflowing_add(events);
        self.set_value(id, after);
        match long.contains(id) {
            true => u64::from(carried),
            false => (events >> 32) + (((before & LOW) + (events & LOW)) >> 32),
        }
    }

    /// Returns true if a counter counts the overflows of the one below.
    #[inline(always)]
    fn is_chained(&self, id: CounterId) -> bool {
        self.table.source(id) == virt::Source::OWN && self.source(id) == Source::Chain
    }

    /// Returns what a counter counts. CHAIN is counted by odd counters, if the even one overflows from 32 bits.
    pub(super) fn source(&self, id: CounterId) -> Source {
        let number = id.number();
        match number {
            CYCLE_COUNTER => Source::Work(virt::Source::of(Kind::Cycles)),
            INSTRUCTION_COUNTER => Source::Work(virt::Source::of(Kind::Instructions)),
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

    /// Returns the counters that overflow from 64 bits.
    #[inline(always)]
    fn long_counters(&self) -> CounterSet {
        let lent = CounterSet::first(self.lent());
        let half = |is_long, half| if is_long { half } else { CounterSet::EMPTY };
        let events = half(self.control().contains(Control::LONG_EVENTS), lent)
            .or(half(self.hypervisor_control().contains(HypervisorControl::LONG_EVENTS), CounterSet::ALL.without(lent)))
            .without(CYCLES);
        events.or(half(self.limits.long_cycles(self.control()), CYCLES)).or(INSTRUCTIONS)
    }

    /// Returns true if the cycle counter counts every 64th cycle. D is ignored if LC is set.
    fn divides(&self) -> bool {
        self.control().contains(Control::DIVIDE) && !self.limits.long_cycles(self.control())
    }

    fn is_divided(&self, id: CounterId) -> bool {
        CYCLES.contains(id) && self.divides()
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
    fn allowed(&self) -> CounterSet {
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

    /// Returns after how many repetitions of `step` the line rises or an overflow freezes counters, or `None` if
    /// neither happens.
    pub(super) fn steps_until_overflow(&self, step: &Work) -> Option<u64> {
        self.steps_until(step.mode(), |id| self.table.events(id, step))
    }

    /// Returns the same for one event of this counter.
    pub(super) fn events_until_overflow(&self, id: CounterId, mode: Mode) -> Option<u64> {
        self.steps_until(mode, |other| u64::from(other == id))
    }

    fn steps_until(&self, mode: Mode, happens: impl Fn(CounterId) -> u64) -> Option<u64> {
        let running = self.counting(mode);
        let rising = if self.is_asserted() { CounterSet::EMPTY } else { CounterSet::from_bits(self.interrupt.get()) };
        let awaited = running.and(rising.or(self.freezing()));
        let occurred = |id| if running.contains(id) { happens(id) } else { 0 };
        awaited.into_iter().filter_map(|id| self.steps(id, occurred)).min()
    }

    /// Returns after how many repetitions this counter overflows.
    fn steps(&self, id: CounterId, occurred: impl Fn(CounterId) -> u64) -> Option<u64> {
        let is_chain = self.is_chained(id);
        let counted = if is_chain { below(id) } else { id };
        let each = occurred(counted);
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
