//! The Pentium 4's unit, driven: the promises of [`Plan`], [`Counters`] and [`Control`].
//!
//! No register stops all counters at once: a start and a stop write the CCCRs that change. No status says who has
//! overflowed: each CCCR has its own counter's overflow, which software clears, and which every write of the driver
//! clears. The CCCR may also not say so though the interrupt came (torvalds/linux, arch/x86/events/intel/p4.c), and a
//! counter that is preset has its top bit set until it overflows. So the counters are read, and the CCCRs are not.
//!
//! Every counter interrupts on overflow, also one that only counts: that is how it comes to 64 bits.
//!
//! The local APIC masks the line when it delivers an interrupt. While the overflow of a CCCR is set, the line is
//! asserted; a stop has cleared it before the line is unmasked.

use super::capabilities::Capabilities;
use super::encode;
use super::events::generic_code;
use super::place::{Occupancy, Program, place};
use super::program::{COUNTERS, Image};
use super::registers::Cccr;
use super::saved::Saved;
use super::share::{Share, View};
use crate::arch::x86::lapic::{check_line, overflow};
use crate::arch::x86::probe::check;
use crate::arch::x86::{Demand, Index, LATE, LEAST, Line, Msr, Msrs};
use crate::contract::{Control, Counter, Counters, Description, Kind, Late, Overflow, Plan, Slot, Steps};
use crate::event::catalogue::Catalogue;
use crate::event::{Conflict, CounterId, CounterSet, Event, Generic, Modes, Refusal, Remaining, Request, Result};

/// The driver of one CPU's unit, over `R`; its overflows come through the line `L`.
#[doc(alias = "Pentium 4")]
#[doc(alias = "p4")]
#[derive(Debug)]
pub struct Netburst<R, L> {
    pub(super) registers: R,
    pub(super) line: L,
    pub(super) capabilities: Capabilities,
    /// The counters that the driver uses.
    pub(super) ours: CounterSet,
    kind: Kind,
}

impl<R: Msrs, L: Line> Netburst<R, L> {
    /// The driver of a unit with these capabilities.
    pub fn new(registers: R, line: L, capabilities: Capabilities) -> Self {
        Self { registers, line, ours: capabilities.counters(), kind: capabilities.kind(), capabilities }
    }

    /// The driver of the unit that `cpuid` and IA32_MISC_ENABLE announce: of its independent bank, and with hyper-threading
    /// of this thread's half. Counters that count already are left out ([`Capabilities::used_by_others`]).
    ///
    /// # Errors
    /// [`NoUnit`](crate::Error::NoUnit), [`UnknownProcessor`](crate::Error::UnknownProcessor), [`Swallowed`](crate::Error::Swallowed),
    /// [`UsedByOthers`](crate::Error::UsedByOthers); the unit is as it was.
    pub fn detect<C: raw_cpuid::CpuIdReader>(cpuid: &C, registers: R, line: L) -> Result<Self> {
        Self::detect_as(cpuid, registers, line, View::Bank, None)
    }

    /// The same with this view of the counters, and this share of them if CPUID is not to decide: a kernel that uses one
    /// thread of a processor gives it the whole unit.
    ///
    /// # Errors
    /// As [`Netburst::detect`].
    pub fn detect_as<C: raw_cpuid::CpuIdReader>(
        cpuid: &C,
        registers: R,
        line: L,
        view: View,
        share: Option<Share>,
    ) -> Result<Self> {
        let mut capabilities = Capabilities::discover(cpuid, || registers.read(Msr::MISC_ENABLE))?;
        capabilities.view = view;
        capabilities.share = share.unwrap_or(capabilities.share);
        capabilities.look_at(&registers)?;
        if let Some(first) = capabilities.counters().lowest() {
            check_kept(&registers, first)?;
        }
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

    /// Makes a counter wait for so many events. The first write may not reach it (erratum N15; torvalds/linux,
    /// arch/x86/events/intel/p4.c).
    #[inline(always)]
    fn write_counter(&self, counter: CounterId, events: Remaining) {
        let value = Capabilities::WIDTH.start(events);
        for _ in 0..Capabilities::WRITES {
            self.registers.write(Cccr::counter_msr(counter), value);
        }
    }
}

/// Checks that a CCCR keeps its threshold and its counter, which does not count, another value. Some emulators ignore every
/// write.
fn check_kept<R: Msrs>(registers: &R, counter: CounterId) -> Result<()> {
    let (cccr, at) = (Cccr::msr(counter), Cccr::counter_msr(counter));
    let threshold = super::registers::Cccr::THRESHOLD.bits();
    check(registers, cccr, |before| before ^ threshold, |value| registers.write(cccr, value))?;
    let write = |value| (0..Capabilities::WRITES).for_each(|_| registers.write(at, value));
    check(registers, at, |before| before ^ 0xFFFF, write)
}

impl<R: Msrs, L: Line> Plan for Netburst<R, L> {
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
        let manual =
            "Intel SDM vol. 3, \"Performance Monitoring (Processors Based on Intel NetBurst Microarchitecture)\"";
        let mut description = Description::new("Intel Pentium 4 performance counters", manual, Capabilities::WIDTH);
        description.general = self.ours;
        description.used_by_others = self.capabilities.used_by_others;
        description.modes = Modes::ALL;
        description.flags = encode::unit_flags(&self.capabilities);
        description.overflow = overflow(&self.line, Overflow::Interrupt);
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
    fn place(&self, beside: &Occupancy, new: &[Demand], steps: Steps, out: &mut [Slot]) -> Result<Program, Conflict> {
        place(&self.capabilities, beside, new, steps, out)
    }

    #[inline(always)]
    fn counter(&self, slot: &Slot) -> Counter<Index> {
        let handle = Index::of(slot.counter);
        let width = Capabilities::WIDTH;
        Counter { handle, width, longest: Remaining::events(width.longest()), user_index: Some(handle.raw()) }
    }
}

impl<R: Msrs, L: Line> Counters for Netburst<R, L> {
    type Image = Image;

    /// Others' counters run on.
    #[inline(always)]
    fn run(&self, image: &Image, exactly: CounterSet) {
        image.run(&self.registers, exactly.and(self.ours));
    }

    #[inline(always)]
    fn read(&self, counter: Index) -> u64 {
        self.registers.read_counter(counter)
    }

    #[inline(always)]
    fn preset(&self, _: &Image, counter: CounterId, remaining: Remaining) -> Remaining {
        let (least, most) = (Remaining::events(LEAST), Remaining::events(Capabilities::WIDTH.longest()));
        let events = remaining.clamp(least, most);
        self.write_counter(counter, events);
        events
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

    /// The write that has stopped a counter has cleared its overflow.
    #[inline(always)]
    fn acknowledge(&self, _: &Image, _: CounterSet) {}

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

impl<R: Msrs, L: Line> Control for Netburst<R, L> {
    type Saved = Saved;

    const NOTHING_SAVED: Saved = Saved::nothing();

    /// No counter that is loaded looks as if it had overflowed: a reload has preset all, and whoever releases one has
    /// accounted for its overflow.
    #[inline(always)]
    fn load(&self, image: &Image, program: &Program, slots: &[Slot]) {
        image.load(&self.registers, program, slots);
    }

    #[inline(always)]
    fn release(&self, image: &Image, counters: CounterSet) {
        image.release(&self.registers, counters);
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
