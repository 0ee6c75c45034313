//! AMD's unit in software: the core performance counters as a guest's registers show them.

mod counting;
mod discipline;
mod feed;
mod limits;
mod passed;
mod place;
mod state;

use core::cell::Cell;

use self::feed::Feed;
use self::limits::Limits;
use self::place::Place;
use self::state::State;
pub use self::state::Svm;
use super::{Identity, Select};
use crate::arch::x86::device::{Counter, Counting, MODES, fill, set_values, unit_in_software};
use crate::arch::x86::{Block, Index, Msr};
use crate::event::{CounterId, CounterSet};
use crate::virt::{self, Decode, Delivery, Fault, Fingerprint, Line, Observed, Table, Trigger, Work};

const COUNTERS: usize = Block::Core.counters() as usize;

/// AMD's unit in software, for one virtual processor.
///
/// A [`Device`] is created from an [`Identity`] and has that processor's counters, bits and faults:
///
/// | processors | counters | what is particular |
/// |---|---|---|
/// | K7, K8, families 10h and 16h | 4 | an overflow interrupts and leaves no trace |
/// | family 15h | 6, the first 4 at two addresses | events that only some of the counters count |
/// | Zen 1 to 3 | 6 | two counters make one of 64 bits; on Zen 3 counter 2 has bit 43 ([`Select::EXACT`]) |
/// | Zen 4 | 6 | control and status of all counters at once |
///
/// An access to a counter that does not exist faults. No value faults: bits that a register does not have are
/// dropped, and a write to the read-only status is ignored.
///
/// Sources: APM vol. 2, "Performance Monitoring Counters"; for merged counters the family 17h PPR,
/// "Large Increment per Cycle Events": a pair's upper 16 bits are the low ones of its odd counter,
/// and its even counter reads as all 64.
///
/// # What it does not model
///
/// Freezing on an interrupt is not announced, and the status has no bit for it. Branch records are another unit
/// ([`lbr::Device`](crate::arch::x86::lbr::Device)), of which the status has a bit if a guest has both.
/// The counters of the northbridge and the last-level cache are other units, and instruction-based sampling is
/// [`ibs::Device`](super::ibs::Device).
/// It never overcounts ([`Miscount`](super::Miscount)).
/// [`Work`] says how much was done, but not in which cycle: a selector with a threshold (CNT_MASK) or an edge
/// (EDGE) counts nothing, and [`virt::Device::unfed`] reports it, unless it counts the cycles with at least
/// one cycle. The interrupt is masked in the local APIC (LVTPC), which belongs to the host. AMD's processors
/// do not mask it when they deliver it.
///
/// ```
/// use pmu::arch::x86::amd::{Device, Identity};
/// use pmu::arch::x86::{Block, Msr};
/// use pmu::virt::{Device as _, Kinds, Unconnected, Work};
/// use pmu::Mode;
///
/// let device = Device::new(&Identity::K8, Kinds::CLOCK, Unconnected);
/// let select = Msr::core_select(Block::Legacy, 2).unwrap();
/// device.try_write(select, 0x0041_00C0)?; // instructions, in user mode
/// device.advance(&Work::instructions(Mode::User, 1000));
/// device.advance(&Work::instructions(Mode::Kernel, 50));
/// assert_eq!(device.try_read(Msr::core_counter(Block::Legacy, 2).unwrap()), Ok(1000));
/// # Ok::<(), pmu::virt::Fault>(())
/// ```
///
/// Its [`state`](crate::virt::Device::state) has these fields. `counters`: the counters; `selects`: their selectors;
/// `control`: PerfCntrGlobalCtl; `status`: PerfCntrGlobalStatus; `svm`: the state of SVM, as the device was told;
/// `ticks`: the cycles that the device was told of.
pub struct Device<T> {
    fingerprint: Fingerprint,
    limits: Limits,
    /// The guest is told of instruction-based sampling.
    has_sampling: bool,
    feed: Feed,
    table: Table,
    line: Line<T>,
    counters: [Counter; COUNTERS],
    selects: [Cell<u64>; COUNTERS],
    /// The even counters with which the odd ones after them are merged.
    merged: Cell<CounterSet>,
    control: Cell<u64>,
    status: Cell<u64>,
    svm: Cell<Svm>,
    ticks: Cell<u64>,
}

