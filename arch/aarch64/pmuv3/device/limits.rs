//! The registers of a unit, and the bits of each, by what its ID registers announce.
//!
//! Source: DDI 0487, "Performance Monitors registers", the conditions ("When FEAT_PMUv3p5 is
//! implemented") beside each register and field.

use super::place::Place;
use crate::arch::aarch64::SystemRegister;
use crate::arch::aarch64::pmuv3::{
    Announced, CYCLE_COUNTER, HypervisorControl, INSTRUCTION_COUNTER, Identity, Machine, Pmcr, Select, UserEnable,
};
use crate::contract::Description;
use crate::event::{CounterId, CounterSet, Mode, Modes};
use crate::virt::Fault;

/// The bits of the 32-bit half of a register.
const HALF: u64 = 0xFFFF_FFFF;

/// The registers and bits that exist. All others are UNDEFINED, or read as 0 and ignore writes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// The version n of PMUv3p`n`.
    version: u8,
    /// PMCR_EL0.N, as EL2 reads it.
    events: u8,
    /// All counters, as bits of PMCNTENSET_EL0.
    counters: CounterSet,
    /// Whether there is EL2.
    pub(super) has_hypervisor: bool,
    /// The bits of PMCR_EL0 that can be written, and those that are constant.
    control: Pmcr,
    constant: Pmcr,
    /// The bits of PMEVTYPERn_EL0, and those of PMCCFILTR_EL0 and PMICFILTR_EL0.
    select: Select,
    filter: Select,
    user_enable: UserEnable,
    hypervisor_control: HypervisorControl,
    announced: Announced,
    machine: Machine,
    /// Whether a hypervisor may lend no event counter at all (FEAT_HPMN0).
    may_lend_none: bool,
}

/// Returns the field of four bits at bit `from` of an ID register.
const fn field(register: u64, from: u32) -> u64 {
    register >> from & 0xF
}

/// Returns `bits` if `there`, and 0 otherwise.
const fn there(there: bool, bits: u64) -> u64 {
    if there { bits } else { 0 }
}

impl Limits {
    pub(super) fn of(identity: &Identity) -> Self {
        let id = |at| identity.register(at, Mode::Kernel).unwrap_or(0);
        let levels = id(SystemRegister::PROCESSOR_FEATURES);
        let version = version(field(id(SystemRegister::DEBUG_FEATURES_0), 8));
        let events = identity.control().counters();
        let has_instructions = version >= 9 && field(id(SystemRegister::DEBUG_FEATURES_1), 36) != 0;
        let machine = if version >= 4 { identity.machine() } else { Machine::default() };
        let (control, constant) = control(identity, version, levels);
        Self {
            version,
            events,
            counters: CounterSet::first(events)
                .or(CounterSet::from_bits(1 << CYCLE_COUNTER | there(has_instructions, 1 << INSTRUCTION_COUNTER))),
            has_hypervisor: field(levels, 8) != 0,
            control,
            constant,
            select: filter(levels).union(event_bits(version)).union(threshold_bits(machine)),
            filter: filter(levels),
            user_enable: user_enable(version, has_instructions),
            hypervisor_control: hypervisor_control(version),
            announced: announced(identity, version),
            machine,
            may_lend_none: field(id(SystemRegister::DEBUG_FEATURES_0), 60) != 0,
        }
    }

