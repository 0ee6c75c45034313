//! The driver of PerfCtl and PerfCnt: [`Plan`], [`Counters`] and [`Control`].
//!
//! Each counter has a control of its own and nothing stops all at once, so [`Counters::run`] writes the controls that
//! change. The control of a counter that does not run is 0: it counts in no mode and does not interrupt.
//!
//! A counter has overflowed while its top bit is set; there is no status bit. It interrupts while that bit and IE are
//! set, and counts on. [`Counters::preset`] and a stop withdraw the interrupt.

use super::capabilities::Capabilities;
use super::encode::Demand;
use super::registers::PerfCtl;
use super::{encode, events};
use crate::arch::mips::Cp0;
use crate::contract::{Control, Counter, Counters, Description, Kind, Late, Overflow, Plan, Registers, Slot, Steps};
use crate::event::catalogue::Catalogue;
use crate::event::{Conflict, CounterId, CounterSet, Event, Generic, Refusal, Remaining, Request, Result};
use crate::family::{Saved, Selections, check_kept, place_each};

/// The controls of the counters that run. That of any other counter is 0.
type Image = Selections<4>;

/// The driver of one CPU's unit, over `R`.
#[derive(Debug)]
pub struct Mipsxx<R> {
    registers: R,
    capabilities: Capabilities,
    kind: Kind,
}

impl<R: Registers<Address = Cp0, Index = Cp0>> Mipsxx<R> {
    /// Creates the driver of a unit with these capabilities.
    pub fn new(registers: R, capabilities: Capabilities) -> Self {
        Self { registers, kind: capabilities.kind(), capabilities }
    }

    /// Detects the unit by PRId and Config1, and creates its driver.
    ///
    /// # Errors
    /// Returns [`NoUnit`](crate::Error::NoUnit), [`UnknownProcessor`](crate::Error::UnknownProcessor) or
    /// [`Swallowed`](crate::Error::Swallowed). The unit is not changed.
    pub fn detect(registers: R) -> Result<Self> {
        let capabilities = Capabilities::discover(&registers)?;
        check_control(&registers, &capabilities)?;
        Ok(Self::new(registers, capabilities))
    }

    /// Detects the share of one of two VPEs of a multithreaded core: [`Capabilities::of_vpe`]. Each VPE's driver is
    /// created on that VPE, and touches no counter of the other's.
    ///
    /// # Errors
    /// Those of [`Mipsxx::detect`] and [`Capabilities::of_vpe`]. The unit is not changed.
    pub fn detect_with_vpe(registers: R, vpe: u8) -> Result<Self> {
        let capabilities = Capabilities::discover(&registers)?.of_vpe(vpe)?;
        check_control(&registers, &capabilities)?;
        Ok(Self::new(registers, capabilities))
    }

    /// Returns the capabilities of the unit.
    #[must_use]
    pub fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    /// Returns the register of a counter.
    #[inline(always)]
    const fn counter_at(&self, counter: CounterId) -> Cp0 {
        Cp0::counter_of(counter, self.capabilities.width.bits() > 32)
    }

    /// Returns the registers of a counter: its control, and the counter.
    fn pair(&self, counter: CounterId) -> [Cp0; 2] {
        [Cp0::control_of(counter), self.counter_at(counter)]
    }

    fn longest(&self) -> Remaining {
        Remaining::events(self.capabilities.width.longest())
    }
}

/// Checks that the first counter's control keeps an event that is written to it. It counts in no mode meanwhile.
fn check_control<R>(registers: &R, capabilities: &Capabilities) -> Result<()>
where
    R: Registers<Address = Cp0, Index = Cp0>,
{
    let Some(at) = capabilities.counters.into_iter().next().map(Cp0::control_of) else { return Ok(()) };
    let writable = u64::from(PerfCtl::READ_ONLY.complement().bits());
    let trial = u64::from(PerfCtl::of_event(5).bits());
    check_kept(registers, at, at.number().into(), [trial, registers.read(at) & writable, writable])
}

/// Calls `each` for every counter of a set. Processors before MIPS32 have no instruction that finds a set's lowest bit.
#[inline(always)]
fn for_each(counters: CounterSet, each: impl FnMut(CounterId)) {
    let from = |counter: &CounterId| counters.bits() as usize >> counter.number();
    let all = (0..Cp0::COUNTERS).filter_map(CounterId::new);
    all.take_while(|counter| from(counter) != 0).filter(|counter| from(counter) & 1 != 0).for_each(each);
}