impl<T: Trigger> Device<T> {
    /// Creates the unit of `identity` after a reset. The host reports work of the kinds `observed`, and
    /// `trigger` is the line to the local APIC.
    #[must_use]
    pub fn new(identity: &Identity, observed: impl Into<Observed>, trigger: T) -> Self {
        let capabilities = identity.capabilities();
        let device = Self {
            fingerprint: identity.fingerprint(),
            limits: Limits::of(&capabilities),
            has_sampling: identity.has_sampling(),
            feed: Feed::new(&capabilities),
            table: Table::new(observed, MODES),
            line: Line::new(trigger, Delivery::Nmi),
            counters: [const { Counter::new() }; COUNTERS],
            selects: Default::default(),
            merged: Cell::new(CounterSet::EMPTY),
            control: Cell::new(0),
            status: Cell::new(0),
            svm: Cell::new(Svm::Off),
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

    /// Resets the unit: all registers are 0, except that all counters are enabled globally if there is a register
    /// for that, so that software that does not know it can count (PPR for family 19h model 11h,
    /// PerfCntrGlobalCtl). SVM is off, as EFER is 0.
    pub fn reset(&self) {
        let control = if self.limits.has_global() { self.limits.counters().bits() } else { 0 };
        self.put(&State { control, ticks: self.ticks.get(), ..State::default() });
    }

    /// Sets whether SVM is enabled on the virtual processor, and whether it runs a guest now. Selectors can limit
    /// counting to one of the two.
    pub fn set_svm(&self, svm: Svm) {
        self.svm.set(svm);
        self.table.touch(CounterSet::ALL);
    }

    /// Returns the register at an address of this processor, whether or not the unit has it.
    #[inline(always)]
    fn place(&self, at: Msr) -> Option<Place> {
        Place::of(at).filter(|_| self.limits.has_block_of(at))
    }

    /// Returns the cell of a register that holds what was written to it.
    #[inline(always)]
    fn cell(&self, place: Place) -> Option<&Cell<u64>> {
        match place {
            Place::Select(number) => self.selects.get(number),
            Place::Control => Some(&self.control),
            Place::Status => Some(&self.status),
            Place::Counter(_) | Place::Reset | Place::Set => None,
        }
    }

    /// Stores a value whose bits the register has.
    #[inline(always)]
    fn store(&self, place: Place, value: u64) {
        match place {
            Place::Status => {}
            Place::Counter(number) => self.set_own(number, value),
            Place::Reset => self.status.set(self.status.get() & !value),
            Place::Set => self.status.set(self.status.get() | value),
            Place::Control => {
                self.control.set(value);
                self.table.touch_enables();
            }
            Place::Select(number) => {
                self.selects.get(number).into_iter().for_each(|cell| cell.set(value));
                self.note_merge(number);
                // It may merge its counter with the other of the pair.
                self.table.touch(CounterSet::from_bits(0b11 << (number & 62)));
            }
        }
    }

    /// Returns what a counter holds by itself.
    #[inline(always)]
    fn own(&self, number: usize) -> u64 {
        self.counters.get(number).map_or(0, |counter| counter.value(self.limits.mask()))
    }

    fn set_own(&self, number: usize, value: u64) {
        self.counters.get(number).into_iter().for_each(|counter| counter.set_value(value, self.limits.mask()));
    }

    /// Returns the value of a counter, or 0 if there is no such counter. An even counter with which the odd one is merged
    /// has its upper 16 bits there.
    #[inline(always)]
    fn read_number(&self, number: usize) -> u64 {
        let upper = if self.is_merged(number) { self.own(number + 1) << 48 } else { 0 };
        self.own(number) | upper
    }

    /// Returns the even counter whose upper half this one is.
    #[inline(always)]
    fn lower_half(&self, number: usize) -> Option<usize> {
        number.checked_sub(1).filter(|&even| self.is_merged(even))
    }

    /// Returns true if this even counter is merged with the odd one after it.
    #[inline(always)]
    fn is_merged(&self, number: usize) -> bool {
        self.merged.get().bits() >> (number & 63) & 1 != 0
    }

    /// Notes whether a counter whose selector was written is merged with the one before it.
    #[inline(always)]
    fn note_merge(&self, number: usize) {
        if !self.limits.merges() || number.is_multiple_of(2) {
            return;
        }
        let (select, even) = (self.select(number), 1 << (number - 1));
        let others = self.merged.get().bits() & !even;
        let merges = select.is_merge() && select.contains(Select::ENABLE);
        self.merged.set(CounterSet::from_bits(if merges { others | even } else { others }));
    }

    /// Returns the selector of a counter, or an empty one if there is no such counter.
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

/// The registers, and the contents of all of them.
impl<T: Trigger> Device<T> {
    #[inline(always)]
    fn read_register(&self, at: Msr) -> Result<u64, Fault> {
        let place = self.place(at).ok_or(Fault::Absent)?;
        self.limits.bits(place).ok_or(Fault::Absent)?;
        Ok(match place {
            Place::Counter(number) => self.read_number(number),
            _ => self.cell(place).map_or(0, Cell::get),
        })
    }

    #[inline(always)]
    fn write_register(&self, at: Msr, value: u64) -> Result<(), Fault> {
        let place = self.place(at).ok_or(Fault::Absent)?;
        let bits = self.limits.bits(place).ok_or(Fault::Absent)?;
        self.store(place, value & bits);
        Ok(())
    }

    #[inline(always)]
    fn read_index(&self, at: Index) -> Result<u64, Fault> {
        let id = at.whole().ok_or(Fault::Absent)?;
        if self.limits.counters().contains(id) { Ok(self.read_number(index(id))) } else { Err(Fault::Absent) }
    }

    fn contents(&self) -> State {
        State {
            counters: self.counters.each_ref().map(|counter| counter.value(self.limits.mask())),
            selects: self.selects.each_ref().map(Cell::get),
            control: self.control.get(),
            status: self.status.get(),
            svm: self.svm.get(),
            ticks: self.ticks.get(),
        }
    }

    fn put(&self, state: &State) {
        set_values(&self.counters, state.counters, self.limits.mask());
        fill(&self.selects, state.selects);
        (0..COUNTERS).for_each(|number| self.note_merge(number));
        self.control.set(state.control);
        self.status.set(state.status);
        self.svm.set(state.svm);
        self.ticks.set(state.ticks);
        self.table.touch(CounterSet::ALL);
    }
}

unit_in_software!(Device);
