//! The driver of mcycle, minstret and mhpmcounter: [`Plan`], [`Counters`] and [`Control`].
//!
//! mcountinhibit, or scountinhibit to a supervisor, stops any number of counters at once, so a run is one write. Without it
//! the counters are stopped by selecting no event, and a run writes the selections that change.
//!
//! A counter that wraps sets OF in its selection, and makes the interrupt pending unless OF was set. Both stay until they
//! are cleared: OF by an acknowledgement, the pending bit by the handler while the unit is halted. What a stop has accounted
//! for leaves the bit pending, and comes as one late interrupt.
//!
//! T-Head's interrupt has no bit of its own to clear: it is pending while a bit of mcounterof is set. Andes' is pending while one
//! of mcounterovf is, and has a bit in mip which Linux clears besides (drivers/perf/riscv_pmu_sbi.c), as the driver does.

use super::capabilities::{Announced, Capabilities, FIXED_WIDTH};
use super::counters::{FIXED, from_register, to_register};
use super::encode::{Demand, encode};
use super::events;
use super::extensions::Extensions;
use super::interrupt::Interrupt;
use super::privilege::Privilege;
use super::program::Image;
use super::registers::{MASKS, PENDING, Select};
use super::saved::Saved;
use super::wide::Handle;
use crate::arch::riscv::Csr;
use crate::contract::{
    Control, Counter, Counters, Description, Image as _, Kind, Late, Lending, Overflow, Plan, Registers, Slot, Steps,
};
use crate::event::catalogue::Catalogue;
use crate::event::{
    Conflict, CounterId, CounterSet, Error, Event, Generic, Modes, Refusal, Remaining, Request, Result,
};
use crate::family::place_each;

/// The driver of one CPU's unit, over `R`.
#[derive(Debug)]
pub struct Hpm<R> {
    pub(super) registers: R,
    pub(super) capabilities: Capabilities,
    kind: Kind,
}

impl<R: Registers<Address = Csr, Index = Csr>> Hpm<R> {
    /// Creates the driver of a unit with these capabilities.
    pub fn new(registers: R, capabilities: Capabilities) -> Self {
        Self { registers, kind: kind(&capabilities), capabilities }
    }

    /// Detects the unit, of which the firmware's tables have announced this much, and creates its driver.
    ///
    /// # Errors
    /// Those of [`Capabilities::discover`]. The unit is not changed.
    pub fn detect(registers: R, privilege: Privilege, announced: &Announced) -> Result<Self> {
        let capabilities = Capabilities::discover(&registers, privilege, announced)?;
        Ok(Self::new(registers, capabilities))
    }

    /// Returns the capabilities of the unit.
    #[must_use]
    pub fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    /// Returns true if a register says what the counter counts. mcycle and minstret have one for their modes alone.
    #[inline(always)]
    pub(super) const fn has_select(&self, counter: CounterId) -> bool {
        !FIXED.contains(counter) || self.capabilities.extensions.contains(Extensions::SMCNTRPMF)
    }

    /// Writes what a counter counts, and in which modes. It does not run.
    #[inline(always)]
    pub(super) fn write_select(&self, counter: CounterId, select: u64) {
        if self.capabilities.masks() {
            self.write_masked(counter, Select::from_bits_retain(select));
        } else if self.has_select(counter) {
            self.capabilities.select(counter).write(&self.registers, select);
        }
    }

    /// Writes a selection whose modes are in registers of their own.
    #[inline(never)]
    fn write_masked(&self, counter: CounterId, select: Select) {
        for (mask, mode) in MASKS {
            let mask = if select.contains(mode) { mask.setting() } else { mask.clearing() };
            self.registers.write(mask, to_register(counter.only()));
        }
        if self.has_select(counter) {
            self.capabilities.select(counter).write(&self.registers, select.intersection(Select::EVENT).bits());
        }
    }

    /// Clears OF of a counter, which is in the upper half.
    #[inline(always)]
    fn clear_overflow(&self, image: &Image, counter: CounterId) {
        self.capabilities.select(counter).write_high(&self.registers, image.selection(counter));
    }

    /// Clears bits of mcounterof or mcounterovf. An overflow amid this would be lost with its bit, so nothing counts meanwhile.
    #[inline(never)]
    fn clear_overflows(&self, counters: CounterSet) {
        let Some(own) = self.capabilities.interrupt().own() else { return };
        let inhibit = self.capabilities.privilege.inhibit();
        let before = self.registers.read(inhibit);
        self.registers.write(inhibit, to_register(self.capabilities.counters));
        self.registers.write(own.overflowed.clearing(), to_register(counters));
        if self.capabilities.interrupt() == Interrupt::Andes && self.registers.read(own.overflowed) == 0 {
            self.withdraw(Interrupt::Andes);
        }
        self.registers.write(inhibit, before);
    }