impl<R: Registers<Address = Cp0, Index = Cp0>> Plan for Mipsxx<R> {
    type Registers = R;
    type Demand = Demand;
    type Program = ();
    type Occupancy = CounterSet;
    type Handle = Cp0;

    const NO_PROGRAM: () = ();

    #[inline(always)]
    fn registers(&self) -> &R {
        &self.registers
    }

    fn description(&self) -> Description {
        let model = self.capabilities.model;
        let mut description = Description::new(model.name(), model.manual(), self.capabilities.width);
        description.general = self.capabilities.counters;
        description.overflow = Overflow::Interrupt;
        description
    }

    fn catalogue(&self) -> &'static Catalogue {
        self.capabilities.model.catalogue()
    }

    fn native(&self, generic: Generic) -> Result<Event, Refusal> {
        events::native(self.capabilities.model, generic)
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
        let free = self.capabilities.counters.without(*beside);
        place_each(free, new, steps, out, |demand| demand.counters, Demand::control)
    }

    /// User programs cannot read a counter: coprocessor 0 is the kernel's.
    #[inline(always)]
    fn counter(&self, slot: &Slot) -> Counter<Cp0> {
        let handle = self.counter_at(slot.counter);
        Counter { handle, width: self.capabilities.width, longest: self.longest(), user_index: None }
    }
}

impl<R: Registers<Address = Cp0, Index = Cp0>> Counters for Mipsxx<R> {
    type Image = Image;

    const WRAPS: bool = false;

    #[inline(always)]
    fn run(&self, image: &Image, exactly: CounterSet) {
        image.run(exactly, |stopped, started| {
            for_each(stopped.or(started), |counter| {
                let control = if started.contains(counter) { image.selection(counter) } else { 0 };
                self.registers.write(Cp0::control_of(counter), control);
            });
        });
    }

    #[inline(always)]
    fn read(&self, counter: Cp0) -> u64 {
        self.registers.read_counter(counter)
    }

    #[inline(always)]
    fn preset(&self, _: &Image, counter: CounterId, remaining: Remaining) -> Remaining {
        let actual = remaining.min(self.longest());
        self.registers.write(self.counter_at(counter), self.capabilities.width.start(actual));
        actual
    }

    /// The timer of Count and Compare has the same line on most processors.
    #[inline(always)]
    fn is_interrupting(&self, image: &Image) -> bool {
        let mut is_past = false;
        self.overflowed(image, image.running(), |_, _| is_past = true);
        is_past
    }

    #[inline(always)]
    fn overflowed(&self, _: &Image, among: CounterSet, mut found: impl FnMut(CounterId, i64)) {
        for_each(among, |counter| {
            if let Some(past) = self.capabilities.width.past(self.read(self.counter_at(counter))) {
                found(counter, past.cast_signed());
            }
        });
    }

    /// Does nothing: a counter has overflowed until it is preset, and no other register says so.
    #[inline(always)]
    fn acknowledge(&self, _: &Image, _: CounterSet) {}

    /// Does nothing: the line is never masked.
    #[inline(always)]
    fn rearm(&self) {}

    /// The line is a level that nothing latches, and it falls with its cause.
    #[inline(always)]
    fn late(&self) -> Late {
        Late::Never
    }
}

impl<R: Registers<Address = Cp0, Index = Cp0>> Control for Mipsxx<R> {
    type Saved = Saved<4>;

    const NOTHING_SAVED: Saved<4> = Saved::nothing();

    /// Only notes the controls: a start writes them.
    #[inline(always)]
    fn load(&self, image: &Image, (): &(), slots: &[Slot]) {
        slots.iter().for_each(|slot| _ = image.take(slot));
    }

    #[inline(always)]
    fn release(&self, image: &Image, counters: CounterSet) {
        image.release(counters);
    }

    /// No counter runs. A run writes the controls of those that do not run yet.
    fn reload(&self, image: &Image) {
        image.set_running(CounterSet::EMPTY);
    }

    fn save(&self, into: &Saved<4>) {
        into.save(&self.registers, self.capabilities.counters, |counter| self.pair(counter));
    }

    fn restore(&self, from: &Saved<4>) {
        let writable = self.capabilities.writable().bits().into();
        from.restore(&self.registers, self.capabilities.counters, writable, |counter| self.pair(counter));
    }
}
