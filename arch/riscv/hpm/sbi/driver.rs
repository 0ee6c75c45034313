//! The driver: [`Plan`], [`Counters`] and [`Control`] by calls to the firmware.
//!
//! A preset is a word here until its counter is started, which takes it along. So a counter whose preset waits has the value
//! of that word, whatever its register holds.
//!
//! The interrupt may come between the call that starts a counter and the word that says so. The handler stops every counter
//! that may run; of those whose preset waits it stops each by itself, and the firmware's answer says whether it ran: 0 if it
//! did, so that its register holds, and -8 if it did not, so that the preset does.

use super::asked::{COUNTERS, Capabilities, Line, call, csr};
use super::encode::{Demand, encode};
use super::events;
use super::program::{Image, place};
use super::saved::Saved;
use crate::arch::riscv::Csr;
use crate::arch::riscv::hpm::Interrupt;
use crate::arch::riscv::hpm::capabilities::Announced;
use crate::arch::riscv::hpm::wide;
use crate::arch::riscv::sbi::{Address, Call, SbiError};
use crate::contract::{
    Control, Counter, Counters, Description, Kind, Late, Lending, Overflow, Plan, Registers, Slot, Steps,
};
use crate::event::catalogue::Catalogue;
use crate::event::{
    Conflict, CounterId, CounterSet, Event, Generic, Modes, Refusal, Remaining, Request, Result, Width,
};
use crate::sync::{Cell, SharedSet};

/// The driver of one CPU's unit, over `R`.
#[derive(Debug)]
pub struct Sbi<R> {
    pub(super) registers: R,
    pub(super) capabilities: Capabilities,
    pub(super) digest: Cell,
    /// The counters that are still to be asked about, when nobody uses them.
    pub(super) busy: SharedSet,
    /// The values that counters start from, of those that are in `waiting`.
    pub(super) presets: [Cell; COUNTERS],
    /// The counters that start from a preset.
    pub(super) waiting: SharedSet,
    /// The counters that have an event of ours.
    pub(super) configured: SharedSet,
    /// Which of cycle and instret counted when a request took them.
    pub(super) found_running: SharedSet,
    /// What these held then, by their registers.
    pub(super) found: [Cell; 3],
    pub(super) refused: SharedSet,
}

/// A counter, and how it is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Handle {
    counter: CounterId,
    register: Option<wide::Handle>,
}

impl<R: Registers<Address = Address, Index = Csr>> Sbi<R> {
    /// Creates the driver of a unit with these capabilities.
    pub fn new(registers: R, capabilities: Capabilities) -> Self {
        let busy = SharedSet::empty();
        busy.include(capabilities.busy);
        Self {
            registers,
            busy,
            digest: Cell::new(capabilities.digest()),
            capabilities,
            presets: [const { Cell::new(0) }; COUNTERS],
            waiting: SharedSet::empty(),
            configured: SharedSet::empty(),
            found_running: SharedSet::empty(),
            found: [const { Cell::new(0) }; 3],
            refused: SharedSet::empty(),
        }
    }

    /// Detects the unit, and creates its driver. Of counters that are in use the firmware does not say what they can count: so
    /// a kernel detects a unit before it uses it, and creates further drivers of it from its [capabilities](Self::new). What an
    /// earlier kernel has left in use is taken and asked by the claim, which needs nothing else for it.
    ///
    /// `own` are codes of the processor's own events that the kernel is going to
    /// request (bit 63); the specification's are asked for in any case.
    ///
    /// # Errors
    /// Those of [`Capabilities::discover`].
    pub fn detect(registers: R, announced: &Announced, line: Line, own: &[u64]) -> Result<Self> {
        let capabilities = Capabilities::discover(&registers, announced, line, own)?;
        Ok(Self::new(registers, capabilities))
    }

    /// Returns the capabilities of the unit.
    #[must_use]
    pub fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    /// Returns the counters that the firmware has refused to configure, although it had agreed when it was asked. They do
    /// not count.
    #[must_use]
    pub fn refused(&self) -> CounterSet {
        self.refused.counters()
    }

    #[inline(always)]
    pub(super) fn call(&self, made: Call) -> Result<u64, SbiError> {
        call(&self.registers, made)
    }

    /// Stops counters. Those that are stopped already are told by -8, which is as well.
    #[inline(always)]
    fn stop(&self, counters: CounterSet) {
        let doubtful = counters.and(self.waiting.counters());
        if !doubtful.is_empty() {
            self.stop_doubtful(doubtful);
        }
        let others = counters.without(doubtful);
        if !others.is_empty() {
            let _ = self.call(Call::Stop(others));
        }
    }

    /// Stops counters that were about to be started: those that did run have taken their presets.
    #[cold]
    #[inline(never)]
    fn stop_doubtful(&self, counters: CounterSet) {
        for counter in counters {
            if self.call(Call::Stop(counter.only())).is_ok() {
                self.waiting.exclude(counter.only());
            }
        }
    }

