//! PMUv3 in software: the unit as a guest's system registers show it.

mod contents;
mod counting;
mod discipline;
mod feed;
mod limits;
mod line;
mod passed;
mod permission;
mod place;
mod state;
mod threshold;
mod usual;
mod window;

use core::cell::Cell;

use self::feed::Feed;
pub(super) use self::feed::announced_by;
use self::limits::Limits;
use self::place::Place;
use self::state::State;
use super::registers::COUNTERS;
use super::{Identity, Pmcr};
use crate::arch::aarch64::{Direction, Index, SystemRegister, TrappedAccess};
use crate::event::{CounterSet, Mode};
use crate::virt::{self, Decode, Delivery, Fault, Fingerprint, Line, Observed, Table, Trigger, Work};

/// The value of evtCount in PMICFILTR_EL0: INST_RETIRED.
const INSTRUCTIONS_RETIRED: u64 = 0x0008;

/// PMUv3 in software, for one virtual processor.
///
/// A [`Device`] is created from an [`Identity`] and has that processor's counters, bits and exceptions, as its ID
/// registers announce them:
///
/// | version | adds |
/// |---|---|
/// | PMUv3 | event counters of 32 bits, of which two can be chained; cycles, 64 bits; filters by level |
/// | PMUv3p1 | event numbers of 16 bits; nothing counts at EL2 if MDCR_EL2.HPMD says so |
/// | PMUv3p4 | PMMIR_EL1 |
/// | PMUv3p5 | event counters of 64 bits, which overflow from 32 or 64 (LP, HLP); MDCR_EL2.HCCD |
/// | PMUv3p7 | freezing on overflow (FZO, HPMFZO) |
/// | PMUv3p8 | events that do not exist count nothing; here this is so in every version |
/// | PMUv3p9 | PMUACR_EL1, PMZR_EL0; with FEAT_PMUv3_ICNTR the instruction counter |
///
/// Source: DDI 0487, chapter "The Performance Monitors Extension" (D13), section "Performance Monitors
/// registers" and the pseudocode named beside each part.
///
/// # Exception levels
///
/// An access has a level: [`Device::read_from`] and [`Device::write_from`] take it as a [`Mode`], where
/// User is EL0, Kernel EL1 and Hypervisor EL2. PMUSERENR_EL0, PMUACR_EL1 and MDCR_EL2 decide about it. The
/// host turns a refusal into the guest's exception: [`Fault::Trapped`] into one with the same syndrome at
/// the level that it names ([`TrappedAccess::syndrome`]), every other one into an UNDEFINED instruction (EC 0).
/// The functions of [`virt::Device`] use the level that the unit is driven from: EL1, unless
/// [`Device::driven_from`] sets EL2.
///
/// Bits that a register does not have are RES0: they are ignored and read as 0. An event counter that is
/// not implemented is UNDEFINED, and one that MDCR_EL2.HPMN reserves is trapped to EL2. FEAT_FGT requires
/// this, and without it this is one of the permitted behaviours ("Accessing `PMEVCNTR<n>_EL0`").
/// PMSELR_EL0 keeps all five bits. If they select no counter of the level, accesses to PMXEVCNTR_EL0
/// and PMXEVTYPER_EL0 behave like those to the counter's own registers: UNDEFINED or trapped. 31 selects the
/// cycle counter's filter for PMXEVTYPER_EL0 and is UNDEFINED for PMXEVCNTR_EL0. Both are among the behaviours
/// that the pages of these registers permit (CONSTRAINED UNPREDICTABLE). If HPMN is larger than the number of
/// counters it means all of them, and 0 means none. So nothing that a guest writes has an undefined effect, and
/// each access takes at most as many steps as there are counters.
///
/// # The interrupt line
///
/// PMUIRQ is a level: it is high while there is an overflow of a counter that may interrupt and whose part
/// of the unit is enabled. [`Device::is_asserted`] returns this level, for a virtual GIC. The trigger is
/// called when it rises and when it falls.
///
/// # What it does not model
///
/// The guest runs in Non-secure state; M, SH, RLK, RLU and RLH are stored if they are announced, and have no
/// effect. Exceptions instead of the interrupt (FEAT_EBEP), snapshots (FEAT_PMUv3_SS), linked thresholds
/// (FEAT_PMUv3_TH2), counters for the external interface alone (FEAT_PMUv3_EXTPMN), SVE modes and counting for
/// several threads are not announced, and PMECR_EL1 is UNDEFINED. The host must check HCR_EL2.TGE and
/// fine-grained traps first. [`Work`] says how much was done, but not in which cycle: a threshold whose
/// result depends on that counts nothing, and [`virt::Device::unfed`] reports it. No counter freezes in the middle
/// of a report of work. A host that needs that exactly advances at most by [`virt::Device::until_overflow`], which
/// considers it.
///
/// ```
/// use pmu::arch::aarch64::SystemRegister;
/// use pmu::arch::aarch64::pmuv3::{Device, Identity};
/// use pmu::virt::{Device as _, Kinds, Unconnected, Work};
/// use pmu::Mode;
///
/// let device = Device::new(&Identity::NEOVERSE_N1, Kinds::CLOCK, Unconnected);
/// device.try_write(SystemRegister::select(0).unwrap(), 0x8000_0008)?; // instructions, not in EL1
/// device.try_write(SystemRegister::ENABLE_SET, 1)?;
/// device.try_write(SystemRegister::CONTROL, 1)?;
/// device.advance(&Work::instructions(Mode::User, 1000));
/// device.advance(&Work::instructions(Mode::Kernel, 50));
/// assert_eq!(device.try_read(SystemRegister::counter(0).unwrap()), Ok(1000));
/// # Ok::<(), pmu::virt::Fault>(())
/// ```
///
/// Its [`state`](crate::virt::Device::state) has these fields. `counters`: the counters, PMEVCNTRn_EL0, PMCCNTR_EL0 and
/// PMICNTR_EL0; `selects`: the selections and filters, PMEVTYPERn_EL0, PMCCFILTR_EL0 and PMICFILTR_EL0; `control`: the
/// bits of PMCR_EL0 that can be written and keep their value; `enable`: PMCNTENSET_EL0; `interrupt`: PMINTENSET_EL1;
/// `overflowed`: PMOVSSET_EL0; `selector`: PMSELR_EL0; `user_enable`: PMUSERENR_EL0; `user_access`: PMUACR_EL1;
/// `hypervisor_control`: the unit's bits of MDCR_EL2; `phase`: the position in the 64 cycles of the divider, 0 to 63
/// (PMCR_EL0.D); `ticks`: the cycles that were reported to the device.
pub struct Device<T> {
    identity: Identity,
    limits: Limits,
    feed: Feed,
    table: Table,
    home: Mode,
    line: Line<T>,
    counters: [Cell<u64>; COUNTERS],
    selects: [Cell<u64>; COUNTERS],
    control: Cell<u64>,
    enable: Cell<u64>,
    interrupt: Cell<u64>,
    overflowed: Cell<u64>,
    selector: Cell<u64>,
    user_enable: Cell<u64>,
    user_access: Cell<u64>,
    hypervisor_control: Cell<u64>,
    /// The counters that each level sees if no access is trapped: see [`usual`].
    seen: [Cell<u64>; 3],
    /// The counters that overflow from 64 bits.
    long: Cell<CounterSet>,
    phase: Cell<u64>,
    ticks: Cell<u64>,
    /// The level that was last reported to the trigger.
    was_asserted: Cell<bool>,
}

