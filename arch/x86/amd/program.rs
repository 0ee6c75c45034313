//! The image of the selectors, and how a placement gets into it and into the unit.
//!
//! A merged pair is one counter to everybody else: its first. The second holds the event FFFH from
//! the load to the release, and is neither started nor read.

use super::capabilities::Capabilities;
use super::encode::{is_sampled, takes_pair};
use super::pairs;
use super::registers::Select;
use crate::arch::x86::place::place_each;
use crate::arch::x86::{Block, Demand, Generation, Msr, Msrs};
use crate::contract::{self, Slot, Steps};
use crate::event::{Conflict, CounterId, CounterSet, Width};
use crate::sync::Cell;

/// The selectors as they were last written, and the counters in use.
#[derive(Debug)]
pub struct Image {
    occupied: Cell,
    /// The first counters of pairs.
    firsts: Cell,
    /// The counters whose selectors are written with EN. Only used before version 2.
    running: Cell,
    /// The counters whose overflows were asked for.
    interrupting: Cell,
    /// The selectors, without what [`Image::running`] says. The table has 8 places so that an index needs no check.
    selects: [Cell; 8],
}

impl contract::Image for Image {
    type Occupancy = CounterSet;

    const BLANK: Self = Self {
        occupied: Cell::new(0),
        firsts: Cell::new(0),
        running: Cell::new(0),
        interrupting: Cell::new(0),
        selects: [const { Cell::new(0) }; 8],
    };

    #[inline(always)]
    fn counters(&self) -> CounterSet {
        self.occupied.counters()
    }

    #[inline(always)]
    fn occupancy(&self) -> CounterSet {
        self.occupied.counters()
    }
}

/// All counters that there are. A set is cut down to them where a machine of 32 bits is to leave out its upper half.
pub(super) const COUNTERS: CounterSet = CounterSet::first(Block::Core.counters());

/// The counters that can be the second of a pair.
const SECONDS: CounterSet = CounterSet::from_bits(0xAAAA_AAAA_AAAA_AAAA);

/// Returns these counters in the order in which their selectors are written: of a merged pair the second counter's
/// comes first (PPR for family 17h, "Large Increment per Cycle Events").
pub(super) const fn seconds_first(counters: CounterSet) -> [CounterSet; 2] {
    [counters.and(SECONDS), counters.without(SECONDS)]
}

/// The second counters of these pairs.
#[inline(always)]
const fn seconds(firsts: CounterSet) -> CounterSet {
    CounterSet::from_bits(firsts.bits() << 1)
}

/// Fits `new` on counters that are `free`.
#[inline(always)]
pub(super) fn place(free: CounterSet, new: &[Demand], steps: Steps, out: &mut [Slot]) -> Result<(), Conflict> {
    if new.iter().any(takes_pair) {
        return pairs::place(free, new, steps, out);
    }
    place_each(free, new, steps, out, |_, word| word)
}

impl Image {
    /// Writes the selectors of these slots where they differ, and notes them. The second counters of pairs are merged
    /// already.
    ///
    /// Selectors keep EN under a global control. Elsewhere a selector is only noted: a start writes it whole.
    #[inline(always)]
    pub(super) fn load<R: Msrs>(&self, registers: &R, block: Block, generation: impl Generation, slots: &[Slot]) {
        let mut occupied = self.occupied.counters();
        for slot in slots {
            occupied = occupied.or(slot.occupies());
            let select = Select::from_bits_truncate(slot.bits);
            if generation.has_global() {
                self.load_select(registers, block, slot.counter, select);
            } else {
                self.noted(slot.counter).set((select - Select::ENABLE).bits());
                let own = if is_sampled(slot.bits) { slot.counter.only() } else { CounterSet::EMPTY };
                self.interrupting.set(self.interrupting.counters().without(slot.counter.only()).or(own).bits());
            }
        }
        self.occupied.set(occupied.bits());
    }

    #[inline(always)]
    fn load_select<R: Msrs>(&self, registers: &R, block: Block, counter: CounterId, select: Select) {
        if self.select(counter) != select {
            self.noted(counter).set(select.bits());
            registers.write(select_register(block, counter), select.bits());
        }
    }

    /// Makes the second counter the high half of the first.
    pub(super) fn merge<R: Msrs>(&self, registers: &R, block: Block, first: CounterId, second: CounterId) {
        self.firsts.set(self.firsts.counters().or(first.only()).bits());
        self.load_select(registers, block, second, Select::MERGE | Select::ENABLE);
    }

