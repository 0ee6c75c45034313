//! The processor under test.
//!
//! A sentence is compiled for each driver and device. Which of their processors it is about is said when it runs, since one
//! compiled for each processor takes the compiler three times as long.

use std::any::{Any, TypeId, type_name};
use std::cell::Cell;
use std::marker::PhantomData;

use pmu::Event;
use pmu::driver::{Driver, Registers};
use pmu::virt::Device;

use crate::support::effort;
use crate::support::machine::Machine;

/// A processor, with its driver and its device.
pub(crate) trait Processor: 'static {
    type Device: Device
        + Registers<Address = <Self::Device as Device>::Address, Index = <Self::Device as Device>::Index>;
    type Driver: Driver + 'static;

    /// The number of requests for instructions that can be counted at once.
    const ROOM: usize;
    /// The number of those that can have a period.
    const PERIODS: usize = Self::ROOM;
    /// The fewest events that a counter can be preset to wait for.
    const LEAST: u64 = 1;
    /// Whether all counters count in the same modes.
    const SHARES_MODES: bool = false;
    /// Whether a start or a stop halts all counters while it is in progress.
    const HALTS: bool = false;
    /// An event that comes with each instruction, for a request beside one for instructions.
    const OTHER: Event = Event::CYCLES;
    /// Whether an interrupt that waits still comes when its overflow was accounted for.
    const LATCHES: bool = true;
    /// Whether a unit that is restored begins to count with the last access.
    const RESTORES_AT_ONCE: bool = true;
    /// An event that comes with each instruction and takes two counters, if its period is longer than this: the events that
    /// the lower one counts before it wraps.
    const PAIR: Option<(Event, u64)> = None;

    fn machine() -> &'static Machine<Self::Device>;
    fn driver(machine: &'static Machine<Self::Device>) -> Self::Driver;
}

/// What a sentence needs to know of the processor under test: see [`Processor`].
#[derive(Clone, Copy)]
pub(crate) struct Facts {
    pub(crate) room: usize,
    pub(crate) periods: usize,
    pub(crate) least: u64,
    pub(crate) shares_modes: bool,
    pub(crate) halts: bool,
    pub(crate) other: Event,
    pub(crate) latches: bool,
    pub(crate) restores_at_once: bool,
    pub(crate) pair: Option<(Event, u64)>,
    /// Whether everything is tried on it, as on one processor of each driver.
    pub(crate) is_whole: bool,
    name: &'static str,
}

impl Facts {
    fn of<P: Processor>() -> Self {
        Self {
            room: P::ROOM,
            periods: P::PERIODS,
            least: P::LEAST,
            shares_modes: P::SHARES_MODES,
            halts: P::HALTS,
            other: P::OTHER,
            latches: P::LATCHES,
            restores_at_once: P::RESTORES_AT_ONCE,
            pair: P::PAIR,
            is_whole: effort::is_whole() || crate::whole().contains(&TypeId::of::<P>()),
            name: type_name::<P>(),
        }
    }

    /// Returns all of what a sentence goes through, or one in five: which ones depends on the processor's name alone.
    pub(crate) fn some<T>(&self, all: impl Iterator<Item = T>) -> impl Iterator<Item = T> {
        let step = if self.is_whole { 1 } else { 5 };
        let first = self.name.bytes().map(usize::from).sum::<usize>() % step;
        all.skip(first).step_by(step)
    }
}

/// The processor under test, as a sentence has it.
pub(crate) trait Subject: 'static {
    type Device: Device
        + Registers<Address = <Self::Device as Device>::Address, Index = <Self::Device as Device>::Index>;
    type Driver: Driver + 'static;

    fn facts() -> Facts;
    fn machine() -> &'static Machine<Self::Device>;
    fn driver(machine: &'static Machine<Self::Device>) -> Self::Driver;
}

thread_local! {
    static CHOSEN: Cell<Option<&'static dyn Any>> = const { Cell::new(None) };
}

struct Chosen<D: 'static, B> {
    facts: Facts,
    machine: fn() -> &'static Machine<D>,
    driver: fn(&'static Machine<D>) -> B,
}

/// Puts a processor under test, for this thread's sentences of its driver and device.
pub(crate) fn choose<P: Processor>() {
    let chosen = Chosen { facts: Facts::of::<P>(), machine: P::machine, driver: P::driver };
    CHOSEN.set(Some(Box::leak(Box::new(chosen))));
}

/// Whichever processor of this device and driver is under test.
pub(crate) struct Shared<D, B>(PhantomData<(D, B)>);

/// What a processor's sentences are compiled for.
pub(crate) type Of<P> = Shared<<P as Processor>::Device, <P as Processor>::Driver>;

impl<D: 'static, B: 'static> Shared<D, B> {
    fn chosen() -> &'static Chosen<D, B> {
        CHOSEN.get().and_then(<dyn Any>::downcast_ref).expect("a processor of this driver was chosen")
    }
}

impl<D, B> Subject for Shared<D, B>
where
    D: Device + Registers<Address = <D as Device>::Address, Index = <D as Device>::Index> + 'static,
    B: Driver + 'static,
{
    type Device = D;
    type Driver = B;

    fn facts() -> Facts {
        Self::chosen().facts
    }

    fn machine() -> &'static Machine<D> {
        (Self::chosen().machine)()
    }

    fn driver(machine: &'static Machine<D>) -> B {
        (Self::chosen().driver)(machine)
    }
}
