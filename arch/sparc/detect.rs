//! Detects which family's unit a processor has.
//!
//! [`detect`] decodes the version register, which a kernel above a hypervisor cannot read: there it is T1 to T3, which are
//! known by their names ([`Niagara::detect`]). A kernel that knows the family can use its driver directly.

use super::niagara::{self, Niagara, Privilege};
use super::ultrasparc::UltraSparc;
use super::{Asr, Demand, Half, Image, Occupancy, Saved, Ver};
use crate::contract::{Control, Counter, Counters, Description, Kind, Late, Plan, Registers, Slot, Steps};
use crate::event::catalogue::Catalogue;
use crate::event::{Conflict, CounterId, CounterSet, Event, Generic, Refusal, Remaining, Request, Result};

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

/// Calls the same function of whichever driver it is.
macro_rules! whichever {
    ($self:ident.$call:ident($($argument:expr),*)) => {
        match $self {
            Detected::UltraSparc(driver) => driver.$call($($argument),*),
            Detected::Niagara(driver) => driver.$call($($argument),*),
        }
    };
}

impl<R: Registers<Address = Asr, Index = Half>> Plan for Detected<R> {
    type Registers = R;
    type Demand = Demand;
    type Program = ();
    type Occupancy = Occupancy;
    type Handle = Half;

    #[inline(always)]
    fn registers(&self) -> &R {
        whichever!(self.registers())
    }

    fn description(&self) -> Description {
        whichever!(self.description())
    }

    fn catalogue(&self) -> &'static Catalogue {
        whichever!(self.catalogue())
    }

    fn native(&self, generic: Generic) -> Result<Event, Refusal> {
        whichever!(self.native(generic))
    }

    #[inline(always)]
    fn kind(&self) -> Kind {
        whichever!(self.kind())
    }

    fn encode(&self, request: &Request) -> Result<Demand, Refusal> {
        whichever!(self.encode(request))
    }

    fn place(&self, beside: &Occupancy, new: &[Demand], steps: Steps, out: &mut [Slot]) -> Result<(), Conflict> {
        whichever!(self.place(beside, new, steps, out))
    }

    #[inline(always)]
    fn counter(&self, slot: &Slot) -> Counter<Half> {
        whichever!(self.counter(slot))
    }
}

impl<R: Registers<Address = Asr, Index = Half>> Counters for Detected<R> {
    type Image = Image;

    #[inline(always)]
    fn run(&self, image: &Image, exactly: CounterSet) {
        whichever!(self.run(image, exactly));
    }

    #[inline(always)]
    fn read(&self, half: Half) -> u64 {
        whichever!(self.read(half))
    }

    #[inline(always)]
    fn preset(&self, image: &Image, counter: CounterId, remaining: Remaining) -> Remaining {
        whichever!(self.preset(image, counter, remaining))
    }

    #[inline(always)]
    fn overflowed(&self, image: &Image, among: CounterSet, found: impl FnMut(CounterId, i64)) {
        whichever!(self.overflowed(image, among, found));
    }

    #[inline(always)]
    fn acknowledge(&self, image: &Image, counters: CounterSet) {
        whichever!(self.acknowledge(image, counters));
    }

    #[inline(always)]
    fn rearm(&self) {
        whichever!(self.rearm());
    }

    #[inline(always)]
    fn late(&self) -> Late {
        whichever!(self.late())
    }
}

impl<R: Registers<Address = Asr, Index = Half>> Control for Detected<R> {
    type Saved = Saved;

    const NOTHING_SAVED: Saved = Saved::nothing();

    #[inline(always)]
    fn load(&self, image: &Image, program: &(), slots: &[Slot]) {
        whichever!(self.load(image, program, slots));
    }

    #[inline(always)]
    fn release(&self, image: &Image, counters: CounterSet) {
        whichever!(self.release(image, counters));
    }

    fn reload(&self, image: &Image) {
        whichever!(self.reload(image));
    }

    fn save(&self, into: &Saved) {
        whichever!(self.save(into));
    }

    fn restore(&self, from: &Saved) {
        whichever!(self.restore(from));
    }

    fn lend(&self, image: &Image, counters: CounterSet) {
        whichever!(self.lend(image, counters));
    }
}
