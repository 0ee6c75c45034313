//! Book3S 64's unit, driven: the promises of [`Backend`], kept with PMC1 to PMC8 and their MMCRs.
//!
//! MMCR0's FC stops all counters at once. One counter stops by its selector, which is then nothing's,
//! and from POWER8 on by its freezes in MMCR2 too. Before POWER8 all counters count in the same
//! states (MMCR0's FCS, FCP and FCHV), so that requests share them, as they share on every processor
//! some fields of MMCR1 and MMCRA.
//!
//! A counter has overflowed when its top bit is set, and no status says so. While that is so, and
//! MMCR0's PMAE and the counter's condition are enabled, the unit alerts: it clears PMAE, sets PMAO,
//! and interrupts through vector F00H for as long as PMAO is set and MSR\[EE\] lets it. Whatever is
//! written to MMCR0 here clears PMAO; if another counter is still negative when counting goes on, it
//! alerts again. So PMAO is never written as 1 but when the unit is given back, and POWER8E's loss
//! of an interrupt that was written so is not met before.
//!
//! On POWER7 an alert may be that of a count that was speculated and taken back: the counter that was
//! within 256 of its overflow is then taken to have reached it, if no other has.

use super::encode::{self, Demand};
use super::events;
use super::facts::{Facts, Privilege};
use super::place::place;
use super::program::{Image, Program};
use super::registers::Control;
use super::spr;
use super::words::Words;
use crate::arch::powerpc::{LATE, Pvr, Spr};
use crate::backend::{Backend, Description, Image as _, Late, Overflow, Slot};
use crate::catalogue::Catalogue;
use crate::counter::{CounterId, CounterSet, Remaining, Width};
use crate::error::{Conflict, Error, Refusal, Result};
use crate::event::{Event, Generic, Request};
use crate::registers::Registers;

/// PMC5 and PMC6, which have no selectors.
const LAST_TWO: CounterSet = CounterSet::from_bits(0b11_0000);

/// The driver of one CPU's unit, over `R`.
#[derive(Debug)]
pub struct Book3s<R> {
    pub(super) registers: R,
    pub(super) facts: Facts,
    /// What the control registers hold where no counter counts.
    idle: Words,
    /// What of MMCR0 says what problem state may do.
    access: Control,
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
        Self { registers, idle: Words::idle(facts.generation), access, facts }
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

    #[inline(always)]
    pub(super) fn write_counter(&self, counter: CounterId, value: u64) {
        self.registers.write(spr::pmc(counter), value);
    }

    #[inline(always)]
    fn read_counter(&self, counter: CounterId) -> u64 {
        self.registers.read_counter(spr::pmc(counter))
    }

    /// What of MMCR0 says what problem state may do while counters are lent to a program, or are not.
    #[inline(always)]
    fn access(&self, image: &Image) -> Control {
        self.access.difference(Control::from_bits_retain(image.lent.get()))
    }

    /// Lets those count that are to. An interrupt amid it may let others run: those it is, then.
    fn start_again(&self, image: &Image) {
        let mut started = image.running.get();
        self.start(image);
        while image.running.get() != started {
            started = image.running.get();
            self.start(image);
        }
    }

    /// Stops all counters, and forgets that one has alerted.
    #[inline(always)]
    fn halt(&self, image: &Image) {
        if self.facts.rolls_back() {
            image.alerted.set(self.registers.read(spr::MMCR0) & Control::ALERTED.bits());
        }
        self.freeze(image);
    }

    #[inline(always)]
    fn freeze(&self, image: &Image) {
        self.registers.write(spr::MMCR0, (Control::FREEZE | self.access(image)).bits());
    }

    /// Lets count what `running` says. Where MMCR1 and MMCR2 are written first, an interrupt amid that
    /// may have stopped a counter: then it is done once more, and nothing goes on that was stopped.
    #[inline(always)]
    fn start(&self, image: &Image) {
        let mut exactly = image.running.counters();
        loop {
            if exactly.is_empty() {
                return self.halt(image);
            }
            if image.is_loaded(exactly) {
                break;
            }
            self.reload(image, exactly);
            exactly = image.running.counters();
        }
        if self.facts.rolls_back() {
            image.alerted.set(0);
        }
        self.registers.write(spr::MMCR0, image.go());
    }

    /// Freezes the unit, and makes MMCR1 and MMCR2 let exactly these count.
    #[inline(never)]
    fn reload(&self, image: &Image, exactly: CounterSet) {
        let words = image.words(&self.facts, self.idle, exactly);
        image.forget_loaded();
        self.freeze(image);
        self.select(image, exactly, &words);
    }

    /// Writes what depends on the counters that shall count, and keeps what lets them go; the unit is
    /// frozen.
    #[inline(always)]
    fn select(&self, image: &Image, exactly: CounterSet, words: &Words) {
        self.registers.write(spr::MMCR1, words.mmcr1);
        if self.facts.has_freezes() {
            self.registers.write(spr::MMCR2, words.mmcr2);
        } else if self.facts.selects_in_mmcra() {
            self.registers.write(spr::MMCRA, words.mmcra);
        }
        image.set_loaded(exactly, words.mmcr0 | self.access(image).bits());
    }

