//! Intel's unit, driven: the promises of [`Backend`], kept with architectural performance
//! monitoring versions 1 to 6.
//!
//! Selectors keep their enable bit while a counter rests; IA32_PERF_GLOBAL_CTRL starts and stops
//! all counters at once. Version 1 has no such register: there each selector is written.
//!
//! Every counter interrupts on overflow, also one that only counts: that is how it comes to 64
//! bits.
//!
//! IA32_DEBUGCTL is the kernel's and nothing here writes it. FREEZE_PERFMON_ON_PMI had better be
//! clear there, since the unit is halted in its interrupts anyway. Where it is set, counters stop
//! at an overflow by themselves; up to version 3 by their bits in IA32_PERF_GLOBAL_CTRL, which
//! every start writes, and from version 4 on by CTR_FRZ in the status, which every acknowledgement
//! and a claim clear. LBR_FRZ stays: branch records belong to whoever reads them.

use super::events::Meaning;
use super::facts::Facts;
use super::nehalem;
use super::program::{Image, Occupancy, Program, is_fixed, place};
use super::reach::Reach;
use super::registers::{GlobalStatus, Select};
use crate::arch::x86::probe::check_kept;
use crate::arch::x86::repertoire::Repertoire;
use crate::arch::x86::{Demand, Index, LATE, Line, Msr, WayBack};
use crate::backend::{Backend, Description, Image as _, Late, Overflow, Slot};
use crate::contract::{Registers, Steps};
use crate::event::catalogue::Catalogue;
use crate::event::{
    Conflict, CounterId, CounterSet, Event, Generic, Modes, Refusal, Remaining, Request, Result, Width,
};

/// The driver of one CPU's unit, over `R`; its overflows come through the line `L`.
#[derive(Debug)]
pub struct Intel<R, L> {
    pub(super) registers: R,
    pub(super) line: L,
    pub(super) facts: Facts,
    repertoire: Repertoire<Meaning>,
    reach: Reach,
    /// Every counter of the unit.
    all: CounterSet,
    /// What is acknowledged with every overflow, beside it: that the counters are frozen.
    frozen: u64,
    /// What a selector has set while its counter rests.
    resting: Select,
    /// General counters must be woken before they are first used.
    wakes: bool,
}

impl<R, L> Intel<R, L>
where
    R: Registers<Address = Msr, Index = Index>,
    L: Line,
{
    /// The driver of a unit with these facts.
    pub fn new(registers: R, line: L, facts: Facts) -> Self {
        let (repertoire, reach) = (Repertoire::of(&facts), Reach::of(&facts));
        Self {
            registers,
            line,
            repertoire,
            reach,
            all: facts.counters_of_all_kinds(),
            frozen: if facts.version >= 4 { GlobalStatus::COUNTERS_FROZEN.bits() } else { 0 },
            resting: if facts.has_global() { Select::all() } else { Select::all().difference(Select::ENABLE) },
            wakes: nehalem::is_meant(&facts),
            facts,
        }
    }

    /// The driver of the unit that `cpuid` announces, once it has been seen to keep what is
    /// written.
    ///
    /// # Errors
    /// [`NoUnit`](crate::Error::NoUnit), [`UnknownProcessor`](crate::Error::UnknownProcessor),
    /// [`Swallowed`](crate::Error::Swallowed); the unit is as it was.
    pub fn detect<C: raw_cpuid::CpuIdReader>(cpuid: &C, registers: R, line: L) -> Result<Self> {
        let facts = Facts::discover(cpuid, || registers.read(Msr::CAPABILITIES))?;
        if let Some(first) = facts.general.lowest().and_then(|counter| Msr::select(counter.number())) {
            check_kept(&registers, first)?;
        }
        Ok(Self::new(registers, line, facts))
    }

    /// What the processor says about its unit.
    #[must_use]
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// The registers that it drives.
    #[must_use]
    pub fn registers(&self) -> &R {
        &self.registers
    }

    /// Starts and stops each counter by its own selector, for version 1.
    #[cold]
    #[inline(never)]
    fn run_singly(&self, image: &Image, exactly: CounterSet) {
        for counter in self.facts.general {
            let mut select = image.select(counter);
            select.set(Select::ENABLE, exactly.contains(counter));
            self.registers.write(Msr::selector(counter), select.bits());
        }
    }

    /// Releases and loads, where more than counters is to be programmed.
    #[cold]
    #[inline(never)]
    fn replace_all(&self, image: &Image, old: CounterSet, program: &Program, slots: &[Slot], running: CounterSet) {
        image.release(old);
        self.load(image, program, slots, running);
    }

    /// [`Backend::resume`] of a fixed counter that counts something else.
    #[inline(never)]
    fn resume_fixed(&self, image: &Image, way_back: &WayBack, raw: u64) {
        image.recontrol(&self.registers, way_back);
        way_back.bring(&self.registers, raw);
    }

    /// Asks each counter whether it is past its overflow, for version 1.
    #[cold]
    #[inline(never)]
    fn overflowed_singly(&self, armed: CounterSet) -> CounterSet {
        let past = |counter: &CounterId| {
            let raw = self.registers.read_counter(Index::of(*counter));
            self.facts.general_width.past(raw).is_some()
        };
        armed.and(self.facts.general).into_iter().filter(past).collect()
    }
}

