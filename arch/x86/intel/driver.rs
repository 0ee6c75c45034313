//! Intel's unit, driven: the promises of [`Plan`], [`Counters`] and [`Control`], kept with architectural
//! performance monitoring versions 1 to 6.
//!
//! Selectors keep their enable bit while a counter rests; IA32_PERF_GLOBAL_CTRL starts and stops
//! all counters at once. Version 1 has no such register: there the selectors that change are written.
//!
//! Every counter interrupts on overflow, also one that only counts: that is how it comes to 64
//! bits.
//!
//! IA32_DEBUGCTL is the kernel's and nothing here writes it. FREEZE_PERFMON_ON_PMI should be
//! clear there, since the unit is halted in its interrupts anyway. Where it is set, counters stop
//! at an overflow by themselves; up to version 3 by their bits in IA32_PERF_GLOBAL_CTRL, which
//! every start writes, and from version 4 on by CTR_FRZ in the status, which every acknowledgement
//! and a claim clear. LBR_FRZ stays: branch records belong to whoever reads them.
//!
//! What firmware does in system-management mode is counted, like the kernel's own work, because the time is lost to the
//! kernel and cannot be seen elsewhere. A kernel that does not want that sets FREEZE_WHILE_SMM
//! ([`DebugControl::FREEZE_IN_SMM`](super::DebugControl::FREEZE_IN_SMM)) in IA32_DEBUGCTL, if the processor has it
//! ([`PerfCapabilities::FREEZE_IN_SMM`](super::PerfCapabilities::FREEZE_IN_SMM)).

use super::capabilities::Capabilities;
use super::encode;
use super::events::Meaning;
use super::program::{Image, Occupancy, place};
use super::registers::GlobalStatus;
use super::saved::Saved;
use super::shared::Program;
use crate::arch::x86::lapic::{check_line, overflow};
use crate::arch::x86::{Demand, Either, Generation, Index, LATE, Line, Msr, Msrs};
use crate::contract::{Control, Counter, Counters, Description, Image as _, Kind, Late, Overflow, Plan, Slot, Steps};
use crate::event::catalogue::Catalogue;
use crate::event::{Conflict, CounterId, CounterSet, Event, Generic, Modes, Refusal, Remaining, Request, Result};

/// The driver of one CPU's unit, over `R`; its overflows come through the line `L`.
///
/// `G` says which generations of units it drives: all of them, unless a kernel names [`Global`](crate::arch::x86::Global)
/// (version 2 and later) or [`Single`](crate::arch::x86::Single) (version 1).
#[derive(Debug)]
pub struct Intel<R, L, G = Either> {
    pub(super) registers: R,
    pub(super) line: L,
    pub(super) capabilities: Capabilities,
    kind: Kind,
    /// What is acknowledged with every overflow, beside it: that the counters are frozen.
    frozen: u64,
    pub(super) generation: G,
}

impl<R: Msrs, L: Line, G: Generation> Intel<R, L, G> {
    fn with(registers: R, line: L, capabilities: Capabilities, generation: G) -> Self {
        Self {
            registers,
            line,
            kind: capabilities.kind(),
            frozen: if capabilities.version >= 4 { GlobalStatus::COUNTERS_FROZEN.bits() } else { 0 },
            capabilities,
            generation,
        }
    }

    /// The driver of the unit that `cpuid` announces, once it has been seen to keep what is
    /// written. Counters that count for somebody else are left out ([`Capabilities::used_by_others`]), and counter 3 while
    /// it is the microcode's ([`Capabilities::aborts`]).
    ///
    /// The generation is part of the driver's type. Where nothing says which (`Unit<_, 0>`), write `Intel<_, _>`, which is
    /// [`Either`].
    ///
    /// # Errors
    /// [`NoUnit`](crate::Error::NoUnit), [`UnknownProcessor`](crate::Error::UnknownProcessor),
    /// [`Swallowed`](crate::Error::Swallowed), [`OtherGeneration`](crate::Error::OtherGeneration),
    /// [`UsedByOthers`](crate::Error::UsedByOthers); the unit is as it was.
    pub fn detect<C: raw_cpuid::CpuIdReader>(cpuid: &C, registers: R, line: L) -> Result<Self> {
        let mut capabilities = Capabilities::discover(cpuid, || registers.read(Msr::CAPABILITIES))?;
        capabilities.look_at(&registers)?;
        let generation = G::of(capabilities.has_global())?;
        capabilities.check_kept(&registers)?;
        Ok(Self::with(registers, line, capabilities, generation))
    }

    /// What the processor says about its unit.
    #[must_use]
    pub fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    /// The same driver, whose overflows come through this line.
    #[must_use]
    pub fn with_line(self, line: L) -> Self {
        Self { line, ..self }
    }
}

impl<R: Msrs, L: Line, G: Generation> Intel<R, L, G> {
    /// Makes a counter wait for so many events, which it can.
    #[inline(always)]
    fn write_counter(&self, counter: CounterId, events: Remaining) {
        let (register, value) = self.capabilities.preset(counter, events);
        self.registers.write(register, value);
    }

    /// Presets a counter that may not be able to wait for `remaining` events.
    #[cold]
    #[inline(never)]
    fn preset_nearly(&self, image: &Image, counter: CounterId, remaining: Remaining) -> Remaining {
        let events = self.capabilities.nearest(counter, image.code(counter), remaining);
        self.write_counter(counter, events);
        events
    }

