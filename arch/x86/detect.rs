//! Which family's unit this processor has: found out once, then one of them.
//!
//! [`detect`] asks CPUID for the vendor and gives a driver of whatever is there. It costs a
//! comparison at each operation; who knows the family uses its driver by name.

use raw_cpuid::CpuIdReader;

use super::amd::{self, Amd};
use super::intel::{self, Intel};
use super::processor::Processor;
use super::{Demand, Index, Line, Msr, WayBack};
use crate::backend::{self, Backend, Description, Late, Slot};
use crate::contract::{self, Registers, Steps};
use crate::event::catalogue::Catalogue;
use crate::event::{Conflict, CounterId, CounterSet, Event, Generic, Refusal, Remaining, Request, Result, Width};

/// The driver of one of the families.
#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "a unit has one, in place, and there is no allocator")]
pub enum Detected<R, L> {
    /// Intel's architectural performance monitoring.
    Intel(Intel<R, L>),
    /// AMD's core performance counters.
    Amd(Amd<R, L>),
}

/// The driver of the unit that this processor has.
///
/// # Errors
/// [`UnknownProcessor`](crate::Error::UnknownProcessor) for a vendor or a family that no driver
/// knows, [`NoUnit`](crate::Error::NoUnit) and [`Swallowed`](crate::Error::Swallowed) as the family's own detection has them; the unit is as it was.
pub fn detect<C, R, L>(cpuid: &C, registers: R, line: L) -> Result<Detected<R, L>>
where
    C: CpuIdReader,
    R: Registers<Address = Msr, Index = Index>,
    L: Line,
{
    if amd::Facts::describe(&Processor::of(cpuid)?) {
        Amd::detect(cpuid, registers, line).map(Detected::Amd)
    } else {
        Intel::detect(cpuid, registers, line).map(Detected::Intel)
    }
}

/// The images of all families, of which one is used: what a unit holds before it is claimed by
/// any.
#[derive(Debug)]
pub struct Image {
    intel: intel::Image,
    amd: amd::Image,
}

/// What of a unit is in use, as its family has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Occupancy {
    intel: intel::Occupancy,
    amd: CounterSet,
}

impl contract::Occupancy for Occupancy {
    #[inline(always)]
    fn counters(&self) -> CounterSet {
        self.intel.counters().or(self.amd)
    }
}

impl backend::Image for Image {
    type Occupancy = Occupancy;

    const BLANK: Self = Self { intel: intel::Image::BLANK, amd: amd::Image::BLANK };

    #[inline(always)]
    fn occupied(&self) -> CounterSet {
        self.intel.occupied().or(self.amd.occupied())
    }

    #[inline(always)]
    fn occupancy(&self) -> Occupancy {
        Occupancy { intel: self.intel.occupancy(), amd: self.amd.occupancy() }
    }
}

/// One family's program.
#[derive(Clone, Copy, Debug)]
pub enum Program {
    /// Intel's.
    Intel(intel::Program),
    /// AMD's, whose counters share nothing.
    Amd,
}

/// The same call of whichever driver it is, with that family's image.
macro_rules! whichever {
    ($self:ident, $call:ident($($argument:expr),*)) => {
        match $self {
            Detected::Intel(driver) => driver.$call($($argument),*),
            Detected::Amd(driver) => driver.$call($($argument),*),
        }
    };
    ($self:ident, $image:ident, $call:ident($($argument:expr),*)) => {
        match $self {
            Detected::Intel(driver) => driver.$call(&$image.intel, $($argument),*),
            Detected::Amd(driver) => driver.$call(&$image.amd, $($argument),*),
        }
    };
}

