//! The firmware in software: the supervisor's registers, and the calls of the PMU extension, over a
//! [`Device`](hpm::Device) that is the processor's unit.

mod call;
mod firmware;
mod snapshot;
mod state;

use core::cell::Cell;
use core::fmt;

pub use self::snapshot::{Memory, NoMemory};
use self::state::HostState;
use crate::arch::riscv::Csr;
use crate::arch::riscv::csr::Form;
use crate::arch::riscv::hpm::counters::from_register;
use crate::arch::riscv::hpm::registers::MASKS;
use crate::arch::riscv::hpm::{self, Extensions, Identity, Interrupt, Privilege, Select};
use crate::arch::riscv::sbi::{Address, SbiError};
use crate::contract::{Masked, OneCpu, Registers};
use crate::event::{CounterId, CounterSet, Mode};
use crate::virt::{
    self, Delivery, Device as _, Discipline, Fault, Fingerprint, Kinds, Observed, RestoreError, Snapshot, Trigger, Work,
};

/// The number of the firmware's own counters.
pub(super) const FIRMWARE_COUNTERS: usize = 16;

/// The firmware in software, for one virtual processor.
///
/// A hypervisor gives it to a guest: it answers the guest's calls by [`Host::call`], the guest's trapped reads of
/// counters by [`try_read`](crate::virt::Device::try_read), and makes LCOFI pending when the trigger says so. A counter
/// of the guest's is one of the unit in software, whatever the host's own unit does. `examples/rustsbi` has the calls answered
/// through RustSBI, and `hypervisor/riscv` is a hypervisor that answers Linux', and the driver's in VS. Tests use it as the
/// other end of the driver.
///
/// # What is trusted
///
/// Nothing that the guest passes. Indices, masks, flags and events are checked before anything changes. Snapshot memory is
/// the guest's own, by a [`Memory`] that the host provides: an address that the guest cannot write is refused when it is
/// set, and asked for again at each use. A call takes a number of steps that is bounded by the number of counters.
///
/// # Counters
///
/// Counter n is the register n from cycle on, as far as the processor has them; number 1, which is the clock's, is none.
/// Sixteen of the firmware's own follow.
pub struct Host<T> {
    unit: hpm::Device<T>,
    is_narrow: bool,
    has_filters_of_fixed: bool,
    /// What the host observes, if it has said so.
    fed: Option<Kinds>,
    /// The events of the firmware's own that the host counts, one bit each.
    counted_of_firmware: u32,
    /// Overflows are software events.
    makes_events: bool,
    /// The processor's counters, by their registers, without the clock.
    hardware: u32,
    /// The counters that have an event.
    configured: Cell<u64>,
    /// Which of cycle and instret the guest has configured: they count from boot on.
    taken: Cell<u64>,
    /// The firmware's counters that count.
    running: Cell<u64>,
    /// The events of the firmware's counters, one more than their numbers.
    events: [Cell<u16>; FIRMWARE_COUNTERS],
    values: [Cell<u64>; FIRMWARE_COUNTERS],
    readable_in_user: Cell<u32>,
    /// The snapshot memory's address, one more.
    memory: Cell<u64>,
}

impl<T: Trigger> Host<T> {
    /// Creates the firmware of a processor after its boot: cycle and instret count, the others are stopped, and OF is set in
    /// every mhpmevent, as OpenSBI does it.
    ///
    /// # Panics
    /// If `identity` is none in machine mode with mcountinhibit, or has no mode below that: no firmware has counters for its
    /// supervisor there.
    #[must_use]
    pub fn new(identity: &Identity, observed: impl Into<Observed>, trigger: T) -> Self {
        let capabilities = identity.capabilities();
        let is_served = capabilities.privilege == Privilege::Machine && capabilities.can_inhibit();
        assert!(is_served, "{} has no mcountinhibit in machine mode for a firmware", identity.name());
        let has_modes = capabilities.extensions.contains(Extensions::USER);
        assert!(has_modes, "{} has no mode below machine mode for a firmware's supervisor", identity.name());
        let host = Self {
            unit: hpm::Device::new(identity, observed, trigger).with_kernel_in(Privilege::Supervisor),
            is_narrow: capabilities.extensions.contains(Extensions::RV32),
            fed: identity.observed(),
            counted_of_firmware: firmware::ALL,
            makes_events: false,
            has_filters_of_fixed: capabilities.extensions.contains(Extensions::SMCNTRPMF),
            hardware: identity.counters(),
            configured: Cell::new(0),
            taken: Cell::new(0),
            running: Cell::new(0),
            events: Default::default(),
            values: Default::default(),
            readable_in_user: Cell::new(0),
            memory: Cell::new(0),
        };
        host.reset();
        host
    }

    /// Sets how overflows are delivered. The default is as ordinary interrupts; as an NMI it is a software event.
    #[must_use]
    pub fn with_delivery(mut self, delivery: Delivery) -> Self {
        self.makes_events = delivery == Delivery::Nmi;
        self.unit = self.unit.with_delivery(delivery);
        self
    }