    /// Finds those of `among` that are past their overflow. `set` is what the status says of them, and whether they are
    /// frozen: an acknowledgement clears that, and if none has overflowed, no acknowledgement follows.
    #[inline(always)]
    fn visit(&self, set: u64, among: CounterSet, mut found: impl FnMut(CounterId, i64)) {
        let candidates = among.and(CounterSet::from_bits(set));
        let mut stale = CounterSet::EMPTY;
        for counter in candidates {
            match self.capabilities.width(counter).past(self.read(Index::of(counter))) {
                Some(past) => found(counter, past.cast_signed()),
                None => stale = stale.or(counter.only()),
            }
        }
        let cleared = if stale == candidates { set } else { stale.bits() };
        if self.generation.has_global() && cleared != 0 {
            self.registers.write(Msr::GLOBAL_RESET, cleared);
        }
    }
}

impl<R: Msrs, L: Line> Intel<R, L> {
    /// The driver of a unit with these capabilities.
    pub fn new(registers: R, line: L, capabilities: Capabilities) -> Self {
        let generation = Either::new(capabilities.has_global());
        Self::with(registers, line, capabilities, generation)
    }
}

impl<R: Msrs, L: Line, G: Generation> Plan for Intel<R, L, G> {
    type Registers = R;
    type Demand = Demand;
    type Program = Program;
    type Occupancy = Occupancy;
    type Handle = Index;

    const NO_PROGRAM: Program = Program::NONE;

    #[inline(always)]
    fn registers(&self) -> &R {
        &self.registers
    }

    fn description(&self) -> Description {
        let mut description = Description::new(
            Capabilities::UNIT,
            "Intel SDM vol. 3, chapter \"Performance Monitoring\"",
            self.capabilities.general_width(),
        );
        description.version = self.capabilities.version;
        description.general = self.capabilities.general;
        description.fixed = self.capabilities.fixed;
        description.fixed_width = self.capabilities.fixed_width();
        description.used_by_others = self.capabilities.used_by_others;
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
        Meaning::of(&self.capabilities, Event::Generic(generic)).map(|meaning| Event::raw(meaning.word))
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
    fn place(&self, beside: &Occupancy, new: &[Demand], steps: Steps, out: &mut [Slot]) -> Result<Program, Conflict> {
        place(&self.capabilities, beside, new, steps, out)
    }

    #[inline(always)]
    fn counter(&self, slot: &Slot) -> Counter<Index> {
        let handle = Index::of(slot.counter);
        Counter {
            handle,
            width: self.capabilities.width(slot.counter),
            longest: self.capabilities.longest(slot.counter),
            user_index: Some(handle.raw()),
        }
    }
}

impl<R: Msrs, L: Line, G: Generation> Counters for Intel<R, L, G> {
    type Image = Image;

    #[inline(always)]
    fn run(&self, image: &Image, exactly: CounterSet) {
        if self.generation.has_global() {
            self.registers.write(Msr::GLOBAL_CONTROL, exactly.bits());
        } else {
            image.run(&self.registers, exactly);
        }
    }

    #[inline(always)]
    fn read(&self, counter: Index) -> u64 {
        self.registers.read_counter(counter)
    }

    #[inline(always)]
    fn preset(&self, image: &Image, counter: CounterId, remaining: Remaining) -> Remaining {
        if self.capabilities.can_wait_for(counter, remaining) {
            self.write_counter(counter, remaining);
            remaining
        } else {
            self.preset_nearly(image, counter, remaining)
        }
    }

    /// A unit that has no counter leaves the global control to who else counts by it: precise sampling, or firmware.
    #[inline(always)]
    fn is_interrupting(&self, image: &Image) -> bool {
        !image.counters().is_empty()
    }

    /// Whatever else the status says (CondChgd, ASCI, others' overflows) is none of these. Version 1 has no status:
    /// every counter is read.
    ///
    /// If no counter has overflowed, no acknowledgement follows, and counters that an interrupt has frozen count again
    /// at once.
    #[inline(always)]
    fn overflowed(&self, _: &Image, among: CounterSet, found: impl FnMut(CounterId, i64)) {
        let status = if self.generation.has_global() { self.registers.read(Msr::GLOBAL_STATUS) } else { among.bits() };
        let set = status & (among.bits() | self.frozen);
        if set != 0 {
            self.visit(set, among, found);
        }
    }

    #[inline(always)]
    fn acknowledge(&self, _: &Image, counters: CounterSet) {
        if self.generation.has_global() {
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
}

impl<R: Msrs, L: Line, G: Generation> Control for Intel<R, L, G> {
    type Saved = Saved;

    const NOTHING_SAVED: Saved = Saved::nothing();

    /// No counter that is loaded looks as if it had overflowed, where there is no status: a reload has preset all,
    /// and whoever releases one has accounted for its overflow.
    #[inline(always)]
    fn load(&self, image: &Image, program: &Program, slots: &[Slot]) {
        image.load(&self.registers, self.generation, program, slots);
    }

    #[inline(always)]
    fn release(&self, image: &Image, counters: CounterSet) {
        image.release(counters);
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