    /// Makes exactly these counters count where nothing stops all at once.
    fn run_by_selects(&self, image: &Image, exactly: CounterSet) {
        image.run(exactly.and(self.capabilities.counters), |stopped, started| {
            stopped.into_iter().for_each(|counter| self.write_select(counter, 0));
            started.into_iter().for_each(|counter| self.write_select(counter, image.selection(counter)));
        });
    }

    /// Reads a counter while it is stopped. An interrupt amid this could stop one that would be started again.
    #[cold]
    fn read_stopped(&self, register: Handle) -> u64 {
        let inhibit = self.capabilities.privilege.inhibit();
        let masked = self.registers.mask();
        let before = self.registers.read(inhibit);
        self.registers.write(inhibit, before | register.bit());
        let value = register.read_counter(&self.registers);
        let running = from_register(!before & register.bit());
        running.without(FIXED).into_iter().for_each(|counter| self.notice_overflow(counter, value));
        self.registers.write(inhibit, before);
        self.registers.unmask(masked);
        value
    }

    /// Sets OF of a counter that is stopped and has wrapped, and makes the interrupt pending, unless OF is set: QEMU
    /// notices no overflow of the very instruction that stops the counter (QEMU 10.0, target/riscv/pmu.c,
    /// pmu_timer_trigger_irq).
    fn notice_overflow(&self, counter: CounterId, value: u64) {
        if !self.capabilities.interrupts() || self.capabilities.width.past(value).is_none() {
            return;
        }
        let select = self.capabilities.select(counter);
        let selected = Select::from_bits_retain(select.read(&self.registers));
        if !selected.contains(Select::OVERFLOWED) {
            select.write_high(&self.registers, (selected | Select::OVERFLOWED).bits());
            self.registers.write(self.capabilities.privilege.pending().setting(), PENDING);
        }
    }

    /// Writes a selection to a counter that is not loaded, and returns an error if the hardware has not kept it. One that it
    /// has kept stays, where mcountinhibit stops the counter; elsewhere 0 does.
    fn swallowed_by(&self, image: &Image, slot: &Slot) -> Option<Error> {
        let (counter, wrote) = (slot.counter, slot.bits);
        if image.counters().contains(counter) || !self.has_select(counter) || image.has_seen(slot) {
            return None;
        }
        self.write_select(counter, wrote);
        let read = self.capabilities.select(counter).read(&self.registers);
        let is_kept = (wrote ^ read) & self.capabilities.kept(counter).bits() == 0;
        if is_kept {
            image.see(slot);
        }
        match self.capabilities.can_inhibit() {
            true if is_kept => {}
            true => self.write_select(counter, image.selection(counter)),
            false => self.write_select(counter, 0),
        }
        let register = self.capabilities.privilege.select(counter).number().into();
        (!is_kept).then_some(Error::Swallowed { register, wrote, read })
    }

    /// Returns the counters that may have overflowed.
    #[inline(always)]
    fn status(&self) -> CounterSet {
        match self.capabilities.interrupt().own() {
            Some(own) => from_register(self.registers.read(own.overflowed)),
            None if self.capabilities.identifies() => from_register(self.registers.read(Csr::SCOUNTOVF)),
            None => CounterSet::ALL,
        }
    }
}

/// Returns the kind: the model, which determines the events. Placements also depend on the extensions, the mode, the counters,
/// their width, and what is hardwired.
fn kind(capabilities: &Capabilities) -> Kind {
    let &Capabilities { model, extensions, privilege, counters, width, .. } = capabilities;
    let events = (model as u64) << 32;
    let bits = events | u64::from(extensions.bits()) << 40 | (privilege as u64) << 48;
    let bits = bits | u64::from(width.bits()) << 50 | to_register(counters);
    Kind::new(events, bits ^ capabilities.hardwired.digest())
}

impl<R: Registers<Address = Csr, Index = Csr>> Plan for Hpm<R> {
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

    fn description(&self) -> Description {
        let Capabilities { model, counters, width, .. } = self.capabilities;
        let mut description = Description::new(model.name(), model.manual(), width);
        description.general = counters.without(FIXED);
        description.fixed = counters.and(FIXED);
        description.fixed_width = FIXED_WIDTH;
        let has_filters = self.capabilities.counters.into_iter().any(|counter| self.capabilities.filters(counter));
        description.modes = if has_filters { Modes::ALL } else { Modes::NONE };
        description.used_by_others = if self.capabilities.can_inhibit() { CounterSet::EMPTY } else { FIXED };
        description.overflow = match self.capabilities.interrupts() {
            true if self.capabilities.identifies() => Overflow::Identified,
            true => Overflow::Interrupt,
            false => Overflow::None,
        };
        description.lending = Lending::Each;
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
        encode(&self.capabilities, request)
    }

    #[inline(always)]
    fn place(&self, beside: &CounterSet, new: &[Demand], steps: Steps, out: &mut [Slot]) -> Result<(), Conflict> {
        let free = self.capabilities.counters.without(*beside);
        place_each(free, new, steps, out, |demand| demand.counters, Demand::select)
    }

