//! The classic unit, driven: the promises of [`Backend`], kept with the registers of 604 to 745x.
//!
//! MMCR0's FC stops all counters at once; a counter stops singly by selecting event 0. So what runs
//! is written as a whole: the unit is frozen, MMCR1 and MMCR0 get the selectors of those that shall
//! count, and the write of MMCR0 lets them go. No status says who has overflowed: a counter that
//! has, and no other, has its top bit set. It interrupts (vector 0xF00) for as long as that bit, its
//! condition enable and PMXE are set; the interrupt clears PMXE, on the 604 the freeze does, and
//! every [`Backend::run`] sets it again.
//!
//! PMC2 and those after it have one condition enable. So one of them that was stopped past its
//! overflow interrupts again and again while another goes on, until the overflow is accounted for;
//! where that would keep the stop itself from accounting, the condition of all of them is withheld.

use super::facts::{Facts, Model};
use super::program::{Image, Occupancy, place};
use super::registers::Control;
use super::spr::{MMCR0, MMCR1, MMCR2, PMCS};
use super::{encode, events};
use crate::arch::powerpc::{Demand, LATE, Pvr, Spr};
use crate::backend::{Backend, Description, Image as _, Late, Overflow, Slot};
use crate::contract::{Registers, Steps};
use crate::event::catalogue::Catalogue;
use crate::event::{
    Conflict, CounterId, CounterSet, Error, Event, Generic, Refusal, Remaining, Request, Result, Width,
};

/// The driver of one CPU's unit, over `R`.
#[derive(Debug)]
pub struct Classic<R> {
    pub(super) registers: R,
    pub(super) facts: Facts,
}

impl<R: Registers<Address = Spr, Index = Spr>> Classic<R> {
    /// The driver of a unit with these facts.
    pub fn new(registers: R, facts: Facts) -> Self {
        Self { registers, facts }
    }

    /// The driver of the unit that the processor has by what its processor version register says.
    ///
    /// # Errors
    /// [`Error::NoUnit`], [`Error::UnknownProcessor`], [`Error::Swallowed`]; the unit is as it was.
    pub fn detect(pvr: Pvr, registers: R) -> Result<Self> {
        let facts = Facts::discover(pvr)?;
        check_kept(&registers)?;
        Ok(Self::new(registers, facts))
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

    /// Stops every counter, and keeps their overflows from interrupting.
    #[inline(always)]
    pub(super) fn freeze(&self) {
        self.registers.write(MMCR0, Control::FREEZE.bits().into());
    }

    /// Lets exactly these count, and their overflows through but for what is withheld.
    #[inline(always)]
    fn start(&self, image: &Image, exactly: CounterSet) {
        self.freeze();
        if exactly.is_empty() {
            return;
        }
        let need = image.needs(exactly);
        if self.facts.has_selects() {
            self.registers.write(MMCR1, need.selects().into());
        }
        let conditions = conditions(exactly, image.withheld.counters());
        let control = need.control() | (Control::EXCEPTION | conditions).bits();
        self.registers.write(MMCR0, control.into());
    }

    #[inline(always)]
    fn write_counter(&self, counter: CounterId, remaining: Remaining) {
        self.registers.write(counter_register(counter), Facts::WIDTH.start(remaining));
    }
}

/// The registers of the counters; 8 places so that an index needs no check.
const REGISTERS: [Spr; 8] = [PMCS[0], PMCS[1], PMCS[2], PMCS[3], PMCS[4], PMCS[5], PMCS[0], PMCS[0]];

/// A counter that the facts have.
#[inline(always)]
pub(in crate::arch::powerpc) const fn counter_register(counter: CounterId) -> Spr {
    REGISTERS[(counter.number() & 7) as usize]
}

/// PMC1, whose condition is its own.
const FIRST: CounterSet = CounterId::ZERO.only();

/// Which overflows are let through while these counters run.
#[inline(always)]
fn conditions(running: CounterSet, withheld: CounterSet) -> Control {
    let others = !running.without(FIRST).is_empty() && withheld.without(FIRST).is_empty();
    let first = if running.and(FIRST).is_empty() { Control::empty() } else { Control::FIRST };
    if others { first.union(Control::OTHERS) } else { first }
}

/// Does MMCR0 keep what is written to it? The counters are frozen meanwhile.
fn check_kept<R: Registers<Address = Spr, Index = Spr>>(registers: &R) -> Result<()> {
    let before = registers.read(MMCR0);
    let select = u64::from(Control::SELECT_2.bits());
    let wrote = (before ^ select) & select | u64::from(Control::FREEZE.bits());
    registers.write(MMCR0, wrote);
    let read = registers.read(MMCR0);
    registers.write(MMCR0, before);
    if read == wrote { Ok(()) } else { Err(Error::Swallowed { register: MMCR0.number().into(), wrote, read }) }
}

impl<R: Registers<Address = Spr, Index = Spr>> Backend for Classic<R> {
    type Demand = Demand;
    type Program = ();
    type Occupancy = Occupancy;
    type Image = Image;
    type Handle = Spr;
    type WayBack = ();

