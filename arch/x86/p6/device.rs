//! The P6 family's unit in software: its two counters as a guest's registers show them.

mod counting;
mod discipline;
mod feed;
mod limits;
mod state;

use core::cell::Cell;

use self::limits::{Limits, Place};
use self::state::State;
use super::{Identity, Select};
use crate::arch::x86::device::{Counter, Counting, MODES, fill, set_values, unit_in_software};
use crate::arch::x86::{Index, Msr};
use crate::event::{CounterId, CounterSet};
use crate::virt::{self, Decode, Delivery, Fault, Fingerprint, Line, Observed, Table, Trigger, Work};

/// The P6 family's unit in software, for one virtual processor.
///
/// A [`Device`] is created from an [`Identity`] and has that processor's events. EN of PerfEvtSel0 enables both
/// counters; PerfEvtSel1 has no such bit. A write to a counter sets 32 of its 40 bits and extends their sign. An overflow
/// interrupts if the counter's selector has INT, and leaves no trace but the counter's value.
///
/// An access to any other register faults, and so does a bit that a selector does not have: bit 21, and EN in PerfEvtSel1.
/// Processors may drop such bits; no driver should rely on either.
///
/// Sources: SDM vol. 3, "Performance Monitoring (P6 Family Processor)"; SDM vol. 4, "MSRs in the P6 Family Processors".
///
/// # What it does not model
///
/// [`Work`] says how much was done, but not in which cycle: a selector with a threshold (CMASK) or an edge (E) counts
/// nothing, and [`virt::Device::unfed`] reports it, unless it counts the cycles with at least one cycle. The PMi pins of PC
/// are not there. The interrupt is masked in the local APIC (LVTPC), which belongs to the host: the Pentium M's masks it
/// when it delivers it, and those before do not. RDPMC of a guest's user programs is the host's to permit or refuse, which
/// asks CR4.PCE, and [`Capabilities::user_reads`](super::Capabilities::user_reads).
///
/// ```
/// use pmu::arch::x86::p6::{Device, Identity};
/// use pmu::arch::x86::{Msr, Window};
/// use pmu::virt::{Device as _, Kinds, Unconnected, Work};
/// use pmu::Mode;
///
/// let device = Device::new(&Identity::PENTIUM_III, Kinds::CLOCK, Unconnected);
/// device.try_write(Msr::select(1).unwrap(), 0x0001_00C0)?; // instructions, in user mode
/// device.try_write(Msr::select(0).unwrap(), 0x0042_0079)?; // cycles, in the kernel; both count from now on
/// device.advance(&Work::instructions(Mode::User, 1000));
/// assert_eq!(device.try_read(Msr::counter(Window::Narrow, 1).unwrap()), Ok(1000));
/// # Ok::<(), pmu::virt::Fault>(())
/// ```
///
/// Its [`state`](crate::virt::Device::state) has these fields. `counters`: PerfCtr0 and PerfCtr1; `selects`:
/// PerfEvtSel0 and PerfEvtSel1; `ticks`: the cycles that the device was told of.
pub struct Device<T> {
    fingerprint: Fingerprint,
    limits: Limits,
    line: Line<T>,
    table: Table,
    counters: [Counter; 2],
    selects: [Cell<u64>; 2],
    ticks: Cell<u64>,
}

impl<T: Trigger> Device<T> {
    /// Creates the unit of `identity` after a reset. The host reports work of the kinds `observed`, and
    /// `trigger` is the line to the local APIC.
    #[must_use]
    pub fn new(identity: &Identity, observed: impl Into<Observed>, trigger: T) -> Self {
        let device = Self {
            fingerprint: identity.fingerprint(),
            limits: Limits::of(&identity.capabilities()),
            table: Table::new(observed, MODES),
            line: Line::new(trigger, Delivery::Nmi),
            counters: [const { Counter::new() }; 2],
            selects: Default::default(),
            ticks: Cell::new(0),
        };
        device.reset();
        device
    }

    /// Returns the line to the local APIC.
    pub fn trigger(&self) -> &T {
        self.line.trigger()
    }

    /// Sets how overflows are delivered. The default is as NMIs.
    #[must_use]
    pub fn with_delivery(mut self, delivery: Delivery) -> Self {
        self.line.set_delivery(delivery);
        self
    }

    /// Resets the unit: all registers are 0.
    pub fn reset(&self) {
        self.put(&State { ticks: self.ticks.get(), ..State::default() });
    }

    /// Returns the selector of a counter.
    #[inline(always)]
    fn select(&self, number: usize) -> Select {
        Select::from_bits_retain(self.selects.get(number).map_or(0, Cell::get))
    }
}

/// Returns a counter's number as an index.
#[inline(always)]
fn index(id: CounterId) -> usize {
    id.number().into()
}

/// Extends the value of a write: EDX is ignored, and EAX is sign-extended (SDM vol. 3, "PerfCtr0 and PerfCtr1 MSRs").
#[inline(always)]
fn extended(value: u64) -> u64 {
    i64::from(value as u32 as i32) as u64
}

/// The registers, and the contents of all of them.
impl<T: Trigger> Device<T> {
    #[inline(always)]
    fn read_register(&self, at: Msr) -> Result<u64, Fault> {
        match Place::of(at).ok_or(Fault::Absent)? {
            Place::Select(number) => self.selects.get(number).map(Cell::get),
            Place::Counter(number) => self.counters.get(number).map(|counter| counter.value(self.limits.mask())),
        }
        .ok_or(Fault::Absent)
    }

    #[inline(always)]
    fn write_register(&self, at: Msr, value: u64) -> Result<(), Fault> {
        let place = Place::of(at).ok_or(Fault::Absent)?;
        let bits = self.limits.bits(place).ok_or(Fault::Absent)?;
        match place {
            Place::Counter(number) => {
                self.counters.get(number).into_iter().for_each(|counter| counter.set_value(extended(value), bits));
            }
            Place::Select(_) if value & !bits != 0 => return Err(Fault::Reserved),
            Place::Select(number) => {
                self.selects.get(number).into_iter().for_each(|cell| cell.set(value));
                self.table.touch(CounterSet::first(2));
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn read_index(&self, at: Index) -> Result<u64, Fault> {
        let id = at.whole().ok_or(Fault::Absent)?;
        let counter = self.counters.get(index(id)).ok_or(Fault::Absent)?;
        Ok(counter.value(self.limits.mask()))
    }

    fn contents(&self) -> State {
        State {
            counters: self.counters.each_ref().map(|counter| counter.value(self.limits.mask())),
            selects: self.selects.each_ref().map(Cell::get),
            ticks: self.ticks.get(),
        }
    }

    fn put(&self, state: &State) {
        set_values(&self.counters, state.counters, self.limits.mask());
        fill(&self.selects, state.selects);
        self.ticks.set(state.ticks);
        self.table.touch(CounterSet::ALL);
    }
}

unit_in_software!(Device);
