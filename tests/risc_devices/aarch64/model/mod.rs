//! PMUv3 written down a second time: one event at a time, bit by bit as the manual's pseudocode goes,
//! with no regard to speed. Where the device computes, this counts.
//!
//! Here is what the unit has and holds; [`counting`] is what time does to it, [`access`] what a guest does.
//!
//! It takes from the library the names of registers and the values of ID registers, and nothing else.
//! The fuzz target reads these files too.

mod access;
mod counting;

use pmu::Mode;
use pmu::arch::aarch64::SystemRegister;
use pmu::arch::aarch64::pmuv3::Identity;

/// The contents of a device.
type State = <pmu::arch::aarch64::pmuv3::Device<pmu::virt::Unconnected> as pmu::virt::Device>::State;

const C: usize = 31;
const F0: usize = 32;

fn field(register: u64, from: u32) -> u64 {
    register >> from & 0xF
}

fn bit(register: u64, number: usize) -> bool {
    register >> number & 1 == 1
}

/// The unit, as the manual has it.
#[derive(Clone)]
pub(crate) struct Model {
    pub(crate) version: u64,
    identity: Identity,
    n: usize,
    has_icntr: bool,
    has_el2: bool,
    has_el3: bool,
    has_sel2: bool,
    has_rme: bool,
    has_aa32: bool,
    th_width: u64,
    has_edge: bool,
    counters: [u64; 33],
    types: [u64; 33],
    pmcr: u64,
    pmcnten: u64,
    pminten: u64,
    pmovs: u64,
    pmselr: u64,
    pmuserenr: u64,
    pmuacr: u64,
    mdcr: u64,
    divider: u64,
}

impl Model {
    pub(crate) fn new(identity: &Identity) -> Self {
        let id = |at| identity.register(at, Mode::Kernel).unwrap();
        let pfr0 = id(SystemRegister::PROCESSOR_FEATURES);
        let version = match field(id(SystemRegister::DEBUG_FEATURES_0), 8) {
            1 => 0,
            4 => 1,
            5 => 4,
            6 => 5,
            other => other,
        };
        let pmmir = if version >= 4 { identity.machine().0 } else { 0 };
        let n = identity.control().counters().into();
        let has_el2 = field(pfr0, 8) != 0;
        Self {
            version,
            identity: *identity,
            n,
            has_icntr: version >= 9 && field(id(SystemRegister::DEBUG_FEATURES_1), 36) != 0,
            has_el2,
            has_el3: field(pfr0, 12) != 0,
            has_sel2: field(pfr0, 36) != 0,
            has_rme: field(pfr0, 52) != 0,
            has_aa32: field(pfr0, 0) == 2,
            th_width: field(pmmir, 20),
            has_edge: field(pmmir, 24) != 0,
            counters: [0; 33],
            types: [0; 33],
            pmcr: 0,
            pmcnten: 0,
            pminten: 0,
            pmovs: 0,
            pmselr: 0,
            pmuserenr: 0,
            pmuacr: 0,
            mdcr: if has_el2 { n as u64 } else { 0 },
            divider: 0,
        }
    }

    pub(crate) fn all(&self) -> u64 {
        ((1 << self.n) - 1) | 1 << C | u64::from(self.has_icntr) << F0
    }

    pub(crate) fn counter_bits(&self, number: usize) -> u64 {
        match number {
            _ if !bit(self.all(), number) => 0,
            0..31 if self.version < 5 => 0xFFFF_FFFF,
            _ => u64::MAX,
        }
    }

    pub(crate) fn select_bits(&self, number: usize) -> u64 {
        let levels = 0xC000_0000
            | if self.has_el3 { 0x3400_0000 } else { 0 }
            | if self.has_el2 { 0x0800_0000 } else { 0 }
            | if self.has_el3 && self.has_sel2 { 0x0100_0000 } else { 0 }
            | if self.has_rme { 0x0070_0000 } else { 0 };
        let event = if self.version >= 1 { 0xFFFF } else { 0x03FF };
        let threshold = if self.th_width > 0 { 0b111 << 61 | ((1 << self.th_width) - 1) << 32 } else { 0 };
        let edge = if self.th_width > 0 && self.has_edge { 1 << 60 } else { 0 };
        match number {
            _ if !bit(self.all(), number) => 0,
            0..31 => levels | event | threshold | edge,
            _ => levels,
        }
    }

    pub(crate) fn control_bits(&self) -> u64 {
        let dp = self.has_el3 || self.version >= 1 && self.has_el2 || self.version >= 7;
        1 | if self.has_aa32 { 0x48 } else { 0 }
            | if dp { 0x20 } else { 0 }
            | if self.version >= 5 { 0x80 } else { 0 }
            | if self.version >= 7 { 0x200 } else { 0 }
    }

    /// A state with every bit set that this processor's unit can hold.
    pub(crate) fn fullest(&self) -> State {
        let mut state = State::default();
        state.counters = std::array::from_fn(|number| self.counter_bits(number));
        state.selects = std::array::from_fn(|number| self.select_bits(number));
        state.control = self.control_bits();
        (state.enable, state.interrupt, state.overflowed) = (self.all(), self.all(), self.all());
        state.selector = 31;
        state.user_enable = self.user_bits();
        state.user_access = if self.version >= 9 { self.all() } else { 0 };
        state.hypervisor_control = self.hypervisor_bits();
        (state.phase, state.ticks) = (63, u64::MAX);
        state
    }

    pub(crate) fn user_bits(&self) -> u64 {
        0xF | if self.version >= 9 { 0x50 } else { 0 } | if self.has_icntr { 0x20 } else { 0 }
    }

    pub(crate) fn hypervisor_bits(&self) -> u64 {
        if !self.has_el2 {
            return 0;
        }
        0xFF | if self.version >= 1 { 1 << 17 } else { 0 }
            | if self.version >= 5 { 1 << 23 | 1 << 26 } else { 0 }
            | if self.version >= 7 { 1 << 29 } else { 0 }
    }

    /// GetNumEventCountersAccessible(), with HPMN out of range taken as the nearest number in range.
    fn accessible(&self, mode: Mode) -> usize {
        let hpmn = self.n.min((self.mdcr & 31) as usize);
        if self.has_el2 && mode != Mode::Hypervisor { hpmn } else { self.n }
    }

    fn is_hyp(&self, index: usize) -> bool {
        index < 31 && self.has_el2 && index >= self.accessible(Mode::Kernel)
    }

    fn uen(&self) -> bool {
        bit(self.pmuserenr, 4)
    }

    /// All that it holds, as the device's snapshots have it.
    pub(crate) fn state(&self, ticks: u64) -> State {
        let mut state = State::default();
        state.counters = self.counters;
        state.selects = self.types;
        state.control = self.pmcr;
        state.enable = self.pmcnten;
        state.interrupt = self.pminten;
        state.overflowed = self.pmovs;
        state.selector = self.pmselr;
        state.user_enable = self.pmuserenr;
        state.user_access = self.pmuacr;
        state.hypervisor_control = self.mdcr;
        state.phase = self.divider;
        state.ticks = ticks;
        state
    }
}
