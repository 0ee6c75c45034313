//! The classic units in software: the performance monitors of 604 to 7450 as a guest's registers show them.

mod context;
mod counting;
mod discipline;
mod feed;
mod limits;
mod place;
mod problem;
mod state;

use core::cell::Cell;

use self::context::Context;
use self::limits::Limits;
use self::place::Place;
use self::state::State;
use super::spr::is_user;
use super::{Identity, Model};
use crate::arch::powerpc::device::unit_in_software;
use crate::arch::powerpc::{ProcessorState, Spr};
use crate::event::{CounterSet, Modes};
use crate::virt::{self, Decode, Delivery, Fault, Fingerprint, Line, Observed, Table, Trigger, Work};

/// PMC1 to PMC6.
const COUNTERS: usize = 6;

/// A classic unit in software, for one virtual processor.
///
/// A [`Device`] is created from an [`Identity`] and has that processor's counters, registers and bits:
///
/// | processor | counters | adds |
/// |---|---|---|
/// | 604 | 2 | SIA and SDA |
/// | 604e | 4 | MMCR1 |
/// | 750 | 4 | the copies that user programs read; there is no SDA, but it may be written |
/// | 7400 | 4 | MMCR2 |
/// | 7450 | 6 | |
///
/// A counter is negative while its top bit is set. If its condition is enabled (PMC1CE, PMCjCE), this ends
/// TRIGGER, freezes all counters (FCECE; on 604 to 750 only if it interrupts), and interrupts (PMXE): the unit
/// signals once, clears PMXE and captures the instruction's address in SIAR. The condition lasts as long as the
/// counter is negative: setting PMXE while a counter is negative interrupts at once.
///
/// Sources: "PowerPC 604 RISC Microprocessor User's Manual", section 2.1.2.3 and chapter 9, according to which ENINT
/// is cleared when the interrupt is signalled; "PowerPC 604e RISC Microprocessor User's Manual", chapter 9;
/// "IBM PowerPC 750GX and 750GL RISC Microprocessor User's Manual", section 2.1.2.5 and chapter 11;
/// "MPC7400 RISC Microprocessor User's Manual", chapter 11, whose sections 11.3.1.1 and 11.3.2.2 are the most
/// detailed; "MPC7450 RISC Microprocessor Family Reference Manual", chapter 11.
///
/// # What it does not model
///
/// Time base events (TBEE), thresholds, and the requests of the system by pins (SMCNTENABLE, SMINTENABLE).
/// A counter that depends on one of these counts nothing, and [`virt::Device::unfed`] reports it. The 750's
/// exceptions to DISCOUNT are not modelled either. The effects of [`Work`] follow when all of it is done: a host
/// that needs FCECE or TRIGGER to be exact advances at most by [`virt::Device::until_overflow`].
///
/// ```
/// use pmu::arch::powerpc::Spr;
/// use pmu::arch::powerpc::classic::{Device, Identity};
/// use pmu::virt::{Device as _, Kinds, Unconnected, Work};
/// use pmu::Mode;
///
/// let device = Device::new(&Identity::P750, Kinds::CLOCK, Unconnected);
/// device.try_write(Spr::CLASSIC_MMCR0, 1 << 30 | 2 << 6)?; // PMC1: instructions; not in supervisor state
/// device.advance(&Work::instructions(Mode::User, 1000));
/// device.advance(&Work::instructions(Mode::Kernel, 50));
/// assert_eq!(device.try_read(Spr::CLASSIC_PMCS[0]), Ok(1000));
/// # Ok::<(), pmu::virt::Fault>(())
/// ```
///
/// Its [`state`](crate::virt::Device::state) has these fields. `counters`: PMC1 to PMC6; `control`: MMCR0; `selects`:
/// MMCR1; `extension`: MMCR2; `instruction`: SIAR; `datum`: SDAR; `context`: the state of the processor that the host
/// has set; `ticks`: the cycles that were reported to the device.
pub struct Device<T> {
    fingerprint: Fingerprint,
    limits: Limits,
    table: Table,
    line: Line<T>,
    counters: [Cell<u64>; COUNTERS],
    control: Cell<u64>,
    selects: Cell<u64>,
    extension: Cell<u64>,
    instruction: Cell<u64>,
    datum: Cell<u64>,
    context: Cell<Context>,
    ticks: Cell<u64>,
}

