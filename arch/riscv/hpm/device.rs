//! The unit in software: its registers as a guest's CSR instructions show them.

mod contract;
mod counting;
mod discipline;
mod feed;
mod place;
mod state;

use core::cell::Cell;

use self::place::Place;
pub(super) use self::state::State;
use super::capabilities::{Capabilities, writable};
use super::counters::from_register;
use super::extensions::Extensions;
use super::{Identity, Interrupt, Model, Privilege, Select};
use crate::arch::riscv::Csr;
use crate::event::{CounterId, CounterSet, Mode, Modes, Width};
use crate::virt::{Delivery, Fault, Fingerprint, Kind, Line, Observed, Table, Trigger};

const COUNTERS: usize = Csr::COUNTERS as usize;

/// A unit in software, for one virtual processor.
///
/// A [`Device`] is created from an [`Identity`]. It answers the guest's accesses in machine mode; that of an identity whose
/// counters are delegated answers a supervisor's, from when machine mode has delegated all of them. In machine mode it has
/// mip, mie and mcounteren, and by delegation sip, sie and scounteren. Of the first two it has the bit of the interrupt, and of
/// the last the counters' bits: the other bits are the host's.
///
/// Sources: "The RISC-V Instruction Set Manual, volume II: Privileged Architecture", "Hardware Performance Monitor", and the
/// chapters of Sscofpmf, Smcntrpmf, and Smcdeleg and Ssccfg. mcounterinten and mcounterof: see [`Interrupt`].
///
/// # What it does not model
///
/// A hypervisor's guest, so that nothing is counted by VSINH and VUINH, and vsiselect.
///
/// ```
/// use pmu::arch::riscv::Csr;
/// use pmu::arch::riscv::hpm::{Device, Identity};
/// use pmu::virt::{Device as _, Kinds, Unconnected, Work};
/// use pmu::Mode;
///
/// let device = Device::new(&Identity::RV64, Kinds::CLOCK, Unconnected);
/// device.try_write(Csr::select(3).unwrap(), 1 << 62 | 2)?; // instructions, outside machine mode
/// device.advance(&Work::instructions(Mode::User, 1000));
/// device.advance(&Work::instructions(Mode::Kernel, 50));
/// assert_eq!(device.try_read(Csr::counter(3).unwrap()), Ok(1000));
/// # Ok::<(), pmu::virt::Fault>(())
/// ```
///
/// Its [`state`](crate::virt::Device::state) has these fields. `counters`: each counter, by its number; `selects`:
/// mhpmevent of each counter; mcyclecfg and minstretcfg; `inhibited`: the counters that do not count (mcountinhibit);
/// `readable`: the counters that lower modes can read (mcounteren); `readable_in_user`: the counters that user mode can
/// read, if lower modes can (scounteren); `is_pending`: whether the interrupt is pending; `is_enabled`: whether the
/// interrupt is enabled; `selected`: siselect; `ticks`: the cycles that were reported to the device; `overflowed`: the
/// counters that have overflowed (mcounterof, on T-Head's; mcounterovf, on Andes'); `interrupting`: the counters whose
/// overflows interrupt (mcounterinten, on T-Head's and Andes').
pub struct Device<T> {
    fingerprint: Fingerprint,
    capabilities: Capabilities,
    /// The counters by their bits in mcounteren, with mcycle and minstret, which a driver may not be able to use.
    all: u32,
    table: Table,
    /// The mode that the host's reports of the kernel are of.
    kernel: Privilege,
    line: Line<T>,
    counters: [Cell<u64>; COUNTERS],
    selects: [Cell<u64>; COUNTERS],
    inhibited: Cell<u32>,
    /// Those that machine mode lets lower modes read.
    readable: Cell<u32>,
    /// Those that the supervisor lets user mode read.
    readable_in_user: Cell<u32>,
    is_pending: Cell<bool>,
    is_enabled: Cell<bool>,
    /// mcounterof, on T-Head's; mcounterovf, on Andes'.
    overflowed: Cell<u32>,
    /// mcounterinten, on T-Head's and Andes'.
    interrupting: Cell<u32>,
    selected: Cell<u64>,
    ticks: Cell<u64>,
}