    /// Starts counters, each from its preset, if it has one. Those that the handler has started meanwhile are told by -7: they
    /// have taken their presets then.
    #[inline(always)]
    fn start(&self, counters: CounterSet) {
        let mut left = counters.and(self.waiting.counters());
        let others = counters.without(left);
        if !others.is_empty() {
            let _ = self.call(Call::Start(others));
        }
        while let Some(counter) = left.lowest() {
            left = left.without(self.start_alike(counter, left));
        }
    }

    /// Starts those of `among` that have the same preset as `counter`. Returns them.
    #[inline(always)]
    fn start_alike(&self, counter: CounterId, among: CounterSet) -> CounterSet {
        let value = self.presets[counter.index()].get();
        let mut alike = counter.only();
        for other in among.without(alike) {
            alike = if self.presets[other.index()].get() == value { alike.or(other.only()) } else { alike };
        }
        let _ = self.call(Call::StartAt(alike, value));
        self.waiting.exclude(alike);
        alike
    }

    #[inline(always)]
    fn handle(&self, counter: CounterId) -> Handle {
        let is_register = self.capabilities.hardware.contains(counter);
        Handle { counter, register: is_register.then(|| self.register(counter)) }
    }

    /// Returns the register of one of the processor's counters.
    #[inline(always)]
    fn register(&self, counter: CounterId) -> wide::Handle {
        let form = wide::Form::of(self.capabilities.model, self.capabilities.extensions, true);
        wide::Handle::counting(csr(self.capabilities.register(counter)), form)
    }

    /// Reads a counter while it is stopped, and lets it go on if it ran. An interrupt amid this could end its period,
    /// and it would be started again; the software event still can.
    #[cold]
    fn read_stopped(&self, counter: CounterId, register: wide::Handle) -> u64 {
        let masked = self.registers.mask();
        let ran = self.call(Call::Stop(counter.only())).is_ok();
        let value = register.read_counter(&self.registers);
        if ran {
            let _ = self.call(Call::Start(counter.only()));
        }
        self.registers.unmask(masked);
        value
    }

    /// Returns the value of one of the firmware's counters. Where registers have 32 bits, the upper half is read again if it
    /// has changed.
    #[cold]
    fn read_firmware(&self, counter: CounterId) -> u64 {
        let read = |at| self.call(at).unwrap_or(0);
        if !self.capabilities.in_halves() {
            return read(Call::Read(counter));
        }
        let (before, low, high) =
            (read(Call::ReadHigh(counter)), read(Call::Read(counter)), read(Call::ReadHigh(counter)));
        let low = if before == high { low } else { read(Call::Read(counter)) };
        high << 32 | low & 0xFFFF_FFFF
    }

    /// Clears the pending interrupt. The software event has none that is ours to clear.
    #[inline(always)]
    pub(super) fn withdraw(&self) {
        if self.capabilities.line == Line::Local {
            let interrupt = self.capabilities.interrupt();
            self.registers.write(Address::Csr(interrupt.in_supervisor().pending.clearing()), interrupt.bit());
        }
    }
}

impl<R: Registers<Address = Address, Index = Csr>> Plan for Sbi<R> {
    type Registers = R;
    type Demand = Demand;
    type Program = ();
    type Occupancy = CounterSet;
    type Handle = Handle;

    const NO_PROGRAM: () = ();

    #[inline(always)]
    fn registers(&self) -> &R {
        &self.registers
    }

    /// The firmware's counters are among the fixed ones, as they are as wide.
    fn description(&self) -> Description {
        let unit = &self.capabilities;
        let fixed: CounterSet = unit.hardware.into_iter().filter(|&counter| unit.is_fixed(counter)).collect();
        let general = unit.hardware.without(fixed);
        let width = general
            .lowest()
            .map_or(Width::wrapping(64).unwrap_or(unit.width(CounterId::ZERO)), |counter| unit.width(counter));
        let manual = "RISC-V Supervisor Binary Interface Specification, \"Performance Monitoring Unit Extension\"";
        let mut description = Description::new("RISC-V by its firmware", manual, width);
        description.general = general;
        description.fixed = fixed.or(unit.firmware);
        description.fixed_width = Width::wrapping(64).unwrap_or(width);
        let has_filters = unit.hardware.into_iter().any(|counter| unit.filters(counter));
        description.modes = if has_filters { Modes::ALL } else { Modes::NONE };
        description.overflow = if unit.interrupts() { Overflow::Interrupt } else { Overflow::None };
        description.lending = Lending::Each;
        description
    }

