//! Book3S 64's unit in software: Power ISA's performance monitor as a guest's registers show it.

mod context;
mod counting;
mod discipline;
mod feed;
mod limits;
mod place;
mod problem;
mod state;

use core::cell::Cell;

use self::context::Context;
use self::limits::Limits;
use self::place::{Place, is_copy};
use self::state::State;
use super::{Identity, Mmcr0, spr};
use crate::arch::powerpc::{ProcessorState, Spr};
use crate::event::{CounterSet, Mode, Modes};
use crate::virt::{self, Decode, Delivery, Fault, Fingerprint, Line, Observed, Table, Trigger, Work};

const COUNTERS: usize = spr::COUNTERS as usize;
/// SIER, SIER2 and SIER3.
const SAMPLED: usize = 3;
/// A counter is negative while this bit is set.
const SIGN: u64 = 1 << 31;
/// The least negative value, at which a counter overflows.
const FIRES: u64 = SIGN;

/// Book3S 64's unit in software, for one virtual processor.
///
/// A [`Device`] is created from an [`Identity`] and has that processor's counters, registers and bits:
///
/// | processor | adds |
/// |---|---|
/// | POWER4, 970 | eight counters, two of which select in MMCR0 |
/// | POWER5, 5+, 6 | six; PMC5 and PMC6 count instructions and cycles, and have no freezes and no alerts |
/// | POWER7 | freezes and alerts of those two |
/// | POWER8 | freezes for each counter (MMCR2), SIER, the rights of problem state (MMCR0\[PMCC\]) |
/// | POWER9 | two bits to combine events |
/// | Microwatt | as POWER9, the architecture's events alone; no SAMPLE_ENABLE, BHRBA, EBE; idle FCnM0 and FCnWAIT |
/// | POWER10 | MMCR3, SIER2 and SIER3 |
///
/// A counter is negative while its top bit is set. If its condition is enabled (PMC1CE, PMCjCE), this
/// ends TRIGGER, freezes all counters (FCECE) and raises an alert (PMAE). The alert sets PMAO, which interrupts
/// until it is cleared. The condition lasts as long as the counter is negative: setting PMAE while a counter is
/// negative raises an alert at once.
///
/// Source: Power ISA 2.07B Book III-S, chapter 9, "Performance Monitor Facility", and 3.1 Book III,
/// chapter 10, for later additions; for POWER4 to POWER7 2.03 and 2.06B. Their text was not available:
/// the effects of the bits were checked against Microwatt's pmu.vhdl, which is 3.0B's facility in hardware (for
/// example that PMC5 and PMC6 keep counting if PMCC excludes them), against QEMU's target/ppc for the rights of
/// problem state, and against torvalds/linux arch/powerpc for the differences of POWER4 to POWER7.
///
/// # What it does not model
///
/// Time base events (TBEE), event-based branches (EBE only holds back the interrupt), the branch
/// history buffer, marked instructions and thresholds (MMCRA), and the transactional freezes. A
/// counter that depends on one of these counts nothing, and [`virt::Device::unfed`] reports it. The
/// effects of [`Work`] follow when all of it is done: a host that needs FCECE or TRIGGER to be exact advances at most
/// by [`virt::Device::until_overflow`].
///
/// ```
/// use pmu::arch::powerpc::Spr;
/// use pmu::arch::powerpc::book3s::{Device, Identity};
/// use pmu::virt::{Device as _, Kinds, Unconnected, Work};
/// use pmu::{CounterId, Mode};
///
/// let device = Device::new(&Identity::POWER9, Kinds::CLOCK, Unconnected);
/// device.try_write(Spr::MMCR1, 0x02 << 24)?; // PMC1: instructions
/// device.try_write(Spr::MMCR0, 1 << 30)?; // not in supervisor state
/// device.advance(&Work::instructions(Mode::User, 1000));
/// device.advance(&Work::instructions(Mode::Kernel, 50));
/// assert_eq!(device.try_read(Spr::pmc(CounterId::ZERO)), Ok(1000));
/// # Ok::<(), pmu::virt::Fault>(())
/// ```
///
/// Its [`state`](crate::virt::Device::state) has these fields. `counters`: PMC1 to PMC8; `control`: MMCR0; `selects`:
/// MMCR1; `freezes`: MMCR2; `sources`: MMCR3; `marks`: MMCRA; `instruction`: SIAR; `datum`: SDAR; `sampled`: SIER,
/// SIER2 and SIER3; `context`: the state of the processor that the host has set; `ticks`: the cycles that were reported
/// to the device.
pub struct Device<T> {
    fingerprint: Fingerprint,
    limits: Limits,
    table: Table,
    line: Line<T>,
    counters: [Cell<u64>; COUNTERS],
    control: Cell<u64>,
    selects: Cell<u64>,
    freezes: Cell<u64>,
    sources: Cell<u64>,
    marks: Cell<u64>,
    instruction: Cell<u64>,
    datum: Cell<u64>,
    sampled: [Cell<u64>; SAMPLED],
    context: Cell<Context>,
    ticks: Cell<u64>,
}

