//! The driver of PMUv3 to PMUv3p9.
//!
//! PMCR_EL0.E stays set while the unit is claimed. PMCNTENSET_EL0 and PMCNTENCLR_EL0 start and stop
//! any number of counters at once. [`access`](crate::arch::aarch64) synchronises before and after a write to PMCNTENSET_EL0,
//! and after one to PMCNTENCLR_EL0. So selections and presets have taken effect when a counter starts, and a counter has
//! stopped when the next instruction executes.
//!
//! Every counter interrupts on overflow, also one that only counts, to extend its count to 64
//! bits. The request is a level: it is asserted while PMOVSSET_EL0 and PMINTENSET_EL1 have a bit
//! in common, until the overflow is acknowledged (D13.3.1, "Generating overflow interrupt
//! requests").

use super::capabilities::Capabilities;
use super::encode::{Demand, Encoder, levels};
use super::events;
use super::handle::Handle;
use super::kind::kind;
use super::program::{Image, place};
use super::registers::Select;
use super::saved::Saved;
use super::share::Share;
use super::widths::{WIDE, Widths};
use crate::arch::aarch64::{SystemRegister, SystemRegisters};
use crate::contract::{Control, Counter, Counters, Description, Kind, Late, Lending, Overflow, Plan, Slot, Steps};
use crate::event::catalogue::Catalogue;
use crate::event::{Conflict, CounterId, CounterSet, Event, Generic, Refusal, Remaining, Request, Result};
use crate::family::check_kept;

/// How long an interrupt may come after a stop has accounted for its overflow, in ticks of the system counter. The
/// counter has 1 to 50 million ticks a second, and a thousand million from Armv8.6 on (D12.1.2), so this is 16
/// microseconds to 16 milliseconds. It is an estimate, and was not measured on silicon.
const LATE: u64 = 1 << 14;

/// The driver of one CPU's unit, over `R`.
#[derive(Debug)]
pub struct Pmuv3<R> {
    pub(super) registers: R,
    pub(super) capabilities: Capabilities,
    pub(super) share: Share,
    /// The counters that the driver uses.
    pub(super) own: CounterSet,
    kind: Kind,
    encoder: Encoder,
    pub(super) widths: Widths,
}

impl<R: SystemRegisters> Pmuv3<R> {
    /// Creates the driver of a unit with these capabilities, or of a share of it.
    pub fn new(registers: R, capabilities: Capabilities, share: Share) -> Self {
        let own = share.counters(&capabilities);
        let (kind, encoder, widths) =
            (kind(&capabilities, share), Encoder::of(&capabilities, own), Widths::of(&capabilities));
        Self { registers, capabilities, share, own, kind, encoder, widths }
    }

    /// Creates the driver of the unit that the ID registers announce, after checking that a register keeps what is
    /// written to it.
    ///
    /// # Errors
    /// Returns [`NoUnit`](crate::Error::NoUnit), [`UnknownProcessor`](crate::Error::UnknownProcessor) or
    /// [`Swallowed`](crate::Error::Swallowed). The unit is not changed.
    pub fn detect(registers: R) -> Result<Self> {
        let capabilities = Capabilities::discover(&registers)?;
        let first = capabilities.counters().lowest().map_or(SystemRegister::CYCLE_FILTER, SystemRegister::any_select);
        check_filter(&registers, first)?;
        Ok(Self::new(registers, capabilities, Share::WHOLE))
    }

    /// Returns what the processor announces of its unit.
    #[must_use]
    pub fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    /// Returns which of the counters the driver uses.
    #[must_use]
    pub fn share(&self) -> Share {
        self.share
    }

    /// Adds 1 to each of these counters that counts SW_INCR, event 0.
    #[inline(always)]
    pub fn increment(&self, counters: CounterSet) {
        self.registers.write(SystemRegister::SOFTWARE_INCREMENT, counters.and(self.own).bits());
    }
}

/// Checks that a selection register keeps what is written to it. Some emulators announce a unit and ignore every
/// write.
fn check_filter<R: SystemRegisters>(registers: &R, at: SystemRegister) -> Result<()> {
    let before = registers.read(at);
    let trial = before ^ (Select::NOT_USER | Select::NOT_KERNEL).bits();
    check_kept(registers, at, at.number().into(), [trial, before, u64::MAX])
}

