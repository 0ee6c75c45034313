//! The units of UltraSPARC I to IV+ in software: %pcr and %pic as a guest sees them.

mod counting;
mod discipline;
mod feed;
mod programs;
mod state;

use core::cell::Cell;

use self::state::State;
use super::capabilities::Capabilities;
use super::identity::Identity;
use crate::arch::sparc::{Asr, Half};
use crate::event::{CounterSet, Modes};
use crate::virt::{self, Decode, Delivery, Fault, Fingerprint, Line, Observed, Table, Trigger, Work};

/// A unit of this family in software, for one virtual processor.
///
/// | processor | selectors | overflow |
/// |---|---|---|
/// | I, II, IIi | 4 bits | at the wrap to 0, and nobody is told |
/// | III to IV+ | 6 bits | at the wrap to 0: one interrupt |
///
/// The bits of a write that a unit does not have are dropped.
///
/// Sources: those of `registers`; "SPARC Joint Programming Specification (JPS1): Commonality", appendix Q,
/// "Performance Instrumentation", and section 5.2.11, for what user programs may access; illumos-gate, us234_pcbe.c,
/// for how a kernel uses them.
///
/// # What it does not model
///
/// SOFTINT and PIL are the host's: the trigger is the interrupt of level 15, which is never withdrawn. A counter of an
/// event that is no kind of [`Work`] counts nothing, and [`virt::Device::unfed`] reports it. SW_count counts an
/// instruction that no host reports, and drivers park idle counters on it: it counts nothing, and is not reported. On
/// hardware the first value after a start may not be the one that was written (illumos-gate, us234_pcbe.c); here it
/// is.
///
/// ```
/// use pmu::Mode;
/// use pmu::arch::sparc::{Asr, Half};
/// use pmu::arch::sparc::ultrasparc::{Device, Identity};
/// use pmu::virt::{Device as _, Kinds, Unconnected, Work};
///
/// let device = Device::new(&Identity::III, Kinds::CLOCK, Unconnected);
/// device.try_write(Asr::Pcr, 0x14 << 4 | 1 << 11 | 1 << 2)?; // pic0: SW_count_0; pic1: instructions; in user programs
/// device.advance(&Work::instructions(Mode::User, 1000));
/// device.advance(&Work::instructions(Mode::Kernel, 50));
/// assert_eq!(device.try_read(Asr::Pic), Ok(1000 << 32));
/// assert_eq!(device.try_read_counter(Half::Pic1), Ok(1000));
/// # Ok::<(), pmu::virt::Fault>(())
/// ```
///
/// Its [`state`](crate::virt::Device::state) has these fields. `control`: %pcr; `counters`: pic0 and pic1; `ticks`: the
/// cycles that were reported to the device.
pub struct Device<T> {
    fingerprint: Fingerprint,
    capabilities: Capabilities,
    table: Table,
    line: Line<T>,
    /// %pcr.
    control: Cell<u64>,
    counters: [Cell<u64>; 2],
    ticks: Cell<u64>,
}

impl<T: Trigger> Device<T> {
    /// Creates the unit of `identity` after a reset. The host reports work of the kinds `observed`, and `trigger` is
    /// the interrupt of level 15, which is never withdrawn.
    #[must_use]
    pub fn new(identity: &Identity, observed: impl Into<Observed>, trigger: T) -> Self {
        Self {
            fingerprint: identity.fingerprint(),
            capabilities: identity.capabilities(),
            table: Table::new(observed, Modes::ALL),
            line: Line::new(trigger, Delivery::Maskable),
            control: Cell::new(0),
            counters: Default::default(),
            ticks: Cell::new(0),
        }
    }

    /// Returns the interrupt.
    pub fn trigger(&self) -> &T {
        self.line.trigger()
    }

    /// Sets how overflows are delivered. The default is as ordinary interrupts.
    #[must_use]
    pub fn with_delivery(mut self, delivery: Delivery) -> Self {
        self.line.set_delivery(delivery);
        self
    }

    /// Resets the unit: both registers are 0.
    pub fn reset(&self) {
        self.put(&State { ticks: self.ticks.get(), ..State::default() });
    }

    #[inline(always)]
    fn counter(&self, half: Half) -> &Cell<u64> {
        &self.counters[usize::from(half.number() & 1)]
    }

    fn read_register(&self, at: Asr) -> u64 {
        match at {
            Asr::Pcr => self.control.get(),
            Asr::Pic => Half::ALL.into_iter().fold(0, |pic, half| half.replaced(pic, self.counter(half).get())),
        }
    }

    fn write_register(&self, at: Asr, value: u64) {
        match at {
            Asr::Pcr => {
                self.control.set(value & self.capabilities.control().bits());
                self.table.touch(CounterSet::ALL);
            }
            Asr::Pic => Half::ALL.into_iter().for_each(|half| self.counter(half).set(half.in_pic(value))),
        }
    }

    fn contents(&self) -> State {
        let counters = self.counters.each_ref().map(Cell::get);
        State { control: self.control.get(), counters, ticks: self.ticks.get() }
    }

    fn put(&self, state: &State) {
        self.control.set(state.control);
        self.counters.iter().zip(state.counters).for_each(|(cell, value)| cell.set(value));
        self.ticks.set(state.ticks);
        self.table.touch(CounterSet::ALL);
    }
}

impl<T: Trigger> virt::Device for Device<T> {
    type Address = Asr;
    type Index = Half;
    type State = State;

    virt::counted!();

    #[inline]
    fn try_read(&self, at: Asr) -> Result<u64, Fault> {
        Ok(self.read_register(at))
    }

    #[inline]
    fn try_write(&self, at: Asr, value: u64) -> Result<(), Fault> {
        self.write_register(at, value);
        Ok(())
    }

    #[inline]
    fn try_read_counter(&self, index: Half) -> Result<u64, Fault> {
        Ok(self.counter(index).get())
    }

    fn until_overflow(&self, step: &Work) -> Option<u64> {
        self.steps_until_interrupt(step)
    }

    fn fingerprint(&self) -> Fingerprint {
        self.fingerprint
    }

    fn restore(&self, snapshot: &[u8]) -> Result<(), virt::RestoreError> {
        let state: State = virt::Snapshot::read(snapshot, self.fingerprint())?;
        state.check(&self.capabilities)?;
        self.put(&state);
        Ok(())
    }
}

virt::driven!([T: Trigger] Device<T>);