impl<T: Trigger> Device<T> {
    /// Creates the unit of `identity` after a reset. The host reports work of the kinds `observed`, and
    /// `trigger` is the line to the interrupt controller.
    #[must_use]
    pub fn new(identity: &Identity, observed: impl Into<Observed>, trigger: T) -> Self {
        let limits = Limits::of(identity);
        let device = Self {
            identity: *identity,
            limits,
            feed: Feed::new(limits.announced()),
            table: Table::new(observed, limits.modes()),
            home: Mode::Kernel,
            line: Line::new(trigger, Delivery::Maskable),
            counters: [const { Cell::new(0) }; COUNTERS],
            selects: [const { Cell::new(0) }; COUNTERS],
            control: Cell::new(0),
            enable: Cell::new(0),
            interrupt: Cell::new(0),
            overflowed: Cell::new(0),
            selector: Cell::new(0),
            user_enable: Cell::new(0),
            user_access: Cell::new(0),
            hypervisor_control: Cell::new(0),
            seen: [const { Cell::new(0) }; 3],
            long: Cell::new(CounterSet::EMPTY),
            phase: Cell::new(0),
            ticks: Cell::new(0),
            was_asserted: Cell::new(false),
        };
        device.reset();
        device
    }

    /// Sets the level of accesses that do not name one.
    #[must_use]
    pub fn driven_from(self, home: Mode) -> Self {
        Self { home, ..self }
    }

    /// Returns the line to the interrupt controller.
    pub fn trigger(&self) -> &T {
        self.line.trigger()
    }

    /// Sets how overflows are delivered. The default is as ordinary interrupts.
    #[must_use]
    pub fn with_delivery(mut self, delivery: Delivery) -> Self {
        self.line.set_delivery(delivery);
        self
    }

    /// Resets the unit: PMCR_EL0.E is 0, and all event counters are lent (MDCR_EL2.HPMN). The architecture leaves
    /// everything else open; it is 0 here.
    pub fn reset(&self) {
        let lent = if self.limits.has_hypervisor { self.limits.events().into() } else { 0 };
        self.put(&State { hypervisor_control: lent, ticks: self.ticks.get(), ..State::default() });
        self.settle();
    }