impl<T: Trigger> Device<T> {
    /// Creates the unit of `identity` after a reset. The host reports work of the kinds `observed`, and
    /// `trigger` is the line of the performance monitor interrupt: [`Trigger::interrupt`] is called when PMAO is
    /// set, and [`Trigger::withdraw`] when it is cleared.
    #[must_use]
    pub fn new(identity: &Identity, observed: impl Into<Observed>, trigger: T) -> Self {
        let device = Self {
            fingerprint: identity.fingerprint(),
            limits: Limits::of(&identity.capabilities()),
            table: Table::new(observed, Modes::ALL.and(Modes::HYPERVISOR)),
            line: Line::new(trigger, Delivery::Maskable),
            counters: Default::default(),
            control: Cell::new(0),
            selects: Cell::new(0),
            freezes: Cell::new(0),
            sources: Cell::new(0),
            marks: Cell::new(0),
            instruction: Cell::new(0),
            datum: Cell::new(0),
            sampled: Default::default(),
            context: Cell::default(),
            ticks: Cell::new(0),
        };
        device.reset();
        device
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

    /// Resets the unit: all counters are frozen, and everything else is 0.
    pub fn reset(&self) {
        let (before, context, ticks) = (self.is_asserted(), self.context.get(), self.ticks.get());
        self.put(&State { control: Mmcr0::FREEZE.bits(), context, ticks, ..State::default() });
        self.line.moved(before, self.is_asserted());
    }

    /// Sets the state of the processor.
    pub fn set_processor(&self, state: ProcessorState) {
        self.context.set(state.into());
        self.table.touch(CounterSet::ALL);
    }

    /// Returns the cell of a register.
    #[inline(always)]
    fn cell(&self, place: Place) -> Option<&Cell<u64>> {
        match place {
            Place::Counter(number) => self.counters.get(number),
            Place::Control => Some(&self.control),
            Place::Selects => Some(&self.selects),
            Place::Freezes => Some(&self.freezes),
            Place::Sources => Some(&self.sources),
            Place::Marks => Some(&self.marks),
            Place::Instruction => Some(&self.instruction),
            Place::Datum => Some(&self.datum),
            Place::Sampled(number) => self.sampled.get(number),
        }
    }

    /// Returns the contents of a register, or `None` if the unit does not have it.
    #[inline(always)]
    fn read_place(&self, place: Place) -> Option<u64> {
        self.limits.bits(place)?;
        self.cell(place).map(Cell::get)
    }

    /// Writes the bits that a register has, and carries out the effects.
    #[inline(always)]
    fn write_place(&self, place: Place, value: u64, mode: Mode) {
        let value = value & self.limits.bits(place).unwrap_or_default();
        match place {
            Place::Control => self.set_control(Mmcr0::from_bits_retain(value)),
            _ => self.cell(place).into_iter().for_each(|cell| cell.set(value)),
        }
        if !matches!(place, Place::Counter(_)) {
            self.table.touch(CounterSet::ALL);
        }
        if matches!(place, Place::Control | Place::Counter(_)) {
            self.rest(mode, self.negative());
        }
    }

    fn put(&self, state: &State) {
        self.counters.iter().zip(state.counters).for_each(|(cell, value)| cell.set(value));
        self.sampled.iter().zip(state.sampled).for_each(|(cell, value)| cell.set(value));
        self.control.set(state.control);
        self.selects.set(state.selects);
        self.freezes.set(state.freezes);
        self.sources.set(state.sources);
        self.marks.set(state.marks);
        self.instruction.set(state.instruction);
        self.datum.set(state.datum);
        self.context.set(state.context);
        self.ticks.set(state.ticks);
        self.table.touch(CounterSet::ALL);
    }

    fn contents(&self) -> State {
        State {
            counters: self.counters.each_ref().map(Cell::get),
            control: self.control.get(),
            selects: self.selects.get(),
            freezes: self.freezes.get(),
            sources: self.sources.get(),
            marks: self.marks.get(),
            instruction: self.instruction.get(),
            datum: self.datum.get(),
            sampled: self.sampled.each_ref().map(Cell::get),
            context: self.context.get(),
            ticks: self.ticks.get(),
        }
    }
}

/// Accesses in privileged state. For problem state there are [`Device::read_from`] and [`Device::write_from`]. No
/// value is refused: bits that a register does not have are dropped.
impl<T: Trigger> virt::Device for Device<T> {
    type Address = Spr;
    type Index = Spr;
    type State = State;

    virt::counted!();

    #[inline]
    fn try_read(&self, at: Spr) -> Result<u64, Fault> {
        Place::of(at).and_then(|place| self.read_place(place)).ok_or(Fault::Absent)
    }

    #[inline]
    fn try_write(&self, at: Spr, value: u64) -> Result<(), Fault> {
        let place = Place::of(at).ok_or(Fault::Absent)?;
        self.limits.bits(place).ok_or(Fault::Absent)?;
        if is_copy(at) && !self.limits.is_207() {
            return Err(Fault::ReadOnly);
        }
        self.write_place(place, value, Mode::Kernel);
        Ok(())
    }

    #[inline]
    fn try_read_counter(&self, index: Spr) -> Result<u64, Fault> {
        match Place::of(index) {
            Some(place @ Place::Counter(_)) => self.read_place(place).ok_or(Fault::Absent),
            _ => Err(Fault::Absent),
        }
    }

    /// Also stops where a counter becomes negative and freezes or releases counters without an interrupt. A host
    /// that stops there has these effects exactly.
    fn until_overflow(&self, step: &Work) -> Option<u64> {
        self.steps_until_change(step)
    }

    fn fingerprint(&self) -> Fingerprint {
        self.fingerprint
    }

    /// Returns [`Fault::Reserved`] for a state in which a negative counter would have an effect at once, because the unit
    /// cannot be in it. The line does not change: the host that moves the guest sets its level.
    fn restore(&self, snapshot: &[u8]) -> Result<(), virt::RestoreError> {
        let state: State = virt::Snapshot::read(snapshot, self.fingerprint())?;
        state.check(&self.limits)?;
        let before = self.contents();
        self.put(&state);
        if self.is_at_rest() {
            Ok(())
        } else {
            self.put(&before);
            Err(Fault::Reserved.into())
        }
    }
}

virt::driven!([T: Trigger] Device<T>);
