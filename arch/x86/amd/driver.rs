//! AMD's unit, driven: the promises of [`Backend`], kept with the core performance counters of K7
//! to Zen 5.
//!
//! From version 2 on (Zen 4) selectors keep their enable bit while a counter rests, and
//! PerfCntrGlobalCtl starts and stops all counters at once. Before it each selector is written,
//! and no status says who overflowed: a counter that has, and no other, has its top bit clear.
//!
//! Every counter interrupts on overflow, also one that only counts: that is how it comes to 64
//! bits. The local APIC never masks the line, so that each overflow interrupts by itself: several
//! are accounted for by the first interrupt, and the others then find nothing.
//!
//! DebugCtl is the kernel's and nothing here writes it. Where it makes counters freeze at an
//! overflow (CPUID's LbrAndPmcFreeze says that it can), they count again once the status is cleared
//! of it, which every acknowledgement and a claim do. LBRS_FROZEN stays: branch records belong to
//! whoever reads them.

use super::events::Meaning;
use super::facts::{Facts, Generation};
use super::program::{Image, counter_register, place, select_register};
use super::registers::{Select, Status};
use crate::arch::x86::probe::{answering, check_kept};
use crate::arch::x86::repertoire::Repertoire;
use crate::arch::x86::{Block, Demand, Guarded, Index, LATE, Line, Msr, WayBack};
use crate::backend::{Backend, Description, Late, Overflow, Slot};
use crate::contract::{Registers, Steps};
use crate::event::catalogue::Catalogue;
use crate::event::{
    Conflict, CounterId, CounterSet, Error, Event, Generic, Modes, Refusal, Remaining, Request, Result, Width,
};

/// The driver of one CPU's unit, over `R`; its overflows come through the line `L`.
#[derive(Debug)]
pub struct Amd<R, L> {
    pub(super) registers: R,
    pub(super) line: L,
    pub(super) facts: Facts,
    repertoire: Repertoire<Meaning>,
    /// What is acknowledged with every overflow, beside it: that the counters are frozen.
    pub(super) frozen: u64,
}

impl<R, L> Amd<R, L>
where
    R: Registers<Address = Msr, Index = Index>,
    L: Line,
{
    /// The driver of a unit with these facts.
    pub fn new(registers: R, line: L, facts: Facts) -> Self {
        let frozen = if facts.freezes { Status::COUNTERS_FROZEN.bits() } else { 0 };
        Self { registers, line, repertoire: Repertoire::of(&facts), frozen, facts }
    }

    /// The driver of the unit that the processor has by what `cpuid` says of it. Counters that do
    /// not keep what is written are left out.
    ///
    /// Up to family 12h no CPUID bit announces the unit. In a virtual machine that has none the
    /// first access may fault: where that can be, use [`Amd::detect_guarded`].
    ///
    /// # Errors
    /// [`Error::NoUnit`], [`Error::UnknownProcessor`], [`Error::Swallowed`]; the unit is as it was.
    pub fn detect<C: raw_cpuid::CpuIdReader>(cpuid: &C, registers: R, line: L) -> Result<Self> {
        let mut facts = Facts::discover(cpuid)?;
        let kept = |counter: CounterId| check_kept(&registers, select_register(facts.block, counter));
        let first = facts.counters.lowest().map_or(Err(Error::NoUnit), kept);
        facts.counters = facts.counters.into_iter().filter(|&counter| kept(counter).is_ok()).collect();
        if facts.counters.is_empty() { first.and(Err(Error::NoUnit)) } else { Ok(Self::new(registers, line, facts)) }
    }

    /// The same with accesses that survive a fault, lent by the kernel. Counters that fault, or do
    /// not keep what is written, are left out.
    ///
    /// # Errors
    /// [`Error::NoUnit`], [`Error::UnknownProcessor`]; the unit is as it was.
    pub fn detect_guarded<C, G>(cpuid: &C, registers: R, line: L, guard: &G) -> Result<Self>
    where
        C: raw_cpuid::CpuIdReader,
        G: Guarded,
    {
        let mut facts = Facts::discover(cpuid)?;
        let block = facts.block;
        facts.counters = answering(guard, facts.counters, |counter| Msr::core_select(block, counter.number()));
        if facts.counters.is_empty() { Err(Error::NoUnit) } else { Ok(Self::new(registers, line, facts)) }
    }

    /// What is known of the unit.
    #[must_use]
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// The registers that it drives.
    #[must_use]
    pub fn registers(&self) -> &R {
        &self.registers
    }

    /// What a selector has set while its counter rests.
    #[inline(always)]
    fn resting(&self) -> Select {
        if self.facts.has_global() { Select::all() } else { Select::all().difference(Select::ENABLE) }
    }

    #[inline(always)]
    fn write_counter(&self, counter: CounterId, value: u64) {
        self.registers.write(counter_register(self.facts.block, counter), value);
    }

    /// Stops each counter by its own selector, before version 2.
    ///
    /// A counter counts what of this comes before it is halted, and what of
    /// [`Amd::run_singly`] comes after it is started, when an interrupt does it. So both are
    /// straight code, with each register's address in it, and the counters that interrupt are the
    /// first to be halted and the last to be started.
    #[inline(never)]
    fn halt_singly(&self, image: &Image) {
        match self.facts.block {
            Block::Legacy => self.halt_each::<4>(Block::Legacy, image, CounterSet::EMPTY),
            Block::Core => self.halt_each::<6>(Block::Core, image, CounterSet::EMPTY),
        }
    }

    /// Starts and stops each counter by its own selector, before version 2.
    #[inline(never)]
    fn run_singly(&self, image: &Image, exactly: CounterSet) {
        match self.facts.block {
            Block::Legacy => self.run_each::<4>(Block::Legacy, image, exactly),
            Block::Core => self.run_each::<6>(Block::Core, image, exactly),
        }
    }

    #[inline(always)]
    fn halt_each<const N: usize>(&self, block: Block, image: &Image, but: CounterSet) {
        let (halted, interrupting) = (image.counting().without(but), image.interrupting());
        self.write_selects::<N>(block, image, halted.and(interrupting), Select::empty());
        self.write_selects::<N>(block, image, halted.without(interrupting), Select::empty());
    }

    #[inline(always)]
    fn run_each<const N: usize>(&self, block: Block, image: &Image, exactly: CounterSet) {
        self.halt_each::<N>(block, image, exactly);
        let (started, interrupting) = (image.counting().and(exactly), image.interrupting());
        self.write_selects::<N>(block, image, started.without(interrupting), Select::ENABLE);
        self.write_selects::<N>(block, image, started.and(interrupting), Select::ENABLE);
    }

    /// Writes the selectors of these counters, which are among the first `N`.
    #[inline(always)]
    fn write_selects<const N: usize>(&self, block: Block, image: &Image, counters: CounterSet, enable: Select) {
        if counters.is_empty() {
            return;
        }
        for counter in (0..N as u8).filter_map(CounterId::new) {
            if counters.contains(counter) {
                self.registers.write(select_register(block, counter), image.select(counter) | enable.bits());
            }
        }
    }

    /// Releases and loads, where pairs are to be split or joined, and before version 2.
    #[cold]
    #[inline(never)]
    fn replace_all(&self, image: &Image, old: CounterSet, slots: &[Slot], running: CounterSet) {
        self.release(image, old);
        self.load(image, &(), slots, running);
    }

    /// Asks each counter whether it is past its overflow, before version 2.
    #[inline(always)]
    fn overflowed_singly(&self, image: &Image, counters: CounterSet) -> CounterSet {
        let past = |counter: &CounterId| {
            let raw = self.registers.read_counter(Index::of(*counter));
            self.width(image, *counter).past(raw).is_some()
        };
        counters.into_iter().filter(past).collect()
    }
}

