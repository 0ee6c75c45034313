//! Where an address leads: the registers of the unit, told apart once for reads and writes.

use crate::arch::aarch64::SystemRegister;
use crate::arch::aarch64::pmuv3::{CYCLE_COUNTER, INSTRUCTION_COUNTER};

/// What a write to one of a pair of registers does to the bits that are written as 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Half {
    Set,
    Clear,
}

/// A register of the unit; counters by their number, of which cycles have 31 and instructions 32.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// PMEVCNTRn_EL0, PMCCNTR_EL0, PMICNTR_EL0.
    Counter(u8),
    /// PMEVTYPERn_EL0, PMCCFILTR_EL0, PMICFILTR_EL0.
    Select(u8),
    /// PMOVSSET_EL0, PMOVSCLR_EL0.
    Overflow(Half),
    /// PMCNTENSET_EL0, PMCNTENCLR_EL0.
    Enable(Half),
    /// PMINTENSET_EL1, PMINTENCLR_EL1.
    Interrupt(Half),
    /// PMCR_EL0.
    Control,
    /// PMXEVCNTR_EL0.
    SelectedCounter,
    /// PMXEVTYPER_EL0.
    SelectedSelect,
    /// PMSELR_EL0.
    Selector,
    /// PMSWINC_EL0.
    SoftwareIncrement,
    /// PMZR_EL0.
    Zero,
    /// PMUSERENR_EL0.
    UserEnable,
    /// PMUACR_EL1.
    UserAccess,
    /// PMCEID0_EL0, PMCEID1_EL0.
    Events(u8),
    /// PMMIR_EL1.
    Machine,
    /// MDCR_EL2.
    HypervisorControl,
    /// An ID register.
    Identity(SystemRegister),
}

impl Place {
    /// Those that an interrupt touches come first.
    #[inline(always)]
    pub(super) const fn of(at: SystemRegister) -> Self {
        if let Some(number) = at.as_counter() {
            return Self::Counter(number);
        }
        if let Some(number) = at.as_select() {
            return Self::Select(number);
        }
        match at {
            SystemRegister::OVERFLOW_CLEAR => Self::Overflow(Half::Clear),
            SystemRegister::OVERFLOW_SET => Self::Overflow(Half::Set),
            SystemRegister::ENABLE_SET => Self::Enable(Half::Set),
            SystemRegister::ENABLE_CLEAR => Self::Enable(Half::Clear),
            SystemRegister::CONTROL => Self::Control,
            SystemRegister::CYCLES => Self::Counter(CYCLE_COUNTER),
            SystemRegister::INSTRUCTIONS => Self::Counter(INSTRUCTION_COUNTER),
            SystemRegister::CYCLE_FILTER => Self::Select(CYCLE_COUNTER),
            SystemRegister::INSTRUCTION_FILTER => Self::Select(INSTRUCTION_COUNTER),
            SystemRegister::INTERRUPT_SET => Self::Interrupt(Half::Set),
            SystemRegister::INTERRUPT_CLEAR => Self::Interrupt(Half::Clear),
            _ => Self::other(at),
        }
    }

    #[inline(always)]
    const fn other(at: SystemRegister) -> Self {
        match at {
            SystemRegister::SELECTED_COUNTER => Self::SelectedCounter,
            SystemRegister::SELECTED_SELECT => Self::SelectedSelect,
            SystemRegister::SELECTOR => Self::Selector,
            SystemRegister::SOFTWARE_INCREMENT => Self::SoftwareIncrement,
            SystemRegister::ZERO => Self::Zero,
            SystemRegister::USER_ENABLE => Self::UserEnable,
            SystemRegister::USER_ACCESS => Self::UserAccess,
            SystemRegister::EVENTS_0 => Self::Events(0),
            SystemRegister::EVENTS_1 => Self::Events(1),
            SystemRegister::MACHINE => Self::Machine,
            SystemRegister::HYPERVISOR_CONTROL => Self::HypervisorControl,
            _ => Self::Identity(at),
        }
    }

    /// Is an MSR to it UNDEFINED, at whatever level?
    #[inline(always)]
    pub(super) const fn is_read_only(self) -> bool {
        matches!(self, Self::Events(_) | Self::Machine | Self::Identity(_))
    }

    /// Is an MRS of it UNDEFINED, at whatever level?
    #[inline(always)]
    pub(super) const fn is_write_only(self) -> bool {
        matches!(self, Self::SoftwareIncrement | Self::Zero)
    }

    /// Is an access from EL0 UNDEFINED, whatever PMUSERENR_EL0 says?
    #[inline(always)]
    pub(super) const fn is_privileged(self) -> bool {
        matches!(
            self,
            Self::Interrupt(_) | Self::UserAccess | Self::Machine | Self::HypervisorControl | Self::Identity(_)
        )
    }

    /// The counter that it belongs to, if it belongs to one.
    #[inline(always)]
    pub(super) const fn counter(self) -> Option<u8> {
        match self {
            Self::Counter(number) | Self::Select(number) => Some(number),
            _ => None,
        }
    }
}