    /// Resets the firmware and the unit, as [`Self::new`] says, when the virtual processor is reset or started: the guest that
    /// boots then knows nothing of the snapshot memory of the one before.
    pub fn reset(&self) {
        self.unit.reset();
        self.configured.set(self.fixed());
        self.taken.set(0);
        self.running.set(0);
        self.events.iter().for_each(|event| event.set(0));
        self.values.iter().for_each(|value| value.set(0));
        self.readable_in_user.set(0);
        self.memory.set(0);
        self.boot();
    }

    fn boot(&self) {
        self.set(Csr::MCOUNTEREN, self.hardware.into());
        self.set(Csr::MCOUNTINHIBIT, u64::from(self.hardware) & !self.fixed());
        if let Some(own) = self.capabilities().interrupt().own() {
            self.set(own.interrupting, self.fixed());
        }
        if self.capabilities().masks() {
            self.set(Csr::MCOUNTERMASK_M, self.hardware.into());
        }
        for register in self.programmable() {
            self.set_select(register, Select::OVERFLOWED);
        }
    }

    /// Returns the line of the interrupt.
    pub fn trigger(&self) -> &T {
        self.unit.trigger()
    }

    /// Reads a counter as a user program does.
    ///
    /// # Errors
    /// Returns [`Fault::Trapped`] if the supervisor has not lent it, and [`Fault::Absent`] if there is no such register.
    pub fn try_read_in_user(&self, at: Csr) -> Result<u64, Fault> {
        let value = self.unit.try_read_in_user(at)?;
        let lent = self.readable_in_user.get() >> (at.number() & 31) & 1 == 1;
        if lent { Ok(value) } else { Err(Fault::Trapped(Mode::Kernel)) }
    }

    /// The number of the counters, the clock among them.
    fn first_of_firmware(&self) -> u64 {
        u64::from(u32::BITS - self.hardware.leading_zeros())
    }

    fn counters(&self) -> u64 {
        self.first_of_firmware() + FIRMWARE_COUNTERS as u64
    }

    fn programmable(&self) -> impl Iterator<Item = u8> + use<T> {
        let hardware = self.hardware & !0b111;
        (3..32).filter(move |register| hardware >> register & 1 == 1)
    }

    fn capabilities(&self) -> &hpm::Capabilities {
        self.unit.capabilities()
    }

    fn unit_overflows(&self) -> u64 {
        match (self.capabilities().interrupt(), self.capabilities().interrupt().own()) {
            (_, Some(own)) => self.get(own.overflowed),
            (Interrupt::Sscofpmf, _) => self.get(Csr::SCOUNTOVF),
            _ => 0,
        }
    }

    /// Writes a register of machine mode, which exists.
    fn set(&self, at: Csr, value: u64) {
        let written = self.unit.try_write(at, value);
        debug_assert!(written.is_ok(), "{at:?}: {written:?}");
    }

    fn get(&self, at: Csr) -> u64 {
        let read = self.unit.try_read(at);
        debug_assert!(read.is_ok(), "{at:?}: {read:?}");
        read.unwrap_or(0)
    }

    /// Returns the upper half of a register of 64 bits, where that is a register of its own.
    fn upper(&self, at: Csr) -> Option<Csr> {
        Some(at.high()).filter(|&high| self.is_narrow && self.unit.try_read(high).is_ok())
    }

    /// Reads a register of 64 bits.
    fn get_whole(&self, at: Csr) -> u64 {
        self.upper(at).map_or(0, |high| self.get(high) << 32) | self.get(at)
    }

    fn set_whole(&self, at: Csr, value: u64) {
        self.upper(at).into_iter().for_each(|high| self.set(high, value >> 32));
        self.set(at, self.register(value));
    }

    fn set_select(&self, register: u8, select: Select) {
        Csr::select(register).into_iter().for_each(|at| self.set_whole(at, select.bits()));
    }

    fn set_masks(&self, register: u8, select: Select) {
        for (mask, mode) in MASKS {
            self.set(if select.contains(mode) { mask.setting() } else { mask.clearing() }, 1 << register);
        }
    }

    /// Returns the unit's own register that a supervisor's is, if it is not the host's.
    fn place(&self, at: Csr) -> Result<Option<Csr>, Fault> {
        let same = |of_machine: Csr| match at.form() {
            Form::Setting => of_machine.setting(),
            Form::Clearing => of_machine.clearing(),
            Form::Whole | Form::Indirect(_) => of_machine,
        };
        let interrupt = self.capabilities().interrupt();
        let local = interrupt.in_supervisor();
        match at.number() {
            _ if at.register().is_some() => Err(Fault::Absent),
            number if number == local.pending.number() => Ok(Some(same(Csr::MIP))),
            number if number == local.enable.number() => Ok(Some(same(Csr::MIE))),
            0x106 => Ok(None),
            0x5C5 if interrupt == Interrupt::Thead => Ok(Some(same(Csr::MCOUNTEROF))),
            0x9D4 if interrupt == Interrupt::Andes => Ok(Some(same(Csr::MCOUNTEROVF))),
            0xC00..=0xC1F | 0xC80..=0xC9F | 0xDA0 => Ok(Some(at)),
            _ => Err(Fault::Absent),
        }
    }

