//! Detects which family's unit a processor has.
//!
//! [`detect`] decodes the version register, which a kernel above a hypervisor cannot read: there it is T1 to T3, which are
//! known by their names ([`Niagara::detect`]). A kernel that knows the family can use its driver directly.

use super::niagara::{self, Niagara, Privilege};
use super::ultrasparc::UltraSparc;
use super::{Asr, Demand, Half, Image, Occupancy, Saved, Ver};
use crate::contract::{self, Control, Counter, Counters, Plan, Registers, Slot, Steps};
use crate::event::{Conflict, CounterSet, Result};

/// The driver of one of the families.
#[derive(Debug)]
#[non_exhaustive]
pub enum Detected<R> {
    /// UltraSPARC I to IV+.
    UltraSparc(UltraSparc<R>),
    /// UltraSPARC T1 to SPARC T3.
    Niagara(Niagara<R>),
}

/// Detects the unit by the version register, and creates its driver. Who can read that register on T1 or T2 is
/// hyperprivileged, and can count in the hypervisor.
///
/// # Errors
/// Returns [`UnknownProcessor`](crate::Error::UnknownProcessor) or [`Swallowed`](crate::Error::Swallowed). The unit is not
/// changed.
pub fn detect<R: Registers<Address = Asr, Index = Half>>(version: Ver, registers: R) -> Result<Detected<R>> {
    match niagara::Model::of_version(version) {
        Some(model) => Niagara::detect(model.compatible(), Privilege::Hypervisor, registers).map(Detected::Niagara),
        None => UltraSparc::detect(version, registers).map(Detected::UltraSparc),
    }
}

/// Calls the same function of whichever driver it is. Both have the same image.
macro_rules! whichever {
    ($self:ident, $call:ident($($argument:expr),*)) => {
        match $self {
            Detected::UltraSparc(driver) => driver.$call($($argument),*),
            Detected::Niagara(driver) => driver.$call($($argument),*),
        }
    };
    ($self:ident, $both:ident, $call:ident($($argument:expr),*)) => {
        whichever!($self, $call($both $(, $argument)*))
    };
}

impl<R: Registers<Address = Asr, Index = Half>> Plan for Detected<R> {
    type Registers = R;
    type Demand = Demand;
    type Program = ();
    type Occupancy = Occupancy;
    type Handle = Half;

    const NO_PROGRAM: () = ();

    contract::delegated!(Plan by whichever);

    #[inline(always)]
    fn registers(&self) -> &R {
        whichever!(self, registers())
    }

    fn place(&self, beside: &Occupancy, new: &[Demand], steps: Steps, out: &mut [Slot]) -> Result<(), Conflict> {
        whichever!(self, place(beside, new, steps, out))
    }

    fn user_offset(&self) -> u64 {
        whichever!(self, user_offset())
    }

    #[inline(always)]
    fn counter(&self, slot: &Slot) -> Counter<Half> {
        whichever!(self, counter(slot))
    }
}

impl<R: Registers<Address = Asr, Index = Half>> Counters for Detected<R> {
    type Image = Image;

    contract::delegated!(Counters by whichever);

    #[inline(always)]
    fn read(&self, half: Half) -> u64 {
        whichever!(self, read(half))
    }
}

impl<R: Registers<Address = Asr, Index = Half>> Control for Detected<R> {
    type Saved = Saved;

    const NOTHING_SAVED: Saved = Saved::nothing();

    contract::delegated!(Control by whichever);

    #[inline(always)]
    fn load(&self, image: &Image, program: &(), slots: &[Slot]) {
        whichever!(self, load(image, program, slots));
    }

    fn lend(&self, image: &Image, counters: CounterSet) {
        whichever!(self, lend(image, counters));
    }
}
