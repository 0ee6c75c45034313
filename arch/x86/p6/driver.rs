//! The P6 family's unit, driven: the promises of [`Plan`], [`Counters`] and [`Control`], kept with two counters and one
//! enable bit.
//!
//! EN of PerfEvtSel0 starts and stops both counters. One that shall not count while the other does is parked on an event
//! that counts nothing ([`Select::PARKED`](super::Select::PARKED)). No status says which counter has overflowed: one that
//! has, and no other, has its top bit clear.
//!
//! Every counter interrupts on overflow, also one that only counts: that is how it comes to 64 bits. Without a local APIC
//! no counter does. Counts stay right then as long as each is read or stopped before its counter wraps once more, within
//! 2^39 events after its overflow, and periods are refused.

use super::capabilities::{Capabilities, Model};
use super::encode;
use super::events::generic_code;
use super::program::{COUNTERS, Image};
use super::registers::{FIRST_COUNTER, SELECT_0, SELECT_1};
use super::saved::Saved;
use crate::arch::x86::lapic::{check_line, overflow};
use crate::arch::x86::place::place_each;
use crate::arch::x86::probe::{answering, check_counter, check_kept};
use crate::arch::x86::{Demand, Guarded, Index, LATE, LEAST, Line, Msr, Msrs, Window};
use crate::contract::{Control, Counter, Counters, Description, Kind, Late, Overflow, Plan, Slot, Steps};
use crate::event::catalogue::Catalogue;
use crate::event::{
    Conflict, CounterId, CounterSet, Error, Event, Generic, Modes, Refusal, Remaining, Request, Result,
};

/// The driver of one CPU's unit, over `R`; its overflows come through the line `L`.
#[derive(Debug)]
#[doc(alias = "Pentium Pro")]
#[doc(alias = "Pentium II")]
#[doc(alias = "Pentium III")]
#[doc(alias = "Pentium M")]
pub struct P6<R, L> {
    pub(super) registers: R,
    pub(super) line: L,
    pub(super) capabilities: Capabilities,
    kind: Kind,
}

const FAULTS: Error = Error::NoUnit { reason: "PerfEvtSel0 or PerfEvtSel1 faults or does not keep what is written" };

impl<R: Msrs, L: Line> P6<R, L> {
    /// The driver of a unit with these capabilities.
    pub fn new(registers: R, line: L, capabilities: Capabilities) -> Self {
        Self { registers, line, kind: capabilities.kind(), capabilities }
    }

    /// The driver of the unit that the processor has by what `cpuid` says of it, once both selectors have been seen to
    /// keep what is written.
    ///
    /// A unit that is enabled for somebody else, as firmware or a watchdog, is refused: with one enable bit for both
    /// counters, neither could be started or stopped without the other.
    ///
    /// No CPUID bit announces the unit. In a virtual machine that has none the first access may fault: where that can be,
    /// use [`P6::detect_guarded`].
    ///
    /// # Errors
    /// [`Error::NoUnit`], [`Error::UnknownProcessor`], [`Error::Swallowed`], [`Error::UsedByOthers`]; the unit is as it was.
    pub fn detect<C: raw_cpuid::CpuIdReader>(cpuid: &C, registers: R, line: L) -> Result<Self> {
        let capabilities = Capabilities::discover(cpuid)?;
        capabilities.check_unused(registers.read(SELECT_0))?;
        check_kept(&registers, SELECT_0)?;
        check_kept(&registers, SELECT_1)?;
        check_counter(&registers, Msr::at(FIRST_COUNTER), Capabilities::WIDTH, Window::Narrow)?;
        Ok(Self::new(registers, line, capabilities))
    }