    /// Takes counters out, and returns the first counters of pairs among them. Their selectors stay in the registers.
    #[inline(always)]
    pub(super) fn release(&self, counters: CounterSet) -> CounterSet {
        let firsts = self.firsts.counters().and(counters);
        self.occupied.set(self.occupied.counters().without(counters.or(seconds(firsts))).bits());
        firsts
    }

    /// Makes two counters again of each of these pairs, which are out of use. Their selectors would make one of 64 bits
    /// of the counter before, for whoever has it next.
    ///
    /// A pair is noted as one until it is out of use: an interrupt amid it reads all its bits.
    pub(super) fn split<R: Msrs>(&self, registers: &R, block: Block, firsts: CounterSet) {
        for second in seconds(firsts) {
            self.load_select(registers, block, second, Select::empty());
        }
        self.firsts.set(self.firsts.counters().without(firsts).bits());
    }

    /// Writes all selectors, whatever they hold. Before version 2 that stops the counters.
    pub(super) fn write<R: Msrs>(&self, registers: &R, capabilities: &Capabilities) {
        for counter in seconds_first(capabilities.counters).into_iter().flatten() {
            registers.write(select_register(capabilities.block, counter), self.select(counter).bits());
        }
        self.running.set(0);
    }

    /// Starts and stops counters by their selectors, before version 2. Only those are written that change. What is
    /// noted covers what counts at every moment, so that an interrupt that comes amid it halts all.
    ///
    /// A counter counts what of this comes before it is stopped and after it is started, when an interrupt does it. So
    /// those whose overflows were asked for are the first to be stopped and the last to be started.
    #[inline(never)]
    pub(super) fn run<R: Msrs>(&self, registers: &R, block: Block, exactly: CounterSet) {
        let (exactly, interrupting) = (exactly.and(COUNTERS), self.interrupting.counters());
        let before = self.running.counters().and(COUNTERS);
        self.running.set(before.or(exactly).bits());
        let (stopped, started) = (before.without(exactly), exactly.without(before));
        self.write_each(registers, block, stopped.and(interrupting), Select::empty());
        self.write_each(registers, block, stopped.without(interrupting), Select::empty());
        self.write_each(registers, block, started.without(interrupting), Select::ENABLE);
        self.write_each(registers, block, started.and(interrupting), Select::ENABLE);
        self.running.set(exactly.bits());
    }

    #[inline(always)]
    fn write_each<R: Msrs>(&self, registers: &R, block: Block, counters: CounterSet, enable: Select) {
        for counter in counters {
            registers.write(select_register(block, counter), (self.select(counter) | enable).bits());
        }
    }

    /// Returns these counters, and those that they are merged with.
    #[inline(always)]
    pub(super) fn with_seconds(&self, counters: CounterSet) -> CounterSet {
        counters.or(seconds(self.firsts.counters().and(counters)))
    }

    /// Returns these counters without those that are the second of a pair.
    #[inline(always)]
    pub(super) fn without_seconds(&self, counters: CounterSet) -> CounterSet {
        counters.without(seconds(self.firsts.counters()))
    }

    /// Returns true if this counter is the first of a pair.
    #[inline(always)]
    pub(super) fn is_pair(&self, counter: CounterId) -> bool {
        self.firsts.counters().contains(counter)
    }

    /// Returns the counter that is merged with this one.
    pub(super) fn second(&self, counter: CounterId) -> Option<CounterId> {
        if self.is_pair(counter) { CounterId::new(counter.number() + 1) } else { None }
    }

    /// Returns how wide a counter is, which may be the first of a pair.
    #[inline(always)]
    pub(super) fn width(&self, counter: CounterId) -> Width {
        if self.is_pair(counter) { Capabilities::MERGED } else { Capabilities::WIDTH }
    }

    /// Returns what a counter selects while it rests.
    #[inline(always)]
    fn select(&self, counter: CounterId) -> Select {
        Select::from_bits_retain(self.noted(counter).get())
    }

    #[inline(always)]
    fn noted(&self, counter: CounterId) -> &Cell {
        &self.selects[usize::from(counter.number() & 7)]
    }
}

/// The selector of a counter that the unit has.
#[inline(always)]
pub(super) const fn select_register(block: Block, counter: CounterId) -> Msr {
    Msr::at(block.first_select() + block.stride() * counter.number() as u32)
}

/// A counter that the unit has.
#[inline(always)]
pub(super) const fn counter_register(block: Block, counter: CounterId) -> Msr {
    Msr::at(block.first_counter() + block.stride() * counter.number() as u32)
}
