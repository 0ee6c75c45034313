//! The units of T1, T2, T2+ and T3 in software: %pcr and %pic as a guest sees them.

mod counting;
mod discipline;
mod feed;
mod programs;
mod state;

use core::cell::Cell;

use self::state::State;
use super::capabilities::{Capabilities, Privilege};
use super::identity::Identity;
use super::registers::{Pcr, PcrT1};
use crate::arch::sparc::{Asr, Half};
use crate::event::{CounterSet, Modes};
use crate::virt::{self, Decode, Delivery, Fault, Fingerprint, Line, Observed, Table, Trigger, Work};

/// A unit of this family in software, for one virtual strand.
///
/// | processor | counters | overflow |
/// |---|---|---|
/// | T1 | pic0: one of eight events; pic1: instructions. Both count while any mode is enabled. | at the wrap: OVF, and one interrupt |
/// | T2, T2+, T3 | any event on both; an empty mask counts nothing | at the wrap, or with TOE on the first event from -16 on: OV; it interrupts while OV and TOE are set |
///
/// Hardware adds events to T2's counters in batches; the device adds each at once, so that an overflow comes with
/// the value -15, or with a higher one if the host reports more events at a time. The bits of a write that a unit does not
/// have are dropped, and so is HT if the identity may not count in the hypervisor.
///
/// Sources: OpenSPARC T1's design, tlu_pib.v and tlu_tdp.v (SOFTINT bit 15), and OpenSPARC T2's, pmu_pct_ctl.v and
/// pmu_pdp_dp.v, whose numbers are those of the manuals that `registers` names; illumos-gate, niagara_pcbe.c and
/// niagara2_pcbe.c, for how a kernel uses them.
///
/// # What it does not model
///
/// SOFTINT and PIL are the host's: the trigger is the interrupt of level 15. A counter of an event that is no kind of
/// [`Work`] counts nothing, and [`virt::Device::unfed`] reports it; those are most events of T1's pic0. T1 can be made to
/// interrupt by writing an overflow bit; this one cannot.
///
/// ```
/// use pmu::Mode;
/// use pmu::arch::sparc::{Asr, Half};
/// use pmu::arch::sparc::niagara::{Device, Identity};
/// use pmu::virt::{Device as _, Kinds, Unconnected, Work};
///
/// let device = Device::new(&Identity::T2, Kinds::CLOCK, Unconnected);
/// device.try_write(Asr::Pcr, 0x2FD << 6 | 1 << 2)?; // pic0: instructions; in user programs
/// device.advance(&Work::instructions(Mode::User, 1000));
/// device.advance(&Work::instructions(Mode::Kernel, 50));
/// assert_eq!(device.try_read(Asr::Pic), Ok(1000));
/// assert_eq!(device.try_read_counter(Half::Pic0), Ok(1000));
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
    /// %pcr without the bits that read as 0.
    control: Cell<u64>,
    counters: [Cell<u64>; 2],
    ticks: Cell<u64>,
}

impl<T: Trigger> Device<T> {
    /// Creates the unit of `identity` after a reset. The host reports work of the kinds `observed`, and `trigger` is the
    /// interrupt of level 15. T1 never withdraws it, and T2 does when no enabled overflow is left.
    #[must_use]
    pub fn new(identity: &Identity, observed: impl Into<Observed>, trigger: T) -> Self {
        Self {
            fingerprint: identity.fingerprint(),
            capabilities: identity.capabilities(),
            table: Table::new(observed, Modes::ALL.and(Modes::HYPERVISOR)),
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
        self.change(|| self.put(&State { ticks: self.ticks.get(), ..State::default() }));
    }

    #[inline(always)]
    fn counter(&self, half: Half) -> &Cell<u64> {
        &self.counters[usize::from(half.number() & 1)]
    }

    fn is_t1(&self) -> bool {
        self.capabilities.is_t1()
    }

    fn read_register(&self, at: Asr) -> u64 {
        match at {
            Asr::Pcr => self.control.get(),
            Asr::Pic => Half::ALL.into_iter().fold(0, |pic, half| half.replaced(pic, self.counter(half).get())),
        }
    }

    fn write_register(&self, at: Asr, value: u64) {
        match at {
            Asr::Pcr => self.change(|| {
                self.control.set(self.written(value));
                self.table.touch(CounterSet::ALL);
            }),
            Asr::Pic => Half::ALL.into_iter().for_each(|half| self.counter(half).set(half.in_pic(value))),
        }
    }

    /// Returns what %pcr holds after a write.
    fn written(&self, value: u64) -> u64 {
        if self.is_t1() {
            return PcrT1::from_bits_truncate(value).bits();
        }
        let (value, before) = (Pcr::from_bits_truncate(value), Pcr::from_bits_retain(self.control.get()));
        let held = |half| if value.contains(Pcr::hold(half)) { Pcr::overflow(half) } else { Pcr::empty() };
        let right = match self.capabilities.privilege {
            Privilege::Kernel => Pcr::HYPERVISOR,
            Privilege::Hypervisor => Pcr::empty(),
        };
        let kept = right | held(Half::Pic0) | held(Half::Pic1);
        (value.difference(kept | Pcr::HOLD) | before.intersection(kept)).bits()
    }

    /// Returns true if T2 asserts the interrupt: an enabled counter has overflowed.
    pub fn is_asserted(&self) -> bool {
        let control = Pcr::from_bits_retain(self.control.get());
        let overflowed = |half| control.contains(Pcr::overflow(half) | Pcr::trap(half));
        !self.is_t1() && Half::ALL.into_iter().any(overflowed)
    }

    /// Makes a change, and sets the line of T2 accordingly.
    fn change(&self, change: impl FnOnce()) {
        let before = self.is_asserted();
        change();
        self.line.moved(before, self.is_asserted());
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

    /// The host must restore the level of the interrupt's line.
    fn restore(&self, snapshot: &[u8]) -> Result<(), virt::RestoreError> {
        let state: State = virt::Snapshot::read(snapshot, self.fingerprint())?;
        state.check(&self.capabilities)?;
        self.put(&state);
        Ok(())
    }
}

virt::driven!([T: Trigger] Device<T>);
