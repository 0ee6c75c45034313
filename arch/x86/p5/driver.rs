//! The Pentium's unit, driven: the promises of [`Plan`], [`Counters`] and [`Control`], kept with two
//! counters and one register for both.
//!
//! A start writes the events of both counters and which of them count, at once. No status says who overflowed, and nothing
//! interrupts: a counter that has overflowed, and no other, has its top bit clear. It is found at the next stop, or when the
//! kernel calls the handler from its tick.

use super::capabilities::Capabilities;
use super::encode;
use super::events::generic_code;
use super::program::Image;
use super::registers::{Cesr, Select};
use super::saved::Saved;
use crate::arch::x86::place::place_each;
use crate::arch::x86::probe::check_counter;
use crate::arch::x86::{Demand, Guarded, Index, Msr, Msrs, Window};
use crate::contract::{Control, Counter, Counters, Description, Kind, Late, Plan, Slot, Steps};
use crate::event::catalogue::Catalogue;
use crate::event::{
    Conflict, CounterId, CounterSet, Error, Event, Generic, Modes, Refusal, Remaining, Request, Result,
};

/// The driver of one CPU's unit, over `R`.
#[derive(Debug)]
pub struct P5<R> {
    pub(super) registers: R,
    pub(super) capabilities: Capabilities,
    kind: Kind,
    /// The selections of the counters that somebody else uses.
    others: Cesr,
}

impl<R: Msrs> P5<R> {
    /// The driver of a unit with these capabilities, of which nobody else uses a counter.
    pub fn new(registers: R, capabilities: Capabilities) -> Self {
        Self { registers, kind: capabilities.kind(), capabilities, others: Cesr::default() }
    }

    /// The driver of the unit that the processor has by what `cpuid` says of it. A counter that already counts is left to
    /// whoever uses it ([`Capabilities::used_by_others`]).
    ///
    /// In a virtual machine that has no unit the first access may fault: where that can be, use [`P5::detect_guarded`].
    ///
    /// # Errors
    /// [`Error::NoUnit`], [`Error::UnknownProcessor`], [`Error::Swallowed`], [`Error::UsedByOthers`]; the unit is as it was.
    pub fn detect<C: raw_cpuid::CpuIdReader>(cpuid: &C, registers: R) -> Result<Self> {
        let capabilities = Capabilities::discover(cpuid)?;
        let held = registers.read(Msr::CESR);
        let probe = |value| {
            registers.write(Msr::CESR, value);
            Some(registers.read(Msr::CESR))
        };
        let (capabilities, others) = look_at(capabilities, held, probe)?;
        check_free_counter(&registers, &capabilities)?;
        Ok(Self { others, ..Self::new(registers, capabilities) })
    }

    /// The same with accesses that survive a fault, lent by the kernel.
    ///
    /// # Errors
    /// Those of [`P5::detect`], and [`Error::NoUnit`] if CESR cannot be accessed; the unit is as it was.
    pub fn detect_guarded<C, A>(cpuid: &C, registers: R, guard: &A) -> Result<Self>
    where
        C: raw_cpuid::CpuIdReader,
        A: Guarded,
    {
        let capabilities = Capabilities::discover(cpuid)?;
        let held = guard.try_read(Msr::CESR).ok_or(FAULTS)?;
        let probe = |value| {
            guard.try_write(Msr::CESR, value)?;
            guard.try_read(Msr::CESR)
        };
        let (capabilities, others) = look_at(capabilities, held, probe)?;
        check_free_counter(&registers, &capabilities)?;
        Ok(Self { others, ..Self::new(registers, capabilities) })
    }

    /// What is known of the unit.
    #[must_use]
    pub fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    /// Makes exactly these counters count, beside those that somebody else uses.
    #[inline(always)]
    pub(super) fn write_control(&self, control: Cesr, running: CounterSet) {
        let own = control.running(running);
        self.registers.write(Msr::CESR, own.bits() | self.others.bits());
    }
}

const FAULTS: Error = Error::NoUnit { reason: "CESR cannot be accessed without a fault" };

/// Checks that a counter that does not count keeps what is written to it.
fn check_free_counter<R: Msrs>(registers: &R, capabilities: &Capabilities) -> Result<()> {
    capabilities.counters.lowest().map_or(Ok(()), |counter| {
        check_counter(registers, Msr::of_p5_counter(counter), Capabilities::WIDTH, Window::Full)
    })
}