    fn description(&self) -> Description {
        let model = self.facts.model;
        let mut description = Description::new(model.name(), model.manual(), Facts::WIDTH);
        description.general = self.facts.counters;
        description.overflow = Overflow::Interrupt;
        description
    }

    fn catalogue(&self) -> &'static Catalogue {
        self.facts.model.catalogue()
    }

    fn native(&self, generic: Generic) -> Result<Event, Refusal> {
        events::native(self.facts.model, generic)
    }

    fn encode(&self, request: &Request) -> Result<Demand, Refusal> {
        encode::encode(&self.facts, request)
    }

    fn place(&self, beside: &Occupancy, new: &[Demand], steps: Steps, out: &mut [Slot]) -> Result<(), Conflict> {
        place(self.facts.counters, beside, new, steps, out)
    }

    /// A counter must not look as if it had overflowed before it is preset: it is, to the longest
    /// wait, before it counts as somebody's. Its selector is written when it runs. The multiplier
    /// changes only where no counter that runs minds.
    #[inline(always)]
    fn load(&self, image: &Image, (): &(), slots: &[Slot], _running: CounterSet) {
        for slot in slots {
            self.write_counter(slot.counter, self.longest(image, slot.counter));
            image.take(slot);
        }
        if self.facts.has_extension() {
            self.registers.write(MMCR2, image.needs(image.occupied()).extension().into());
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
        self.write_counter(counter, remaining);
    }

    #[inline(always)]
    fn run(&self, image: &Image, exactly: CounterSet) {
        image.running.set(exactly.bits());
        self.start(image, exactly);
    }

    #[inline(always)]
    fn overflowed(&self, image: &Image, armed: CounterSet) -> CounterSet {
        let past = |counter: &CounterId| Facts::WIDTH.past(self.read(counter_register(*counter))).is_some();
        armed.and(image.occupied()).into_iter().filter(past).collect()
    }

    /// A counter has overflowed until it is preset, and no other register says so.
    #[inline(always)]
    fn acknowledge(&self, _: &Image, _: CounterSet) {}

    #[cold]
    fn withhold(&self, image: &Image, counters: CounterSet) {
        image.withheld.update(|word| word | counters.bits());
        self.start(image, image.running.counters());
    }

    /// An interrupt amid it may let others run: those it is, then.
    #[inline(always)]
    fn admit(&self, image: &Image, counters: CounterSet) {
        if image.withheld.get() == 0 {
            return;
        }
        image.withheld.update(|word| word & !counters.bits());
        let mut started = image.running.get();
        self.start(image, CounterSet::from_bits(started));
        while image.running.get() != started {
            started = image.running.get();
            self.start(image, CounterSet::from_bits(started));
        }
    }

    /// Every run sets PMXE.
    #[inline(always)]
    fn rearm(&self) {}

    #[inline(always)]
    fn late(&self) -> Late {
        Late::One { within: LATE }
    }

    fn way_back(&self, _: &Self::Image, _: &Slot) {}

    #[inline(always)]
    fn handle(&self, _: &Image, counter: CounterId) -> Spr {
        counter_register(counter)
    }

    /// By the copy, which every program can read; the 604 and the 604e have none.
    fn user_index(&self, counter: Spr) -> Option<u32> {
        (self.facts.model >= Model::P750).then(|| counter.number_of_copy())
    }

    #[inline(always)]
    fn read(&self, counter: Spr) -> u64 {
        self.registers.read_any_counter(counter)
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
        self.put_back(&image.before);
    }
}
