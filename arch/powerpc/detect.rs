//! Which family's unit a 32-bit processor has: found out once, then one of them.
//!
//! [`detect`] asks the processor version register. The families' registers are in spaces of their own, and
//! so it takes both kinds; only those that the processor has are touched. Who knows the family uses
//! its driver by name.

use super::classic::{self, Classic};
use super::embedded::{self, Embedded};
use super::{Demand, Pmr, Pvr, Spr};
use crate::backend::{self, Backend, Description, Late, Slot};
use crate::contract::{self, Registers, Steps};
use crate::event::catalogue::Catalogue;
use crate::event::{
    Conflict, CounterId, CounterSet, Error, Event, Generic, Refusal, Remaining, Request, Result, Width,
};

/// The driver of one of the families.
#[derive(Debug)]
pub enum Detected<S, P> {
    /// 604 to 7448.
    Classic(Classic<S>),
    /// e300, e500 and e500mc.
    Embedded(Embedded<P>),
}

/// The driver of the unit that this processor has, by its version: over `sprs`, or over `pmrs`.
///
/// # Errors
/// [`Error::NoUnit`], [`Error::UnknownProcessor`], [`Error::Swallowed`]; the unit is as it was.
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

/// The images of both families, of which one is used: what a unit holds before it is claimed by
/// either.
#[derive(Debug)]
pub struct Image {
    classic: classic::Image,
    embedded: embedded::Image,
}

/// What of a unit is in use, as its family has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Occupancy {
    classic: classic::Occupancy,
    embedded: CounterSet,
}

impl contract::Occupancy for Occupancy {
    #[inline(always)]
    fn counters(&self) -> CounterSet {
        self.classic.counters().or(self.embedded)
    }
}

impl backend::Image for Image {
    type Occupancy = Occupancy;

    const BLANK: Self = Self { classic: classic::Image::BLANK, embedded: embedded::Image::BLANK };

    #[inline(always)]
    fn occupied(&self) -> CounterSet {
        self.classic.occupied().or(self.embedded.occupied())
    }

    #[inline(always)]
    fn occupancy(&self) -> Occupancy {
        Occupancy { classic: self.classic.occupancy(), embedded: self.embedded.occupancy() }
    }
}

/// The same call of whichever driver it is, with that family's image.
macro_rules! whichever {
    ($self:ident, $call:ident($($argument:expr),*)) => {
        match $self {
            Detected::Classic(driver) => driver.$call($($argument),*),
            Detected::Embedded(driver) => driver.$call($($argument),*),
        }
    };
    ($self:ident, $image:ident, $call:ident($($argument:expr),*)) => {
        match $self {
            Detected::Classic(driver) => driver.$call(&$image.classic, $($argument),*),
            Detected::Embedded(driver) => driver.$call(&$image.embedded, $($argument),*),
        }
    };
}

impl<S, P> Backend for Detected<S, P>
where
    S: Registers<Address = Spr, Index = Spr>,
    P: Registers<Address = Pmr, Index = Pmr>,
{
    type Demand = Demand;
    type Program = ();
    type Occupancy = Occupancy;
    type Image = Image;
    type Handle = CounterId;
    type WayBack = ();

    fn description(&self) -> Description {
        whichever!(self, description())
    }

    fn catalogue(&self) -> &'static Catalogue {
        whichever!(self, catalogue())
    }

    fn native(&self, generic: Generic) -> Result<Event, Refusal> {
        whichever!(self, native(generic))
    }

    fn encode(&self, request: &Request) -> Result<Demand, Refusal> {
        whichever!(self, encode(request))
    }

    fn place(&self, beside: &Occupancy, new: &[Demand], steps: Steps, out: &mut [Slot]) -> Result<(), Conflict> {
        whichever!(self, beside, place(new, steps, out))
    }

    #[inline(always)]
    fn load(&self, image: &Image, program: &(), slots: &[Slot], running: CounterSet) {
        whichever!(self, image, load(program, slots, running));
    }

    #[inline(always)]
    fn release(&self, image: &Image, counters: CounterSet) {
        whichever!(self, image, release(counters));
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
    fn run(&self, image: &Image, exactly: CounterSet) {
        whichever!(self, image, run(exactly));
    }

    #[inline(always)]
    fn overflowed(&self, image: &Image, armed: CounterSet) -> CounterSet {
        whichever!(self, image, overflowed(armed))
    }

    #[inline(always)]
    fn acknowledge(&self, image: &Image, counters: CounterSet) {
        whichever!(self, image, acknowledge(counters));
    }

    fn withhold(&self, image: &Image, counters: CounterSet) {
        whichever!(self, image, withhold(counters));
    }

    #[inline(always)]
    fn admit(&self, image: &Image, counters: CounterSet) {
        whichever!(self, image, admit(counters));
    }

    #[inline(always)]
    fn rearm(&self) {
        whichever!(self, rearm());
    }

    #[inline(always)]
    fn late(&self) -> Late {
        whichever!(self, late())
    }

    fn way_back(&self, _: &Self::Image, _: &Slot) {}

    #[inline(always)]
    fn handle(&self, _: &Image, counter: CounterId) -> CounterId {
        counter
    }

    /// The number of a special-purpose register, or of a performance monitor register: which, the family says.
    fn user_index(&self, counter: CounterId) -> Option<u32> {
        match self {
            Self::Classic(driver) => driver.user_index(classic::counter_register(counter)),
            Self::Embedded(driver) => driver.user_index(Pmr::counter_of(counter)),
        }
    }

    #[inline(always)]
    fn read(&self, counter: CounterId) -> u64 {
        match self {
            Self::Classic(driver) => driver.read(classic::counter_register(counter)),
            Self::Embedded(driver) => driver.read(Pmr::counter_of(counter)),
        }
    }

    #[inline(always)]
    fn ticks(&self) -> u64 {
        whichever!(self, ticks())
    }

    #[inline(always)]
    fn fence(&self) {
        whichever!(self, fence());
    }

    fn save(&self, image: &Image) {
        whichever!(self, image, save());
    }

    fn restore(&self, image: &Image) {
        whichever!(self, image, restore());
    }
}