/// Finds the counters that somebody uses, and what they count, in `held`, which CESR holds. Checks that CESR keeps another
/// event of the other counters, which do not count: `probe` writes a value and reads it back.
fn look_at(
    mut capabilities: Capabilities,
    held: u64,
    probe: impl Fn(u64) -> Option<u64>,
) -> Result<(Capabilities, Cesr)> {
    let before = Cesr::from_bits(held);
    capabilities.leave_to_others(before)?;
    let flipped = Cesr::of_each(Select::EVENT).halves(capabilities.counters);
    let wrote = before.bits() ^ flipped.bits();
    let read = Cesr::from_bits(probe(wrote).ok_or(FAULTS)?).bits();
    probe(before.bits()).ok_or(FAULTS)?;
    if read == wrote {
        Ok((capabilities, before.halves(capabilities.used_by_others)))
    } else {
        Err(Error::Swallowed { register: Msr::CESR.address(), wrote, read })
    }
}

impl<R: Msrs> Plan for P5<R> {
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
        let name = if self.capabilities.has_mmx { "Pentium with MMX" } else { "Pentium" };
        let manual = "SDM vol. 3, \"Performance Monitoring (Pentium Processors)\"";
        let mut description = Description::new(name, manual, Capabilities::WIDTH);
        description.general = self.capabilities.counters;
        description.used_by_others = self.capabilities.used_by_others;
        description.modes = Modes::ALL;
        description.flags = encode::FLAGS;
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

    #[inline(always)]
    fn encode(&self, request: &Request) -> Result<Demand, Refusal> {
        encode::encode(&self.capabilities, request)
    }

    #[inline(always)]
    fn place(&self, beside: &CounterSet, new: &[Demand], steps: Steps, out: &mut [Slot]) -> Result<(), Conflict> {
        place_each(self.capabilities.counters.without(*beside), new, steps, out, |_, word| word)
    }

    #[inline(always)]
    fn counter(&self, slot: &Slot) -> Counter<Index> {
        let (handle, width) = (Index::of(slot.counter), Capabilities::WIDTH);
        let user_index = self.capabilities.has_mmx.then_some(handle.raw());
        Counter { handle, width, longest: Remaining::events(width.longest()), user_index }
    }
}

impl<R: Msrs> Counters for P5<R> {
    type Image = Image;

    #[inline(always)]
    fn run(&self, image: &Image, exactly: CounterSet) {
        self.write_control(image.control(), exactly);
    }

    /// The bits above a counter's 40 are undefined.
    #[inline(always)]
    fn read(&self, counter: Index) -> u64 {
        let raw = if self.capabilities.has_mmx {
            self.registers.read_counter(counter)
        } else {
            self.registers.read(Msr::of_p5_counter(counter.counter()))
        };
        raw & Capabilities::WIDTH.mask()
    }

    #[inline(always)]
    fn preset(&self, _: &Image, counter: CounterId, remaining: Remaining) -> Remaining {
        let remaining = remaining.min(Remaining::events(Capabilities::WIDTH.longest()));
        self.registers.write(Msr::of_p5_counter(counter), Capabilities::WIDTH.start(remaining));
        remaining
    }

    #[inline(always)]
    fn overflowed(&self, _: &Image, among: CounterSet, mut found: impl FnMut(CounterId, i64)) {
        for counter in among.and(self.capabilities.counters) {
            if let Some(past) = Capabilities::WIDTH.past(self.read(Index::of(counter))) {
                found(counter, past.cast_signed());
            }
        }
    }

    /// There is no status.
    #[inline(always)]
    fn acknowledge(&self, _: &Image, _: CounterSet) {}

    /// There is no line.
    #[inline(always)]
    fn rearm(&self) {}

    #[inline(always)]
    fn late(&self) -> Late {
        Late::Never
    }
}

impl<R: Msrs> Control for P5<R> {
    type Saved = Saved;

    const NOTHING_SAVED: Saved = Saved::nothing();

    /// The manual demands that a counter is cleared or preset before it selects another event.
    const RESTLESS: CounterSet = CounterSet::ALL;

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