impl<R: SystemRegisters> Plan for Pmuv3<R> {
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
        let manual = "Arm ARM (DDI 0487), chapter \"The Performance Monitors Extension\"";
        let events = CounterSet::first(self.capabilities.event_counters).and(self.own);
        let width = self.widths.width(CounterId::ZERO);
        let mut description = Description::new("Arm PMUv3", manual, width);
        description.version = self.capabilities.version;
        description.general = events;
        description.fixed = self.own.without(events);
        description.fixed_width = WIDE;
        description.modes = levels(&self.capabilities);
        description.flags = self.encoder.flags();
        description.overflow = Overflow::Identified;
        description.lending = if self.capabilities.has_user_access() { Lending::Each } else { Lending::Together };
        description
    }

    fn catalogue(&self) -> &'static Catalogue {
        self.capabilities.catalogue()
    }

    fn native(&self, generic: Generic) -> Result<Event, Refusal> {
        events::native(&self.capabilities, generic)
    }

    #[inline(always)]
    fn kind(&self) -> Kind {
        self.kind
    }

    #[inline(always)]
    fn encode(&self, request: &Request) -> Result<Demand, Refusal> {
        self.encoder.encode(&self.capabilities, &self.widths, request)
    }

    #[inline(always)]
    fn place(&self, beside: &CounterSet, new: &[Demand], steps: Steps, out: &mut [Slot]) -> Result<(), Conflict> {
        place(self.own.without(*beside), new, steps, out)
    }

    /// User programs cannot read a pair, which takes two reads, or a counter of a hypervisor's share.
    #[inline(always)]
    fn counter(&self, slot: &Slot) -> Counter<Handle> {
        let handle = Handle::new(slot.counter, slot.partner.is_some());
        let width = self.width(handle);
        let readable = if self.share.is_whole() { handle.single() } else { None };
        Counter {
            handle,
            width,
            longest: Remaining::events(width.longest()),
            user_index: readable.map(|index| index.number().into()),
        }
    }
}

impl<R: SystemRegisters> Counters for Pmuv3<R> {
    type Image = Image;

    /// An empty set stops every counter of the driver, also those that a guest's image has started.
    #[inline(always)]
    fn run(&self, image: &Image, exactly: CounterSet) {
        let (before, enabled) = (image.running.counters(), image.both(exactly));
        image.running.set(before.or(enabled).bits());
        let stopped = if enabled.is_empty() { self.own } else { before.without(enabled) };
        if !stopped.is_empty() {
            self.registers.write(SystemRegister::ENABLE_CLEAR, stopped.bits());
        }
        let started = enabled.without(before);
        if !started.is_empty() {
            self.registers.write(SystemRegister::ENABLE_SET, started.bits());
        }
        image.running.set(enabled.bits());
    }

    #[inline(always)]
    fn read(&self, counter: Handle) -> u64 {
        match counter.single() {
            Some(single) => self.registers.read_counter(single),
            None => self.read_pair(counter.upper()),
        }
    }

    #[inline(always)]
    fn preset(&self, image: &Image, counter: CounterId, remaining: Remaining) -> Remaining {
        let handle = image.handle(counter);
        let width = self.width(handle);
        let actual = remaining.min(Remaining::events(width.longest()));
        match handle.single() {
            Some(single) => self.registers.write(single.register(), width.start(actual)),
            None => self.write_pair(counter, width.start(actual)),
        }
        actual
    }

    /// A status bit is set without an overflow if a thread has preset the counter and not acknowledged it
    /// yet. It is cleared, because the request is a level and would interrupt for ever. The lower halves of pairs
    /// do not interrupt.
    #[inline(always)]
    fn overflowed(&self, image: &Image, among: CounterSet, mut found: impl FnMut(CounterId, i64)) {
        let status = CounterSet::from_bits(self.registers.read(SystemRegister::OVERFLOW_SET));
        let mut stale = CounterSet::EMPTY;
        for counter in status.and(among).without(image.lower_halves()) {
            match self.past(image.handle(counter)) {
                Some(past) => found(counter, past),
                None => stale = stale.or(counter.only()),
            }
        }
        if !stale.is_empty() {
            self.registers.write(SystemRegister::OVERFLOW_CLEAR, stale.bits());
        }
    }

    #[inline(always)]
    fn acknowledge(&self, _: &Image, counters: CounterSet) {
        self.registers.write(SystemRegister::OVERFLOW_CLEAR, counters.bits());
    }

    /// Does nothing: the line does not mask itself.
    #[inline(always)]
    fn rearm(&self) {}

    /// An acknowledgement withdraws the request. An interrupt that the controller has already delivered, or recorded
    /// as an edge, still comes: one, however many counters overflowed.
    #[inline(always)]
    fn late(&self) -> Late {
        Late::One { within: LATE }
    }
}

impl<R: SystemRegisters> Control for Pmuv3<R> {
    type Saved = Saved;

    const NOTHING_SAVED: Saved = Saved::nothing();

    /// The selections take effect before the counters run, because a write to PMCNTENSET_EL0 synchronises first.
    #[inline(always)]
    fn load(&self, image: &Image, (): &(), slots: &[Slot]) {
        for slot in slots {
            self.load_slot(image, slot);
        }
    }

    #[inline(always)]
    fn release(&self, image: &Image, counters: CounterSet) {
        self.free(image, counters);
    }

    fn reload(&self, image: &Image) {
        self.set_up(image);
    }

    fn save(&self, into: &Saved) {
        self.save_state(into);
    }

    fn restore(&self, from: &Saved) {
        self.disable_all();
        self.restore_registers(from);
    }

    /// Does nothing beside guests, which own the register that opens counters.
    fn lend(&self, _: &Image, counters: CounterSet) {
        if !self.share.is_whole() {
            return;
        }
        if counters.is_empty() { self.close_user_reads() } else { self.open_to_users(counters) }
    }
}
