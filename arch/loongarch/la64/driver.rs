//! The driver of PMCFG and PMCNT: [`Plan`], [`Counters`] and [`Control`].
//!
//! Each counter has a configuration of its own and nothing stops all at once, so [`Counters::run`] writes the configurations
//! that change. That of a counter that does not run is 0: it counts at no level and does not interrupt.
//!
//! A start is one write a counter. A switch of two threads that count on all four counters is 12 accesses: 4 configurations
//! off, 4 counters read, 4 configurations on. The counters are not written: each thread goes on from what a counter holds. They
//! must rest while they pass from one thread to the other, or one thread's count would have the other's events, so no
//! configuration can be left on.
//!
//! A counter has overflowed while its top bit is set; there is no status bit. It interrupts while that bit and PMIEn are
//! set, and counts on. [`Counters::preset`] and a stop withdraw the interrupt.

use super::capabilities::Capabilities;
use super::encode::Demand;
use super::registers::Pmcfg;
use super::{encode, events};
use crate::arch::loongarch::Register;
use crate::contract::{Control, Counter, Counters, Description, Kind, Late, Overflow, Plan, Registers, Slot, Steps};
use crate::event::catalogue::Catalogue;
use crate::event::{Conflict, CounterId, CounterSet, Event, Generic, Refusal, Remaining, Request, Result};
use crate::family::{Saved, Selections, check_kept, place_each};

/// The configurations of the counters that run. That of any other counter is 0.
type Image = Selections<4>;

/// The driver of one CPU's unit, over `R`.
#[derive(Debug)]
pub struct La64<R> {
    registers: R,
    capabilities: Capabilities,
    kind: Kind,
}

impl<R: Registers<Address = Register, Index = Register>> La64<R> {
    /// Creates the driver of a unit with these capabilities.
    pub fn new(registers: R, capabilities: Capabilities) -> Self {
        Self { registers, kind: capabilities.kind(), capabilities }
    }

    /// Detects the unit by CPUCFG, and creates its driver.
    ///
    /// # Errors
    /// Returns [`NoUnit`](crate::Error::NoUnit) or [`Swallowed`](crate::Error::Swallowed). The unit is not changed.
    pub fn detect(registers: R) -> Result<Self> {
        let capabilities = Capabilities::discover(&registers)?;
        check_control(&registers)?;
        Ok(Self::new(registers, capabilities))
    }

    /// Returns the capabilities of the unit.
    #[must_use]
    pub fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    fn longest(&self) -> Remaining {
        Remaining::events(self.capabilities.width.longest())
    }
}

/// Checks that the first counter's configuration keeps an event that is written to it. It counts at no level meanwhile.
fn check_control<R: Registers<Address = Register, Index = Register>>(registers: &R) -> Result<()> {
    let at = Register::control_of(CounterId::ZERO);
    let writable = Capabilities::WRITABLE.bits();
    let trial = Pmcfg::of_event(5).bits();
    check_kept(registers, at, at.number().into(), [trial, registers.read(at), writable])
}

impl<R: Registers<Address = Register, Index = Register>> Plan for La64<R> {
    type Registers = R;
    type Demand = Demand;
    type Program = ();
    type Occupancy = CounterSet;
    type Handle = Register;

    const NO_PROGRAM: () = ();

    #[inline(always)]
    fn registers(&self) -> &R {
        &self.registers
    }

    fn description(&self) -> Description {
        let Capabilities { version, counters, width, .. } = self.capabilities;
        let mut description = Description::new(self.capabilities.name(), "LoongArch Reference Manual, volume 1", width);
        description.version = version;
        description.general = counters;
        description.overflow = Overflow::Interrupt;
        description
    }

    fn catalogue(&self) -> &'static Catalogue {
        Catalogue::LA64
    }

    fn native(&self, generic: Generic) -> Result<Event, Refusal> {
        events::native(generic)
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
        place_each(free, new, steps, out, |demand| demand.counters, |demand, _| demand.control)
    }

    /// User programs cannot read a counter: MISC\[RPCNTL3\], which lets them, is no register of the unit.
    #[inline(always)]
    fn counter(&self, slot: &Slot) -> Counter<Register> {
        let handle = Register::counter_of(slot.counter);
        Counter { handle, width: self.capabilities.width, longest: self.longest(), user_index: None }
    }
}

impl<R: Registers<Address = Register, Index = Register>> Counters for La64<R> {
    type Image = Image;

    const WRAPS: bool = false;

    #[inline(always)]
    fn run(&self, image: &Image, exactly: CounterSet) {
        image.run(exactly, |stopped, started| {
            for counter in stopped.or(started) {
                let control = if started.contains(counter) { image.selection(counter) } else { 0 };
                self.registers.write(Register::control_of(counter), control);
            }
        });
    }

    #[inline(always)]
    fn read(&self, counter: Register) -> u64 {
        self.registers.read_counter(counter)
    }

    #[inline(always)]
    fn preset(&self, _: &Image, counter: CounterId, remaining: Remaining) -> Remaining {
        let actual = remaining.min(self.longest());
        self.registers.write(Register::counter_of(counter), self.capabilities.width.start(actual));
        actual
    }

    #[inline(always)]
    fn overflowed(&self, _: &Image, among: CounterSet, mut found: impl FnMut(CounterId, i64)) {
        for counter in among {
            if let Some(past) = self.capabilities.width.past(self.read(Register::counter_of(counter))) {
                found(counter, past.cast_signed());
            }
        }
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

impl<R: Registers<Address = Register, Index = Register>> Control for La64<R> {
    type Saved = Saved<4>;

    const NOTHING_SAVED: Saved<4> = Saved::nothing();

    /// Only notes the configurations: a start writes them.
    #[inline(always)]
    fn load(&self, image: &Image, (): &(), slots: &[Slot]) {
        slots.iter().for_each(|slot| _ = image.take(slot));
    }

    #[inline(always)]
    fn release(&self, image: &Image, counters: CounterSet) {
        image.release(counters);
    }

    /// No counter runs. A run writes the configurations of those that do not run yet.
    fn reload(&self, image: &Image) {
        image.set_running(CounterSet::EMPTY);
    }

    fn save(&self, into: &Saved<4>) {
        into.save(&self.registers, self.capabilities.counters, pair);
    }

    fn restore(&self, from: &Saved<4>) {
        from.restore(&self.registers, self.capabilities.counters, u64::MAX, pair);
    }
}

/// Returns the registers of a counter: its configuration, and the counter.
fn pair(counter: CounterId) -> [Register; 2] {
    [Register::control_of(counter), Register::counter_of(counter)]
}
