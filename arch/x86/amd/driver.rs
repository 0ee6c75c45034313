//! AMD's unit, driven: the promises of [`Plan`], [`Counters`] and [`Control`], kept with the core performance
//! counters of K7 to Zen 5.
//!
//! From version 2 on (Zen 4) selectors keep their enable bit while a counter rests, and
//! PerfCntrGlobalCtl starts and stops all counters at once. Before it the selectors that
//! change are written, and no status says who overflowed: a counter that has, and no other, has its top bit clear.
//!
//! Every counter interrupts on overflow, also one that only counts: that is how it comes to 64
//! bits. The local APIC never masks the line, so that each overflow interrupts by itself: several
//! are accounted for by the first interrupt, and the others then find nothing.
//!
//! DebugCtl is the kernel's and nothing here writes it. Where it makes counters freeze at an
//! overflow (CPUID's LbrAndPmcFreeze says that it can), they count again once the status is cleared
//! of it, which every acknowledgement and a claim do. LBRS_FROZEN stays: branch records belong to
//! whoever reads them.

use super::capabilities::{Capabilities, Microarchitecture};
use super::encode;
use super::events::generic_code;
use super::program::{COUNTERS, Image, counter_register, place, select_register};
use super::registers::{Select, Status};
use super::saved::Saved;
use crate::arch::x86::lapic::{check_line, overflow};
use crate::arch::x86::probe::{answering, check_counter, check_kept};
use crate::arch::x86::{Demand, Either, Generation, Guarded, Index, LATE, LEAST, Line, Msr, Msrs, Window};
use crate::contract::{Control, Counter, Counters, Description, Kind, Late, Overflow, Plan, Slot, Steps};
use crate::event::catalogue::Catalogue;
use crate::event::{
    Conflict, CounterId, CounterSet, Error, Event, Generic, Modes, Refusal, Remaining, Request, Result,
};

/// The driver of one CPU's unit, over `R`; its overflows come through the line `L`.
///
/// `G` says which generations of units it drives: all of them, unless a kernel names [`Global`](crate::arch::x86::Global)
/// (PerfMonV2) or [`Single`](crate::arch::x86::Single) (before it).
#[derive(Debug)]
pub struct Amd<R, L, G = Either> {
    pub(super) registers: R,
    pub(super) line: L,
    pub(super) capabilities: Capabilities,
    kind: Kind,
    /// What is acknowledged with every overflow, beside it: that the counters are frozen.
    pub(super) frozen: u64,
    pub(super) generation: G,
}

const NO_COUNTERS: Error = Error::NoUnit { reason: "no counter's selector keeps what is written to it" };

impl<R: Msrs, L: Line, G: Generation> Amd<R, L, G> {
    fn with(registers: R, line: L, capabilities: Capabilities, generation: G) -> Self {
        let frozen = if capabilities.freezes { Status::COUNTERS_FROZEN.bits() } else { 0 };
        Self { registers, line, kind: capabilities.kind(), frozen, capabilities, generation }
    }

    /// The driver of the unit that the processor has by what `cpuid` says of it. Counters that do
    /// not keep what is written are left out.
    ///
    /// Up to family 12h no CPUID bit announces the unit. In a virtual machine that has none the
    /// first access may fault: where that can be, use [`Amd::detect_guarded`].
    ///
    /// # Errors
    /// [`Error::NoUnit`], [`Error::UnknownProcessor`], [`Error::Swallowed`], [`Error::OtherGeneration`]; the unit is as
    /// it was.
    pub fn detect<C: raw_cpuid::CpuIdReader>(cpuid: &C, registers: R, line: L) -> Result<Self> {
        let mut capabilities = Capabilities::discover(cpuid)?;
        let generation = G::of(capabilities.has_global())?;
        let kept = |counter: CounterId| check_kept(&registers, select_register(capabilities.block, counter));
        let first = capabilities.counters.lowest().map_or(Err(NO_COUNTERS), kept);
        capabilities.counters = capabilities.counters.into_iter().filter(|&counter| kept(counter).is_ok()).collect();
        if capabilities.counters.is_empty() {
            return first.and(Err(NO_COUNTERS));
        }
        check_free_counter(&registers, &capabilities)?;
        Ok(Self::with(registers, line, capabilities, generation))
    }

    /// The same with accesses that survive a fault, lent by the kernel. Counters that fault, or do
    /// not keep what is written, are left out.
    ///
    /// # Errors
    /// As [`Amd::detect`]; the unit is as it was.
    pub fn detect_guarded<C, A>(cpuid: &C, registers: R, line: L, guard: &A) -> Result<Self>
    where
        C: raw_cpuid::CpuIdReader,
        A: Guarded,
    {
        let mut capabilities = Capabilities::discover(cpuid)?;
        let generation = G::of(capabilities.has_global())?;
        let block = capabilities.block;
        capabilities.counters =
            answering(guard, capabilities.counters, |counter| Msr::core_select(block, counter.number()));
        if capabilities.counters.is_empty() {
            return Err(Error::NoUnit {
                reason: "no counter can be accessed without a fault and keeps what is written",
            });
        }
        check_free_counter(&registers, &capabilities)?;
        Ok(Self::with(registers, line, capabilities, generation))
    }