    /// No counter of somebody's has overflowed: what the alert was of, if there was one. An interrupt asks
    /// for all of them.
    #[inline(always)]
    fn found_nothing(&self, image: &Image, counters: CounterSet) -> CounterSet {
        if self.facts.rolls_back() {
            return self.rolled_back(image, counters);
        }
        if self.facts.has_freezes() && counters == image.occupied() {
            self.quiet(LAST_TWO.without(counters));
        }
        CounterSet::EMPTY
    }

    /// Counters that are nobody's and negative would alert for ever. MMCR2 stops PMC5 and PMC6, but
    /// QEMU counts them on while the other one counts.
    #[inline(always)]
    fn quiet(&self, nobodys: CounterSet) {
        for counter in nobodys {
            if Facts::WIDTH.past(self.read_counter(counter)).is_some() {
                self.write_counter(counter, 0);
            }
        }
    }

    /// Those that an alert of POWER7 may be of though they have not overflowed, if one occurred: they
    /// are made to have reached it.
    #[cold]
    fn rolled_back(&self, image: &Image, counters: CounterSet) -> CounterSet {
        const REACH: u64 = 256;
        if image.alerted.get() == 0 {
            return CounterSet::EMPTY;
        }
        image.alerted.set(0);
        let fires = Facts::WIDTH.longest();
        let is_near = |counter: &CounterId| self.read_counter(*counter).wrapping_add(REACH) >= fires;
        let near: CounterSet = counters.into_iter().filter(is_near).collect();
        near.into_iter().for_each(|counter| self.write_counter(counter, fires));
        near
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
    type Image = Image;
    type Handle = Spr;

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

    fn encode(&self, request: &Request) -> Result<Demand, Refusal> {
        encode::encode(&self.facts, request)
    }

    fn place(&self, kept: &Image, new: &[Demand], out: &mut [Slot]) -> Result<Program, Conflict> {
        place(&self.facts, kept, new, out)
    }

    /// A counter must not look as if it had overflowed before it is preset: it is, to the longest
    /// wait, before it counts as somebody's. MMCRA and MMCR3 are written while nothing counts. Where
    /// nothing else does, all is left ready for the start.
    fn load(&self, image: &Image, program: &Program, slots: &[Slot], running: CounterSet) {
        for slot in slots {
            self.preset(image, slot.counter, self.longest(image, slot.counter));
        }
        image.note(&self.facts, program, slots);
        self.freeze(image);
        let all = image.occupied();
        let words = image.words(&self.facts, self.idle, all);
        self.registers.write(spr::MMCRA, words.mmcra);
        if self.facts.has_sources() {
            self.registers.write(spr::MMCR3, words.mmcr3);
        }
        if running.is_empty() {
            self.select(image, all, &words);
        } else {
            self.run(image, running.and(image.running.counters()));
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

    #[inline(always)]
    fn run(&self, image: &Image, exactly: CounterSet) {
        image.running.set(exactly.bits());
        self.start(image);
    }

    #[inline(always)]
    fn overflowed(&self, image: &Image, armed: CounterSet) -> CounterSet {
        let counters = armed.and(image.occupied());
        let past = |counter: &CounterId| Facts::WIDTH.past(self.read_counter(*counter)).is_some();
        let overflowed: CounterSet = counters.into_iter().filter(past).collect();
        if overflowed.is_empty() { self.found_nothing(image, counters) } else { overflowed }
    }

    /// A counter has overflowed until it is preset, and every write of MMCR0 clears PMAO.
    #[inline(always)]
    fn acknowledge(&self, _: &Image, _: CounterSet) {}

    #[cold]
    fn withhold(&self, image: &Image, counters: CounterSet) {
        image.withheld.update(|word| word | counters.bits());
        self.start(image);
    }

    #[inline(always)]
    fn admit(&self, image: &Image, counters: CounterSet) {
        if image.withheld.get() == 0 {
            return;
        }
        image.withheld.update(|word| word & !counters.bits());
        self.start_again(image);
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

    #[inline(always)]
    fn handle(&self, _: &Image, counter: CounterId) -> Spr {
        spr::pmc(counter)
    }

    /// By the copy.
    fn user_index(&self, counter: Spr) -> Option<u32> {
        Some(counter.number_of_copy())
    }

    /// From POWER8 on MMCR0's PMCC opens all of them, for reading, or none; before, every program reads
    /// them always.
    fn lend(&self, image: &Image, counters: CounterSet) {
        let lent = if counters.is_empty() { Control::empty() } else { Control::PROBLEM_ACCESS };
        image.lent.set(lent.bits());
        image.forget_loaded();
        self.start_again(image);
    }

    #[inline(always)]
    fn read(&self, counter: Spr) -> u64 {
        self.registers.read_counter(counter)
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
        image.forget_loaded();
        self.put_back(&image.before);
    }
}