    fn read_register(&self, at: Csr) -> Result<u64, Fault> {
        match self.place(at)? {
            Some(place) => self.unit.try_read(place),
            None => Ok(self.readable_in_user.get().into()),
        }
    }

    fn write_register(&self, at: Csr, value: u64) -> Result<(), Fault> {
        match self.place(at)? {
            Some(place) => self.unit.try_write(place, value),
            None => {
                let value = at.written(value, || Ok(u64::from(self.readable_in_user.get())))?;
                self.readable_in_user.set(value as u32 & self.hardware);
                Ok(())
            }
        }
    }

    /// Returns the unit's counter that has an index.
    fn of_unit(counter: CounterId) -> Option<CounterId> {
        from_register(1_u64.checked_shl(counter.number().into()).unwrap_or(0) & 0xFFFF_FFFF).lowest()
    }

    /// Returns the indices of the unit's counters.
    fn indices(counters: CounterSet) -> CounterSet {
        CounterSet::from_bits(hpm::counters::to_register(counters))
    }
}

impl<T: Trigger> virt::Device for Host<T> {
    type Address = Address;
    type Index = Csr;
    type State = HostState;

    /// A call is answered without snapshot memory.
    fn try_read(&self, at: Address) -> Result<u64, Fault> {
        match at {
            Address::Csr(at) => self.read_register(at),
            Address::Call(call) => {
                let frame = call.frame(self.is_narrow);
                Ok(SbiError::pack(self.call(frame.extension, frame.function, frame.arguments, &NoMemory)))
            }
        }
    }

    fn try_write(&self, at: Address, value: u64) -> Result<(), Fault> {
        match at {
            Address::Csr(at) => self.write_register(at, value),
            Address::Call(_) => Err(Fault::ReadOnly),
        }
    }

    fn try_read_counter(&self, index: Csr) -> Result<u64, Fault> {
        match index.number() {
            0xC00..=0xC1F | 0xC80..=0xC9F if index.register().is_none() => self.unit.try_read_counter(index),
            _ => Err(Fault::Absent),
        }
    }

    fn advance(&self, work: &Work) {
        self.unit.advance(work);
    }

    fn until_overflow(&self, step: &Work) -> Option<u64> {
        self.unit.until_overflow(step)
    }

    fn wanted(&self) -> Kinds {
        self.unit.wanted()
    }

    fn unfed(&self) -> CounterSet {
        Self::indices(self.unit.unfed())
    }

    fn withheld(&self) -> CounterSet {
        Self::indices(self.unit.withheld())
    }

    fn set_filter(&self, filter: virt::Filter) {
        self.unit.set_filter(filter);
    }

    fn selection(&self, counter: CounterId) -> Option<virt::Selection> {
        self.unit.selection(Self::of_unit(counter)?)
    }

    fn feed(&self, counter: CounterId, mode: Mode, events: u64) {
        Self::of_unit(counter).into_iter().for_each(|counter| self.unit.feed(counter, mode, events));
    }

    fn until_overflow_of(&self, counter: CounterId, mode: Mode) -> Option<u64> {
        self.unit.until_overflow_of(Self::of_unit(counter)?, mode)
    }

    fn state(&self) -> HostState {
        self.contents()
    }

    fn fingerprint(&self) -> Fingerprint {
        self.unit.fingerprint()
    }

    fn restore(&self, snapshot: &[u8]) -> Result<(), RestoreError> {
        self.put(&Snapshot::read::<HostState>(snapshot, self.fingerprint())?)
    }
}

impl<T: Trigger> Discipline for Host<T> {
    fn check_write(&self, at: Address, _: u64) -> Result<(), &'static str> {
        match at {
            Address::Call(_) => Err("a call is read"),
            Address::Csr(at) if self.place(at).is_err() => Err("the register is no part of a supervisor's unit"),
            Address::Csr(at) if at.is_read_only() => Err("a read-only register is written"),
            Address::Csr(_) => Ok(()),
        }
    }
}

/// For drivers under test. Their accesses must not fault: if one does, the driver is wrong.
impl<T: Trigger> Registers for Host<T> {
    type Address = Address;
    type Index = Csr;
    type Kernel = OneCpu;

    fn kernel(&self) -> OneCpu {
        OneCpu
    }

    fn read(&self, at: Address) -> u64 {
        self.try_read(at).unwrap_or_else(|fault| panic!("reading {at:?}: {fault}"))
    }

    fn write(&self, at: Address, value: u64) {
        self.try_write(at, value).unwrap_or_else(|fault| panic!("writing {value:#x} to {at:?}: {fault}"));
    }

    fn read_counter(&self, index: Csr) -> u64 {
        self.try_read_counter(index).unwrap_or_else(|fault| panic!("reading {index:?}: {fault}"))
    }

    fn ticks(&self) -> u64 {
        self.unit.ticks()
    }

    fn mask(&self) -> Masked {
        self.unit.mask()
    }

    fn unmask(&self, before: Masked) {
        self.unit.unmask(before);
    }
}

impl<T: Trigger> fmt::Debug for Host<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Host").field(&self.contents()).finish()
    }
}
