//! Which counters count, what they count, and the effect of an overflow.
//!
//! Source: DDI 0487, "Controlling the PMU counters" and the pseudocode AArch64.IncrementEventCounter(),
//! AArch64.IncrementCycleCounter(), CountPMUEvents() and PMUSwIncrement().

use super::Device;
use super::feed::{Source, counts_in};
use crate::arch::aarch64::pmuv3::{CYCLE_COUNTER, HypervisorControl, INSTRUCTION_COUNTER, Pmcr, Select};
use crate::event::{CounterId, CounterSet, Event, Mode, Modes, Request};
use crate::virt::{self, Decode, Kind, Selected, Table, Trigger, Work};

const LOW: u64 = 0xFFFF_FFFF;
const CYCLES: CounterSet = CounterSet::from_bits(1 << CYCLE_COUNTER);
/// All levels.
const LEVELS: [Mode; 3] = [Mode::User, Mode::Kernel, Mode::Hypervisor];
/// PMCR_EL0.D: the cycle counter counts every 64th cycle.
const DIVISOR: u64 = 64;

/// What a selector says beside its event and its levels.
const BEYOND_REQUESTS: Select = Select::THRESHOLD
    .union(Select::COMPARISON)
    .union(Select::EDGE)
    .union(Select::ALL_THREADS)
    .union(Select::SVE_MODES)
    .union(Select::SYNCHRONOUS)
    .union(Select::NOT_OUTSIDE_TRANSACTIONS);

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

    /// While the line is high, no overflow raises it.
    fn awaited(&self) -> CounterSet {
        let rising = if self.is_asserted() { CounterSet::EMPTY } else { CounterSet::from_bits(self.interrupt.get()) };
        rising.or(self.freezing())
    }

    fn raw(&self, id: CounterId) -> u64 {
        self.select(id.number()).bits()
    }

    fn is_fixed(&self, id: CounterId) -> bool {
        matches!(id.number(), CYCLE_COUNTER | INSTRUCTION_COUNTER)
    }

    fn request(&self, id: CounterId) -> Option<Request> {
        let select = self.select(id.number());
        match id.number() {
            CYCLE_COUNTER => Some(Request::new(Event::CYCLES)),
            INSTRUCTION_COUNTER => Some(Request::new(Event::INSTRUCTIONS)),
            _ if select.intersects(BEYOND_REQUESTS) => None,
            _ => Some(Request::new(Event::raw(select.event().into()))),
        }
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

    /// Adds to each counter what it counts.
    #[inline(always)]
    fn add_to(&self, counters: CounterSet, happened: impl Fn(CounterId) -> u64) {
        let long = self.long.get();
        let overflowing_long = self.add_within(counters.and(long), u64::MAX, &happened);
        let overflowing = overflowing_long.or(self.add_within(counters.without(long), LOW, &happened));
        if !overflowing.is_empty() {
            self.overflow(counters, overflowing, happened);
        }
    }

    /// Adds to each of these counters, which overflow at `reach`, what it counts. Returns those that would overflow, and
    /// leaves them as they are.
    #[inline(always)]
    fn add_within(&self, counters: CounterSet, reach: u64, happened: impl Fn(CounterId) -> u64) -> CounterSet {
        let mut overflowing = CounterSet::EMPTY;
        for id in counters {
            let Some(counter) = self.counters.get(id.index()) else { continue };
            let (value, events) = (counter.get(), happened(id));
            if events > !value & reach {
                overflowing = overflowing.or(id.only());
            } else {
                counter.set(value + events);
            }
        }
        overflowing
    }

    /// Adds to counters that overflow, and to the odd half of a pair the overflows of the even half. Records the overflows.
    #[cold]
    fn overflow(&self, counters: CounterSet, overflowing: CounterSet, happened: impl Fn(CounterId) -> u64) {
        let mut overflowed = overflowing;
        for id in overflowing {
            let times = self.add(id, happened(id));
            let chained = above(id).filter(|&above| counters.contains(above) && self.is_chained(above));
            if let Some(above) = chained
                && self.add(above, times) > 0
            {
                overflowed = overflowed.or(above.only());
            }
        }
        self.overflowed.set(self.overflowed.get() | overflowed.bits());
        self.table.touch_enables();
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

    /// Returns true if a counter counts the overflows of the one below.
    #[inline(always)]
    fn is_chained(&self, id: CounterId) -> bool {
        self.table.source(id) == virt::Source::OWN && self.counts_overflows(id)
    }

    #[cold]
    #[inline(never)]
    fn counts_overflows(&self, id: CounterId) -> bool {
        self.source(id) == Source::Chain
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
            number if number < self.lent() => self.control().contains(Pmcr::LONG_EVENTS),
            _ => self.hypervisor_control().contains(HypervisorControl::LONG_EVENTS),
        }
    }

    /// Notes which counters overflow from 64 bits, after a change of PMCR_EL0 or MDCR_EL2.
    pub(super) fn note_widths(&self) {
        let long = self.limits.counters().into_iter().filter(|&id| self.is_long(id)).collect::<CounterSet>();
        if self.long.replace(long) != long {
            self.table.touch(CounterSet::ALL);
        }
    }

    /// Returns true if the cycle counter counts every 64th cycle. D is ignored if LC is set.
    #[inline(always)]
    fn divides(&self) -> bool {
        self.control().contains(Pmcr::DIVIDE) && !self.limits.long_cycles(self.control())
    }

    #[inline(always)]
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
    fn of_halves(&self, control: Pmcr, hypervisor: HypervisorControl) -> CounterSet {
        let lent = self.lent_counters();
        let half = |is_set, half| if is_set { half } else { CounterSet::EMPTY };
        half(self.control().contains(control), lent)
            .or(half(self.hypervisor_control().contains(hypervisor), self.limits.counters().without(lent)))
    }

    /// Returns the counters that PMCR_EL0.E and MDCR_EL2.HPME allow to count and interrupt.
    #[inline(always)]
    pub(super) fn switched_on(&self) -> CounterSet {
        self.of_halves(Pmcr::ENABLE, HypervisorControl::ENABLE)
    }

    /// Returns the counters that are allowed to count, enabled and not frozen.
    fn allowed(&self) -> CounterSet {
        CounterSet::from_bits(self.enable.get()).and(self.switched_on()).without(self.frozen())
    }

    /// Returns the counters whose overflow freezes their part (PMCR_EL0.FZO, MDCR_EL2.HPMFZO); not cycles.
    pub(super) fn freezing(&self) -> CounterSet {
        self.of_halves(Pmcr::FREEZE_ON_OVERFLOW, HypervisorControl::FREEZE_ON_OVERFLOW)
            .and(self.limits.all_but_cycles())
    }

    /// Returns the counters that an overflow in their part has frozen; cycles with the lent ones, if DP is set.
    fn frozen(&self) -> CounterSet {
        let lent = self.lent_counters();
        let freezing = self.freezing();
        let overflowed = freezing.and(CounterSet::from_bits(self.overflowed.get()));
        let half =
            |half: CounterSet| if overflowed.and(half).is_empty() { CounterSet::EMPTY } else { freezing.and(half) };
        let events = half(lent);
        let cycles = if events.is_empty() { CounterSet::EMPTY } else { self.cycles_as_events() };
        events.or(cycles).or(half(self.limits.counters().without(lent)))
    }

    /// Returns the counters that do not count at this level, whatever they select (MDCR_EL2.HPMD and HCCD).
    fn prohibited(&self, mode: Mode) -> CounterSet {
        let control = self.hypervisor_control();
        if mode != Mode::Hypervisor || !self.limits.has_hypervisor {
            return CounterSet::EMPTY;
        }
        let events = match control.contains(HypervisorControl::NOT_HYPERVISOR) {
            true => self.lent_counters().without(CYCLES).or(self.cycles_as_events()),
            false => CounterSet::EMPTY,
        };
        if control.contains(HypervisorControl::CYCLES_NOT_HYPERVISOR) { events.or(CYCLES) } else { events }
    }

    /// Returns the cycle counter if PMCR_EL0.DP says that it stops where the lent event counters do, even if none is lent.
    fn cycles_as_events(&self) -> CounterSet {
        if self.control().contains(Pmcr::CYCLES_AS_EVENTS) { CYCLES } else { CounterSet::EMPTY }
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
        let steps = |id| match self.table.source(id) {
            virt::Source::OWN if self.is_chained(id) => self.steps_of_pair(id, running, &happens),
            _ => self.events_left(id).checked_div(happens(id)),
        };
        running.and(self.table.awaited()).into_iter().filter_map(steps).min()?.checked_add(1)
    }

    /// Returns the same of a counter that counts the overflows of the one below.
    #[cold]
    #[inline(never)]
    fn steps_of_pair(&self, id: CounterId, running: CounterSet, happens: impl Fn(CounterId) -> u64) -> Option<u64> {
        let counted = running.and(below(id).only()).lowest()?;
        (self.left(id) << 32 | self.left(counted)).checked_div(happens(counted))
    }

    /// Returns how many more events happen without an overflow of this counter. One that is divided has 32 bits.
    #[inline(always)]
    fn events_left(&self, id: CounterId) -> u64 {
        let left = self.left(id);
        if self.is_divided(id) { left * DIVISOR + (DIVISOR - 1 - self.phase.get()) } else { left }
    }

    /// Returns how many more events a counter can count without an overflow.
    #[inline(always)]
    fn left(&self, id: CounterId) -> u64 {
        !self.value(id) & if self.long.get().contains(id) { u64::MAX } else { LOW }
    }
}

/// Returns the odd counter above an even one.
fn above(id: CounterId) -> Option<CounterId> {
    if id.number().is_multiple_of(2) { CounterId::new(id.number() + 1) } else { None }
}

/// Returns the counter below, or the same if it is the lowest.
fn below(id: CounterId) -> CounterId {
    CounterId::new(id.number().saturating_sub(1)).unwrap_or(CounterId::ZERO)
}