impl<T: Trigger> Device<T> {
    /// Creates the unit of `identity` after a reset. The host reports work of the kinds `observed`, and
    /// `trigger` is the line of the interrupt.
    #[must_use]
    pub fn new(identity: &Identity, observed: impl Into<Observed>, trigger: T) -> Self {
        let unit = Self {
            fingerprint: identity.fingerprint(),
            capabilities: identity.capabilities(),
            all: identity.counters(),
            table: Table::new(observed, Modes::ALL.and(Modes::HYPERVISOR)),
            kernel: identity.privilege(),
            line: Line::new(trigger, Delivery::Maskable),
            counters: Default::default(),
            selects: Default::default(),
            inhibited: Cell::new(0),
            readable: Cell::new(0),
            readable_in_user: Cell::new(0),
            is_pending: Cell::new(false),
            is_enabled: Cell::new(false),
            overflowed: Cell::new(0),
            interrupting: Cell::new(0),
            selected: Cell::new(0),
            ticks: Cell::new(0),
        };
        unit.put(&unit.after_reset(0));
        unit
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

    /// Sets whether the kernel, whose work the host reports, is in machine mode or in supervisor mode. The default is the
    /// mode of the driver that the identity is for.
    #[must_use]
    pub fn with_kernel_in(mut self, privilege: Privilege) -> Self {
        self.kernel = privilege;
        self.table.touch(CounterSet::ALL);
        self
    }

    /// Resets the unit: every register is 0. To a supervisor all counters are delegated.
    pub fn reset(&self) {
        self.put(&self.after_reset(self.ticks.get()));
    }

    fn after_reset(&self, ticks: u64) -> State {
        let readable = if self.privilege() == Privilege::Supervisor { self.all } else { 0 };
        State { readable, ticks, ..State::default() }
    }

    /// Reads a counter as a user program does, by cycle, instret or hpmcounter. In machine mode mcounteren decides alone.
    ///
    /// # Errors
    /// Returns [`Fault::Trapped`] if the kernel has not lent it, and [`Fault::Absent`] if there is no such register.
    pub fn try_read_in_user(&self, at: Csr) -> Result<u64, Fault> {
        let Ok(Place::Counter(counter, _)) = self.place(at) else { return Err(Fault::Absent) };
        let lent = match self.privilege() {
            Privilege::Machine => self.readable.get(),
            Privilege::Supervisor => self.readable.get() & self.readable_in_user.get(),
        };
        let is_of_user = (0xC00..0xD00).contains(&at.number());
        if !is_of_user || lent >> counter & 1 == 0 {
            return Err(Fault::Trapped(Mode::Kernel));
        }
        self.read_register(at)
    }

    /// Returns what the unit has.
    pub(super) const fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    /// Returns the kind of work that a counter counts by a code, if it is one.
    pub(super) const fn kind_of(&self, event: u64) -> Option<Kind> {
        feed::kind(self.capabilities.model, event)
    }

    /// Replaces the contents, if the unit can have them.
    pub(super) fn restore_state(&self, state: &State) -> Result<(), Fault> {
        state.check(&self.capabilities, self.all)?;
        self.put(state);
        Ok(())
    }

    fn privilege(&self) -> Privilege {
        self.capabilities.privilege
    }

    fn is_narrow(&self) -> bool {
        self.capabilities.extensions.contains(Extensions::RV32)
    }

    fn read_register(&self, at: Csr) -> Result<u64, Fault> {
        Ok(match self.place(at)? {
            Place::Fixed(value) => value,
            Place::Counter(counter, half) => half.of(self.counter(counter)),
            Place::Select(counter, half) => half.of(self.shown_select(counter)),
            Place::Inhibit => self.inhibited.get().into(),
            Place::Overflows => (self.selecting(Select::OVERFLOWED) & self.seen()).into(),
            Place::Pending => self.bit(self.pends()),
            Place::Enable => self.bit(self.is_enabled.get()),
            Place::Overflowed => self.overflowed.get().into(),
            Place::Interrupting => self.interrupting.get().into(),
            Place::Mask(mode) => self.selecting(mode).into(),
            Place::Readable => self.readable.get().into(),
            Place::ReadableInUser => self.readable_in_user.get().into(),
            Place::Selected => self.selected.get(),
        })
    }

    /// Writes the bits that a register has. No value is refused, but a write to a read-only register is.
    fn write_register(&self, at: Csr, value: u64) -> Result<(), Fault> {
        let place = self.place(at)?;
        if at.is_read_only() {
            return Err(Fault::ReadOnly);
        }
        let value = at.written(value, || self.read_register(at))?;
        self.change(|| match place {
            Place::Counter(counter, half) => self.set_counter(counter, half.replaced(self.counter(counter), value)),
            Place::Select(counter, half) => {
                self.set_select(counter, half.replaced(self.select(counter).bits(), value));
            }
            Place::Inhibit => {
                self.inhibited.set(value as u32 & self.delegated());
                self.table.touch_enables();
            }
            Place::Pending => self.is_pending.set(value & self.bit(self.has_own_pending()) != 0),
            Place::Enable => self.is_enabled.set(value & self.bit(true) != 0),
            Place::Overflowed => self.set_overflowed(value as u32),
            Place::Interrupting => self.interrupting.set(value as u32 & self.all),
            Place::Mask(mode) => self.set_masked(mode, value as u32),
            Place::Readable => self.readable.set(value as u32 & self.all),
            Place::ReadableInUser => self.readable_in_user.set(value as u32 & self.all),
            Place::Selected => self.selected.set(value),
            Place::Fixed(_) | Place::Overflows => {}
        });
        Ok(())
    }

    fn counter(&self, counter: u8) -> u64 {
        self.counters.get(usize::from(counter)).map_or(0, Cell::get)
    }

    fn set_counter(&self, counter: u8, value: u64) {
        let mask = self.width(counter).mask();
        self.counters.get(usize::from(counter)).into_iter().for_each(|cell| cell.set(value & mask));
    }

    fn select(&self, counter: u8) -> Select {
        let kept = self.selects.get(usize::from(counter)).map_or(0, Cell::get);
        Select::from_bits_retain(kept | self.capabilities.hardwired.event(id(counter)))
    }

    /// Returns what is read of a selection.
    fn shown_select(&self, counter: u8) -> u64 {
        self.select(counter).difference(self.hidden()).bits()
    }

    /// Returns the bits of a selection that its register does not have: MINH is machine mode's alone, and Andes' modes have
    /// registers of their own.
    fn hidden(&self) -> Select {
        match self.privilege() {
            Privilege::Supervisor => Select::NOT_MACHINE,
            Privilege::Machine if self.capabilities.masks() => Select::MASKED,
            Privilege::Machine => Select::empty(),
        }
    }

    /// Replaces what a selection's register has of it.
    fn set_select(&self, counter: u8, value: u64) {
        let kept = self.select(counter).intersection(self.hidden());
        let writable = writable(&self.capabilities, id(counter)).difference(self.hidden());
        self.put_select(counter, kept | Select::from_bits_retain(value).intersection(writable));
    }

    fn put_select(&self, counter: u8, select: Select) {
        self.selects.get(usize::from(counter)).into_iter().for_each(|cell| cell.set(select.bits()));
        self.table.touch(id(counter).only());
    }

    /// Returns the counters whose selection has a bit.
    fn selecting(&self, bit: Select) -> u32 {
        let of = |counter: u8| u32::from(self.select(counter).contains(bit)) << counter;
        numbers(self.all).map(of).fold(0, |all, bit| all | bit)
    }

    /// Replaces the counters that do not count in a mode (mcountermask, on Andes').
    fn set_masked(&self, mode: Select, counters: u32) {
        for counter in numbers(self.all) {
            let others = self.select(counter).difference(mode);
            self.put_select(counter, if counters >> counter & 1 == 1 { others.union(mode) } else { others });
        }
    }

    /// Returns the counters whose overflow bits are seen: to a supervisor those that it may read, and in QEMU to machine mode
    /// too.
    fn seen(&self) -> u32 {
        match self.privilege() {
            Privilege::Machine if self.capabilities.model == Model::Qemu => self.readable.get(),
            Privilege::Machine => u32::MAX,
            Privilege::Supervisor => self.delegated(),
        }
    }

    /// Returns the counters that the guest has.
    fn delegated(&self) -> u32 {
        match self.privilege() {
            Privilege::Machine => self.all,
            Privilege::Supervisor => self.all & self.readable.get(),
        }
    }

    /// Returns the interrupt's bit, or 0.
    fn bit(&self, is_set: bool) -> u64 {
        if is_set { self.capabilities.interrupt().bit() } else { 0 }
    }

    /// Returns true if the interrupt stays pending by itself: a manufacturer's own is pending while a counter's bits are set.
    fn has_own_pending(&self) -> bool {
        self.capabilities.interrupt().own().is_none()
    }

    /// Replaces the overflows of T-Head's register. Andes' are cleared by zeros, and not set.
    fn set_overflowed(&self, value: u32) {
        let is_settable = self.capabilities.interrupt() == Interrupt::Thead;
        self.overflowed.set(value & if is_settable { self.all } else { self.overflowed.get() });
    }

    fn width(&self, counter: u8) -> Width {
        self.capabilities.width_of(id(counter))
    }

    fn contents(&self) -> State {
        State {
            counters: self.counters.each_ref().map(Cell::get),
            selects: self.selects.each_ref().map(Cell::get),
            inhibited: self.inhibited.get(),
            readable: self.readable.get(),
            readable_in_user: self.readable_in_user.get(),
            is_pending: self.is_pending.get(),
            is_enabled: self.is_enabled.get(),
            overflowed: self.overflowed.get(),
            interrupting: self.interrupting.get(),
            selected: self.selected.get(),
            ticks: self.ticks.get(),
        }
    }

    fn put(&self, state: &State) {
        self.change(|| {
            self.counters.iter().zip(state.counters).for_each(|(cell, value)| cell.set(value));
            self.selects.iter().zip(state.selects).for_each(|(cell, value)| cell.set(value));
            self.inhibited.set(state.inhibited);
            self.readable.set(state.readable);
            self.readable_in_user.set(state.readable_in_user);
            self.is_pending.set(state.is_pending);
            self.is_enabled.set(state.is_enabled);
            self.overflowed.set(state.overflowed);
            self.interrupting.set(state.interrupting);
        });
        self.selected.set(state.selected);
        self.ticks.set(state.ticks);
        self.table.touch(CounterSet::ALL);
    }
}

/// Returns the counter whose register has this number.
fn id(counter: u8) -> CounterId {
    from_register(1 << (counter & 31)).lowest().unwrap_or(CounterId::ZERO)
}

/// Returns the numbers of the registers whose bits are set.
fn numbers(bits: u32) -> impl Iterator<Item = u8> + Clone {
    (0..Csr::COUNTERS).filter(move |number| bits >> number & 1 == 1)
}
