//! The driver of Book3S 64's unit: [`Driver`](crate::driver::Driver) for PMC1 to PMC8 and their MMCRs.
//!
//! Before POWER8 all counters count in the same states (MMCR0's FCS, FCP and FCHV). So requests share them, as they
//! share some fields of MMCR1 and MMCRA on every processor. The unit is halted when these registers are written. A
//! placement is therefore only recorded when it is loaded, and written when its counters are run: see `running.rs`.

use super::capabilities::{Capabilities, Privilege};
use super::contribution::idle;
use super::demand::Demand;
use super::encode;
use super::events;
use super::place::place;
use super::program::{Image, Occupancy, Program};
use super::registers::Mmcr0;
use super::saved::Saved;
use super::words::Words;
use crate::arch::powerpc::{Pvr, Spr};
use crate::contract::{Control, Counter, Counters, Description, Kind, Late, Overflow, Plan, Registers, Slot, Steps};
use crate::event::catalogue::Catalogue;
use crate::event::{Conflict, CounterId, CounterSet, Event, Generic, Refusal, Remaining, Request, Result};
use crate::family::check_kept;

/// The driver of one CPU's unit, over `R`.
#[derive(Debug)]
pub struct Book3s<R> {
    pub(super) registers: R,
    pub(super) capabilities: Capabilities,
    /// The bits of MMCR0 that restrict problem state while nothing is lent.
    pub(super) access: Mmcr0,
    /// The control registers while no counter counts.
    pub(super) idle: Words,
}

/// The access of problem state to the unit, from POWER8 on (MMCR0, PMCC).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ProblemAccess {
    /// None: reads cause an interrupt.
    #[default]
    None,
    /// Reads all counters, whoever uses them, by their numbers in problem state (SPR 771 to 776).
    /// [`crate::Pmu::show_only`] hides what a program must not see.
    Reads,
}

impl<R: Registers<Address = Spr, Index = Spr>> Book3s<R> {
    /// Creates the driver of a unit with these capabilities.
    pub fn new(registers: R, capabilities: Capabilities) -> Self {
        Self {
            registers,
            access: Mmcr0::NO_PROBLEM_ACCESS & capabilities.control,
            idle: idle(&capabilities),
            capabilities,
        }
    }

    /// Detects the unit by the processor version register, and creates its driver, for a kernel
    /// that runs in this state.
    ///
    /// # Errors
    /// Returns [`UnknownProcessor`](crate::Error::UnknownProcessor) or
    /// [`Swallowed`](crate::Error::Swallowed). The unit is not changed.
    pub fn detect(pvr: Pvr, privilege: Privilege, registers: R) -> Result<Self> {
        let capabilities = Capabilities::discover(pvr, privilege)?;
        check_selectors(&registers)?;
        Ok(Self::new(registers, capabilities))
    }

    /// Sets whether problem state can read the counters, from the next start on. Before POWER8 it always
    /// can.
    #[must_use]
    pub fn with_problem_access(mut self, access: ProblemAccess) -> Self {
        self.access = match access {
            ProblemAccess::None => Mmcr0::NO_PROBLEM_ACCESS & self.capabilities.control,
            ProblemAccess::Reads => Mmcr0::empty(),
        };
        self
    }

    /// Returns the capabilities of the unit.
    #[must_use]
    pub fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }
}

/// Checks that MMCR1 keeps what is written to it. The counters are frozen meanwhile.
fn check_selectors<R: Registers<Address = Spr, Index = Spr>>(registers: &R) -> Result<()> {
    /// A part of a selector on every processor: PMC4SEL, or on POWER4 and the 970 PMC8SEL.
    const TRIAL: u64 = 0x7C;
    let (control, before) = (registers.read(Spr::MMCR0), registers.read(Spr::MMCR1));
    registers.write(Spr::MMCR0, control | Mmcr0::FREEZE.bits());
    let at = Spr::MMCR1;
    let kept = check_kept(registers, at, at.number().into(), [before ^ TRIAL, before, u64::MAX]);
    registers.write(Spr::MMCR0, control);
    kept
}

/// The most events that a counter can be preset to wait for.
const LONGEST: Remaining = Remaining::events(Capabilities::WIDTH.longest());

impl<R: Registers<Address = Spr, Index = Spr>> Plan for Book3s<R> {
    type Registers = R;
    type Demand = Demand;
    type Program = Program;
    type Occupancy = Occupancy;
    type Handle = Spr;

    const NO_PROGRAM: Program = Program::NONE;

    #[inline(always)]
    fn registers(&self) -> &R {
        &self.registers
    }

