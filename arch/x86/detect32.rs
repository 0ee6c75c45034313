//! Which family's unit does this 32-bit processor have? Found out once.
//!
//! It may have the unit of a 64-bit processor, as in a kernel of 32 bits, or that of the Pentium or the P6 family. [`detect`]
//! asks CPUID for the vendor, the family and the model. A kernel that knows the family names that family's driver.
//!
//! `pmu::arch` has these [`Detected`] and [`detect`] on 32-bit x86, and those of [`x86`](super) on x86-64. They compile
//! everywhere.

use raw_cpuid::CpuIdReader;

use super::detect::{Detected as Modern, Image as ModernImage, Occupancy, Program, Saved as ModernSaved};
use super::p5::{self, P5};
use super::p6::{self, P6};
use super::processor::Processor;
use super::{Demand, Index, Line, Msr};
use crate::contract::{self, Control, Counter, Counters, Plan, Registers, Slot, Steps};
use crate::event::{Conflict, CounterSet, Result};

/// The driver of one of the families, of whichever generation. With three variants, one of which has three, a call is a few
/// comparisons and never an indirect jump.
#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "a unit has one, in place, and there is no allocator")]
#[non_exhaustive]
pub enum Detected<R, L> {
    /// A unit that 64-bit processors have too.
    Modern(Modern<R, L>),
    /// The unit of the Pentium Pro, II, III or M.
    P6(P6<R, L>),
    /// The unit of the Pentium, with or without MMX. It has no line.
    P5(P5<R>),
}

/// The driver of the unit that this processor has.
///
/// # Errors
/// [`UnknownVendor`](crate::Error::UnknownVendor), [`UnknownProcessor`](crate::Error::UnknownProcessor) for a family
/// that no driver knows, as the 486; [`NoUnit`](crate::Error::NoUnit), [`Swallowed`](crate::Error::Swallowed) and
/// [`UsedByOthers`](crate::Error::UsedByOthers) as the family's own detection has them; the unit is as it was.
pub fn detect<C, R, L>(cpuid: &C, registers: R, line: L) -> Result<Detected<R, L>>
where
    C: CpuIdReader,
    R: Registers<Address = Msr, Index = Index>,
    L: Line,
{
    let processor = Processor::of(cpuid)?;
    if processor.is_architectural() {
        super::detect(cpuid, registers, line).map(Detected::Modern)
    } else if p5::Capabilities::describe(&processor) {
        P5::detect(cpuid, registers).map(Detected::P5)
    } else if p6::Capabilities::model(&processor).is_some() {
        P6::detect(cpuid, registers, line).map(Detected::P6)
    } else {
        super::detect(cpuid, registers, line).map(Detected::Modern)
    }
}

/// The images of all families, of which one is used.
#[derive(Debug)]
pub struct Image {
    modern: ModernImage,
    p6: p6::Image,
    p5: p5::Image,
}

impl contract::Image for Image {
    type Occupancy = Occupancy;

    const BLANK: Self = Self { modern: ModernImage::BLANK, p6: p6::Image::BLANK, p5: p5::Image::BLANK };

    #[inline(always)]
    fn counters(&self) -> CounterSet {
        self.modern.counters().or(self.p6.counters()).or(self.p5.counters())
    }

    /// The counters of the P6 family and of the Pentium share nothing.
    #[inline(always)]
    fn occupancy(&self) -> Occupancy {
        let before = self.p6.occupancy().or(self.p5.occupancy());
        if before.is_empty() { self.modern.occupancy() } else { Occupancy::default().and(before) }
    }
}

/// What the unit held before it was claimed, as its family keeps it.
#[derive(Debug)]
pub struct Saved {
    modern: ModernSaved,
    p6: p6::Saved,
    p5: p5::Saved,
}

/// Calls the same function of whichever driver it is, with that family's part of `$of` if there is one.
macro_rules! whichever {
    ($self:ident, $call:ident($($argument:expr),*)) => {
        match $self {
            Detected::Modern(driver) => driver.$call($($argument),*),
            Detected::P6(driver) => driver.$call($($argument),*),
            Detected::P5(driver) => driver.$call($($argument),*),
        }
    };
    ($self:ident, $of:ident, $call:ident($($argument:expr),*)) => {
        match $self {
            Detected::Modern(driver) => driver.$call(&$of.modern, $($argument),*),
            Detected::P6(driver) => driver.$call(&$of.p6, $($argument),*),
            Detected::P5(driver) => driver.$call(&$of.p5, $($argument),*),
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
    type Program = Program;
    type Occupancy = Occupancy;
    type Handle = Index;

    const NO_PROGRAM: Program = Program::NONE;

    contract::delegated!(Plan by whichever);

    #[inline(always)]
    fn registers(&self) -> &R {
        whichever!(self, registers())
    }

    #[inline(always)]
    fn place(&self, beside: &Occupancy, new: &[Demand], steps: Steps, out: &mut [Slot]) -> Result<Program, Conflict> {
        let counters = || beside.counters();
        match self {
            Self::Modern(driver) => driver.place(beside, new, steps, out),
            Self::P6(driver) => driver.place(&counters(), new, steps, out).map(|()| Program::NONE),
            Self::P5(driver) => driver.place(&counters(), new, steps, out).map(|()| Program::NONE),
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

    contract::delegated!(Counters by whichever);

    #[inline(always)]
    fn read(&self, counter: Index) -> u64 {
        whichever!(self, read(counter))
    }
}

impl<R, L> Control for Detected<R, L>
where
    R: Registers<Address = Msr, Index = Index>,
    L: Line,
{
    type Saved = Saved;

    const NOTHING_SAVED: Saved =
        Saved { modern: Modern::<R, L>::NOTHING_SAVED, p6: P6::<R, L>::NOTHING_SAVED, p5: P5::<R>::NOTHING_SAVED };

    contract::delegated!(Control by whichever);

    #[inline(always)]
    fn load(&self, image: &Image, program: &Program, slots: &[Slot]) {
        match self {
            Self::Modern(driver) => driver.load(&image.modern, program, slots),
            Self::P6(driver) => driver.load(&image.p6, &(), slots),
            Self::P5(driver) => driver.load(&image.p5, &(), slots),
        }
    }
}
