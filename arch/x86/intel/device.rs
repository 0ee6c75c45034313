//! Intel's unit in software: architectural performance monitoring as a guest's registers show it.

mod counting;
mod discipline;
pub(super) mod feed;
mod limits;
mod passed;
mod place;
mod state;

use core::array;
use core::cell::Cell;

use self::feed::Feed;
use self::limits::Limits;
use self::place::Place;
use self::state::State;
use super::{DebugControl, FixedControl, GlobalStatus, Identity, Select};
use crate::arch::x86::device::{Counter, Counting, MODES, fill, unit_in_software};
use crate::arch::x86::{Index, Msr, Window};
use crate::event::{CounterId, CounterSet};
use crate::virt::{self, Decode, Delivery, Fault, Fingerprint, Line, Observed, Table, Trigger, Work};

const GENERAL: usize = Msr::GENERAL as usize;
const FIXED: usize = Msr::FIXED as usize;
/// The number of the first fixed counter, and that of all numbers.
const FIRST_FIXED: usize = 32;
const NUMBERS: usize = 64;
const FIXED_COUNTERS: CounterSet = CounterSet::from_bits(0xFFFF_FFFF << FIRST_FIXED);

/// Intel's unit in software, for one virtual processor.
///
/// A [`Device`] is created from an [`Identity`] and has that processor's counters, bits and faults, in the version
/// that the processor announces:
///
/// | version | adds |
/// |---|---|
/// | 1 | general counters and their selectors; an overflow interrupts and leaves no trace |
/// | 2 | fixed counters; global control, status and its acknowledgement; overflows that freeze |
/// | 3 | counting for all threads of a core |
/// | 4 | status set and reset; which counters are in use; freezing by the status, and no more by the global control |
/// | 5 | fixed counters that are listed; counting for all threads is gone |
/// | 6 | leaf 23H; UMASK2 and EQ in selectors; second addresses of counters and selectors |
///
/// Source: SDM vol. 3, chapter "Performance Monitoring", section "Architectural Performance
/// Monitoring".
///
/// # What it does not model
///
/// Freezing, on an interrupt and in system-management mode, depends on IA32_DEBUGCTL, and the host answers that
/// register. It passes what a guest writes there to [`Device::set_debug_control`]; otherwise the guest keeps counting.
/// Branch records, the branch trace store and the top-down metrics are not announced. Precise sampling is a
/// [`pebs::Device`](super::pebs::Device)'s. [`Work`] says how much was done, but not
/// in which cycle: a selector with a threshold (CMASK, INV, EQ) or an edge (E) counts nothing, and
/// [`virt::Device::unfed`] reports it, unless it counts the cycles with at least one cycle. The interrupt is masked in
/// the local APIC (LVTPC), which also belongs to the host.
///
/// ```
/// use pmu::arch::x86::Msr;
/// use pmu::arch::x86::intel::{Device, Identity};
/// use pmu::virt::{Device as _, Kinds, Unconnected, Work};
/// use pmu::Mode;
///
/// let device = Device::new(&Identity::CORE_2, Kinds::CLOCK, Unconnected);
/// device.try_write(Msr::FIXED_CONTROL, 0b0010)?; // fixed counter 0, instructions, in user mode
/// device.try_write(Msr::GLOBAL_CONTROL, 1 << 32)?;
/// device.advance(&Work::instructions(Mode::User, 1000));
/// device.advance(&Work::instructions(Mode::Kernel, 50));
/// assert_eq!(device.try_read(Msr::fixed(0).unwrap()), Ok(1000));
/// # Ok::<(), pmu::virt::Fault>(())
/// ```
///
/// Its [`state`](crate::virt::Device::state) has these fields. `general`: the general counters, IA32_PMCx; `selects`:
/// their selectors, IA32_PERFEVTSELx; `fixed`: the fixed counters, IA32_FIXED_CTRx; `beside`: the auxiliary registers,
/// in the order of `AuxiliaryRegister::ALL`; `fixed_control`: IA32_FIXED_CTR_CTRL; `global_control`:
/// IA32_PERF_GLOBAL_CTRL; `global_status`: IA32_PERF_GLOBAL_STATUS; `force_abort`: IA32_TSX_FORCE_ABORT;
/// `debug_control`: IA32_DEBUGCTL, as the device was told; `ticks`: the cycles that the device was told of.
pub struct Device<T> {
    fingerprint: Fingerprint,
    limits: Limits,
    feed: Feed,
    line: Line<T>,
    table: Table,
    /// The counters by their numbers.
    counters: [Counter; NUMBERS],
    selects: [Cell<u64>; GENERAL],
    beside: [Cell<u64>; super::AuxiliaryRegister::COUNT],
    /// By auxiliary register: the counters whose events need it.
    needing: [Cell<CounterSet>; super::AuxiliaryRegister::COUNT],
    fixed_control: Cell<u64>,
    global_control: Cell<u64>,
    global_status: Cell<u64>,
    force_abort: Cell<u64>,
    debug_control: Cell<u64>,
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
            feed: Feed::new(capabilities.events, identity.own_events()),
            table: Table::new(observed, MODES),
            line: Line::new(trigger, Delivery::Nmi),
            counters: [const { Counter::new() }; NUMBERS],
            selects: Default::default(),
            beside: Default::default(),
            needing: [const { Cell::new(CounterSet::EMPTY) }; super::AuxiliaryRegister::COUNT],
            fixed_control: Cell::new(0),
            global_control: Cell::new(0),
            global_status: Cell::new(0),
            force_abort: Cell::new(0),
            debug_control: Cell::new(0),
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

