//! Book3S 64's unit, driven: the promises of [`Backend`], kept with PMC1 to PMC8 and their MMCRs.
//!
//! One counter stops by its selector, which is then nothing's, and from POWER8 on by its freezes in MMCR2
//! too. Before POWER8 all counters count in the same states (MMCR0's FCS, FCP and FCHV), so that requests
//! share them, as they share on every processor some fields of MMCR1 and MMCRA. How counters are let go
//! and halted, and what an alert was of, is in `running.rs`.

use super::encode::{self, Demand};
use super::facts::{Facts, Privilege};
use super::place::place;
use super::program::{Image, Occupancy, Program};
use super::registers::Control;
use super::words::Words;
use super::{events, spr};
use crate::arch::powerpc::{LATE, Pvr, Spr};
use crate::backend::{Backend, Description, Image as _, Late, Overflow, Periods, Renewed, Slot};
use crate::contract::{Registers, Shortcut, Steps};
use crate::event::catalogue::Catalogue;
use crate::event::{
    Conflict, CounterId, CounterSet, Error, Event, Generic, Refusal, Remaining, Request, Result, Width,
};

/// The driver of one CPU's unit, over `R`.
#[derive(Debug)]
pub struct Book3s<R> {
    pub(super) registers: R,
    pub(super) facts: Facts,
    /// What the control registers hold where no counter counts.
    pub(super) idle: Words,
    /// What of MMCR0 says what problem state may do.
    pub(super) access: Control,
    /// What MMCR0 holds while the unit is halted: that, and the freeze.
    pub(super) halted: Control,
    /// The freezes of a part of the counters that MMCR0 has.
    pub(super) parts: Control,
}

/// What problem state may do with the unit, from POWER8 on (MMCR0, PMCC).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ProblemAccess {
    /// Nothing: its reads interrupt.
    #[default]
    None,
    /// Reads all counters, whoever uses them, by their numbers in problem state (SPR 771 to 776).
    /// See [`crate::Pmu::show_only`] for what a program shall not see.
    Reads,
}

impl<R: Registers<Address = Spr, Index = Spr>> Book3s<R> {
    /// The driver of a unit with these facts.
    pub const fn new(registers: R, facts: Facts) -> Self {
        let access = Control::NO_PROBLEM_ACCESS.intersection(facts.control);
        let (halted, parts) = (access.union(Control::FREEZE), Control::parts_of(facts.generation));
        Self { registers, idle: Words::idle(facts.generation), access, halted, parts, facts }
    }

    /// The driver of the unit that the processor has by what its version register says, for a kernel
    /// that runs in this state.
    ///
    /// # Errors
    /// [`Error::UnknownProcessor`], [`Error::Swallowed`]; the unit is as it was.
    pub fn detect(pvr: Pvr, privilege: Privilege, registers: R) -> Result<Self> {
        let facts = Facts::discover(pvr, privilege)?;
        check_kept(&registers)?;
        Ok(Self::new(registers, facts))
    }

    /// Lets problem state read the counters, or not, from the next start on. Before POWER8 it always
    /// can.
    #[must_use]
    pub fn with_problem_access(mut self, access: ProblemAccess) -> Self {
        self.access = match access {
            ProblemAccess::None => Control::NO_PROBLEM_ACCESS & self.facts.control,
            ProblemAccess::Reads => Control::empty(),
        };
        self.halted = self.access | Control::FREEZE;
        self
    }

    /// What is known of the unit.
    #[must_use]
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// The registers that it drives.
    #[must_use]
    pub fn registers(&self) -> &R {
        &self.registers
    }
}

/// The driver of the unit that the processor has, by what its version register says.
///
/// # Errors
/// As [`Book3s::detect`].
pub fn detect<R: Registers<Address = Spr, Index = Spr>>(
    pvr: Pvr,
    privilege: Privilege,
    registers: R,
) -> Result<Book3s<R>> {
    Book3s::detect(pvr, privilege, registers)
}

/// Does MMCR1 keep what is written to it? The counters are frozen meanwhile.
fn check_kept<R: Registers<Address = Spr, Index = Spr>>(registers: &R) -> Result<()> {
    /// A part of a selector on every processor: PMC4SEL, or on POWER4 and the 970 PMC8SEL.
    const TRIAL: u64 = 0x7C;
    let (control, before) = (registers.read(spr::MMCR0), registers.read(spr::MMCR1));
    registers.write(spr::MMCR0, control | Control::FREEZE.bits());
    let wrote = before ^ TRIAL;
    registers.write(spr::MMCR1, wrote);
    let read = registers.read(spr::MMCR1);
    registers.write(spr::MMCR1, before);
    registers.write(spr::MMCR0, control);
    let register = u32::from(spr::MMCR1.number());
    if read == wrote { Ok(()) } else { Err(Error::Swallowed { register, wrote, read }) }
}

impl<R: Registers<Address = Spr, Index = Spr>> Backend for Book3s<R> {
    type Demand = Demand;
    type Program = Program;
    type Occupancy = Occupancy;
    type Image = Image;
    type Handle = Shortcut<R>;
    type WayBack = ();

    fn description(&self) -> Description {
        let generation = self.facts.generation;
        let mut description = Description::new(generation.name(), generation.manual(), Facts::WIDTH);
        description.general = self.facts.usable;
        description.modes = encode::modes(&self.facts);
        description.overflow = Overflow::Interrupt;
        description
    }

