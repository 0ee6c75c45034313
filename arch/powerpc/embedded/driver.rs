//! The embedded cores' unit, driven: the promises of [`Backend`], kept with the performance monitor
//! registers of e300, e500 and e500mc.
//!
//! PMGC0's FAC stops all counters at once, and each counter has a freeze of its own in PMLCan, with
//! its modes beside it: requests share nothing. No status says who has overflowed: a counter that
//! has, and no other, has its top bit set. It interrupts (IVOR35; on e300 vector 0xF00) for as long as
//! that bit, its condition enable and PMGC0's PMIE are set; the interrupt clears PMIE, and every
//! [`Backend::run`] sets it again.

use super::facts::Facts;
use super::program::{Image, place};
use super::registers::{Global, Local};
use super::{encode, events};
use crate::arch::powerpc::{Demand, LATE, Pmr, Pvr};
use crate::backend::{Backend, Description, Image as _, Late, Overflow, Slot};
use crate::contract::{Registers, Steps};
use crate::event::catalogue::Catalogue;
use crate::event::{
    Conflict, CounterId, CounterSet, Error, Event, Generic, Refusal, Remaining, Request, Result, Width,
};

/// The driver of one CPU's unit, over `R`.
#[derive(Debug)]
pub struct Embedded<R> {
    pub(super) registers: R,
    pub(super) facts: Facts,
}

impl<R: Registers<Address = Pmr, Index = Pmr>> Embedded<R> {
    /// The driver of a unit with these facts.
    pub fn new(registers: R, facts: Facts) -> Self {
        Self { registers, facts }
    }

    /// The driver of the unit that the core has by what its processor version register says.
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

    #[inline(always)]
    fn write_global(&self, global: Global) {
        self.registers.write(Pmr::GLOBAL, global.bits().into());
    }

    #[inline(always)]
    fn write_counter(&self, counter: CounterId, remaining: Remaining) {
        self.registers.write(Pmr::counter_of(counter), Facts::WIDTH.start(remaining));
    }
}

/// Does the first counter's word keep what is written to it? The counter is frozen meanwhile.
fn check_kept<R: Registers<Address = Pmr, Index = Pmr>>(registers: &R) -> Result<()> {
    let at = Pmr::local_of(CounterId::ZERO);
    let before = registers.read(at);
    let event = u64::from(Local::of_event(0x7F).bits());
    let wrote = (before ^ event) & event | u64::from(Local::FREEZE.bits());
    registers.write(at, wrote);
    let read = registers.read(at);
    registers.write(at, before);
    if read == wrote { Ok(()) } else { Err(Error::Swallowed { register: at.number().into(), wrote, read }) }
}

impl<R: Registers<Address = Pmr, Index = Pmr>> Backend for Embedded<R> {
    type Demand = Demand;
    type Program = ();
    type Occupancy = CounterSet;
    type Image = Image;
    type Handle = Pmr;
    type WayBack = ();

    fn description(&self) -> Description {
        let core = self.facts.core;
        let mut description = Description::new(core.name(), core.manual(), Facts::WIDTH);
        description.general = self.facts.counters;
        description.overflow = Overflow::Interrupt;
        description
    }

    fn catalogue(&self) -> &'static Catalogue {
        self.facts.core.catalogue()
    }

    fn native(&self, generic: Generic) -> Result<Event, Refusal> {
        events::native(generic)
    }

    #[inline(always)]
    fn encode(&self, request: &Request) -> Result<Demand, Refusal> {
        encode::encode(&self.facts, request)
    }

    #[inline(always)]
    fn place(&self, beside: &CounterSet, new: &[Demand], steps: Steps, out: &mut [Slot]) -> Result<(), Conflict> {
        place(self.facts.counters.without(*beside), new, steps, out)
    }

    /// A counter must not look as if it had overflowed before it is preset: it is, to the longest
    /// wait, before it counts as somebody's.
    #[inline(always)]
    fn load(&self, image: &Image, (): &(), slots: &[Slot], _running: CounterSet) {
        for slot in slots {
            self.write_counter(slot.counter, self.longest(image, slot.counter));
            image.load(&self.registers, &self.facts, slot);
        }
    }

    #[inline(always)]
    fn release(&self, image: &Image, counters: CounterSet) {
        image.release(&self.registers, counters);
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
        self.write_global(Global::FREEZE);
        if exactly.is_empty() {
            return;
        }
        for counter in image.occupied() {
            let running = exactly.contains(counter);
            let local = if running { image.running(counter) } else { image.frozen(counter) };
            self.registers.write(Pmr::local_of(counter), local);
        }
        self.write_global(Global::INTERRUPT);
    }

    #[inline(always)]
    fn overflowed(&self, image: &Image, armed: CounterSet) -> CounterSet {
        let past = |counter: &CounterId| Facts::WIDTH.past(self.read(Pmr::counter_of(*counter))).is_some();
        armed.and(image.occupied()).into_iter().filter(past).collect()
    }

    /// A counter has overflowed until it is preset, and no other register says so.
    #[inline(always)]
    fn acknowledge(&self, _: &Image, _: CounterSet) {}

    /// Every run sets PMIE.
    #[inline(always)]
    fn rearm(&self) {}

    #[inline(always)]
    fn late(&self) -> Late {
        Late::One { within: LATE }
    }

    fn way_back(&self, _: &Self::Image, _: &Slot) {}

    #[inline(always)]
    fn handle(&self, _: &Image, counter: CounterId) -> Pmr {
        Pmr::counter_of(counter)
    }

    /// By the copy, which every program can read: nothing opens or closes it ("PowerPC e500 Core Family
    /// Reference Manual", sections 1.12.2 and 2.15.7, figure 2-42: "Supervisor/user read-only"; "MPC8308
    /// PowerQUICC II Pro Processor Reference Manual", chapter 7, "e300 Processor Core Overview": "UPMC0-UPMC3
    /// provide user-level read access").
    fn user_index(&self, counter: Pmr) -> Option<u32> {
        Some(counter.user().number().into())
    }

    #[inline(always)]
    fn read(&self, counter: Pmr) -> u64 {
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
        self.put_back(&image.before);
    }
}
