//! A guest's ID registers over those of the processor that it runs on.
//!
//! An ID register has fields of many units. A guest must find those of its own unit, none of the units that a device does
//! not model, and all else as the processor has it.
//!
//! Source: DDI 0487, ID_AA64DFR0_EL1, ID_AA64DFR1_EL1, ID_AA64PFR0_EL1 and PMMIR_EL1; the positions of the fields also as
//! Linux has them (arch/arm64/tools/sysreg).

use super::{Announced, Identity, Machine, SECURE_HYPERVISOR};
use crate::arch::aarch64::SystemRegister;
use crate::arch::aarch64::pmuv3::device;
use crate::arch::aarch64::pmuv3::registers::Pmcr;
use crate::event::Mode;
use crate::virt::Kinds;

/// The field of four bits at this bit.
const fn field(at: u32) -> u64 {
    0xF << at
}

/// ID_AA64DFR0_EL1: PMUVer, and whether a hypervisor may lend no counter (HPMN0).
const VERSION: u32 = 8;
const LENDS_NONE: u32 = 60;
/// ID_AA64DFR0_EL1: what the device does not model of the unit, which is snapshots (PMSS) and counting for several threads
/// (MTPMU), exceptions by events (SEBEP), and the units beside it: statistical profiling (PMSVer), trace buffers (TraceBuffer)
/// and branch records (BRBE).
const NOT_MODELLED_0: u64 = field(16) | field(24) | field(32) | field(44) | field(48) | field(52);
/// ID_AA64DFR1_EL1: the instruction counter (PMICNTR); and what the device does not model: system units (SPMU), and
/// exceptions in place of the interrupt (EBEP).
const INSTRUCTION_COUNTER: u32 = 36;
const NOT_MODELLED_1: u64 = field(32) | field(48);
/// ID_AA64PFR0_EL1: the levels EL0 to EL3, and realms (RME).
const LEVELS: [u32; 4] = [0, 4, 8, 12];
const REALMS: u32 = 52;

/// ID_AA64PFR0_EL1: the activity monitors (AMU), which count EL2 too.
const ACTIVITY_MONITORS: u64 = field(44);

/// PMMIR_EL1 without what the device does not model: SME, and linked thresholds, which a higher value of EDGE announces.
const MACHINE: u64 = 0x00FF_FFFF;
const EDGE: u32 = 24;

const fn get(register: u64, at: u32) -> u64 {
    register >> at & 0xF
}

const fn at_most(one: u64, other: u64, at: u32) -> u64 {
    let (one, other) = (get(one, at), get(other, at));
    (if one < other { one } else { other }) << at
}

impl Identity {
    /// Returns the identity of the processor whose registers `native` reads, with all that a device models of its unit.
    /// Returns `None` if it has no PMUv3. PMMIR_EL1 is read if there is one.
    ///
    /// It has the processor's exception levels. A guest is mostly given [`Self::for_guest`] of it.
    #[must_use]
    pub fn of_host(native: impl Fn(SystemRegister) -> u64) -> Option<Self> {
        let features = [SystemRegister::DEBUG_FEATURES_0, SystemRegister::DEBUG_FEATURES_1].map(&native);
        let version = get(features[0], VERSION);
        if matches!(version, 0 | 0xF) {
            return None;
        }
        let [low, high] = [SystemRegister::EVENTS_0, SystemRegister::EVENTS_1].map(&native);
        let machine = if version >= FIRST_WITH_MACHINE { native(SystemRegister::MACHINE) } else { 0 };
        let edge = if get(machine, EDGE) == 0 { 0 } else { 1 << EDGE };
        let levels = LEVELS.into_iter().fold(SECURE_HYPERVISOR | field(REALMS), |all, at| all | field(at));
        Some(Self {
            name: "host",
            processor: native(SystemRegister::PROCESSOR) as u32,
            processor_features: native(SystemRegister::PROCESSOR_FEATURES) & levels,
            debug_features: [
                at_most(features[0], NEWEST << VERSION, VERSION) | features[0] & field(LENDS_NONE),
                features[1] & field(INSTRUCTION_COUNTER),
            ],
            control: native(SystemRegister::CONTROL) & Pmcr::READ_ONLY.bits(),
            announced: Announced::of(low, high),
            machine: Machine(machine & MACHINE | edge),
        })
    }