    /// The index for user programs is the number of the register: they read cycle, instret and hpmcounter. Where
    /// registers have 32 bits they cannot, because that takes several reads.
    #[inline(always)]
    fn counter(&self, slot: &Slot) -> Counter<Handle> {
        let width = self.capabilities.width_of(slot.counter);
        let is_whole = !self.capabilities.extensions.contains(Extensions::RV32);
        let readable = is_whole && self.capabilities.can_lend();
        let user_index = readable.then(|| u32::from(slot.counter.number() & 31));
        Counter {
            handle: self.capabilities.fast_counter(slot.counter),
            width,
            longest: self.capabilities.model.longest(width),
            user_index,
        }
    }
}

impl<R: Registers<Address = Csr, Index = Csr>> Counters for Hpm<R> {
    type Image = Image;

    #[inline(always)]
    fn run(&self, image: &Image, exactly: CounterSet) {
        if self.capabilities.can_inhibit() {
            let idle = self.capabilities.counters.without(exactly);
            self.registers.write(self.capabilities.privilege.inhibit(), to_register(idle));
        } else {
            self.run_by_selects(image, exactly);
        }
    }

    #[inline(always)]
    fn read(&self, counter: Handle) -> u64 {
        counter.read_counting(&self.registers, |counter| self.read_stopped(counter))
    }

    #[inline(always)]
    fn preset(&self, _: &Image, counter: CounterId, remaining: Remaining) -> Remaining {
        let width = self.capabilities.width_of(counter);
        let actual = remaining.min(self.capabilities.model.longest(width));
        self.capabilities.counter(counter).write(&self.registers, width.start(actual));
        actual
    }

    /// OF is set without an overflow if a thread has preset the counter and not acknowledged it yet. It asserts nothing by
    /// itself, and the thread clears it before the counter runs.
    #[inline(always)]
    fn overflowed(&self, _: &Image, among: CounterSet, mut found: impl FnMut(CounterId, i64)) {
        for counter in self.status().and(among) {
            let width = self.capabilities.width_of(counter);
            if let Some(past) = width.past(self.read(self.capabilities.fast_counter(counter))) {
                found(counter, past.cast_signed());
            }
        }
    }

    #[inline(always)]
    fn acknowledge(&self, image: &Image, counters: CounterSet) {
        match self.capabilities.interrupt() {
            Interrupt::None => {}
            Interrupt::Sscofpmf => {
                counters.without(FIXED).into_iter().for_each(|counter| self.clear_overflow(image, counter));
            }
            Interrupt::Thead | Interrupt::Andes => self.clear_overflows(counters),
        }
    }

    /// Clears the pending interrupt. The unit is halted, and no overflow is left: a bit of mcounterof or
    /// mcounterovf is of a counter that nobody requested, and would interrupt for ever.
    #[inline(always)]
    fn rearm(&self) {
        match self.capabilities.interrupt() {
            Interrupt::None => {}
            Interrupt::Sscofpmf => self.withdraw(Interrupt::Sscofpmf),
            Interrupt::Thead => {
                self.registers.write(Csr::MCOUNTEROF.clearing(), to_register(self.capabilities.counters));
            }
            Interrupt::Andes => {
                self.registers.write(Csr::MCOUNTEROVF.clearing(), to_register(self.capabilities.counters));
                self.withdraw(Interrupt::Andes);
            }
        }
    }

    /// LCOFI's pending bit stays when a stop has accounted for its overflow: one interrupt, however many counters overflowed,
    /// and however long interrupts are off.
    #[inline(always)]
    fn late(&self) -> Late {
        match self.capabilities.interrupt() {
            Interrupt::Sscofpmf => Late::One { within: u64::MAX },
            Interrupt::None | Interrupt::Thead | Interrupt::Andes => Late::Never,
        }
    }
}

impl<R: Registers<Address = Csr, Index = Csr>> Control for Hpm<R> {
    type Saved = Saved;

    const NOTHING_SAVED: Saved = Saved::nothing();
    const MAY_SWALLOW: bool = true;

    /// Without mcountinhibit a selection is what starts a counter, and one that interrupts is not compared.
    fn swallowed(&self, image: &Image, slots: &[Slot]) -> Option<Error> {
        let is_harmless = self.capabilities.can_inhibit() || !self.capabilities.interrupts();
        slots.iter().filter(|_| is_harmless).find_map(|slot| self.swallowed_by(image, slot))
    }

    /// Writes the selections that have changed; without mcountinhibit a start writes them.
    #[inline(always)]
    fn load(&self, image: &Image, (): &(), slots: &[Slot]) {
        for slot in slots {
            if image.take(slot) && self.capabilities.can_inhibit() {
                self.write_select(slot.counter, slot.bits);
            }
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
