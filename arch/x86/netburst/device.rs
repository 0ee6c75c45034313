//! The Pentium 4's unit in software: its counters, CCCRs and ESCRs as a guest's registers show them.

mod counting;
mod discipline;
mod feed;
mod limits;
mod state;

use core::cell::Cell;

use self::limits::{Limits, Place};
use self::state::State;
use super::Identity;
use super::registers::COUNTERS;
use super::registers::{Cccr, Escr, EscrId};
use crate::arch::x86::device::{Counter, Counting, MODES, fill, set_values, unit_in_software};
use crate::arch::x86::{Index, Msr};
use crate::event::{CounterId, CounterSet};
use crate::virt::{self, Decode, Delivery, Fault, Fingerprint, Line, Observed, Table, Trigger, Work};

/// The number of counters, and that of ESCRs.
const MANY: usize = COUNTERS as usize;
const ESCRS: usize = Msr::ESCRS as usize;

/// The Pentium 4's unit in software, for one virtual processor.
///
/// A [`Device`] is created from an [`Identity`] and has that processor's registers: 18 counters with their CCCRs, the ESCRs
/// of its model, and the two registers of replay tagging. A counter counts while its CCCR has the enable bit, what the ESCR
/// that the CCCR names selects. An overflow sets OVF in the CCCR, where only a write clears it, and interrupts if the CCCR
/// has the bit of this thread (OVF_PMI_T0 or OVF_PMI_T1).
///
/// An access to any other register faults, and so does a reserved bit of a CCCR or an ESCR, except that the bits of a second
/// thread are dropped where there is none. IA32_MISC_ENABLE can be read, for the driver's detection.
///
/// Sources: SDM vol. 3, "Performance Monitoring (Processors Based on Intel NetBurst Microarchitecture)"; SDM vol. 4, "MSRs in
/// the Pentium 4 and Intel Xeon Processors".
///
/// # What it does not model
///
/// [`Work`] says how much was done, but not in which cycle: a comparison with a threshold counts nothing, and
/// [`virt::Device::unfed`] reports it, unless it counts cycles. Tags are stored and tag nothing; cascades and forced overflows
/// are stored and do nothing; precise sampling is not announced. With hyper-threading it is the unit that one thread sees:
/// what the other thread does is not counted, and is no [`Work`] of this device. The interrupt is masked in the local APIC
/// (LVTPC), which belongs to the host and masks it when it delivers it.
///
/// ```
/// use pmu::arch::x86::netburst::{Cccr, Device, Escr, EscrId, Identity};
/// use pmu::virt::{Device as _, Kinds, Unconnected, Work};
/// use pmu::{CounterId, Mode};
///
/// let device = Device::new(&Identity::PENTIUM_4, Kinds::CLOCK, Unconnected);
/// let clock = Escr::of(0x13, 1) | Escr::T0_USER; // global_power_events: RUNNING
/// device.try_write(EscrId::Fsb0.msr(), clock.bits())?;
/// let counting = Cccr::ENABLE | Cccr::select(6) | Cccr::active(3);
/// device.try_write(Cccr::msr(CounterId::ZERO), counting.bits())?;
/// device.advance(&Work::instructions(Mode::User, 1000));
/// assert_eq!(device.try_read(Cccr::counter_msr(CounterId::ZERO)), Ok(1000));
/// # Ok::<(), pmu::virt::Fault>(())
/// ```
///
/// Its [`state`](crate::virt::Device::state) has these fields. `counters`: the counters; `cccrs`: their CCCRs; `escrs`:
/// the ESCRs, in the order of their addresses; `replay`: IA32_PEBS_ENABLE and MSR_PEBS_MATRIX_VERT; `ticks`: the cycles
/// that the device was told of.
pub struct Device<T> {
    fingerprint: Fingerprint,
    limits: Limits,
    table: Table,
    line: Line<T>,
    counters: [Counter; MANY],
    cccrs: [Cell<u64>; MANY],
    escrs: [Cell<u64>; ESCRS],
    /// IA32_PEBS_ENABLE and MSR_PEBS_MATRIX_VERT.
    replay: [Cell<u64>; 2],
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
            counters: [const { Counter::new() }; MANY],
            cccrs: Default::default(),
            escrs: [const { Cell::new(0) }; ESCRS],
            replay: Default::default(),
            ticks: Cell::new(0),
        };
        device.put(&State::default());
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
        let before = self.is_asserted();
        self.put(&State { ticks: self.ticks.get(), ..State::default() });
        self.line.moved(before, self.is_asserted());
    }

    /// Returns the cell of a register.
    #[inline(always)]
    fn cell(&self, place: Place) -> Option<&Cell<u64>> {
        match place {
            Place::Cccr(number) => self.cccrs.get(number),
            Place::Escr(number) => self.escrs.get(number),
            Place::Replay(number) => self.replay.get(number),
            Place::Counter(_) | Place::Misc => None,
        }
    }

    /// Returns the value of a counter.
    #[inline(always)]
    fn value(&self, number: usize) -> u64 {
        self.counters.get(number).map_or(0, |counter| counter.value(self.limits.mask()))
    }

    /// Returns the CCCR of a counter.
    #[inline(always)]
    fn cccr(&self, id: CounterId) -> Cccr {
        Cccr::from_bits_retain(self.cccrs.get(index(id)).map_or(0, Cell::get))
    }

    /// Returns the ESCR that a counter is joined to: its number, and what it holds.
    #[inline(always)]
    fn escr(&self, id: CounterId) -> Option<(usize, Escr)> {
        let number = EscrId::of(id, self.cccr(id).escr_select())? as usize;
        Some((number, Escr::from_bits_retain(self.escrs.get(number)?.get())))
    }

    /// Returns true if the line is asserted: a counter has overflowed that interrupts this thread.
    fn is_asserted(&self) -> bool {
        let is =
            |cccr: &Cell<u64>| Cccr::from_bits_retain(cccr.get()).contains(Cccr::OVERFLOW | self.limits.interrupt());
        self.cccrs.iter().any(is)
    }
}