    /// Reads a register from a level.
    ///
    /// # Errors
    /// Returns [`Fault::Absent`], [`Fault::WriteOnly`] or [`Fault::Trapped`]. Nothing has changed then.
    #[inline]
    pub fn read_from(&self, mode: Mode, at: SystemRegister) -> Result<u64, Fault> {
        match Place::usual(at).and_then(|place| self.load_usual(mode, place)) {
            Some(value) => Ok(value),
            None => self.read_checked(mode, at),
        }
    }

    /// Writes a register from a level. Bits that the register does not have are ignored.
    ///
    /// # Errors
    /// Returns [`Fault::Absent`], [`Fault::ReadOnly`] or [`Fault::Trapped`]. Nothing has changed then.
    #[inline]
    pub fn write_from(&self, mode: Mode, at: SystemRegister, value: u64) -> Result<(), Fault> {
        match Place::usual(at).and_then(|place| self.store_usual(mode, place, value)) {
            Some(()) => Ok(()),
            None => self.write_checked(mode, at, value),
        }
    }

    /// Does what a trapped MRS or MSR would have done at its level, with X0 to X30 in `general`.
    ///
    /// # Errors
    /// Those of [`Self::read_from`] and [`Self::write_from`]. Nothing has changed then.
    #[inline(always)]
    pub fn answer(&self, mode: Mode, access: TrappedAccess, general: &mut [u64; 31]) -> Result<(), Fault> {
        let done = match Place::usual(access.register()) {
            None => None,
            Some(place) => match access.direction() {
                Direction::Read => self.load_usual(mode, place).map(|value| access.store(general, value)),
                Direction::Write => self.store_usual(mode, place, access.value(general)),
            },
        };
        if done.is_some() { Ok(()) } else { self.answer_checked(mode, access, general) }
    }

    #[inline(never)]
    fn answer_checked(&self, mode: Mode, access: TrappedAccess, general: &mut [u64; 31]) -> Result<(), Fault> {
        match access.direction() {
            Direction::Read => access.store(general, self.read_checked(mode, access.register())?),
            Direction::Write => self.write_checked(mode, access.register(), access.value(general))?,
        }
        Ok(())
    }

    #[inline(never)]
    fn read_checked(&self, mode: Mode, at: SystemRegister) -> Result<u64, Fault> {
        let place = self.resolve(Place::of(at)).ok_or(Fault::Absent)?;
        self.check(mode, place, Direction::Read)?;
        let is_hidden = self.is_hidden(mode, place, Direction::Read);
        Ok(if is_hidden { 0 } else { self.load(mode, place) })
    }

    #[inline(never)]
    fn write_checked(&self, mode: Mode, at: SystemRegister, value: u64) -> Result<(), Fault> {
        let place = self.resolve(Place::of(at)).ok_or(Fault::Absent)?;
        self.check(mode, place, Direction::Write)?;
        if !self.is_hidden(mode, place, Direction::Write) {
            self.store(mode, place, value);
        }
        Ok(())
    }

    #[inline(always)]
    fn control(&self) -> Pmcr {
        Pmcr::from_bits_retain(self.control.get())
    }

    fn contents(&self) -> State {
        State {
            counters: self.counters.each_ref().map(Cell::get),
            selects: self.selects.each_ref().map(Cell::get),
            control: self.control.get(),
            enable: self.enable.get(),
            interrupt: self.interrupt.get(),
            overflowed: self.overflowed.get(),
            selector: self.selector.get(),
            user_enable: self.user_enable.get(),
            user_access: self.user_access.get(),
            hypervisor_control: self.hypervisor_control.get(),
            phase: self.phase.get(),
            ticks: self.ticks.get(),
        }
    }
}

impl<T: Trigger> virt::Device for Device<T> {
    type Address = SystemRegister;
    type Index = Index;
    type State = State;

    virt::counted!();

    #[inline]
    fn try_read(&self, at: SystemRegister) -> Result<u64, Fault> {
        self.read_from(self.home, at)
    }

    #[inline]
    fn try_write(&self, at: SystemRegister, value: u64) -> Result<(), Fault> {
        self.write_from(self.home, at, value)
    }

    #[inline]
    fn try_read_counter(&self, index: Index) -> Result<u64, Fault> {
        self.read_from(self.home, index.register())
    }

    /// Stops earlier if an overflow that does not interrupt freezes counters that do.
    fn until_overflow(&self, step: &Work) -> Option<u64> {
        self.steps_until_overflow(step)
    }

    fn fingerprint(&self) -> Fingerprint {
        self.identity.fingerprint()
    }

    /// Does not call the trigger. The host reads [`Device::is_asserted`] afterwards.
    fn restore(&self, snapshot: &[u8]) -> Result<(), virt::RestoreError> {
        let state: State = virt::Snapshot::read(snapshot, self.fingerprint())?;
        state.check(&self.limits)?;
        self.put(&state);
        self.was_asserted.set(self.is_asserted());
        Ok(())
    }
}

virt::driven!([T: Trigger] Device<T>);
