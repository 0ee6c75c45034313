//! Maps system registers to what the device has.

use crate::arch::aarch64::pmuv3::{CYCLE_COUNTER, INSTRUCTION_COUNTER};
use crate::arch::aarch64::{OF_CRN_9, SystemRegister};

/// Whether a write to one of a pair of registers sets or clears bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Half {
    Set,
    Clear,
}

/// A register of the unit. Counters have their numbers: cycles 31 and instructions 32.
///
/// Those that an interrupt uses come first, because the compiler compares in this order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// PMEVCNTRn_EL0, PMCCNTR_EL0, PMICNTR_EL0.
    Counter(u8),
    /// PMOVSSET_EL0, PMOVSCLR_EL0.
    Overflow(Half),
    /// PMEVTYPERn_EL0, PMCCFILTR_EL0, PMICFILTR_EL0.
    Select(u8),
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
    /// An ID register, by its index in [`IDENTITIES`].
    Identity(u8),
}

/// The ID registers, in the order of their indices.
const IDENTITIES: [SystemRegister; 5] = [
    SystemRegister::PROCESSOR,
    SystemRegister::PROCESSOR_FEATURES,
    SystemRegister::DEBUG_FEATURES_0,
    SystemRegister::DEBUG_FEATURES_1,
    SystemRegister::LEVEL,
];

impl Place {
    /// Returns the ID register with this index.
    pub(super) fn identity(number: u8) -> Option<SystemRegister> {
        IDENTITIES.get(usize::from(number)).copied()
    }

    #[inline]
    pub(super) const fn of(at: SystemRegister) -> Self {
        match Self::usual(at) {
            Some(place) => place,
            None => Self::single(at),
        }
    }

    /// Finds the frequent registers by their number's bits or by a table. Returns `None` for the others.
    #[inline(always)]
    pub(super) const fn usual(at: SystemRegister) -> Option<Self> {
        if at.is_numbered() {
            let number = (at.number() & 31) as u8;
            // The cycle counter's filter is the 31st of the second row.
            return Some(if at.number() & 32 == 0 { Self::Counter(number) } else { Self::Select(number) });
        }
        match at.column() {
            Some(column) => Some(COLUMNS[column as usize]),
            None => None,
        }
    }

    const fn single(at: SystemRegister) -> Self {
        match at {
            SystemRegister::OVERFLOW_CLEAR => Self::Overflow(Half::Clear),
            SystemRegister::OVERFLOW_SET => Self::Overflow(Half::Set),
            SystemRegister::ENABLE_SET => Self::Enable(Half::Set),
            SystemRegister::ENABLE_CLEAR => Self::Enable(Half::Clear),
            SystemRegister::INTERRUPT_SET => Self::Interrupt(Half::Set),
            SystemRegister::INTERRUPT_CLEAR => Self::Interrupt(Half::Clear),
            SystemRegister::CYCLES => Self::Counter(CYCLE_COUNTER),
            SystemRegister::INSTRUCTIONS => Self::Counter(INSTRUCTION_COUNTER),
            SystemRegister::INSTRUCTION_FILTER => Self::Select(INSTRUCTION_COUNTER),
            SystemRegister::CONTROL => Self::Control,
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
            SystemRegister::PROCESSOR => Self::Identity(0),
            SystemRegister::PROCESSOR_FEATURES => Self::Identity(1),
            SystemRegister::DEBUG_FEATURES_0 => Self::Identity(2),
            SystemRegister::DEBUG_FEATURES_1 => Self::Identity(3),
            _ => Self::Identity(4),
        }
    }

    /// Returns true if an MSR to it is UNDEFINED at every level.
    #[inline(always)]
    pub(super) const fn is_read_only(self) -> bool {
        matches!(self, Self::Events(_) | Self::Machine | Self::Identity(_))
    }

    /// Returns true if an MRS of it is UNDEFINED at every level.
    #[inline(always)]
    pub(super) const fn is_write_only(self) -> bool {
        matches!(self, Self::SoftwareIncrement | Self::Zero)
    }

    /// Returns true if an access from EL0 is UNDEFINED, whatever PMUSERENR_EL0 is.
    #[inline(always)]
    pub(super) const fn is_privileged(self) -> bool {
        matches!(
            self,
            Self::Interrupt(_) | Self::UserAccess | Self::Machine | Self::HypervisorControl | Self::Identity(_)
        )
    }

    /// Returns the counter that it belongs to, if it belongs to one.
    #[inline(always)]
    pub(super) const fn counter(self) -> Option<u8> {
        match self {
            Self::Counter(number) | Self::Select(number) => Some(number),
            _ => None,
        }
    }
}

/// The registers with CRn 9 by their columns. Columns without a register are not used.
static COLUMNS: [Place; 128] = {
    let mut table = [Place::Machine; 128];
    let mut next = 0;
    while next < OF_CRN_9.len() {
        table[(OF_CRN_9[next].number() & 127) as usize] = Place::single(OF_CRN_9[next]);
        next += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_register_leads_where_its_name_says() {
        for number in (0..=u16::MAX).filter(|&number| SystemRegister::from_number(number).is_some()) {
            let at = SystemRegister::from_number(number).unwrap();
            let named = match (at.as_counter(), at.as_select(), at) {
                (Some(number), ..) => Place::Counter(number),
                (_, Some(number), _) => Place::Select(number),
                (.., SystemRegister::CYCLE_FILTER) => Place::Select(CYCLE_COUNTER),
                _ => Place::single(at),
            };
            assert_eq!(Place::of(at), named, "{at:?}");
            let is_back = !matches!(named, Place::Identity(number) if Place::identity(number) != Some(at));
            assert!(is_back, "{at:?}");
        }
    }
}