impl<T: Trigger> Device<T> {
    /// Creates the unit of `identity` after a reset. The host reports work of the kinds `observed`, and
    /// `trigger` is the performance monitor interrupt (vector F00H), which cannot be withdrawn.
    #[must_use]
    pub fn new(identity: &Identity, observed: impl Into<Observed>, trigger: T) -> Self {
        Self {
            fingerprint: identity.fingerprint(),
            limits: Limits::of(&identity.capabilities()),
            table: Table::new(observed, Modes::ALL),
            line: Line::new(trigger, Delivery::Maskable),
            counters: Default::default(),
            control: Cell::new(0),
            selects: Cell::new(0),
            extension: Cell::new(0),
            instruction: Cell::new(0),
            datum: Cell::new(0),
            context: Cell::default(),
            ticks: Cell::new(0),
        }
    }

    /// Returns the interrupt.
    pub fn trigger(&self) -> &T {
        self.line.trigger()
    }

    /// Sets how overflows are delivered. The default is as ordinary interrupts.
    #[must_use]
    pub fn with_delivery(mut self, delivery: Delivery) -> Self {
        self.line.set_delivery(delivery);
        self
    }

    /// Resets the unit: every register is 0.
    pub fn reset(&self) {
        self.put(&State { context: self.context.get(), ticks: self.ticks.get(), ..State::default() });
    }

    /// Sets the state of the processor.
    pub fn set_processor(&self, state: ProcessorState) {
        self.context.set(state.into());
        self.table.touch(CounterSet::ALL);
    }

    /// Returns the cell of a register.
    #[inline(always)]
    fn cell(&self, place: Place) -> Option<&Cell<u64>> {
        match place {
            Place::Counter(number) => self.counters.get(number),
            Place::Control => Some(&self.control),
            Place::Selects => Some(&self.selects),
            Place::Extension => Some(&self.extension),
            Place::Instruction => Some(&self.instruction),
            Place::Datum => Some(&self.datum),
        }
    }

    /// Returns the register at an address, if the processor has it. Copies are included.
    #[inline(always)]
    fn place(&self, at: Spr) -> Result<Place, Fault> {
        let place = Place::of(at).filter(|&place| self.limits.bits(place).is_some()).ok_or(Fault::Absent)?;
        if is_user(at) && self.limits.model() < Model::P750 { Err(Fault::Absent) } else { Ok(place) }
    }

    #[inline(always)]
    fn read_register(&self, at: Spr) -> Result<u64, Fault> {
        let place = self.place(at)?;
        Ok(self.cell(place).map_or(0, Cell::get))
    }

    /// Writes the bits that a register has, and carries out the effects. No value is refused, but a write to a copy
    /// is, in every state ("MPC7400 RISC Microprocessor User's Manual", section 1.12).
    #[inline(always)]
    fn write_register(&self, at: Spr, value: u64) -> Result<(), Fault> {
        let place = self.place(at)?;
        if is_user(at) {
            return Err(Fault::ReadOnly);
        }
        let bits = self.limits.bits(place).unwrap_or_default();
        self.cell(place).into_iter().for_each(|cell| cell.set(value & bits));
        if !matches!(place, Place::Counter(_)) {
            self.table.touch(CounterSet::ALL);
        }
        self.rest(self.negative());
        Ok(())
    }

    fn contents(&self) -> State {
        State {
            counters: self.counters.each_ref().map(Cell::get),
            control: self.control.get(),
            selects: self.selects.get(),
            extension: self.extension.get(),
            instruction: self.instruction.get(),
            datum: self.datum.get(),
            context: self.context.get(),
            ticks: self.ticks.get(),
        }
    }

    fn put(&self, state: &State) {
        self.counters.iter().zip(state.counters).for_each(|(cell, value)| cell.set(value));
        self.control.set(state.control);
        self.selects.set(state.selects);
        self.extension.set(state.extension);
        self.instruction.set(state.instruction);
        self.datum.set(state.datum);
        self.context.set(state.context);
        self.ticks.set(state.ticks);
        self.table.touch(CounterSet::ALL);
    }
}

unit_in_software!(Device, Spr);
