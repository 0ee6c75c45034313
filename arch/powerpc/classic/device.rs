//! What the classic units do: the performance monitors of 604 to 7450 as a guest's registers show
//! them.
//!
//! A [`Device`] is made from an [`Identity`] and has that processor's counters, registers and bits:
//!
//! | processor | counters | adds |
//! |---|---|---|
//! | 604 | 2 | SIA and SDA |
//! | 604e | 4 | MMCR1 |
//! | 750 | 4 | the copies that user programs read; SDA is gone, and may be written nevertheless |
//! | 7400 | 4 | MMCR2 |
//! | 7450 | 6 | |
//!
//! A counter is negative while its top bit is set. If that is let through (PMC1CE, PMCjCE) it ends
//! TRIGGER, freezes all counters (FCECE; on 604 to 750 only if it interrupts), and interrupts (PMXE): the unit signals once, clears PMXE and
//! keeps the instruction's address in SIAR. Being negative is a condition for as long as it lasts: who
//! sets PMXE with a negative counter has his interrupt at once.
//!
//! Sources: "PowerPC 604 RISC Microprocessor User's Manual", section 2.1.2.3 and chapter 9, by which ENINT
//! is cleared as the interrupt is signalled; "PowerPC 604e RISC Microprocessor User's Manual", chapter 9;
//! "IBM PowerPC 750GX and 750GL RISC Microprocessor User's Manual", section 2.1.2.5 and chapter 11;
//! "MPC7400 RISC Microprocessor User's Manual", chapter 11, whose sections 11.3.1.1 and 11.3.2.2 say the
//! most; "MPC7450 RISC Microprocessor Family Reference Manual", chapter 11.
//!
//! # What it leaves out
//!
//! Time base events (TBEE), thresholds, and what the system asks for by pins (SMCNTENABLE, SMINTENABLE).
//! A counter that waits for one of these counts nothing and is reported by [`virt::Device::unfed`]. Nor
//! has it the 750's exceptions to DISCOUNT. A [`Work`] is done before its consequences follow: a host
//! that wants FCECE or TRIGGER on the very event does no more at once than
//! [`virt::Device::until_overflow`] says.
//!
//! ```
//! use pmu::arch::powerpc::classic::{Device, Identity, spr};
//! use pmu::virt::{Device as _, Kinds, Unconnected, Work};
//! use pmu::Mode;
//!
//! let device = Device::new(&Identity::P750, Kinds::CLOCK, Unconnected);
//! device.try_write(spr::MMCR0, 1 << 30 | 2 << 6)?; // PMC1: instructions; not in supervisor state
//! device.advance(&Work::instructions(Mode::User, 1000));
//! device.advance(&Work::instructions(Mode::Kernel, 50));
//! assert_eq!(device.try_read(spr::PMCS[0]), Ok(1000));
//! # Ok::<(), pmu::virt::Fault>(())
//! ```

mod context;
mod counting;
mod discipline;
mod feed;
mod limits;
mod place;
mod problem;
mod state;

use core::cell::Cell;
use core::fmt;

pub use self::context::Context;
use self::limits::Limits;
use self::place::Place;
pub use self::problem::Problem;
pub use self::state::State;
use super::spr::is_user;
use super::{Identity, Model};
use crate::arch::powerpc::Spr;
use crate::arch::powerpc::device::unit_in_software;
use crate::counter::CounterSet;
use crate::registers::Registers;
use crate::virt::{self, Fault, Kinds, Trigger, Work};

/// PMC1 to PMC6.
const COUNTERS: usize = 6;

/// A classic unit in software, for one virtual processor; see the [module](self).
pub struct Device<T> {
    limits: Limits,
    observed: Kinds,
    trigger: T,
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
    /// The unit of `identity` after a reset: every register is 0. The host feeds it `observed`, and
    /// `trigger` is the performance monitor interrupt (vector F00H), which cannot be withdrawn.
    #[must_use]
    pub fn new(identity: &Identity, observed: Kinds, trigger: T) -> Self {
        Self {
            limits: Limits::of(&identity.facts()),
            observed,
            trigger,
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

    /// The interrupt.
    pub fn trigger(&self) -> &T {
        &self.trigger
    }

    /// What a reset leaves: every register is 0.
    pub fn reset(&self) {
        self.put(&State { context: self.context.get(), ticks: self.ticks.get(), ..State::default() });
    }

    /// How the processor stands from now on.
    pub fn set_context(&self, context: Context) {
        self.context.set(context);
    }

    /// The unit, as problem state reaches it.
    pub fn problem(&self) -> Problem<'_, T> {
        Problem(self)
    }

    /// Where a register is kept.
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

    /// Where an address leads, if the processor has it, copies included.
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

    /// Writes as many bits as a register has, and lets follow what follows. No value is refused; a
    /// write to a copy is, whatever the state ("MPC7400 RISC Microprocessor User's Manual", section 1.12).
    #[inline(always)]
    fn write_register(&self, at: Spr, value: u64) -> Result<(), Fault> {
        let place = self.place(at)?;
        if is_user(at) {
            return Err(Fault::ReadOnly);
        }
        let bits = self.limits.bits(place).unwrap_or_default();
        self.cell(place).into_iter().for_each(|cell| cell.set(value & bits));
        self.rest(self.negative());
        Ok(())
    }

    fn snapshot(&self) -> State {
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
    }
}

unit_in_software!(Device, Spr);