    /// What is known of the unit.
    #[must_use]
    pub fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    /// The same driver, whose overflows come through this line.
    #[must_use]
    pub fn with_line(self, line: L) -> Self {
        Self { line, ..self }
    }

    /// Presets a pair. The high 16 bits are written to its second counter, and before the others (PPR for family 17h,
    /// "Large Increment per Cycle Events"). With them it is no longer past its overflow, whatever the others are.
    fn preset_pair(&self, first: CounterId, second: CounterId, remaining: Remaining) -> Remaining {
        let remaining = remaining.min(Remaining::events(Capabilities::MERGED.longest()));
        let start = Capabilities::MERGED.start(remaining);
        self.write_counter(second, start >> Capabilities::WIDTH.bits());
        self.write_counter(first, start & Capabilities::WIDTH.mask());
        remaining
    }

    /// Presets a pair, or a counter that cannot wait for exactly `remaining` events.
    #[cold]
    #[inline(never)]
    fn preset_otherwise(&self, image: &Image, counter: CounterId, remaining: Remaining) -> Remaining {
        let remaining = remaining.max(Remaining::events(LEAST));
        if let Some(second) = image.second(counter) {
            return self.preset_pair(counter, second, remaining);
        }
        let remaining = remaining.min(Remaining::events(Capabilities::WIDTH.longest()));
        self.write_counter(counter, Capabilities::WIDTH.start(remaining));
        remaining
    }

    /// Makes a pair of two counters. Its top bit is the second counter's: where there is no status, it must not look as if
    /// it had overflowed before it is preset.
    #[cold]
    #[inline(never)]
    fn merge(&self, image: &Image, first: CounterId, second: CounterId) {
        image.merge(&self.registers, self.capabilities.block, first, second);
        if !self.generation.has_global() {
            self.write_counter(second, Capabilities::MERGED.longest() >> Capabilities::WIDTH.bits());
        }
    }

    /// Makes two counters of each of these pairs again.
    #[cold]
    #[inline(never)]
    fn split(&self, image: &Image, firsts: CounterSet) {
        let both = image.with_seconds(firsts);
        image.split(&self.registers, self.capabilities.block, firsts);
        if !self.generation.has_global() {
            self.preset_all(image, both);
        }
    }

    #[inline(always)]
    pub(super) fn write_counter(&self, counter: CounterId, value: u64) {
        self.registers.write(counter_register(self.capabilities.block, counter), value);
    }
}

/// Checks that a counter keeps what is written to it, if there is one that does not count.
fn check_free_counter<R: Msrs>(registers: &R, capabilities: &Capabilities) -> Result<()> {
    let select = |counter| Select::from_bits_retain(registers.read(select_register(capabilities.block, counter)));
    let mut free = capabilities.counters.into_iter().filter(|&counter| !select(counter).contains(Select::ENABLE));
    free.next().map_or(Ok(()), |counter| {
        let at = counter_register(capabilities.block, counter);
        check_counter(registers, at, Capabilities::WIDTH, Window::Full)
    })
}

impl<R: Msrs, L: Line> Amd<R, L> {
    /// The driver of a unit with these capabilities.
    pub fn new(registers: R, line: L, capabilities: Capabilities) -> Self {
        let generation = Either::new(capabilities.has_global());
        Self::with(registers, line, capabilities, generation)
    }
}

/// The manual of these processors.
const fn manual(microarchitecture: Microarchitecture) -> &'static str {
    match microarchitecture {
        Microarchitecture::K7 => "AMD 22007, appendix \"Performance-Monitoring Counters\"",
        Microarchitecture::K8 => "AMD 26094, chapter \"Performance Monitoring\"",
        Microarchitecture::Family10h => "AMD 31116, chapter \"Performance Monitoring\"",
        Microarchitecture::Family15h => "AMD 42301, chapter \"Performance Monitoring\"",
        Microarchitecture::Family16h => "AMD 48751, chapter \"Performance Monitoring\"",
        Microarchitecture::Zen | Microarchitecture::Zen3 => "AMD APM vol. 2, \"Performance Monitoring Counters\"",
    }
}

impl<R: Msrs, L: Line, G: Generation> Plan for Amd<R, L, G> {
    type Registers = R;
    type Demand = Demand;
    type Program = ();
    type Occupancy = CounterSet;
    type Handle = Index;

    const NO_PROGRAM: () = ();

    #[inline(always)]
    fn registers(&self) -> &R {
        &self.registers
    }

    fn description(&self) -> Description {
        let manual = manual(self.capabilities.microarchitecture);
        let mut description = Description::new(Capabilities::UNIT, manual, Capabilities::WIDTH);
        description.version = self.capabilities.version;
        description.general = self.capabilities.counters;
        description.modes = Modes::ALL;
        description.flags = encode::unit_flags(&self.capabilities);
        let given = if self.generation.has_global() { Overflow::Identified } else { Overflow::Interrupt };
        description.overflow = overflow(&self.line, given);
        description
    }

