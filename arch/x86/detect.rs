//! Which family's unit does this processor have? Found out once.
//!
//! [`detect`] asks CPUID for the vendor and the family, and returns a driver of whatever is there. It costs a comparison or
//! two at each operation. A kernel that knows the family names that family's driver.
//!
//! These are the families of 64-bit processors. [`detect32`](super::detect32) has those before them too.

use raw_cpuid::CpuIdReader;

use super::amd::{self, Amd};
use super::intel::{self, Intel};
use super::netburst::{self, Netburst};
use super::processor::Processor;
use super::{Demand, Index, Line, Msr};
use crate::contract::{self, Control, Counter, Counters, Plan, Registers, Slot, Steps};
use crate::event::{Conflict, CounterSet, Result};

/// The driver of one of the families, of whichever generation. With three of them a call is a comparison or two, and never
/// an indirect jump.
#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "a unit has one, in place, and there is no allocator")]
#[non_exhaustive]
pub enum Detected<R, L> {
    /// Intel's architectural performance monitoring.
    Intel(Intel<R, L>),
    /// AMD's core performance counters.
    Amd(Amd<R, L>),
    /// The Pentium 4's unit.
    Netburst(Netburst<R, L>),
}

/// The driver of the unit that this processor has.
///
/// # Errors
/// [`UnknownVendor`](crate::Error::UnknownVendor), [`UnknownProcessor`](crate::Error::UnknownProcessor) for a family
/// that no driver knows, [`OtherDriver`](crate::Error::OtherDriver) for a Pentium or one of the P6 family;
/// [`NoUnit`](crate::Error::NoUnit), [`Swallowed`](crate::Error::Swallowed) and
/// [`UsedByOthers`](crate::Error::UsedByOthers) as the family's own detection has them; the unit is as it was.
pub fn detect<C, R, L>(cpuid: &C, registers: R, line: L) -> Result<Detected<R, L>>
where
    C: CpuIdReader,
    R: Registers<Address = Msr, Index = Index>,
    L: Line,
{
    let processor = Processor::of(cpuid)?;
    if amd::Capabilities::describe(&processor) {
        Amd::detect(cpuid, registers, line).map(Detected::Amd)
    } else if netburst::Capabilities::describe(&processor) && !processor.is_architectural() {
        Netburst::detect(cpuid, registers, line).map(Detected::Netburst)
    } else {
        Intel::detect(cpuid, registers, line).map(Detected::Intel)
    }
}

/// What is in use of a unit, as its family has it. AMD's counters share nothing: of its units Intel's occupancy says which
/// counters are in use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Occupancy(Beside);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Beside {
    Intel(intel::Occupancy),
    Netburst(netburst::Occupancy),
}

/// An unused unit of any family.
impl Default for Occupancy {
    #[inline(always)]
    fn default() -> Self {
        Self(Beside::Intel(intel::Occupancy::default()))
    }
}

impl Occupancy {
    /// The counters in use.
    #[inline(always)]
    pub(super) fn counters(&self) -> CounterSet {
        match &self.0 {
            Beside::Intel(occupancy) => occupancy.counters,
            Beside::Netburst(occupancy) => occupancy.counters,
        }
    }

    /// The same with these counters in use too, on a unit whose counters share nothing.
    #[inline(always)]
    pub(super) fn and(self, counters: CounterSet) -> Self {
        Self(Beside::Intel(self.intel().and(counters)))
    }

    /// Of a unit that is Intel's.
    #[inline(always)]
    fn intel(&self) -> intel::Occupancy {
        match &self.0 {
            Beside::Intel(occupancy) => *occupancy,
            Beside::Netburst(_) => intel::Occupancy::default(),
        }
    }

    /// Of a unit that is a Pentium 4's.
    #[inline(always)]
    fn netburst(&self) -> netburst::Occupancy {
        match &self.0 {
            Beside::Intel(_) => netburst::Occupancy::default(),
            Beside::Netburst(occupancy) => *occupancy,
        }
    }
}

/// The shared control words of a placement, as its family has them. AMD has none.
#[derive(Clone, Copy, Debug)]
pub struct Program(Words);

#[derive(Clone, Copy, Debug)]
enum Words {
    Intel(intel::Program),
    Netburst(netburst::Program),
}

impl Program {
    /// The placement of AMD's, or of nothing.
    pub(super) const NONE: Self = Self(Words::Intel(intel::Program::NONE));
}

/// The images of all families, of which one is used.
#[derive(Debug)]
pub struct Image {
    intel: intel::Image,
    amd: amd::Image,
    netburst: netburst::Image,
}

impl contract::Image for Image {
    type Occupancy = Occupancy;

    const BLANK: Self = Self { intel: intel::Image::BLANK, amd: amd::Image::BLANK, netburst: netburst::Image::BLANK };

    #[inline(always)]
    fn counters(&self) -> CounterSet {
        self.intel.counters().or(self.amd.counters()).or(self.netburst.counters())
    }

    #[inline(always)]
    fn occupancy(&self) -> Occupancy {
        let is_netburst = !self.netburst.counters().is_empty();
        let others = || self.intel.occupancy().and(self.amd.occupancy());
        Occupancy(if is_netburst { Beside::Netburst(self.netburst.occupancy()) } else { Beside::Intel(others()) })
    }
}

/// What the unit held before it was claimed, as its family keeps it.
#[derive(Debug)]
pub struct Saved {
    intel: intel::Saved,
    amd: amd::Saved,
    netburst: netburst::Saved,
}

/// Calls the same function of whichever driver it is, with that family's part of `$of` if there is one.
macro_rules! whichever {
    ($self:ident, $call:ident($($argument:expr),*)) => {
        match $self {
            Detected::Intel(driver) => driver.$call($($argument),*),
            Detected::Amd(driver) => driver.$call($($argument),*),
            Detected::Netburst(driver) => driver.$call($($argument),*),
        }
    };
    ($self:ident, $of:ident, $call:ident($($argument:expr),*)) => {
        match $self {
            Detected::Intel(driver) => driver.$call(&$of.intel, $($argument),*),
            Detected::Amd(driver) => driver.$call(&$of.amd, $($argument),*),
            Detected::Netburst(driver) => driver.$call(&$of.netburst, $($argument),*),
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
        match self {
            Self::Intel(driver) => driver.place(&beside.intel(), new, steps, out).map(|own| Program(Words::Intel(own))),
            Self::Amd(driver) => driver.place(&beside.counters(), new, steps, out).map(|()| Program::NONE),
            Self::Netburst(driver) => {
                driver.place(&beside.netburst(), new, steps, out).map(|own| Program(Words::Netburst(own)))
            }
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

    const NOTHING_SAVED: Saved = Saved {
        intel: Intel::<R, L>::NOTHING_SAVED,
        amd: Amd::<R, L>::NOTHING_SAVED,
        netburst: Netburst::<R, L>::NOTHING_SAVED,
    };

    contract::delegated!(Control by whichever);

    /// A program is of the driver's own family, or placed by AMD's.
    #[inline(always)]
    fn load(&self, image: &Image, program: &Program, slots: &[Slot]) {
        match (self, &program.0) {
            (Self::Intel(driver), Words::Intel(own)) => driver.load(&image.intel, own, slots),
            (Self::Netburst(driver), Words::Netburst(own)) => driver.load(&image.netburst, own, slots),
            (Self::Amd(driver), _) => driver.load(&image.amd, &(), slots),
            (Self::Intel(_), Words::Netburst(_)) | (Self::Netburst(_), Words::Intel(_)) => {}
        }
    }
}
