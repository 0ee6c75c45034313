//! The unit in software: PerfCtl and PerfCnt as a guest's MFC0 and MTC0 show them.

mod contract;
mod counting;
mod discipline;
mod feed;
mod state;

use core::cell::Cell;

use self::state::State;
use super::capabilities::{Capabilities, HAS_COUNTERS};
use super::{Identity, PerfCtl};
use crate::arch::mips::Cp0;
use crate::event::{CounterSet, Modes};
use crate::virt::{Delivery, Fault, Fingerprint, Line, Observed, Place, Table, TopBit, Trigger};

const COUNTERS: usize = Cp0::COUNTERS as usize;

/// A unit in software, for one virtual processor.
///
/// A [`Device`] is created from an [`Identity`], and answers PRId and Config1 as that core does, with the M and W bits of
/// its controls. A counter interrupts while its top bit and IE are set, whether it counts or not, and counts on.
///
/// Sources: "MIPS32 Architecture For Programmers, volume III", "Performance Counter Registers"; "MIPS R10000 Microprocessor
/// User's Manual", section 14.20.
///
/// # What it does not model
///
/// Supervisor mode. A host's kernel mode is Status\[EXL\] = 0 except while [`Device::set_exception`] says otherwise, and what
/// it reports is the work of thread context 0 of VPE 0 until [`Device::set_thread`] names another.
///
/// ```
/// use pmu::arch::mips::Cp0;
/// use pmu::arch::mips::mipsxx::{Device, Identity};
/// use pmu::virt::{Device as _, Kinds, Unconnected, Work};
/// use pmu::Mode;
///
/// let device = Device::new(&Identity::M24K, Kinds::CLOCK, Unconnected);
/// device.try_write(Cp0::control(1).unwrap(), 1 << 5 | 1 << 3)?; // instructions, in user mode
/// device.advance(&Work::instructions(Mode::User, 1000));
/// device.advance(&Work::instructions(Mode::Kernel, 50));
/// assert_eq!(device.try_read(Cp0::counter(1).unwrap()), Ok(1000));
/// # Ok::<(), pmu::virt::Fault>(())
/// ```
///
/// Its [`state`](crate::virt::Device::state) has these fields. `counters`: PerfCnt of each counter; `controls`: PerfCtl
/// of each counter, without its read-only bits; `exception`: whether the kernel is at exception level; `thread`: whose
/// work is reported; `ticks`: the cycles that were reported to the device.
pub struct Device<T> {
    fingerprint: Fingerprint,
    capabilities: Capabilities,
    table: Table,
    line: Line<T>,
    counters: [Cell<u64>; COUNTERS],
    controls: [Cell<u32>; COUNTERS],
    exception: Cell<bool>,
    thread: Cell<Thread>,
    ticks: Cell<u64>,
}

/// Whose work a host reports: a thread context (TC) and its VPE.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Thread {
    /// The number of the virtual processing element, from 0 to 15.
    pub vpe: u8,
    /// The number of the thread context.
    pub tc: u8,
}

impl<T: Trigger> Device<T> {
    /// Creates the unit of `identity` after a reset. The host reports work of the kinds `observed`, and
    /// `trigger` is the line of the interrupt.
    #[must_use]
    pub fn new(identity: &Identity, observed: impl Into<Observed>, trigger: T) -> Self {
        Self {
            fingerprint: identity.fingerprint(),
            capabilities: identity.capabilities(),
            table: Table::new(observed, Modes::ALL.and(Modes::HYPERVISOR)),
            line: Line::new(trigger, Delivery::Maskable),
            counters: Default::default(),
            controls: Default::default(),
            exception: Cell::new(false),
            thread: Cell::default(),
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

    /// Resets the unit: every counter and control is 0.
    pub fn reset(&self) {
        let State { exception, thread, ticks, .. } = self.contents();
        self.put(&State { exception, thread, ticks, ..State::default() });
    }

    /// Sets whether the kernel is at exception level (Status\[EXL\]): counters count it by EXL then, and not by K.
    pub fn set_exception(&self, exception: bool) {
        self.exception.set(exception);
        self.table.touch(CounterSet::ALL);
    }

    /// Sets whose work is reported from now on. Counters that are limited to a VPE or a TC count no other's.
    pub fn set_thread(&self, thread: Thread) {
        self.thread.set(thread);
        self.table.touch(CounterSet::ALL);
    }

    fn place(&self, at: Cp0) -> Result<Place, Fault> {
        let number = usize::from(at.select() / 2);
        match at.number() {
            15 => Ok(Place::Fixed(self.capabilities.prid.bits().into())),
            16 if !self.capabilities.model.is_before_config1() => Ok(Place::Fixed(HAS_COUNTERS)),
            25 if !has(self.capabilities.counters, number) => Err(Fault::Absent),
            25 if at.select().is_multiple_of(2) => Ok(Place::Control(number)),
            25 => Ok(Place::Counter(number)),
            _ => Err(Fault::Absent),
        }
    }

    fn read_register(&self, at: Cp0) -> Result<u64, Fault> {
        Ok(match self.place(at)? {
            Place::Fixed(value) => value,
            Place::Control(number) => u64::from(self.control(number).union(self.fixed(number)).bits()),
            Place::Counter(number) => self.counters.get(number).map_or(0, Cell::get),
        })
    }

    /// Writes the bits that a register has. No value is refused, but a write to PRId or Config1 is.
    fn write_register(&self, at: Cp0, value: u64) -> Result<(), Fault> {
        let place = self.place(at)?;
        if matches!(place, Place::Fixed(_)) {
            return Err(Fault::ReadOnly);
        }
        self.change(|| match place {
            Place::Control(number) => {
                let kept = value as u32 & self.capabilities.writable().bits();
                self.controls.get(number).into_iter().for_each(|control| control.set(kept));
                self.table.touch(CounterSet::from_bits(1 << (number & 63)));
            }
            Place::Counter(number) => {
                let kept = value & self.capabilities.width.mask();
                self.counters.get(number).into_iter().for_each(|counter| counter.set(kept));
            }
            Place::Fixed(_) => {}
        });
        Ok(())
    }

    fn control(&self, number: usize) -> PerfCtl {
        PerfCtl::from_bits_retain(self.controls.get(number).map_or(0, Cell::get))
    }

    /// Returns the bits of a control that describe the unit.
    fn fixed(&self, number: usize) -> PerfCtl {
        let is_wide = self.capabilities.width.bits() == 64;
        let has_next = has(self.capabilities.counters, number + 1);
        let fixed = if is_wide { PerfCtl::WIDE } else { PerfCtl::empty() };
        match self.capabilities.model.is_before_config1() {
            true => PerfCtl::empty(),
            false if has_next => fixed | PerfCtl::MORE,
            false => fixed,
        }
    }

    fn contents(&self) -> State {
        State {
            counters: self.counters.each_ref().map(Cell::get),
            controls: self.controls.each_ref().map(Cell::get),
            exception: self.exception.get(),
            thread: self.thread.get(),
            ticks: self.ticks.get(),
        }
    }

    fn put(&self, state: &State) {
        self.change(|| {
            self.counters.iter().zip(state.counters).for_each(|(cell, value)| cell.set(value));
            self.controls.iter().zip(state.controls).for_each(|(cell, value)| cell.set(value));
        });
        self.exception.set(state.exception);
        self.thread.set(state.thread);
        self.ticks.set(state.ticks);
        self.table.touch(CounterSet::ALL);
    }
}

fn has(counters: CounterSet, number: usize) -> bool {
    number < COUNTERS && counters.bits() >> number & 1 == 1
}