impl<R, L> Backend for Intel<R, L>
where
    R: Registers<Address = Msr, Index = Index>,
    L: Line,
{
    type Demand = Demand;
    type Program = Program;
    type Occupancy = Occupancy;
    type Image = Image;
    type Handle = Index;
    type WayBack = WayBack;

    fn description(&self) -> Description {
        let mut description = Description::new(
            "Intel architectural performance monitoring",
            "Intel SDM vol. 3, chapter \"Performance Monitoring\"",
            self.facts.general_width,
        );
        description.version = self.facts.version;
        description.general = self.facts.general;
        description.fixed = self.facts.fixed;
        description.fixed_width = self.facts.fixed_width;
        description.modes = Modes::ALL;
        description.flags = self.repertoire.flags();
        description.overflow = if self.facts.has_global() { Overflow::Identified } else { Overflow::Interrupt };
        description
    }

    fn catalogue(&self) -> &'static Catalogue {
        self.facts.catalogue()
    }

    fn native(&self, generic: Generic) -> Result<Event, Refusal> {
        self.repertoire.generic(generic).map(|meaning| Event::raw(meaning.word))
    }

    #[inline(always)]
    fn encode(&self, request: &Request) -> Result<Demand, Refusal> {
        self.repertoire.encode(&self.facts, &self.reach, request)
    }

    #[inline(always)]
    fn place(&self, beside: &Occupancy, new: &[Demand], steps: Steps, out: &mut [Slot]) -> Result<Program, Conflict> {
        place(&self.facts, self.all, beside, new, steps, out)
    }

    #[inline(always)]
    fn load(&self, image: &Image, program: &Program, slots: &[Slot], running: CounterSet) {
        if self.wakes && running.is_empty() && image.occupied().and(self.facts.general).is_empty() {
            nehalem::wake(&self.registers, &self.facts);
        }
        image.load(&self.registers, program, slots, self.resting);
    }

    #[inline(always)]
    fn release(&self, image: &Image, counters: CounterSet) {
        image.release(counters);
    }

    #[inline(always)]
    fn replace(&self, image: &Image, old: CounterSet, program: &Program, slots: &[Slot], running: CounterSet) {
        if self.wakes || image.needs_more(old, program) {
            self.replace_all(image, old, program, slots, running);
        } else {
            image.replace(&self.registers, old, slots, self.resting);
        }
    }

    fn resumes(&self, image: &Image, counters: CounterSet) -> bool {
        !self.wakes && !image.relies(counters)
    }

    fn way_back(&self, _: &Image, slot: &Slot) -> WayBack {
        let (counter, (register, written)) = (slot.counter, self.reach.register(slot.counter));
        let selector = if is_fixed(counter) { Msr::FIXED_CONTROL } else { Msr::selector(counter) };
        let select = Select::from_bits_truncate(slot.bits).bits();
        WayBack { counter, select, place: Image::place_of(counter), selector, register, written }
    }

    #[inline(always)]
    fn resume(&self, image: &Image, way_back: &WayBack, raw: u64) {
        if image.selects(way_back) {
            way_back.bring(&self.registers, raw);
        } else if is_fixed(way_back.counter) {
            self.resume_fixed(image, way_back, raw);
        } else {
            image.reselect(&self.registers, way_back);
            way_back.bring(&self.registers, raw);
        }
    }

    /// A counter is started and stopped by its enable bit alone. Before version 2 that is in its
    /// selector, and each counter that is kept would be one more to be written.
    #[inline(always)]
    fn keeps(&self) -> bool {
        self.facts.has_global()
    }

    #[inline(always)]
    fn width(&self, _: &Image, counter: CounterId) -> Width {
        self.reach.width(counter)
    }

    #[inline(always)]
    fn longest(&self, _: &Image, counter: CounterId) -> Remaining {
        self.reach.longest(counter)
    }

    #[inline(always)]
    fn preset(&self, _: &Image, counter: CounterId, remaining: Remaining) {
        let (register, value) = self.reach.preset(counter, remaining);
        self.registers.write(register, value);
    }

    #[inline(always)]
    fn bring_back(&self, _: &Image, counter: CounterId, raw: u64) {
        let (register, value) = self.reach.bring_back(counter, raw);
        self.registers.write(register, value);
    }

    #[inline(always)]
    fn run(&self, image: &Image, exactly: CounterSet) {
        if self.runs_at_once() {
            self.run_at_once(image, exactly);
        } else {
            self.run_singly(image, exactly);
        }
    }

    #[inline(always)]
    fn runs_at_once(&self) -> bool {
        self.facts.has_global()
    }

    #[inline(always)]
    fn run_at_once(&self, _: &Image, exactly: CounterSet) {
        self.registers.write(Msr::GLOBAL_CONTROL, exactly.bits());
    }

    #[inline(always)]
    fn overflowed(&self, image: &Image, armed: CounterSet) -> CounterSet {
        if self.facts.has_global() { self.overflowed_at_once(image, armed) } else { self.overflowed_singly(armed) }
    }

    /// Whatever else the status says (CondChgd, ASCI, others' overflows) is none of these.
    #[inline(always)]
    fn overflowed_at_once(&self, _: &Image, stopped: CounterSet) -> CounterSet {
        CounterSet::from_bits(self.registers.read(Msr::GLOBAL_STATUS)).and(stopped)
    }

    #[inline(always)]
    fn acknowledge(&self, _: &Image, counters: CounterSet) {
        if self.facts.has_global() {
            self.registers.write(Msr::GLOBAL_RESET, counters.bits() | self.frozen);
        }
    }

    #[inline(always)]
    fn rearm(&self) {
        self.line.rearm();
    }

    /// An overflow that a stop has accounted for has asserted the line already, which masks itself.
    #[inline(always)]
    fn late(&self) -> Late {
        Late::One { within: LATE }
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