    /// Resets the unit: all registers are 0, except that the general counters are enabled globally (SDM vol. 3,
    /// table "IA-32 and Intel 64 Processor States Following Power-up, Reset, or INIT").
    pub fn reset(&self) {
        let global_control = if self.limits.has_global() { self.limits.general() } else { 0 };
        self.put(&State { global_control, ticks: self.ticks.get(), ..State::default() });
    }

    /// Sets the guest's IA32_DEBUGCTL, as far as the unit uses it. A unit of version 1 ignores it.
    pub fn set_debug_control(&self, control: DebugControl) {
        self.debug_control.set(control.bits() & self.limits.debug_control());
    }

    /// Reports `work` that the guest's system-management mode did. Counters count it like the kernel's, unless the guest
    /// froze them ([`DebugControl::FREEZE_IN_SMM`]; SDM vol. 3, "IA32_DEBUGCTL MSR", FREEZE_WHILE_SMM).
    pub fn advance_in_smm(&self, work: &Work) {
        if self.debug_control.get() & DebugControl::FREEZE_IN_SMM.bits() == 0 {
            self.count(work);
        } else {
            self.tick(work.of(virt::Kind::Cycles));
        }
    }

    /// Returns true if counter 3 counts nothing, because transactions are not aborted.
    #[inline(always)]
    fn is_short_of_one(&self) -> bool {
        self.limits.has_force_abort() && self.force_abort.get() == 0
    }

    /// Freezes the counters at an overflow that interrupts, if the guest chose that. Up to version 3 they are
    /// disabled globally, and from version 4 on the status holds them (SDM vol. 3, "Freezing LBR and
    /// Performance Counters on PMI").
    fn freeze(&self) {
        if self.debug_control.get() & DebugControl::FREEZE_COUNTERS.bits() == 0 {
            return;
        }
        if self.limits.freezes_by_status() {
            self.store(Place::Set, GlobalStatus::COUNTERS_FROZEN.bits());
        } else {
            self.store(Place::Control, 0);
        }
    }

    /// Returns the register at an address of this version, whether or not the unit has it.
    #[inline(always)]
    fn place(&self, at: Msr) -> Option<Place> {
        match Place::of(at) {
            None if self.limits.has_second() => Place::of_second(at),
            place => place,
        }
    }

    /// Returns a counter by its number.
    #[inline(always)]
    fn numbered(&self, number: usize) -> &Counter {
        &self.counters[number % NUMBERS]
    }

    /// Returns the cell of a register that holds what was written to it.
    #[inline(always)]
    fn cell(&self, place: Place) -> Option<&Cell<u64>> {
        match place {
            Place::Select(number) => self.selects.get(number),
            Place::AuxiliaryRegister(number) => self.beside.get(number),
            Place::FixedControl => Some(&self.fixed_control),
            Place::Control => Some(&self.global_control),
            Place::Status => Some(&self.global_status),
            Place::ForceAbort => Some(&self.force_abort),
            Place::General(..) | Place::Fixed(_) => None,
            Place::Reset | Place::Set | Place::InUse | Place::Capabilities => None,
        }
    }

    /// Writes a register, if it has all bits of the value.
    #[inline(always)]
    fn write_bits(&self, place: Place, value: impl Fn(u64) -> u64) -> Result<(), Fault> {
        let bits = self.limits.bits(place).ok_or(Fault::Absent)?;
        let value = value(bits);
        if value & !bits != 0 {
            return Err(Fault::Reserved);
        }
        self.store(place, value);
        Ok(())
    }

    /// Stores a value whose bits the register has.
    #[inline(always)]
    fn store(&self, place: Place, value: u64) {
        match place {
            Place::General(_, number) => self.numbered(number).set_value(value, self.limits.general_mask()),
            Place::Fixed(number) => self.numbered(number + FIRST_FIXED).set_value(value, self.limits.fixed_mask()),
            _ => self.store_control(place, value),
        }
    }

    /// Stores a value in a register that decides what counts.
    #[inline(always)]
    fn store_control(&self, place: Place, value: u64) {
        match place {
            Place::Reset => self.global_status.set(self.global_status.get() & !value),
            Place::Set => self.global_status.set(self.global_status.get() | value),
            _ => self.cell(place).into_iter().for_each(|cell| cell.set(value)),
        }
        match place {
            Place::Select(number) => self.table.touch(CounterSet::from_bits(1 << (number & 31))),
            Place::FixedControl => self.table.touch(FIXED_COUNTERS),
            _ => self.table.touch_enables(),
        }
    }