impl<R, L> Backend for Detected<R, L>
where
    R: Registers<Address = Msr, Index = Index>,
    L: Line,
{
    type Demand = Demand;
    type Program = Program;
    type Occupancy = Occupancy;
    type Image = Image;
    type Handle = Index;
    type WayBack = WayBack;

    fn description(&self) -> Description {
        whichever!(self, description())
    }

    fn catalogue(&self) -> &'static Catalogue {
        whichever!(self, catalogue())
    }

    fn native(&self, generic: Generic) -> Result<Event, Refusal> {
        whichever!(self, native(generic))
    }

    #[inline(always)]
    fn encode(&self, request: &Request) -> Result<Demand, Refusal> {
        whichever!(self, encode(request))
    }

    #[inline(always)]
    fn place(&self, beside: &Occupancy, new: &[Demand], steps: Steps, out: &mut [Slot]) -> Result<Program, Conflict> {
        match self {
            Self::Intel(driver) => driver.place(&beside.intel, new, steps, out).map(Program::Intel),
            Self::Amd(driver) => driver.place(&beside.amd, new, steps, out).map(|()| Program::Amd),
        }
    }

    /// A program is loaded by the driver that has placed it: there is one of them to a unit.
    #[inline(always)]
    fn load(&self, image: &Image, program: &Program, slots: &[Slot], running: CounterSet) {
        match (self, program) {
            (Self::Intel(driver), Program::Intel(program)) => driver.load(&image.intel, program, slots, running),
            (Self::Amd(driver), Program::Amd) => driver.load(&image.amd, &(), slots, running),
            (Self::Intel(_), Program::Amd) | (Self::Amd(_), Program::Intel(_)) => {}
        }
    }

    #[inline(always)]
    fn release(&self, image: &Image, counters: CounterSet) {
        whichever!(self, image, release(counters));
    }

    #[inline(always)]
    fn replace(&self, image: &Image, old: CounterSet, program: &Program, slots: &[Slot], running: CounterSet) {
        match (self, program) {
            (Self::Intel(driver), Program::Intel(program)) => {
                driver.replace(&image.intel, old, program, slots, running);
            }
            (Self::Amd(driver), Program::Amd) => driver.replace(&image.amd, old, &(), slots, running),
            (Self::Intel(_), Program::Amd) | (Self::Amd(_), Program::Intel(_)) => {}
        }
    }

    fn resumes(&self, image: &Image, counters: CounterSet) -> bool {
        whichever!(self, image, resumes(counters))
    }

    fn way_back(&self, image: &Image, slot: &Slot) -> WayBack {
        whichever!(self, image, way_back(slot))
    }

    #[inline(always)]
    fn resume(&self, image: &Image, way_back: &WayBack, raw: u64) {
        whichever!(self, image, resume(way_back, raw));
    }

    #[inline(always)]
    fn keeps(&self) -> bool {
        whichever!(self, keeps())
    }

    #[inline(always)]
    fn width(&self, image: &Image, counter: CounterId) -> Width {
        whichever!(self, image, width(counter))
    }

    #[inline(always)]
    fn longest(&self, image: &Image, counter: CounterId) -> Remaining {
        whichever!(self, image, longest(counter))
    }

    #[inline(always)]
    fn preset(&self, image: &Image, counter: CounterId, remaining: Remaining) {
        whichever!(self, image, preset(counter, remaining));
    }

    #[inline(always)]
    fn bring_back(&self, image: &Image, counter: CounterId, raw: u64) {
        whichever!(self, image, bring_back(counter, raw));
    }

    #[inline(always)]
    fn run(&self, image: &Image, exactly: CounterSet) {
        whichever!(self, image, run(exactly));
    }

    #[inline(always)]
    fn runs_at_once(&self) -> bool {
        whichever!(self, runs_at_once())
    }

    #[inline(always)]
    fn run_at_once(&self, image: &Image, exactly: CounterSet) {
        whichever!(self, image, run_at_once(exactly));
    }

    #[inline(always)]
    fn overflowed(&self, image: &Image, armed: CounterSet) -> CounterSet {
        whichever!(self, image, overflowed(armed))
    }

    #[inline(always)]
    fn overflowed_at_once(&self, image: &Image, stopped: CounterSet) -> CounterSet {
        whichever!(self, image, overflowed_at_once(stopped))
    }

    #[inline(always)]
    fn acknowledge(&self, image: &Image, counters: CounterSet) {
        whichever!(self, image, acknowledge(counters));
    }

    #[inline(always)]
    fn rearm(&self) {
        whichever!(self, rearm());
    }

    #[inline(always)]
    fn late(&self) -> Late {
        whichever!(self, late())
    }

    #[inline(always)]
    fn handle(&self, image: &Image, counter: CounterId) -> Index {
        whichever!(self, image, handle(counter))
    }

    fn user_index(&self, counter: Index) -> Option<u32> {
        Some(counter.raw())
    }

    #[inline(always)]
    fn read(&self, counter: Index) -> u64 {
        whichever!(self, read(counter))
    }

    #[inline(always)]
    fn ticks(&self) -> u64 {
        whichever!(self, ticks())
    }

    fn save(&self, image: &Image) {
        whichever!(self, image, save());
    }

    fn restore(&self, image: &Image) {
        whichever!(self, image, restore());
    }
}