    fn catalogue(&self) -> &'static Catalogue {
        self.capabilities.catalogue()
    }

    fn native(&self, generic: Generic) -> Result<Event, Refusal> {
        generic_code(&self.capabilities, generic).map(Event::raw)
    }

    #[inline(always)]
    fn kind(&self) -> Kind {
        self.kind
    }

    fn line(&self) -> u64 {
        self.line.number()
    }

    #[inline(always)]
    fn encode(&self, request: &Request) -> Result<Demand, Refusal> {
        let demand = encode::encode(&self.capabilities, request)?;
        check_line(&self.line, request)?;
        Ok(demand)
    }

    #[inline(always)]
    fn place(&self, beside: &CounterSet, new: &[Demand], steps: Steps, out: &mut [Slot]) -> Result<(), Conflict> {
        place(self.capabilities.counters.without(*beside), new, steps, out)
    }

    #[inline(always)]
    fn counter(&self, slot: &Slot) -> Counter<Index> {
        let handle = Index::of(slot.counter);
        let width = if slot.partner.is_some() { Capabilities::MERGED } else { Capabilities::WIDTH };
        Counter { handle, width, longest: Remaining::events(width.longest()), user_index: Some(handle.raw()) }
    }
}

impl<R: Msrs, L: Line, G: Generation> Counters for Amd<R, L, G> {
    type Image = Image;

    #[inline(always)]
    fn run(&self, image: &Image, exactly: CounterSet) {
        if self.generation.has_global() {
            self.registers.write(Msr::CORE_CONTROL, image.with_seconds(exactly).bits());
        } else {
            image.run(&self.registers, self.capabilities.block, exactly);
        }
    }

    #[inline(always)]
    fn read(&self, counter: Index) -> u64 {
        self.registers.read_counter(counter)
    }

    #[inline(always)]
    fn preset(&self, image: &Image, counter: CounterId, remaining: Remaining) -> Remaining {
        let is_plain = (LEAST..=Capabilities::WIDTH.longest()).contains(&remaining.count());
        if !is_plain || image.is_pair(counter) {
            return self.preset_otherwise(image, counter, remaining);
        }
        self.write_counter(counter, Capabilities::WIDTH.start(remaining));
        remaining
    }

    /// Before version 2 there is no status: every counter is read.
    ///
    /// If no counter has overflowed, no acknowledgement follows, and counters that an overflow has frozen count again
    /// at once.
    #[inline(always)]
    fn overflowed(&self, image: &Image, among: CounterSet, mut found: impl FnMut(CounterId, i64)) {
        let status = if self.generation.has_global() { self.registers.read(Msr::CORE_STATUS) } else { among.bits() };
        let mut stale = status & (image.with_seconds(among).bits() | self.frozen);
        for counter in image.without_seconds(among.and(CounterSet::from_bits(status))).and(COUNTERS) {
            if let Some(past) = image.width(counter).past(self.read(Index::of(counter))) {
                stale &= !(image.with_seconds(counter.only()).bits() | self.frozen);
                found(counter, past.cast_signed());
            }
        }
        if self.generation.has_global() && stale != 0 {
            self.registers.write(Msr::CORE_RESET, stale);
        }
    }

    #[inline(always)]
    fn acknowledge(&self, image: &Image, counters: CounterSet) {
        if self.generation.has_global() {
            self.registers.write(Msr::CORE_RESET, image.with_seconds(counters).bits() | self.frozen);
        }
    }

    /// The line is never masked.
    #[inline(always)]
    fn rearm(&self) {}

    #[inline(always)]
    fn late(&self) -> Late {
        Late::Each { most: self.capabilities.counters.len(), within: LATE }
    }
}

impl<R: Msrs, L: Line, G: Generation> Control for Amd<R, L, G> {
    type Saved = Saved;

    const NOTHING_SAVED: Saved = Saved::nothing();

    /// No counter that is loaded looks as if it had overflowed, where there is no status: a reload has preset all,
    /// and whoever releases one has accounted for its overflow.
    #[inline(always)]
    fn load(&self, image: &Image, (): &(), slots: &[Slot]) {
        for slot in slots {
            if let Some(second) = slot.partner {
                self.merge(image, slot.counter, second);
            }
        }
        image.load(&self.registers, self.capabilities.block, self.generation, slots);
    }

    #[inline(always)]
    fn release(&self, image: &Image, counters: CounterSet) {
        let pairs = image.release(counters);
        if !pairs.is_empty() {
            self.split(image, pairs);
        }
    }

    fn reload(&self, image: &Image) {
        self.program(image);
    }

    fn save(&self, into: &Saved) {
        self.save_registers(into);
    }

    fn restore(&self, from: &Saved) {
        self.restore_registers(from);
    }
}
