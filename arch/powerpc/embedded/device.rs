//! The embedded cores' unit in software: the performance monitor registers of e300 and e500 as a guest's
//! MFPMR and MTPMR show them.

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
use super::{Identity, Pmgc0};
use crate::arch::powerpc::device::unit_in_software;
use crate::arch::powerpc::{Pmr, ProcessorState};
use crate::event::{CounterSet, Modes};
use crate::virt::{self, Decode, Delivery, Fault, Fingerprint, Line, Observed, Table, Trigger, Work};

const COUNTERS: usize = Pmr::COUNTERS as usize;

/// An embedded core's unit in software, for one virtual processor.
///
/// A [`Device`] is created from an [`Identity`] and has that core's registers and bits: e300 has no PMLCb,
/// e500v1 no time base events, and e500mc an eighth bit of the event and two more freezes.
///
/// A counter has overflowed while its top bit is set. If its condition is enabled (PMLCan\[CE\]), this
/// freezes all counters (PMGC0\[FCECE\] sets FAC), and interrupts while PMGC0\[PMIE\] is set. The condition
/// lasts as long as the top bit is set: an interrupt is lost if its cause is gone before MSR\[EE\] admits it. The
/// processor clears PMIE when it takes the interrupt, which the host reports by [`Device::interrupted`].
///
/// Sources: "PowerPC e500 Core Family Reference Manual", sections 7.2.1 to 7.2.8; "e300 Power Architecture
/// Core Family Reference Manual", chapter "Performance Monitor"; "e500mc Core Reference Manual", chapter
/// "Performance Monitor Facility", for its freezes by guest state.
///
/// # What it does not model
///
/// Time base events (TBEE), thresholds, and events that are overflows of other counters. A counter that
/// depends on one of these counts nothing, and [`virt::Device::unfed`] reports it. The effects of [`Work`] follow
/// when all of it is done: a host that needs FCECE to be exact advances at most by
/// [`virt::Device::until_overflow`].
///
/// ```
/// use pmu::arch::powerpc::Pmr;
/// use pmu::arch::powerpc::embedded::{Device, Identity};
/// use pmu::virt::{Device as _, Kinds, Unconnected, Work};
/// use pmu::Mode;
///
/// let device = Device::new(&Identity::E500_V2, Kinds::CLOCK, Unconnected);
/// device.try_write(Pmr::local(1).unwrap(), 1 << 30 | 2 << 16)?; // instructions; not in supervisor state
/// device.advance(&Work::instructions(Mode::User, 1000));
/// device.advance(&Work::instructions(Mode::Kernel, 50));
/// assert_eq!(device.try_read(Pmr::counter(1).unwrap()), Ok(1000));
/// # Ok::<(), pmu::virt::Fault>(())
/// ```
///
/// Its [`state`](crate::virt::Device::state) has these fields. `counters`: PMC0 to PMC3; `locals`: PMLCa0 to PMLCa3;
/// `thresholds`: PMLCb0 to PMLCb3; `global`: PMGC0; `context`: the state of the processor that the host has set;
/// `ticks`: the cycles that were reported to the device.
pub struct Device<T> {
    fingerprint: Fingerprint,
    limits: Limits,
    table: Table,
    line: Line<T>,
    counters: [Cell<u64>; COUNTERS],
    locals: [Cell<u64>; COUNTERS],
    thresholds: [Cell<u64>; COUNTERS],
    global: Cell<u64>,
    context: Cell<Context>,
    ticks: Cell<u64>,
}

impl<T: Trigger> Device<T> {
    /// Creates the unit of `identity` after a reset. The host reports work of the kinds `observed`, and
    /// `trigger` is the line of the performance monitor interrupt.
    #[must_use]
    pub fn new(identity: &Identity, observed: impl Into<Observed>, trigger: T) -> Self {
        Self {
            fingerprint: identity.fingerprint(),
            limits: Limits::of(&identity.capabilities()),
            table: Table::new(observed, Modes::ALL),
            line: Line::new(trigger, Delivery::Maskable),
            counters: Default::default(),
            locals: Default::default(),
            thresholds: Default::default(),
            global: Cell::new(0),
            context: Cell::default(),
            ticks: Cell::new(0),
        }
    }

    /// Returns the line of the interrupt.
    pub fn trigger(&self) -> &T {
        self.line.trigger()
    }

    /// Sets how overflows are delivered. The default is as ordinary interrupts.
    #[must_use]
    pub fn with_delivery(mut self, delivery: Delivery) -> Self {
        self.line.set_delivery(delivery);
        self
    }

    /// Resets the unit: every register is 0, and the line falls.
    pub fn reset(&self) {
        let (context, ticks) = (self.context.get(), self.ticks.get());
        self.change(|| self.put(&State { context, ticks, ..State::default() }));
    }

    /// Sets the state of the processor.
    pub fn set_processor(&self, state: ProcessorState) {
        self.context.set(state.into());
        self.table.touch(CounterSet::ALL);
    }

    /// Reports that the processor has taken the interrupt: PMIE is cleared, and the line falls.
    pub fn interrupted(&self) {
        self.change(|| self.set_global(self.global().difference(Pmgc0::INTERRUPT)));
    }

    /// Returns the cell of a register.
    #[inline(always)]
    fn cell(&self, place: Place) -> Option<&Cell<u64>> {
        match place {
            Place::Counter(number) => self.counters.get(number),
            Place::Local(number) => self.locals.get(number),
            Place::Threshold(number) => self.thresholds.get(number),
            Place::Global => Some(&self.global),
        }
    }

    #[inline(always)]
    fn place(&self, at: Pmr) -> Result<Place, Fault> {
        Place::of(at).filter(|&place| self.limits.bits(place).is_some()).ok_or(Fault::Absent)
    }

    #[inline(always)]
    fn read_register(&self, at: Pmr) -> Result<u64, Fault> {
        let place = self.place(at)?;
        Ok(self.cell(place).map_or(0, Cell::get))
    }

    /// Writes the bits that a register has, and carries out the effects. No value is refused, but a write to a copy
    /// is.
    #[inline(always)]
    fn write_register(&self, at: Pmr, value: u64) -> Result<(), Fault> {
        let place = self.place(at)?;
        if at.is_user() {
            return Err(Fault::ReadOnly);
        }
        let bits = self.limits.bits(place).unwrap_or_default();
        if !matches!(place, Place::Counter(_)) {
            self.table.touch(CounterSet::ALL);
        }
        self.change(|| self.cell(place).into_iter().for_each(|cell| cell.set(value & bits)));
        Ok(())
    }

    fn contents(&self) -> State {
        State {
            counters: self.counters.each_ref().map(Cell::get),
            locals: self.locals.each_ref().map(Cell::get),
            thresholds: self.thresholds.each_ref().map(Cell::get),
            global: self.global.get(),
            context: self.context.get(),
            ticks: self.ticks.get(),
        }
    }

    fn put(&self, state: &State) {
        self.counters.iter().zip(state.counters).for_each(|(cell, value)| cell.set(value));
        self.locals.iter().zip(state.locals).for_each(|(cell, value)| cell.set(value));
        self.thresholds.iter().zip(state.thresholds).for_each(|(cell, value)| cell.set(value));
        self.global.set(state.global);
        self.context.set(state.context);
        self.ticks.set(state.ticks);
        self.table.touch(CounterSet::ALL);
    }
}

unit_in_software!(Device, Pmr);