/// The manual of these processors.
const fn manual(generation: Generation) -> &'static str {
    match generation {
        Generation::K7 => "AMD 22007, appendix \"Performance-Monitoring Counters\"",
        Generation::K8 => "AMD 26094, chapter \"Performance Monitoring\"",
        Generation::Family10h => "AMD 31116, chapter \"Performance Monitoring\"",
        Generation::Family15h => "AMD 42301, chapter \"Performance Monitoring\"",
        Generation::Family16h => "AMD 48751, chapter \"Performance Monitoring\"",
        Generation::Zen | Generation::Zen3 => "AMD APM vol. 2, \"Performance Monitoring Counters\"",
    }
}

impl<R, L> Backend for Amd<R, L>
where
    R: Registers<Address = Msr, Index = Index>,
    L: Line,
{
    type Demand = Demand;
    type Program = ();
    type Occupancy = CounterSet;
    type Image = Image;
    type Handle = Index;
    type WayBack = WayBack;

    fn description(&self) -> Description {
        let manual = manual(self.facts.generation);
        let mut description = Description::new("AMD core performance counters", manual, Facts::WIDTH);
        description.version = self.facts.version;
        description.general = self.facts.counters;
        description.modes = Modes::ALL;
        description.flags = self.repertoire.flags();
        description.overflow = if self.facts.has_global() { Overflow::Identified } else { Overflow::Interrupt };
        description
    }

    fn catalogue(&self) -> &'static Catalogue {
        self.facts.catalogue()
    }

    fn native(&self, generic: Generic) -> Result<Event, Refusal> {
        self.repertoire.generic(generic).map(|meaning| Event::raw(meaning.code))
    }

    #[inline(always)]
    fn encode(&self, request: &Request) -> Result<Demand, Refusal> {
        self.repertoire.encode(&self.facts, request)
    }

    #[inline(always)]
    fn place(&self, beside: &CounterSet, new: &[Demand], steps: Steps, out: &mut [Slot]) -> Result<(), Conflict> {
        place(self.facts.counters.without(*beside), new, steps, out)
    }

    /// Where there is no status a counter must not look as if it had overflowed before it has
    /// been preset: it is, to the longest wait, before it counts as somebody's.
    #[inline(always)]
    fn load(&self, image: &Image, (): &(), slots: &[Slot], _running: CounterSet) {
        for slot in slots {
            image.join(&self.registers, self.facts.block, slot);
            if !self.facts.has_global() {
                self.preset(image, slot.counter, self.longest(image, slot.counter));
            }
            image.load(&self.registers, self.facts.block, slot, self.resting());
        }
    }

    #[inline(always)]
    fn release(&self, image: &Image, counters: CounterSet) {
        image.release(&self.registers, self.facts.block, counters);
    }

    #[inline(always)]
    fn replace(&self, image: &Image, old: CounterSet, (): &(), slots: &[Slot], running: CounterSet) {
        if !self.facts.has_global() || image.has_pairs(old, slots) {
            self.replace_all(image, old, slots, running);
        } else {
            image.replace(&self.registers, self.facts.block, old, slots);
        }
    }

    fn resumes(&self, image: &Image, counters: CounterSet) -> bool {
        self.facts.has_global() && !image.has_pairs(counters, &[])
    }

    fn way_back(&self, _: &Image, slot: &Slot) -> WayBack {
        WayBack {
            counter: slot.counter,
            select: Select::from_bits_truncate(slot.bits).bits(),
            place: slot.counter.number(),
            selector: select_register(self.facts.block, slot.counter),
            register: counter_register(self.facts.block, slot.counter),
            written: Facts::WIDTH.mask(),
        }
    }

    #[inline(always)]
    fn resume(&self, image: &Image, way_back: &WayBack, raw: u64) {
        image.reselect(&self.registers, way_back);
        way_back.bring(&self.registers, raw);
    }

    /// From version 2 on a counter is started and stopped by its enable bit alone. Before it, each
    /// counter that is kept would be one more to be stopped in each interrupt.
    #[inline(always)]
    fn keeps(&self) -> bool {
        self.facts.has_global()
    }

    #[inline(always)]
    fn width(&self, image: &Image, counter: CounterId) -> Width {
        if image.second(counter).is_some() { Facts::MERGED } else { Facts::WIDTH }
    }

    #[inline(always)]
    fn longest(&self, image: &Image, counter: CounterId) -> Remaining {
        Remaining::events(self.width(image, counter).longest())
    }

    /// The high 16 bits of a pair are written to its second counter, and before the others (PPR for
    /// family 17h, "Large Increment per Cycle Events").
    #[inline(always)]
    fn preset(&self, image: &Image, counter: CounterId, remaining: Remaining) {
        if let Some(second) = image.second(counter) {
            let start = Facts::MERGED.start(remaining);
            self.write_counter(second, start >> Facts::WIDTH.bits());
            self.write_counter(counter, start & Facts::WIDTH.mask());
        } else {
            self.write_counter(counter, Facts::WIDTH.start(remaining));
        }
    }

    #[inline(always)]
    fn bring_back(&self, image: &Image, counter: CounterId, raw: u64) {
        if let Some(second) = image.second(counter) {
            self.write_counter(second, raw >> Facts::WIDTH.bits());
        }
        self.write_counter(counter, raw & Facts::WIDTH.mask());
    }

    #[inline(always)]
    fn run(&self, image: &Image, exactly: CounterSet) {
        if self.runs_at_once() {
            self.run_at_once(image, exactly);
        } else if exactly.is_empty() {
            self.halt_singly(image);
        } else {
            self.run_singly(image, exactly);
        }
    }

    #[inline(always)]
    fn runs_at_once(&self) -> bool {
        self.facts.has_global()
    }

    #[inline(always)]
    fn run_at_once(&self, image: &Image, exactly: CounterSet) {
        self.registers.write(Msr::CORE_CONTROL, image.with_seconds(exactly).bits());
    }

    #[inline(always)]
    fn overflowed(&self, image: &Image, armed: CounterSet) -> CounterSet {
        if self.facts.has_global() {
            self.overflowed_at_once(image, armed)
        } else {
            self.overflowed_singly(image, armed.and(image.counting()))
        }
    }

    #[inline(always)]
    fn overflowed_at_once(&self, image: &Image, _: CounterSet) -> CounterSet {
        let status = Status::from_bits_retain(self.registers.read(Msr::CORE_STATUS));
        status.counters().and(image.counting())
    }

    #[inline(always)]
    fn acknowledge(&self, image: &Image, counters: CounterSet) {
        if self.facts.has_global() {
            self.registers.write(Msr::CORE_RESET, image.with_seconds(counters).bits() | self.frozen);
        }
    }

    /// The line is never masked.
    #[inline(always)]
    fn rearm(&self) {}

    #[inline(always)]
    fn late(&self) -> Late {
        Late::Each { most: self.facts.counters.len().into(), within: LATE }
    }

    #[inline(always)]
    fn handle(&self, _: &Image, counter: CounterId) -> Index {
        Index::of(counter)
    }

    fn user_index(&self, counter: Index) -> Option<u32> {
        Some(counter.raw())
    }

    #[inline(always)]
    fn read(&self, counter: Index) -> u64 {
        self.registers.read_counter(counter)
    }

    #[inline(always)]
    fn ticks(&self) -> u64 {
        self.registers.ticks()
    }

    fn save(&self, image: &Image) {
        self.take(&image.before);
    }

    fn restore(&self, image: &Image) {
        self.put_back(&image.before);
    }
}
