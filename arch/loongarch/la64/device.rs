//! The unit in software: PMCFG and PMCNT as a guest's CSRRD and CSRWR show them, and the words of CPUCFG that describe it.

mod contract;
mod counting;
mod discipline;
mod feed;
mod state;

use core::cell::Cell;

use self::state::State;
use super::capabilities::Capabilities;
use super::{Identity, Pmcfg};
use crate::arch::loongarch::Register;
use crate::event::{CounterSet, Modes};
use crate::virt::{Delivery, Fault, Fingerprint, Line, Observed, Place, Table, TopBit, Trigger};

const COUNTERS: usize = Register::COUNTERS as usize;

/// A unit in software, for one virtual processor.
///
/// A counter interrupts while its top bit and PMIEn are set, whether it counts or not, and counts on.
///
/// Source: "LoongArch Reference Manual, volume 1", "Performance Monitor Configuration n" and "Performance Monitor Overall
/// Counter n".
///
/// # What a host does
///
/// It answers the guest's CSRRD, CSRWR and CSRXCHG of CSR 200H to 207H, of which the last two return the old value, and
/// CPUCFG. A register of a counter that the unit does not have is [`Fault::Absent`]; a processor raises no exception for it, so
/// a host returns 0 and ignores what is written. At PLV1 to PLV3 a host raises IPE instead. The trigger is bit 10 of the
/// guest's ESTAT\[IS\]. With the virtualisation extension (LVZ) these accesses leave the guest if GCFG\[GPERF\] gives it no
/// counters. QEMU does not emulate that, so that no guest has run so.
///
/// # What it does not model
///
/// PLV1 and PLV2: what a host reports is the work of PLV3 (user) and PLV0 (kernel). PMCFG\[22:21\], which read 0 as without LVZ.
/// The reading of counters by programs (MISC\[RPCNTL3\]), which the host decides.
///
/// ```
/// use pmu::arch::loongarch::Register;
/// use pmu::arch::loongarch::la64::{Device, Identity};
/// use pmu::virt::{Device as _, Kinds, Unconnected, Work};
/// use pmu::Mode;
///
/// let device = Device::new(&Identity::LOONGSON_3A5000, Kinds::CLOCK, Unconnected);
/// device.try_write(Register::control(1).unwrap(), 1 << 19 | 1)?; // instructions, at PLV3
/// device.advance(&Work::instructions(Mode::User, 1000));
/// device.advance(&Work::instructions(Mode::Kernel, 50));
/// assert_eq!(device.try_read(Register::counter(1).unwrap()), Ok(1000));
/// # Ok::<(), pmu::virt::Fault>(())
/// ```
///
/// Its [`state`](crate::virt::Device::state) has these fields. `counters`: PMCNT of each counter; `controls`: PMCFG of each
/// counter; `ticks`: the cycles that were reported to the device.
pub struct Device<T> {
    identity: Identity,
    fingerprint: Fingerprint,
    capabilities: Capabilities,
    table: Table,
    line: Line<T>,
    counters: [Cell<u64>; COUNTERS],
    controls: [Cell<u64>; COUNTERS],
    ticks: Cell<u64>,
}

impl<T: Trigger> Device<T> {
    /// Creates the unit of `identity` after a reset. The host reports work of the kinds `observed`, and
    /// `trigger` is the line of the interrupt.
    #[must_use]
    pub fn new(identity: &Identity, observed: impl Into<Observed>, trigger: T) -> Self {
        Self {
            identity: *identity,
            fingerprint: identity.fingerprint(),
            capabilities: identity.capabilities(),
            table: Table::new(observed, Modes::ALL),
            line: Line::new(trigger, Delivery::Maskable),
            counters: Default::default(),
            controls: Default::default(),
            ticks: Cell::new(0),
        }
    }

    /// Returns the line of the interrupt.
    pub fn trigger(&self) -> &T {
        self.line.trigger()
    }

    /// Sets how overflows are delivered. The default is as ordinary interrupts.
    #[must_use]
    pub fn with_delivery(mut self, delivery: Delivery) -> Self {
        self.line.set_delivery(delivery);
        self
    }

    /// Resets the unit: every counter and configuration is 0.
    pub fn reset(&self) {
        self.put(&State { ticks: self.ticks.get(), ..State::default() });
    }

    fn place(&self, at: Register) -> Result<Place, Fault> {
        if let Some(value) = self.identity.word(at) {
            return Ok(Place::Fixed(value));
        }
        let number = usize::from(at.number() >> 1 & 3);
        match at.number() & 1 {
            _ if !has(self.capabilities.counters, number) => Err(Fault::Absent),
            0 => Ok(Place::Control(number)),
            _ => Ok(Place::Counter(number)),
        }
    }

    fn read_register(&self, at: Register) -> Result<u64, Fault> {
        Ok(match self.place(at)? {
            Place::Fixed(value) => value,
            Place::Control(number) => self.control(number).bits(),
            Place::Counter(number) => self.counter(number),
        })
    }

    /// Writes the bits that a register has: others are read-only, and no value is refused.
    fn write_register(&self, at: Register, value: u64) -> Result<(), Fault> {
        let (cell, bits) = match self.place(at)? {
            Place::Fixed(_) => return Err(Fault::ReadOnly),
            Place::Control(number) => {
                self.table.touch(CounterSet::from_bits(1 << (number & 63)));
                (self.controls.get(number), Capabilities::WRITABLE.bits())
            }
            Place::Counter(number) => (self.counters.get(number), self.capabilities.width.mask()),
        };
        self.change(|| cell.into_iter().for_each(|cell| cell.set(value & bits)));
        Ok(())
    }

    fn control(&self, number: usize) -> Pmcfg {
        Pmcfg::from_bits_retain(self.controls.get(number).map_or(0, Cell::get))
    }

    fn counter(&self, number: usize) -> u64 {
        self.counters.get(number).map_or(0, Cell::get)
    }

    fn contents(&self) -> State {
        State {
            counters: self.counters.each_ref().map(Cell::get),
            controls: self.controls.each_ref().map(Cell::get),
            ticks: self.ticks.get(),
        }
    }

    fn put(&self, state: &State) {
        self.change(|| {
            self.counters.iter().zip(state.counters).for_each(|(cell, value)| cell.set(value));
            self.controls.iter().zip(state.controls).for_each(|(cell, value)| cell.set(value));
        });
        self.ticks.set(state.ticks);
        self.table.touch(CounterSet::ALL);
    }
}

fn has(counters: CounterSet, number: usize) -> bool {
    number < COUNTERS && counters.bits() >> number & 1 == 1
}
