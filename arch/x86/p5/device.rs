//! The Pentium's unit in software: CESR and two counters as a guest's registers show them.

mod counting;
mod discipline;
mod feed;
mod place;
mod state;

use core::cell::Cell;

use self::feed::Feed;
use self::place::{Limits, Place};
use self::state::State;
use super::{Capabilities, Cesr, Identity};
use crate::arch::x86::device::{Counter, Counting, MODES, set_values, unit_in_software};
use crate::arch::x86::{Index, Msr};
use crate::event::{CounterId, CounterSet};
use crate::virt::{self, Decode, Delivery, Fault, Fingerprint, Line, Observed, Table, Unconnected, Work};

/// The Pentium's unit in software, for one virtual processor.
///
/// A [`Device`] is created from an [`Identity`] and has that processor's events and faults. Its registers drop the bits that
/// they do not have, and those read as 0. RDPMC faults without MMX.
///
/// Sources: SDM vol. 3, "Performance Monitoring (Pentium Processors)"; vol. 2, "RDPMC - Read Performance-Monitoring
/// Counters".
///
/// # What it does not model
///
/// The pins PM0/BP0 and PM1/BP1, which show each event or overflow to the board. There is no overflow interrupt, so the
/// device has no trigger. [`Work`] says how much was done, and not for how many clocks: a counter of clocks (the highest bit
/// of CC) counts nothing, and [`virt::Device::unfed`] reports it, unless it counts the clocks of the event that is clocks.
///
/// ```
/// use pmu::arch::x86::Msr;
/// use pmu::arch::x86::p5::{Device, Identity};
/// use pmu::virt::{Device as _, Kinds, Work};
/// use pmu::Mode;
///
/// let device = Device::new(&Identity::P5, Kinds::CLOCK);
/// device.try_write(Msr::CESR, 0x0096_0000)?; // counter 1: instructions, in user mode
/// device.advance(&Work::instructions(Mode::User, 1000));
/// device.advance(&Work::instructions(Mode::Kernel, 50));
/// assert_eq!(device.try_read(Msr::p5_counter(1).unwrap()), Ok(1000));
/// # Ok::<(), pmu::virt::Fault>(())
/// ```
///
/// Its [`state`](crate::virt::Device::state) has these fields. `control`: CESR; `counters`: CTR0 and CTR1; `ticks`: the
/// cycles that the device was told of.
pub struct Device {
    fingerprint: Fingerprint,
    limits: Limits,
    feed: Feed,
    table: Table,
    /// The interrupt mask of the processor, without a line.
    line: Line<Unconnected>,
    control: Cell<u64>,
    counters: [Counter; 2],
    ticks: Cell<u64>,
}

impl Device {
    /// Creates the unit of `identity` after a reset. The host reports work of the kinds `observed`.
    #[must_use]
    pub fn new(identity: &Identity, observed: impl Into<Observed>) -> Self {
        let has_mmx = identity.capabilities().has_mmx;
        let device = Self {
            fingerprint: identity.fingerprint(),
            limits: Limits { has_mmx },
            feed: Feed::new(has_mmx),
            table: Table::new(observed, MODES),
            line: Line::new(Unconnected, Delivery::Maskable),
            control: Cell::new(0),
            counters: [const { Counter::new() }; 2],
            ticks: Cell::new(0),
        };
        device.reset();
        device
    }

    /// Resets the unit: all registers are 0. The time stays.
    pub fn reset(&self) {
        self.put(&State { ticks: self.ticks.get(), ..State::default() });
    }

    /// Returns one of the two counters.
    #[inline(always)]
    fn counter_of(&self, id: CounterId) -> &Counter {
        &self.counters[usize::from(id.number() & 1)]
    }

    /// Returns the value of one of the two counters.
    #[inline(always)]
    fn value(&self, id: CounterId) -> u64 {
        self.counter_of(id).value(Capabilities::WIDTH.mask())
    }

    #[inline(always)]
    fn control(&self) -> Cesr {
        Cesr::from_bits(self.control.get())
    }
}

/// The registers, and the contents of all of them.
impl Device {
    #[inline(always)]
    fn read_register(&self, at: Msr) -> Result<u64, Fault> {
        Ok(match Place::of(at).ok_or(Fault::Absent)? {
            Place::Control => self.control.get(),
            Place::Counter(id) => self.value(id),
        })
    }

    #[inline(always)]
    fn write_register(&self, at: Msr, value: u64) -> Result<(), Fault> {
        let place = Place::of(at).ok_or(Fault::Absent)?;
        match place {
            Place::Counter(id) => self.counter_of(id).set_value(value, place.bits()),
            Place::Control => {
                self.control.set(value & place.bits());
                self.table.touch(CounterSet::first(2));
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn read_index(&self, at: Index) -> Result<u64, Fault> {
        let id = at.whole().ok_or(Fault::Absent)?;
        let is_there = self.limits.has_mmx && CounterSet::first(2).contains(id);
        if is_there { Ok(self.value(id)) } else { Err(Fault::Absent) }
    }

    fn contents(&self) -> State {
        State {
            control: self.control.get(),
            counters: self.counters.each_ref().map(|counter| counter.value(Capabilities::WIDTH.mask())),
            ticks: self.ticks.get(),
        }
    }

    fn put(&self, state: &State) {
        self.control.set(state.control);
        set_values(&self.counters, state.counters, Capabilities::WIDTH.mask());
        self.ticks.set(state.ticks);
        self.table.touch(CounterSet::ALL);
    }
}

unit_in_software!([] Device);