    fn description(&self) -> Description {
        let model = self.capabilities.model;
        let mut description = Description::new(model.name(), model.manual(), Capabilities::WIDTH);
        description.general = self.capabilities.usable;
        description.modes = encode::modes(&self.capabilities);
        description.overflow = Overflow::Interrupt;
        description
    }

    fn catalogue(&self) -> &'static Catalogue {
        self.capabilities.catalogue()
    }

    fn native(&self, generic: Generic) -> Result<Event, Refusal> {
        events::native(self.capabilities.model, generic)
    }

    #[inline(always)]
    fn kind(&self) -> Kind {
        self.capabilities.kind()
    }

    fn encode(&self, request: &Request) -> Result<Demand, Refusal> {
        encode::encode(&self.capabilities, request)
    }

    fn place(&self, beside: &Occupancy, new: &[Demand], steps: Steps, out: &mut [Slot]) -> Result<Program, Conflict> {
        place(&self.capabilities, beside, new, steps, out)
    }

    /// Problem state reads a counter by its copy.
    #[inline(always)]
    fn counter(&self, slot: &Slot) -> Counter<Spr> {
        let handle = Spr::pmc(slot.counter);
        Counter { handle, width: Capabilities::WIDTH, longest: LONGEST, user_index: Some(handle.number_of_copy()) }
    }
}

impl<R: Registers<Address = Spr, Index = Spr>> Counters for Book3s<R> {
    type Image = Image;

    /// POWER7 may take back that many events after it has interrupted.
    const EARLY: u64 = Capabilities::ROLL_BACK.cast_unsigned();
    const WRAPS: bool = false;

    #[inline(always)]
    fn run(&self, image: &Image, exactly: CounterSet) {
        if !exactly.is_empty() {
            image.alerted.set(0);
        } else if self.capabilities.rolls_back() {
            self.record_alert(image);
        }
        image.running.set(exactly.bits());
        self.start(image, exactly);
    }

    #[inline(always)]
    fn read(&self, counter: Spr) -> u64 {
        self.registers.read_counter(counter)
    }

    #[inline(always)]
    fn preset(&self, _: &Image, counter: CounterId, remaining: Remaining) -> Remaining {
        let remaining = remaining.min(LONGEST);
        self.write_counter(counter, Capabilities::WIDTH.start(remaining));
        remaining
    }

    #[inline(always)]
    fn overflowed(&self, image: &Image, among: CounterSet, found: impl FnMut(CounterId, i64)) {
        self.find_overflowed(image, among, found);
    }

    /// Clears only the image's record of an alert that POWER7 took back. A counter has overflowed until it is preset,
    /// and every write to MMCR0 clears PMAO.
    #[inline(always)]
    fn acknowledge(&self, image: &Image, counters: CounterSet) {
        if self.capabilities.rolls_back() {
            image.alerted.set(image.alerted.counters().without(counters).bits());
        }
    }

    /// Does nothing: every run sets PMAE.
    #[inline(always)]
    fn rearm(&self) {}

    /// A stop clears PMAO, and with it the processor's interrupt. A kernel that masks lazily may have recorded
    /// one interrupt, and handles it when it unmasks, however late that is. PMAO does not identify it then, because
    /// the stop has cleared it.
    #[inline(always)]
    fn late(&self) -> Late {
        Late::One { within: u64::MAX }
    }
}

impl<R: Registers<Address = Spr, Index = Spr>> Control for Book3s<R> {
    type Saved = Saved;

    const NOTHING_SAVED: Saved = Saved::nothing();

    /// QEMU lets each of PMC5 and PMC6 count while the other one counts.
    const RESTLESS: CounterSet = Capabilities::LAST_TWO;

    #[inline(always)]
    fn load(&self, image: &Image, program: &Program, slots: &[Slot]) {
        image.load(self.capabilities.model, &self.idle, program, slots);
    }

    #[inline(always)]
    fn release(&self, image: &Image, counters: CounterSet) {
        image.release(counters);
    }

    fn reload(&self, image: &Image) {
        self.write_all(image);
    }

    fn save(&self, into: &Saved) {
        self.save_registers(into);
    }

    fn restore(&self, from: &Saved) {
        self.restore_registers(from);
    }

    /// From POWER8 on MMCR0's PMCC opens all counters for reading, or none. Before, every program always reads them.
    ///
    /// An overflow handler during the write may leave fewer counters running. Then the write is repeated for those.
    fn lend(&self, image: &Image, counters: CounterSet) {
        image.opened.set(if counters.is_empty() { 0 } else { self.access.bits() });
        loop {
            let running = image.running.counters();
            self.start(image, running);
            if image.running.counters() == running {
                break;
            }
        }
    }
}