/// Returns a counter's number as an index.
#[inline(always)]
fn index(id: CounterId) -> usize {
    id.number().into()
}

/// The registers, and the contents of all of them.
impl<T: Trigger> Device<T> {
    #[inline(always)]
    fn read_register(&self, at: Msr) -> Result<u64, Fault> {
        let place = Place::of(at).ok_or(Fault::Absent)?;
        self.limits.bits(place).ok_or(Fault::Absent)?;
        Ok(match place {
            Place::Counter(number) => self.value(number),
            Place::Misc => self.limits.misc(),
            _ => self.cell(place).map_or(0, Cell::get),
        })
    }

    #[inline(always)]
    fn write_register(&self, at: Msr, value: u64) -> Result<(), Fault> {
        let place = Place::of(at).ok_or(Fault::Absent)?;
        let bits = self.limits.bits(place).ok_or(Fault::Absent)?;
        if place == Place::Misc {
            return Err(Fault::ReadOnly);
        }
        if value & !(bits | self.limits.dropped(place)) != 0 {
            return Err(Fault::Reserved);
        }
        match place {
            Place::Counter(number) => {
                self.counters.get(number).into_iter().for_each(|counter| counter.set_value(value, bits));
            }
            _ => self.cell(place).into_iter().for_each(|cell| cell.set(value & bits)),
        }
        self.table.touch(place.decides());
        if matches!(place, Place::Cccr(_)) && !self.is_asserted() {
            self.line.withdraw();
        }
        Ok(())
    }

    /// A fast read returns the low 32 bits (SDM vol. 2, "RDPMC - Read Performance-Monitoring Counters").
    #[inline(always)]
    fn read_index(&self, at: Index) -> Result<u64, Fault> {
        let number = index(at.counter());
        let bits = if at.is_fast() { u64::from(u32::MAX) } else { u64::MAX };
        if number < MANY { Ok(self.value(number) & bits) } else { Err(Fault::Absent) }
    }

    fn contents(&self) -> State {
        State {
            counters: self.counters.each_ref().map(|counter| counter.value(self.limits.mask())),
            cccrs: self.cccrs.each_ref().map(Cell::get),
            escrs: self.escrs.each_ref().map(Cell::get),
            replay: self.replay.each_ref().map(Cell::get),
            ticks: self.ticks.get(),
        }
    }

    fn put(&self, state: &State) {
        set_values(&self.counters, state.counters, self.limits.mask());
        fill(&self.cccrs, state.cccrs);
        fill(&self.escrs, state.escrs);
        fill(&self.replay, state.replay);
        self.ticks.set(state.ticks);
        self.table.touch(CounterSet::ALL);
    }
}

unit_in_software!(Device);
