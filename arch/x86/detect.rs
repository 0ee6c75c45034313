//! Which family's unit does this processor have? Found out once.
//!
//! [`detect`] asks CPUID for the vendor and returns a driver of whatever is there. It costs a comparison at each
//! operation. A kernel that knows the family names that family's driver.

use raw_cpuid::CpuIdReader;

use super::amd::{self, Amd};
use super::intel::{self, Intel};
use super::processor::Processor;
use super::{Demand, Index, Line, Msr};
use crate::contract::{self, Control, Counter, Counters, Description, Kind, Late, Plan, Registers, Slot, Steps};
use crate::event::catalogue::Catalogue;
use crate::event::{Conflict, CounterId, CounterSet, Event, Generic, Refusal, Remaining, Request, Result};

/// The driver of one of the families, of whichever generation. With two of them a call is a comparison and never an
/// indirect jump.
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
/// [`UnknownProcessor`](crate::Error::UnknownProcessor) for a vendor or a family that no driver knows,
/// [`NoUnit`](crate::Error::NoUnit) and [`Swallowed`](crate::Error::Swallowed) as the family's own detection has them;
/// the unit is as it was.
pub fn detect<C, R, L>(cpuid: &C, registers: R, line: L) -> Result<Detected<R, L>>
where
    C: CpuIdReader,
    R: Registers<Address = Msr, Index = Index>,
    L: Line,
{
    if amd::Capabilities::describe(&Processor::of(cpuid)?) {
        Amd::detect(cpuid, registers, line).map(Detected::Amd)
    } else {
        Intel::detect(cpuid, registers, line).map(Detected::Intel)
    }
}

/// The images of both families, of which one is used.
#[derive(Debug)]
pub struct Image {
    intel: intel::Image,
    amd: amd::Image,
}

impl contract::Image for Image {
    type Occupancy = intel::Occupancy;

    const BLANK: Self = Self { intel: intel::Image::BLANK, amd: amd::Image::BLANK };

    #[inline(always)]
    fn occupancy(&self) -> intel::Occupancy {
        self.intel.occupancy().and(self.amd.occupancy())
    }
}

/// What the unit held before it was claimed, as its family keeps it.
#[derive(Debug)]
pub struct Saved {
    intel: intel::Saved,
    amd: amd::Saved,
}

/// Calls the same function of whichever driver it is, with that family's part of `$of` if there is one.
macro_rules! whichever {
    ($self:ident, $call:ident($($argument:expr),*)) => {
        match $self {
            Detected::Intel(driver) => driver.$call($($argument),*),
            Detected::Amd(driver) => driver.$call($($argument),*),
        }
    };
    ($self:ident, $of:ident, $call:ident($($argument:expr),*)) => {
        match $self {
            Detected::Intel(driver) => driver.$call(&$of.intel, $($argument),*),
            Detected::Amd(driver) => driver.$call(&$of.amd, $($argument),*),
        }
    };
}

impl<R, L> Plan for Detected<R, L>
where
    R: Registers<Address = Msr, Index = Index>,
    L: Line,
{
    type Registers = R;
    type Demand = Demand;
    /// Intel's. AMD's counters share nothing, and its programs are empty.
    type Program = intel::Program;
    /// Intel's too: of AMD's units it says which counters are in use.
    type Occupancy = intel::Occupancy;
    type Handle = Index;

    #[inline(always)]
    fn registers(&self) -> &R {
        whichever!(self, registers())
    }

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
    fn kind(&self) -> Kind {
        whichever!(self, kind())
    }

    #[inline(always)]
    fn encode(&self, request: &Request) -> Result<Demand, Refusal> {
        whichever!(self, encode(request))
    }

    #[inline(always)]
    fn place(
        &self,
        beside: &intel::Occupancy,
        new: &[Demand],
        steps: Steps,
        out: &mut [Slot],
    ) -> Result<intel::Program, Conflict> {
        match self {
            Self::Intel(driver) => driver.place(beside, new, steps, out),
            Self::Amd(driver) => driver
                .place(&contract::Occupancy::counters(beside), new, steps, out)
                .map(|()| intel::Program::default()),
        }
    }

    #[inline(always)]
    fn counter(&self, slot: &Slot) -> Counter<Index> {
        whichever!(self, counter(slot))
    }
}

impl<R, L> Counters for Detected<R, L>
where
    R: Registers<Address = Msr, Index = Index>,
    L: Line,
{
    type Image = Image;

    #[inline(always)]
    fn run(&self, image: &Image, exactly: CounterSet) {
        whichever!(self, image, run(exactly));
    }

    #[inline(always)]
    fn read(&self, counter: Index) -> u64 {
        whichever!(self, read(counter))
    }

    #[inline(always)]
    fn preset(&self, image: &Image, counter: CounterId, remaining: Remaining) -> Remaining {
        whichever!(self, image, preset(counter, remaining))
    }

    #[inline(always)]
    fn overflowed(&self, image: &Image, among: CounterSet, found: impl FnMut(CounterId, i64)) {
        whichever!(self, image, overflowed(among, found));
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
}

impl<R, L> Control for Detected<R, L>
where
    R: Registers<Address = Msr, Index = Index>,
    L: Line,
{
    type Saved = Saved;

    const NOTHING_SAVED: Saved = Saved { intel: Intel::<R, L>::NOTHING_SAVED, amd: Amd::<R, L>::NOTHING_SAVED };

    #[inline(always)]
    fn load(&self, image: &Image, program: &intel::Program, slots: &[Slot]) {
        match self {
            Self::Intel(driver) => driver.load(&image.intel, program, slots),
            Self::Amd(driver) => driver.load(&image.amd, &(), slots),
        }
    }

    #[inline(always)]
    fn release(&self, image: &Image, counters: CounterSet) {
        whichever!(self, image, release(counters));
    }

    fn reload(&self, image: &Image) {
        whichever!(self, image, reload());
    }

    fn save(&self, into: &Saved) {
        whichever!(self, into, save());
    }

    fn restore(&self, from: &Saved) {
        whichever!(self, from, restore());
    }
}