    fn catalogue(&self) -> &'static Catalogue {
        self.facts.catalogue()
    }

    fn native(&self, generic: Generic) -> Result<Event, Refusal> {
        events::native(self.facts.generation, generic)
    }

    #[inline(always)]
    fn encode(&self, request: &Request) -> Result<Demand, Refusal> {
        encode::encode(&self.facts, request)
    }

    #[inline(always)]
    fn place(&self, beside: &Occupancy, new: &[Demand], steps: Steps, out: &mut [Slot]) -> Result<Program, Conflict> {
        place(&self.facts, beside, new, steps, out)
    }

    #[inline(always)]
    fn load(&self, image: &Image, program: &Program, slots: &[Slot], running: CounterSet) {
        if self.facts.has_freezes() {
            self.load_all::<true>(image, *program, slots, running);
        } else {
            self.load_before_power8(image, *program, slots, running);
        }
    }

    #[inline(always)]
    fn release(&self, image: &Image, counters: CounterSet) {
        image.release(counters);
    }

    #[inline(always)]
    fn width(&self, _: &Image, _: CounterId) -> Width {
        Facts::WIDTH
    }

    #[inline(always)]
    fn longest(&self, _: &Image, _: CounterId) -> Remaining {
        Remaining::events(Facts::WIDTH.longest())
    }

    #[inline(always)]
    fn preset(&self, _: &Image, counter: CounterId, remaining: Remaining) {
        self.write_counter(counter, Facts::WIDTH.start(remaining));
    }

    #[inline(always)]
    fn bring_back(&self, _: &Image, counter: CounterId, raw: u64) {
        self.write_counter(counter, raw);
    }

    /// By no shortcut, which the interrupt does not follow.
    #[inline(always)]
    fn past(&self, _: &Image, counter: CounterId) -> Option<u64> {
        Facts::WIDTH.past(self.registers.read_any_counter(spr::pmc(counter)))
    }

    #[inline(always)]
    fn renews_at_once(&self) -> bool {
        true
    }

    #[inline(always)]
    fn renew_at_once<P: Periods>(&self, image: &Image, armed: CounterSet, renewed: &mut Renewed<P>) {
        if self.facts.rolls_back() && self.negative(image.occupied()).is_empty() {
            self.roll_back(image, image.occupied());
        }
        self.renew_each(armed, renewed);
    }

    #[inline(always)]
    fn run(&self, image: &Image, exactly: CounterSet) {
        image.running.set(exactly.bits());
        if exactly.is_empty() { self.halt(image) } else { self.start_these(image, exactly) }
    }

    #[inline(always)]
    fn get_ready(&self, image: &Image, exactly: CounterSet) {
        if !image.is_loaded(exactly) {
            self.load_others(image, exactly);
        }
    }

    /// What others take may have to be written first; and POWER7's alerts are asked about the long way.
    #[inline(always)]
    fn run_if_ready(&self, image: &Image, exactly: CounterSet) -> bool {
        image.running.set(exactly.bits());
        if exactly.is_empty() {
            if self.facts.rolls_back() {
                return false;
            }
            self.freeze(image);
        } else if image.is_loaded(exactly) {
            self.go(image);
        } else {
            return false;
        }
        true
    }

    #[inline(always)]
    fn overflowed(&self, image: &Image, armed: CounterSet) -> CounterSet {
        let counters = armed.and(image.occupied());
        let overflowed = self.negative(counters);
        if overflowed.is_empty() { self.found_nothing(image, counters) } else { overflowed }
    }

    /// Of counters that are nobody's the interrupt finds out.
    #[inline(always)]
    fn overflowed_at_once(&self, _: &Image, stopped: CounterSet) -> CounterSet {
        self.negative(stopped)
    }

    /// A counter has overflowed until it is preset, and every write of MMCR0 clears PMAO.
    #[inline(always)]
    fn acknowledge(&self, _: &Image, _: CounterSet) {}

    #[cold]
    fn withhold(&self, image: &Image, counters: CounterSet) {
        image.withhold(counters);
        self.start(image);
    }

    #[inline(always)]
    fn admit(&self, image: &Image, counters: CounterSet) {
        if image.withholds_any() {
            image.admit(counters);
            self.start_again(image);
        }
    }

    /// Every run sets PMAE again.
    #[inline(always)]
    fn rearm(&self) {}

    /// A stop clears PMAO, and with it the interrupt, as far as the processor is concerned. A kernel
    /// that only notes interrupts while it has them masked takes the one that it noted later: one, and
    /// for a while. Whose it is PMAO does not say then: the stop has cleared it.
    #[inline(always)]
    fn late(&self) -> Late {
        Late::One { within: LATE }
    }

    fn way_back(&self, _: &Self::Image, _: &Slot) {}

    #[inline(always)]
    fn handle(&self, _: &Image, counter: CounterId) -> Shortcut<R> {
        self.registers.shortcut(spr::pmc(counter))
    }

    /// By the copy.
    fn user_index(&self, counter: Shortcut<R>) -> Option<u32> {
        Some(counter.index().number_of_copy())
    }

    /// From POWER8 on MMCR0's PMCC opens all of them, for reading, or none; before, every program reads
    /// them always.
    fn lend(&self, image: &Image, counters: CounterSet) {
        let lent = if counters.is_empty() { Control::empty() } else { self.access };
        image.lent.set(lent.bits());
        image.forget_loaded();
        self.start_again(image);
    }

    #[inline(always)]
    fn read(&self, counter: Shortcut<R>) -> u64 {
        self.registers.read_by(counter)
    }

    #[inline(always)]
    fn ticks(&self) -> u64 {
        self.registers.ticks()
    }

    #[inline(always)]
    fn fence(&self) {
        self.registers.fence();
    }

    fn save(&self, image: &Image) {
        self.take(&image.before);
    }

    fn restore(&self, image: &Image) {
        image.forget_written();
        self.put_back(&image.before);
    }
}