    /// Returns the identity without what `host` does not have: a version, counters, events, thresholds, and AArch32. For a
    /// guest that shall find this processor, and may come to run on the host's own counters.
    #[must_use]
    pub const fn within(self, host: &Self) -> Self {
        let [features_0, features_1] = self.debug_features;
        let [host_0, host_1] = host.debug_features;
        let (own, most) = (self.control().counters(), host.control().counters());
        let mut less = self.with_event_counters(if own < most { own } else { most });
        less.debug_features = [
            at_most(features_0, host_0, VERSION) | at_most(features_0, host_0, LENDS_NONE),
            at_most(features_1, host_1, INSTRUCTION_COUNTER),
        ];
        less.processor_features = levels_within(self.processor_features, host.processor_features);
        less.announced = self.announced.and(host.announced);
        less.machine = within_machine(self.machine, host.machine);
        less
    }

    /// Returns the identity with only the common events that work of these kinds feeds, those that the unit itself counts
    /// (SW_INCR and CHAIN), and those that the architecture requires. A guest's driver then refuses the others instead of
    /// counting nothing.
    ///
    /// Required are INST_RETIRED and CPU_CYCLES, from PMUv3p1 on STALL_FRONTEND and STALL_BACKEND, and from PMUv3p4 on STALL,
    /// as QEMU announces them. What the host does not observe of these counts 0, and its counters are
    /// [`unfed`](crate::virt::Device::unfed).
    #[must_use]
    pub fn fed_by(self, observed: Kinds) -> Self {
        let version = get(self.debug_features[0], VERSION);
        let required = REQUIRED.iter().filter(|(since, _)| version >= *since);
        let shown = required.fold(device::announced_by(observed), |shown, (_, event)| shown.with(*event));
        Self { announced: self.announced.and(shown), ..self }
    }

    /// Returns an ID register as a guest reads it at a level, or `None` if it has nothing of the unit: the fields of the
    /// unit are this identity's, units that a device does not model are hidden, and all else is `native`. AArch32 and the
    /// exception levels are announced only if both have them.
    #[must_use]
    pub const fn merged(&self, at: SystemRegister, native: u64, mode: Mode) -> Option<u64> {
        let Some(own) = self.register(at, mode) else { return None };
        Some(match at {
            SystemRegister::DEBUG_FEATURES_0 => {
                let of_unit = field(VERSION) | field(LENDS_NONE);
                native & !(of_unit | NOT_MODELLED_0) | own & of_unit
            }
            SystemRegister::DEBUG_FEATURES_1 => {
                native & !(field(INSTRUCTION_COUNTER) | NOT_MODELLED_1) | own & field(INSTRUCTION_COUNTER)
            }
            SystemRegister::PROCESSOR_FEATURES => levels_within(native, own) & !ACTIVITY_MONITORS,
            _ => own,
        })
    }
}

/// The events that the architecture requires, each with the first value of PMUVer that does: 1 is PMUv3, 4 is PMUv3p1 and 5
/// is PMUv3p4. Of INST_RETIRED and INST_SPEC it requires one. Sources: kvm-unit-tests, arm/pmu.c,
/// `test_event_introspection`; for STALL, QEMU, target/arm/cpregs-pmu.c, `pm_events`.
const REQUIRED: [(u64, u16); 5] = [
    (1, 0x0008), // INST_RETIRED
    (1, 0x0011), // CPU_CYCLES
    (4, 0x0023), // STALL_FRONTEND
    (4, 0x0024), // STALL_BACKEND
    (5, 0x003C), // STALL
];
/// The first value of PMUVer with PMMIR_EL1: PMUv3p4.
const FIRST_WITH_MACHINE: u64 = 5;
/// The newest value of PMUVer that a device models: PMUv3p9.
const NEWEST: u64 = 9;

/// Returns ID_AA64PFR0_EL1 with no more levels than another has, and AArch32 only where both have it.
const fn levels_within(features: u64, other: u64) -> u64 {
    let mut within = features;
    let mut left = LEVELS.as_slice();
    while let [at, rest @ ..] = left {
        within = within & !field(*at) | at_most(features, other, *at);
        left = rest;
    }
    let above = SECURE_HYPERVISOR | field(REALMS);
    within & !above | at_most(features, other, SECURE_HYPERVISOR.trailing_zeros()) | at_most(features, other, REALMS)
}

/// Returns PMMIR_EL1 with no longer thresholds than another has. The slots and the buses are the first one's, if both know
/// theirs.
const fn within_machine(machine: Machine, host: Machine) -> Machine {
    const SLOTS: u64 = 0xFF;
    const THRESHOLD: u32 = 20;
    let slots = if host.0 & SLOTS == 0 { 0 } else { machine.0 & SLOTS };
    let buses = if host.0 & 0xF_FF00 == 0 { 0 } else { machine.0 & 0xF_FF00 };
    Machine(slots | buses | at_most(machine.0, host.0, THRESHOLD) | at_most(machine.0, host.0, EDGE))
}