    fn catalogue(&self) -> &'static Catalogue {
        Catalogue::RISCV_SBI
    }

    fn native(&self, generic: Generic) -> Result<Event, Refusal> {
        events::of_generic(generic).map(Event::raw).ok_or(Refusal::UnknownEvent)
    }

    #[inline(always)]
    fn kind(&self) -> Kind {
        Kind::new(self.capabilities.model as u64, self.digest.get())
    }

    #[inline(always)]
    fn encode(&self, request: &Request) -> Result<Demand, Refusal> {
        encode(&self.capabilities, request)
    }

    #[inline(always)]
    fn place(&self, beside: &CounterSet, new: &[Demand], steps: Steps, out: &mut [Slot]) -> Result<(), Conflict> {
        place(self.capabilities.counters().without(*beside), new, steps, out)
    }

    /// User programs read cycle, instret and hpmcounter, where registers have 64 bits.
    #[inline(always)]
    fn counter(&self, slot: &Slot) -> Counter<Handle> {
        let unit = &self.capabilities;
        let width = unit.width(slot.counter);
        let readable = unit.hardware.contains(slot.counter) && !unit.in_halves();
        let user_index = readable.then(|| unit.register(slot.counter).into());
        Counter {
            handle: self.handle(slot.counter),
            width,
            longest: self.capabilities.model.longest(width),
            user_index,
        }
    }
}

impl<R: Registers<Address = Address, Index = Csr>> Counters for Sbi<R> {
    type Image = Image;

    #[inline(always)]
    fn run(&self, image: &Image, exactly: CounterSet) {
        image.run(exactly.and(self.capabilities.counters()), |stopped, started| {
            self.stop(stopped);
            self.start(started);
        });
    }

    #[inline(always)]
    fn read(&self, handle: Handle) -> u64 {
        let Handle { counter, register } = handle;
        if self.waiting.counters().contains(counter) {
            return self.presets[counter.index()].get();
        }
        match register {
            Some(register) => register.read_counting(&self.registers, |register| self.read_stopped(counter, register)),
            None => self.read_firmware(counter),
        }
    }

    #[inline(always)]
    fn preset(&self, _: &Image, counter: CounterId, remaining: Remaining) -> Remaining {
        let width = self.capabilities.width(counter);
        let actual = remaining.min(self.capabilities.model.longest(width));
        self.presets[counter.index()].set(width.start(actual));
        self.waiting.include(counter.only());
        actual
    }

    /// The counters' values say it. scountovf would not show every overflow: to a guest it shows none of a unit in software,
    /// because the hypervisor cannot trap the read ("Sscofpmf", "Supervisor Count Overflow"), and in QEMU none of the very
    /// instruction that stops the counter. A counter whose preset waits has not run.
    ///
    /// The firmware clears OF when it starts a counter, so one that is set without an overflow holds no interrupt back.
    #[inline(always)]
    fn overflowed(&self, _: &Image, among: CounterSet, mut found: impl FnMut(CounterId, i64)) {
        for counter in among.and(self.capabilities.hardware).without(self.waiting.counters()) {
            let value = self.register(counter).read_counter(&self.registers);
            if let Some(past) = self.capabilities.width(counter).past(value) {
                found(counter, past.cast_signed());
            }
        }
    }

    /// Nothing: the firmware clears OF when it starts a counter.
    #[inline(always)]
    fn acknowledge(&self, _: &Image, _: CounterSet) {}

    /// Clears the pending interrupt. The unit is halted, and no overflow is left.
    #[inline(always)]
    fn rearm(&self) {
        if self.capabilities.interrupts() {
            self.withdraw();
        }
    }

    /// LCOFI and the software event stay pending: see [`Hpm`](crate::arch::riscv::hpm::Hpm). So may Andes' interrupt, whose
    /// bit in slip is written to be cleared. T-Head's is pending while its counter may interrupt, which a stop ends.
    #[inline(always)]
    fn late(&self) -> Late {
        match (self.capabilities.interrupt(), self.capabilities.line) {
            (Interrupt::None, _) | (Interrupt::Thead, Line::Local) => Late::Never,
            _ => Late::One { within: u64::MAX },
        }
    }
}

impl<R: Registers<Address = Address, Index = Csr>> Control for Sbi<R> {
    type Saved = Saved;

    const NOTHING_SAVED: Saved = Saved::nothing();

    /// A counter that is given an event waits for its start to give it a value.
    const RESTLESS: CounterSet = CounterSet::ALL;

    /// Configures the counters that get another event.
    #[inline(always)]
    fn load(&self, image: &Image, (): &(), slots: &[Slot]) {
        for slot in slots {
            if image.selection(slot.counter) != slot.bits {
                self.configure(image, slot.counter, slot.bits);
            }
            image.occupy(slot.counter);
        }
    }

    #[inline(always)]
    fn release(&self, image: &Image, counters: CounterSet) {
        image.release(counters);
    }

    fn reload(&self, image: &Image) {
        self.reload_from(image);
    }

    fn save(&self, into: &Saved) {
        self.save_registers(into);
    }

    fn restore(&self, from: &Saved) {
        self.restore_registers(from);
    }

    fn lend(&self, _: &Image, counters: CounterSet) {
        self.lend_only(counters);
    }
}
