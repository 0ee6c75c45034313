//! Detects which family's unit a 32-bit processor has.
//!
//! [`detect`] decodes the processor version register. The families have registers of different kinds, so it takes
//! both, and accesses only those that the processor has. A kernel that knows the family can use
//! its driver directly.

use core::convert::Infallible;

use super::classic::{self, Classic};
use super::embedded::{self, Embedded};
use super::{Demand, Pmr, Pvr, Spr};
use crate::contract::{self, Control, Counter, Counters, Masked, Plan, Registers, Slot, Steps};
use crate::event::{Conflict, CounterId, CounterSet, Error, Result};

/// The driver of one of the families.
#[derive(Debug)]
#[non_exhaustive]
pub enum Detected<S, P> {
    /// 604 to 7448.
    Classic(Classic<S>),
    /// e300, e500 and e500mc.
    Embedded(Embedded<P>),
}

/// Detects the unit by the processor version register, and creates its driver, over `sprs` or over `pmrs`.
///
/// # Errors
/// Returns [`Error::NoUnit`], [`Error::UnknownProcessor`] or [`Error::Swallowed`]. The unit is not changed.
pub fn detect<S, P>(pvr: Pvr, sprs: S, pmrs: P) -> Result<Detected<S, P>>
where
    S: Registers<Address = Spr, Index = Spr>,
    P: Registers<Address = Pmr, Index = Pmr>,
{
    match Embedded::detect(pvr, pmrs) {
        Err(Error::UnknownProcessor { .. }) => Classic::detect(pvr, sprs).map(Detected::Classic),
        found => found.map(Detected::Embedded),
    }
}

/// The images of both families, of which one is used. A unit needs both before it is claimed.
#[derive(Debug)]
pub struct Image {
    classic: classic::Image,
    embedded: embedded::Image,
}

/// The saved state of a unit of either family.
#[derive(Debug)]
pub struct Saved {
    classic: classic::Saved,
    embedded: embedded::Saved,
}

/// The occupancy of a unit of either family.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Occupancy {
    classic: classic::Occupancy,
    embedded: CounterSet,
}

impl contract::Image for Image {
    type Occupancy = Occupancy;

    const BLANK: Self = Self { classic: classic::Image::BLANK, embedded: embedded::Image::BLANK };

    #[inline(always)]
    fn counters(&self) -> CounterSet {
        self.classic.counters().or(self.embedded.counters())
    }

    #[inline(always)]
    fn occupancy(&self) -> Occupancy {
        Occupancy { classic: self.classic.occupancy(), embedded: self.embedded.occupancy() }
    }
}

/// Calls the same function of whichever driver it is, or of its registers, with the family's part of the first argument.
macro_rules! whichever {
    ($self:ident, registers().$call:ident($($argument:expr),*)) => {
        match $self {
            Detected::Classic(driver) => driver.registers().$call($($argument),*),
            Detected::Embedded(driver) => driver.registers().$call($($argument),*),
        }
    };
    ($self:ident, $call:ident($($argument:expr),*)) => {
        match $self {
            Detected::Classic(driver) => driver.$call($($argument),*),
            Detected::Embedded(driver) => driver.$call($($argument),*),
        }
    };
    ($self:ident, $part:ident, $call:ident($($argument:expr),*)) => {
        match $self {
            Detected::Classic(driver) => driver.$call(&$part.classic, $($argument),*),
            Detected::Embedded(driver) => driver.$call(&$part.embedded, $($argument),*),
        }
    };
}

/// The clock and the interrupt mask, which both families have in common. There are no addresses.
impl<S, P> Registers for Detected<S, P>
where
    S: Registers<Address = Spr, Index = Spr>,
    P: Registers<Address = Pmr, Index = Pmr, Kernel = S::Kernel>,
{
    type Address = Infallible;
    type Index = Infallible;
    type Kernel = S::Kernel;

    #[inline(always)]
    fn kernel(&self) -> S::Kernel {
        whichever!(self, registers().kernel())
    }

    fn read(&self, at: Infallible) -> u64 {
        match at {}
    }

    fn write(&self, at: Infallible, _: u64) {
        match at {}
    }

    fn read_counter(&self, index: Infallible) -> u64 {
        match index {}
    }

    #[inline(always)]
    fn ticks(&self) -> u64 {
        whichever!(self, registers().ticks())
    }

    #[inline(always)]
    fn mask(&self) -> Masked {
        whichever!(self, registers().mask())
    }

    #[inline(always)]
    fn unmask(&self, before: Masked) {
        whichever!(self, registers().unmask(before));
    }

    #[inline(always)]
    fn fence(&self) {
        whichever!(self, registers().fence());
    }
}

impl<S, P> Plan for Detected<S, P>
where
    S: Registers<Address = Spr, Index = Spr>,
    P: Registers<Address = Pmr, Index = Pmr, Kernel = S::Kernel>,
{
    type Registers = Self;
    type Demand = Demand;
    type Program = ();
    type Occupancy = Occupancy;
    type Handle = CounterId;

    const NO_PROGRAM: () = ();

    contract::delegated!(Plan by whichever);

    #[inline(always)]
    fn registers(&self) -> &Self {
        self
    }

    fn place(&self, beside: &Occupancy, new: &[Demand], steps: Steps, out: &mut [Slot]) -> Result<(), Conflict> {
        whichever!(self, beside, place(new, steps, out))
    }

    /// The number for user programs is that of a special-purpose register or a performance monitor register, depending
    /// on the family.
    #[inline(always)]
    fn counter(&self, slot: &Slot) -> Counter<CounterId> {
        fn renamed<H>(slot: &Slot, counter: Counter<H>) -> Counter<CounterId> {
            let Counter { width, longest, user_index, .. } = counter;
            Counter { handle: slot.counter, width, longest, user_index }
        }
        match self {
            Self::Classic(driver) => renamed(slot, driver.counter(slot)),
            Self::Embedded(driver) => renamed(slot, driver.counter(slot)),
        }
    }
}

impl<S, P> Counters for Detected<S, P>
where
    S: Registers<Address = Spr, Index = Spr>,
    P: Registers<Address = Pmr, Index = Pmr, Kernel = S::Kernel>,
{
    type Image = Image;

    contract::delegated!(Counters by whichever);

    #[inline(always)]
    fn read(&self, counter: CounterId) -> u64 {
        match self {
            Self::Classic(driver) => driver.read(classic::counter_register(counter)),
            Self::Embedded(driver) => driver.read(Pmr::counter_of(counter)),
        }
    }
}

impl<S, P> Control for Detected<S, P>
where
    S: Registers<Address = Spr, Index = Spr>,
    P: Registers<Address = Pmr, Index = Pmr, Kernel = S::Kernel>,
{
    type Saved = Saved;

    const NOTHING_SAVED: Saved = Saved { classic: Classic::<S>::NOTHING_SAVED, embedded: Embedded::<P>::NOTHING_SAVED };

    contract::delegated!(Control by whichever);

    #[inline(always)]
    fn load(&self, image: &Image, program: &(), slots: &[Slot]) {
        whichever!(self, image, load(program, slots));
    }
}