    /// Checks that a unit of this description can count for the guest.
    pub(super) fn fits(&self, real: &Description) -> Result<(), &'static str> {
        if self.has_hypervisor {
            Err(
                "the guest has EL2, of which the real unit would count the host's, and Identity::for_guest() leaves it out",
            )
        } else if self.version > real.version || !self.counters.without(real.general.or(real.fixed)).is_empty() {
            Err("the guest's unit has a higher version than the real one, or more counters")
        } else {
            Ok(())
        }
    }

    /// Returns the levels that there are.
    pub(super) const fn modes(&self) -> Modes {
        if self.has_hypervisor { Modes::ALL.and(Modes::HYPERVISOR) } else { Modes::ALL }
    }

    /// Returns the number of event counters.
    #[inline(always)]
    pub(super) const fn events(&self) -> u8 {
        self.events
    }

    /// Returns all counters.
    #[inline(always)]
    pub(super) const fn counters(&self) -> CounterSet {
        self.counters
    }

    #[inline(always)]
    pub(super) const fn has(&self, number: u8) -> bool {
        self.counters.bits() >> (number & 63) & 1 == 1
    }

    /// Returns the counters that overflows freeze, and that hypervisors can stop: all except cycles.
    #[inline(always)]
    pub(super) const fn all_but_cycles(&self) -> CounterSet {
        CounterSet::from_bits(self.counters.bits() & !(1 << CYCLE_COUNTER))
    }

    /// Returns the bits of a counter. Event counters have 32 before PMUv3p5.
    #[inline(always)]
    pub(super) const fn mask(&self, id: CounterId) -> u64 {
        self.counter_bits(id.number())
    }

    /// Returns true if there is such a register.
    #[inline(always)]
    pub(super) const fn has_place(&self, place: Place) -> bool {
        match place {
            Place::Counter(number) | Place::Select(number) => self.has(number),
            Place::UserAccess | Place::Zero => self.version >= 9,
            Place::Machine => self.version >= 4,
            Place::HypervisorControl => self.has_hypervisor,
            _ => true,
        }
    }

    /// Returns the bits of a counter that exists.
    #[inline(always)]
    pub(super) const fn counter_bits(&self, number: u8) -> u64 {
        if self.version >= 5 || number >= CYCLE_COUNTER { u64::MAX } else { HALF }
    }

    /// Returns the bits of a selection that exists.
    #[inline(always)]
    pub(super) const fn select_bits(&self, number: u8) -> u64 {
        if number >= CYCLE_COUNTER { self.filter.bits() } else { self.select.bits() }
    }

    /// Returns the bits that can be written, or `None` if there is no such register.
    #[inline(always)]
    pub(super) fn bits(&self, place: Place) -> Option<u64> {
        self.has_place(place).then(|| match place {
            Place::Counter(number) => self.counter_bits(number),
            Place::Select(number) => self.select_bits(number),
            Place::Overflow(_) | Place::Enable(_) | Place::Interrupt(_) => self.counters.bits(),
            Place::UserAccess | Place::Zero => self.counters.bits(),
            Place::Control => self.control.bits(),
            Place::Selector => 31,
            Place::SoftwareIncrement => CounterSet::first(self.events).bits(),
            Place::UserEnable => self.user_enable.bits(),
            Place::HypervisorControl => self.hypervisor_control.bits(),
            Place::SelectedCounter | Place::SelectedSelect => 0,
            Place::Events(_) | Place::Machine | Place::Identity(_) => 0,
        })
    }

    /// Returns the bits of PMCR_EL0 that can be written and keep their value.
    #[inline(always)]
    pub(super) const fn control_bits(&self) -> u64 {
        self.control.bits()
    }

    /// Returns the constant bits of PMCR_EL0, without N.
    #[inline(always)]
    pub(super) const fn constant(&self) -> Pmcr {
        self.constant
    }

    pub(super) const fn announced(&self) -> Announced {
        self.announced
    }

    pub(super) const fn machine(&self) -> Machine {
        self.machine
    }

    pub(super) const fn may_lend_none(&self) -> bool {
        self.may_lend_none
    }

    /// Returns true if LC is set. Without AArch32 it is RES1.
    #[inline(always)]
    pub(super) fn long_cycles(&self, control: Pmcr) -> bool {
        control.union(self.constant).contains(Pmcr::LONG_CYCLES)
    }

    /// Checks that a register can hold a value. A counter that does not exist holds 0.
    pub(super) fn check(&self, place: Place, value: u64) -> Result<(), Fault> {
        match self.bits(place) {
            _ if value == 0 => Ok(()),
            None => Err(Fault::Absent),
            Some(bits) if value & !bits == 0 => Ok(()),
            Some(_) => Err(Fault::Reserved),
        }
    }
}

/// Decodes ID_AA64DFR0_EL1.PMUVer of a unit that exists: 4 is PMUv3p1, 5 is p4, 6 is p5, and from 7 on it is the
/// version.
const fn version(announced: u64) -> u8 {
    match announced {
        0..=3 => 0,
        4 => 1,
        5 => 4,
        6 => 5,
        version => version as u8,
    }
}

