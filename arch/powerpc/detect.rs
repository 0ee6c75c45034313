//! Detects which family's unit a 32-bit processor has.
//!
//! [`detect`] decodes the processor version register. The families have registers of different kinds, so it takes
//! both, and accesses only those that the processor has. A kernel that knows the family can use
//! its driver directly.

use core::convert::Infallible;

use super::classic::{self, Classic};
use super::embedded::{self, Embedded};
use super::{Demand, Pmr, Pvr, Spr};
use crate::contract::{
    self, Control, Counter, Counters, Description, Kind, Late, Masked, Plan, Registers, Slot, Steps,
};
use crate::event::catalogue::Catalogue;
use crate::event::{Conflict, CounterId, CounterSet, Error, Event, Generic, Refusal, Remaining, Request, Result};

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

    #[inline(always)]
    fn registers(&self) -> &Self {
        self
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

    fn encode(&self, request: &Request) -> Result<Demand, Refusal> {
        whichever!(self, encode(request))
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

    #[inline(always)]
    fn run(&self, image: &Image, exactly: CounterSet) {
        whichever!(self, image, run(exactly));
    }

    #[inline(always)]
    fn read(&self, counter: CounterId) -> u64 {
        match self {
            Self::Classic(driver) => driver.read(classic::counter_register(counter)),
            Self::Embedded(driver) => driver.read(Pmr::counter_of(counter)),
        }
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

impl<S, P> Control for Detected<S, P>
where
    S: Registers<Address = Spr, Index = Spr>,
    P: Registers<Address = Pmr, Index = Pmr, Kernel = S::Kernel>,
{
    type Saved = Saved;

    const NOTHING_SAVED: Saved = Saved { classic: Classic::<S>::NOTHING_SAVED, embedded: Embedded::<P>::NOTHING_SAVED };

    #[inline(always)]
    fn load(&self, image: &Image, program: &(), slots: &[Slot]) {
        whichever!(self, image, load(program, slots));
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