    /// The same with accesses that survive a fault, lent by the kernel.
    ///
    /// # Errors
    /// As [`P6::detect`]; the unit is as it was.
    pub fn detect_guarded<C, A>(cpuid: &C, registers: R, line: L, guard: &A) -> Result<Self>
    where
        C: raw_cpuid::CpuIdReader,
        A: Guarded,
    {
        let capabilities = Capabilities::discover(cpuid)?;
        capabilities.check_unused(guard.try_read(SELECT_0).ok_or(FAULTS)?)?;
        // Neither counter counts without the first selector.
        if answering(guard, capabilities.counters, |counter| Msr::select(counter.number())) != capabilities.counters {
            return Err(FAULTS);
        }
        check_counter(&registers, Msr::at(FIRST_COUNTER), Capabilities::WIDTH, Window::Narrow)?;
        Ok(Self::new(registers, line, capabilities))
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

    /// Makes a counter wait for so many events, which it can. The upper bits are extended from bit 31.
    #[inline(always)]
    pub(super) fn write_counter(&self, counter: CounterId, remaining: Remaining) {
        let start = Capabilities::WIDTH.start(remaining) & u64::from(u32::MAX);
        self.registers.write(Msr::at(FIRST_COUNTER + u32::from(counter.number())), start);
    }
}

impl<R: Msrs, L: Line> Plan for P6<R, L> {
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
        let manual = "Intel SDM vol. 3, section \"Performance Monitoring (P6 Family Processor)\"";
        let mut description = Description::new("P6 family performance counters", manual, Capabilities::WIDTH);
        description.general = self.capabilities.counters;
        description.modes = Modes::ALL;
        description.flags = encode::unit_flags();
        let given = if self.capabilities.has_apic { Overflow::Interrupt } else { Overflow::None };
        description.overflow = overflow(&self.line, given);
        description
    }

    fn catalogue(&self) -> &'static Catalogue {
        self.capabilities.catalogue()
    }

    fn native(&self, generic: Generic) -> Result<Event, Refusal> {
        generic_code(generic).map(Event::raw)
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
        place_each(self.capabilities.counters.without(*beside), new, steps, out, |_, word| word)
    }

    #[inline(always)]
    fn counter(&self, slot: &Slot) -> Counter<Index> {
        let handle = Index::of(slot.counter);
        Counter {
            handle,
            width: Capabilities::WIDTH,
            longest: Remaining::events(Capabilities::LONGEST),
            user_index: self.capabilities.user_reads.then_some(handle.raw()),
        }
    }
}

impl<R: Msrs, L: Line> Counters for P6<R, L> {
    type Image = Image;

    #[inline(always)]
    fn run(&self, image: &Image, exactly: CounterSet) {
        image.run(&self.registers, exactly);
    }

    #[inline(always)]
    fn read(&self, counter: Index) -> u64 {
        self.registers.read_counter(counter)
    }

    #[inline(always)]
    fn preset(&self, _: &Image, counter: CounterId, remaining: Remaining) -> Remaining {
        let remaining = Remaining::events(remaining.count().clamp(LEAST, Capabilities::LONGEST));
        self.write_counter(counter, remaining);
        remaining
    }

    /// There is no status: every counter is read.
    #[inline(always)]
    fn overflowed(&self, _: &Image, among: CounterSet, mut found: impl FnMut(CounterId, i64)) {
        for counter in among.and(COUNTERS) {
            if let Some(past) = Capabilities::WIDTH.past(self.read(Index::of(counter))) {
                found(counter, past.cast_signed());
            }
        }
    }

    /// A preset counter has not overflowed, and nothing else says that it had.
    #[inline(always)]
    fn acknowledge(&self, _: &Image, _: CounterSet) {}

    /// The Pentium M masks the line at each interrupt, and the others do not mind that it is unmasked (torvalds/linux up
    /// to 6.0, arch/x86/oprofile/op_model_ppro.c; perfctr, x86.c, `lvtpc_reinit_needed`).
    #[inline(always)]
    fn rearm(&self) {
        if self.capabilities.has_apic {
            self.line.rearm();
        }
    }

    /// Only a line that masks itself makes one interrupt of several overflows.
    #[inline(always)]
    fn late(&self) -> Late {
        match self.capabilities.model {
            _ if !self.capabilities.has_apic => Late::Never,
            Model::PentiumM => Late::One { within: LATE },
            _ => Late::Each { most: 2, within: LATE },
        }
    }
}

impl<R: Msrs, L: Line> Control for P6<R, L> {
    type Saved = Saved;

    const NOTHING_SAVED: Saved = Saved::nothing();

    /// No counter that is loaded looks as if it had overflowed: a reload has preset both, and whoever releases one
    /// has accounted for its overflow.
    #[inline(always)]
    fn load(&self, image: &Image, (): &(), slots: &[Slot]) {
        image.load(slots);
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