/// Returns the bits of PMCR_EL0 that can be written, and those that are constant. Events are not exported: X is
/// RAZ/WI. Profiling does not freeze anything: FZS is RES0.
fn control(identity: &Identity, version: u8, levels: u64) -> (Pmcr, Pmcr) {
    let has_aarch32 = field(levels, 0) >= 2;
    let prohibits = field(levels, 12) != 0 || version >= 1 && field(levels, 8) != 0 || version >= 7;
    let bits = Pmcr::ENABLE.bits()
        | there(has_aarch32, Pmcr::LONG_CYCLES.union(Pmcr::DIVIDE).bits())
        | there(prohibits, Pmcr::CYCLES_AS_EVENTS.bits())
        | there(version >= 5, Pmcr::LONG_EVENTS.bits())
        | there(version >= 7, Pmcr::FREEZE_ON_OVERFLOW.bits());
    let identification = identity.control().intersection(Pmcr::IDENTITY.union(Pmcr::IMPLEMENTER));
    let constant = there(!has_aarch32, Pmcr::LONG_CYCLES.bits()) | there(version < 7, identification.bits());
    (Pmcr::from_bits_retain(bits), Pmcr::from_bits_retain(constant))
}

/// Returns the filter bits of a counter. NSK, NSU and M exist with EL3, and NSH with EL2.
fn filter(levels: u64) -> Select {
    let has_monitor = field(levels, 12) != 0;
    let of_monitor = Select::NON_SECURE_KERNEL.union(Select::NON_SECURE_USER).union(Select::MONITOR);
    let of_realms = Select::REALM_KERNEL.union(Select::REALM_USER).union(Select::REALM_HYPERVISOR);
    let bits = Select::NOT_KERNEL.union(Select::NOT_USER).bits()
        | there(has_monitor, of_monitor.bits())
        | there(field(levels, 8) != 0, Select::HYPERVISOR.bits())
        | there(has_monitor && field(levels, 36) != 0, Select::SECURE_HYPERVISOR.bits())
        | there(field(levels, 52) != 0, of_realms.bits());
    Select::from_bits_retain(bits)
}

/// Returns the bits of evtCount: 10, and 16 from PMUv3p1 on.
const fn event_bits(version: u8) -> Select {
    if version >= 1 { Select::EVENT } else { Select::from_bits_retain(0x3FF) }
}

/// Returns the bits of TH, as many as PMMIR_EL1.THWIDTH says, with TC, and TE if PMMIR_EL1.EDGE says so.
fn threshold_bits(machine: Machine) -> Select {
    let width = machine.threshold_bits();
    let threshold = Select::COMPARISON.with_threshold((1 << width) - 1);
    let bits = there(width > 0, threshold.bits()) | there(width > 0 && machine.has_edges(), Select::EDGE.bits());
    Select::from_bits_retain(bits)
}

fn user_enable(version: u8, has_instructions: bool) -> UserEnable {
    let always = UserEnable::ALL
        .union(UserEnable::SOFTWARE_INCREMENT)
        .union(UserEnable::READ_CYCLES)
        .union(UserEnable::READ_EVENTS);
    let bits = always.bits()
        | there(version >= 9, UserEnable::NAMED.union(UserEnable::TRAP_EVENTS).bits())
        | there(has_instructions, UserEnable::READ_INSTRUCTIONS.bits());
    UserEnable::from_bits_retain(bits)
}

/// Returns the unit's bits of MDCR_EL2. The others belong to the host. Threads are not counted together: MTPME is
/// RES0.
fn hypervisor_control(version: u8) -> HypervisorControl {
    let always = HypervisorControl::LENT
        .union(HypervisorControl::TRAP)
        .union(HypervisorControl::TRAP_CONTROL)
        .union(HypervisorControl::ENABLE);
    let since_5 = HypervisorControl::CYCLES_NOT_HYPERVISOR.union(HypervisorControl::LONG_EVENTS);
    let bits = always.bits()
        | there(version >= 1, HypervisorControl::NOT_HYPERVISOR.bits())
        | there(version >= 5, since_5.bits())
        | there(version >= 7, HypervisorControl::FREEZE_ON_OVERFLOW.bits());
    HypervisorControl::from_bits_retain(bits)
}

/// Returns the common events. Those from 4000H on exist from PMUv3p1 on.
fn announced(identity: &Identity, version: u8) -> Announced {
    let announced = identity.announced();
    if version >= 1 { announced } else { Announced { high: 0, ..announced } }
}
