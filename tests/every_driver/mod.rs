//! What every driver must do against its own device, whatever the processor.
//!
//! A processor joins by one `impl Processor` and one line in `every_driver!`, in the crate of its architecture; one whose
//! counters interrupt nobody by one in `every_driver_without_interrupts!`; one with merged or chained counters by another in
//! `every_driver_with_pairs!`. The sentences are compiled once for a driver and
//! its device, whichever processor is under test.

#[macro_use]
mod behaviours;
pub(crate) mod comebacks;
pub(crate) mod contract;
pub(crate) mod counting;
pub(crate) mod multiplexing;
pub(crate) mod notifying;
pub(crate) mod operations;
pub(crate) mod ownership;
pub(crate) mod pairs;
mod processor;
pub(crate) mod races;
pub(crate) mod residues;
pub(crate) mod sampling;
pub(crate) mod scheduled;
pub(crate) mod sleeping;
pub(crate) mod threads;
pub(crate) mod waiting;

use std::cell::RefCell;
use std::rc::Rc;

use crate::support::machine::{self, Machine};
use pmu::virt::Delivery;
use pmu::{Event, Handled, Pmu, Request, Sample, Threads, Unit};

pub(crate) use crate::support::machine::HERE;
pub(crate) use processor::{Of, Processor, Subject, choose};

pub(crate) const SAMPLES: usize = 1024;
pub(crate) const INSTRUCTIONS: Request = Request::new(Event::INSTRUCTIONS);

/// A machine whose unit is claimed and whose interrupt is wired.
pub(crate) struct Bench<S: Subject> {
    pub(crate) machine: &'static Machine<S::Device>,
    pub(crate) unit: &'static Unit<S::Driver, SAMPLES>,
    pub(crate) pmu: &'static Pmu<'static, S::Driver>,
    handled: Rc<RefCell<Vec<Handled>>>,
}

impl<S: Subject> Bench<S> {
    pub(crate) fn new() -> Self {
        Self::for_threads(Threads::Share)
    }

    pub(crate) fn for_threads(threads: Threads) -> Self {
        HERE.set(0);
        let machine = S::machine();
        let unit: &'static Unit<S::Driver, SAMPLES> = Box::leak(Box::new(Unit::new()));
        let pmu = Box::leak(Box::new(unit.claim_with(S::driver(machine), threads).expect("nobody has claimed it")));
        let handled = Rc::new(RefCell::new(Vec::new()));
        let log = Rc::clone(&handled);
        machine.on_interrupt(move |at| log.borrow_mut().push(unit.on_overflow(at)));
        Self { machine, unit, pmu, handled }
    }

    /// The events that an event counter counts before it wraps; of one that wraps with the 64 bits of
    /// a count itself, as many as others do.
    pub(crate) fn span(&self) -> u64 {
        self.pmu.description().general_width.mask().min(1 << 48)
    }

    /// Returns the handler's results since the last call.
    pub(crate) fn handled(&self) -> Vec<Handled> {
        self.handled.take()
    }

    /// Returns the samples that are there now.
    pub(crate) fn samples(&self) -> Vec<Sample> {
        self.unit.samples().expect("nobody else reads").collect()
    }

    /// Returns the numbers of the instructions that were sampled, from `start`.
    pub(crate) fn positions(&self, start: u64) -> Vec<u64> {
        self.samples().iter().map(|sample| sample.address - start).collect()
    }
}

/// Runs a test twice: with an overflow interrupt that may come at any access, and with one that can be masked.
pub(crate) fn both_ways(behaviour: fn()) {
    for delivery in [Delivery::Nmi, Delivery::Maskable] {
        println!("the overflow interrupt is {delivery:?}");
        machine::DELIVERY.set(delivery);
        behaviour();
    }
}