    /// Returns IA32_PERF_GLOBAL_INUSE: the counters that have an event, and in bit 63 whether any of them
    /// interrupts (SDM vol. 3, "IA32_PERF_GLOBAL_INUSE MSR").
    #[cold]
    #[inline(never)]
    fn in_use(&self) -> u64 {
        let used = self.limits.counters().into_iter().filter(|&id| self.is_used(id)).collect::<CounterSet>();
        let interrupts = self.limits.counters().into_iter().any(|id| self.decode(id).interrupts);
        used.bits() | u64::from(interrupts) << 63
    }

    fn is_used(&self, id: CounterId) -> bool {
        match self.select(id) {
            Some(select) => select.intersects(Select::EVENT),
            None => self.fixed_control(id).intersects(FixedControl::USER | FixedControl::KERNEL),
        }
    }

    /// Returns the selector of a general counter, or `None` for a fixed one.
    #[inline(always)]
    fn select(&self, id: CounterId) -> Option<Select> {
        self.selects.get(usize::from(id.number())).map(|cell| Select::from_bits_retain(cell.get()))
    }

    /// Returns the control of a fixed counter.
    #[inline(always)]
    fn fixed_control(&self, id: CounterId) -> FixedControl {
        FixedControl::of(id, self.fixed_control.get())
    }
}

/// Extends the value of a narrow write: EDX is ignored, and EAX is sign-extended (SDM vol. 3, "Full-Width Writes
/// to Performance Counter Registers").
#[inline(always)]
fn extended(value: u64) -> u64 {
    i64::from(value as u32 as i32) as u64
}

/// The registers, and the contents of all of them.
impl<T: Trigger> Device<T> {
    #[inline(always)]
    fn read_register(&self, at: Msr) -> Result<u64, Fault> {
        let place = self.place(at).ok_or(Fault::Absent)?;
        self.limits.bits(place).ok_or(Fault::Absent)?;
        Ok(match place {
            Place::InUse => self.in_use(),
            Place::Capabilities => self.limits.perf_capabilities(),
            Place::General(_, number) => self.numbered(number).value(self.limits.general_mask()),
            Place::Fixed(number) => self.numbered(number + FIRST_FIXED).value(self.limits.fixed_mask()),
            _ => self.cell(place).map_or(0, Cell::get),
        })
    }

    #[inline(always)]
    fn write_register(&self, at: Msr, value: u64) -> Result<(), Fault> {
        let place = self.place(at).ok_or(Fault::Absent)?;
        match place {
            Place::General(Window::Narrow, _) => self.write_bits(place, |bits| extended(value) & bits),
            Place::General(Window::Full, _) => self.write_bits(place, |_| value),
            _ if place.is_read_only() => self.limits.bits(place).map_or(Err(Fault::Absent), |_| Err(Fault::ReadOnly)),
            _ => self.write_bits(place, |_| value),
        }
    }

    #[inline(always)]
    fn read_index(&self, index: Index) -> Result<u64, Fault> {
        let id = index.whole().ok_or(Fault::Absent)?;
        let is_there = self.limits.counters().contains(id);
        if is_there { Ok(self.numbered(id.index()).value(self.limits.mask(id))) } else { Err(Fault::Absent) }
    }

    fn contents(&self) -> State {
        State {
            general: array::from_fn(|number| self.numbered(number).value(self.limits.general_mask())),
            selects: self.selects.each_ref().map(Cell::get),
            fixed: array::from_fn(|number| self.numbered(number + FIRST_FIXED).value(self.limits.fixed_mask())),
            beside: self.beside.each_ref().map(Cell::get),
            fixed_control: self.fixed_control.get(),
            global_control: self.global_control.get(),
            global_status: self.global_status.get(),
            force_abort: self.force_abort.get(),
            debug_control: self.debug_control.get(),
            ticks: self.ticks.get(),
        }
    }

    fn put(&self, state: &State) {
        let (general, fixed) = (state.general.into_iter().enumerate(), state.fixed.into_iter().enumerate());
        general.for_each(|(at, value)| self.numbered(at).set_value(value, self.limits.general_mask()));
        fixed.for_each(|(at, value)| self.numbered(at + FIRST_FIXED).set_value(value, self.limits.fixed_mask()));
        fill(&self.selects, state.selects);
        fill(&self.beside, state.beside);
        self.fixed_control.set(state.fixed_control);
        self.global_control.set(state.global_control);
        self.global_status.set(state.global_status);
        self.force_abort.set(state.force_abort);
        self.debug_control.set(state.debug_control);
        self.ticks.set(state.ticks);
        self.table.touch(CounterSet::ALL);
    }
}

unit_in_software!(Device);
