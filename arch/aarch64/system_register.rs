//! The system registers of performance-monitoring units.
//!
//! A [`SystemRegister`] is a number in a private field: every value is a register of the unit, or one that
//! identifies the unit, and none holds a memory address, so that a write cannot reach memory. (The
//! statistical profiling extension and the trace buffer are left out for that reason.)
//!
//! Source: Arm Architecture Reference Manual for A-profile (DDI 0487 M.a), section D23.3.1,
//! "Instructions for accessing non-debug System registers", and the registers' own pages in
//! D24.2, D24.3 and D24.5.

use core::fmt;

use crate::event::CounterId;

/// A system register of a performance-monitoring unit, or one that identifies the unit.
///
/// Its number is bits 5 to 20 of MRS and MSR, whose parts are in the syndrome of a trapped access: op0 in
/// bits 14 and 15, op1 in 11 to 13, CRn in 7 to 10, CRm in 3 to 6, op2 in 0 to 2.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct SystemRegister(u16);

const fn numbered(op0: u16, op1: u16, crn: u16, crm: u16, op2: u16) -> SystemRegister {
    SystemRegister(op0 << 14 | op1 << 11 | crn << 7 | crm << 3 | op2)
}

impl SystemRegister {
    /// The number of event counters that have registers: `PMEVCNTR0_EL0` to `PMEVCNTR30_EL0`.
    pub const EVENT_COUNTERS: u8 = 31;

    /// Controls the whole unit, and holds the number of counters (PMCR_EL0).
    pub const CONTROL: Self = numbered(3, 3, 9, 12, 0);
    /// Enables counters; reads as those that are enabled (PMCNTENSET_EL0).
    pub const ENABLE_SET: Self = numbered(3, 3, 9, 12, 1);
    /// Disables counters (PMCNTENCLR_EL0).
    pub const ENABLE_CLEAR: Self = numbered(3, 3, 9, 12, 2);
    /// Clears overflows; reads as those that are set (PMOVSCLR_EL0).
    pub const OVERFLOW_CLEAR: Self = numbered(3, 3, 9, 12, 3);
    /// Adds one to the counters of the event `SW_INCR`; write-only (PMSWINC_EL0).
    pub const SOFTWARE_INCREMENT: Self = numbered(3, 3, 9, 12, 4);
    /// Selects the counter that the registers `PMX...` access (PMSELR_EL0).
    pub const SELECTOR: Self = numbered(3, 3, 9, 12, 5);
    /// The common events 0 to 1FH and 4000H to 401FH that exist (PMCEID0_EL0).
    pub const EVENTS_0: Self = numbered(3, 3, 9, 12, 6);
    /// The common events 20H to 3FH and 4020H to 403FH that exist (PMCEID1_EL0).
    pub const EVENTS_1: Self = numbered(3, 3, 9, 12, 7);
    /// The cycle counter (PMCCNTR_EL0).
    pub const CYCLES: Self = numbered(3, 3, 9, 13, 0);
    /// The event of the selected counter (PMXEVTYPER_EL0).
    pub const SELECTED_SELECT: Self = numbered(3, 3, 9, 13, 1);
    /// The selected counter (PMXEVCNTR_EL0).
    pub const SELECTED_COUNTER: Self = numbered(3, 3, 9, 13, 2);
    /// Sets counters to zero; write-only, from PMUv3p9 on (PMZR_EL0).
    pub const ZERO: Self = numbered(3, 3, 9, 13, 4);
    /// The rights of user programs (PMUSERENR_EL0).
    pub const USER_ENABLE: Self = numbered(3, 3, 9, 14, 0);
    /// Sets overflows; reads as those that are set (PMOVSSET_EL0).
    pub const OVERFLOW_SET: Self = numbered(3, 3, 9, 14, 3);
    /// Enables the interrupts of overflows; reads as those that are enabled (PMINTENSET_EL1).
    pub const INTERRUPT_SET: Self = numbered(3, 0, 9, 14, 1);
    /// Disables the interrupts of overflows (PMINTENCLR_EL1).
    pub const INTERRUPT_CLEAR: Self = numbered(3, 0, 9, 14, 2);
    /// The counters that user programs may use, from PMUv3p9 on (PMUACR_EL1).
    pub const USER_ACCESS: Self = numbered(3, 0, 9, 14, 4);
    /// Parameters of the implementation, from PMUv3p4 on (PMMIR_EL1).
    pub const MACHINE: Self = numbered(3, 0, 9, 14, 6);
    /// The instruction counter (PMICNTR_EL0; FEAT_PMUv3_ICNTR).
    pub const INSTRUCTIONS: Self = numbered(3, 3, 9, 4, 0);
    /// Where the instruction counter counts (PMICFILTR_EL0; FEAT_PMUv3_ICNTR).
    pub const INSTRUCTION_FILTER: Self = numbered(3, 3, 9, 6, 0);
    /// Where the cycle counter counts (PMCCFILTR_EL0).
    pub const CYCLE_FILTER: Self = numbered(3, 3, 14, 15, 7);
    /// What a hypervisor lends to guests and traps; only at EL2 (MDCR_EL2).
    pub const HYPERVISOR_CONTROL: Self = numbered(3, 4, 1, 1, 1);

    /// The processor (MIDR_EL1).
    pub const PROCESSOR: Self = numbered(3, 0, 0, 0, 0);
    /// The exception levels of the processor (ID_AA64PFR0_EL1).
    pub const PROCESSOR_FEATURES: Self = numbered(3, 0, 0, 4, 0);
    /// The version of the unit (ID_AA64DFR0_EL1).
    pub const DEBUG_FEATURES_0: Self = numbered(3, 0, 0, 5, 0);
    /// Further features of the unit (ID_AA64DFR1_EL1).
    pub const DEBUG_FEATURES_1: Self = numbered(3, 0, 0, 5, 1);
    /// The current exception level (CurrentEL).
    pub const LEVEL: Self = numbered(3, 0, 4, 2, 2);

    /// PMEVCNTR0_EL0; the others follow.
    const FIRST_COUNTER: u16 = numbered(3, 3, 14, 8, 0).0;
    /// PMEVTYPER0_EL0; the others follow. The cycle counter's filter is in the place of the 31st.
    const FIRST_SELECT: u16 = numbered(3, 3, 14, 12, 0).0;

    /// Returns an event counter (PMEVCNTR`n`_EL0), or `None` if there is no such register.
    #[must_use]
    pub const fn counter(number: u8) -> Option<Self> {
        if number < Self::EVENT_COUNTERS { Some(Self(Self::FIRST_COUNTER | number as u16)) } else { None }
    }

    /// Returns the selection of an event counter (PMEVTYPER`n`_EL0), or `None` if there is no such register.
    #[must_use]
    pub const fn select(number: u8) -> Option<Self> {
        if number < Self::EVENT_COUNTERS { Some(Self(Self::FIRST_SELECT | number as u16)) } else { None }
    }

    /// Returns the register with this number, if it belongs to a unit. For hypervisors, whose guests use any
    /// number.
    #[inline(always)]
    #[must_use]
    pub const fn from_number(number: u16) -> Option<Self> {
        if Self(number).is_the_units() { Some(Self(number)) } else { None }
    }

    /// Creates a register from a number that is known to belong to a unit.
    #[inline(always)]
    pub(super) const fn of_the_unit(number: u16) -> Self {
        Self(number)
    }

    /// Tests the bits of the number, because a hypervisor does this for every trapped access.
    #[inline(always)]
    const fn is_the_units(self) -> bool {
        if self.is_numbered() {
            return self.0 != Self::FIRST_COUNTER | 31;
        }
        match self.column() {
            Some(place) => NINTH[place as usize] == (self.0 >> 11) as u8,
            None => self.is_another(),
        }
    }

    /// Returns true if it is one of the numbered registers.
    #[inline(always)]
    pub(super) const fn is_numbered(self) -> bool {
        self.0 & !63 == Self::FIRST_COUNTER
    }

    /// Returns CRm and op2, 0 to 127, of a register with CRn 9, as most have. No two registers of the unit have the
    /// same.
    #[inline(always)]
    pub(super) const fn column(self) -> Option<u8> {
        if self.0 >> 7 & 15 == 9 { Some((self.0 & 127) as u8) } else { None }
    }

    const fn is_another(self) -> bool {
        matches!(
            self,
            Self::HYPERVISOR_CONTROL
                | Self::PROCESSOR
                | Self::PROCESSOR_FEATURES
                | Self::DEBUG_FEATURES_0
                | Self::DEBUG_FEATURES_1
                | Self::LEVEL
        )
    }

    /// Returns its number among the system registers.
    #[inline(always)]
    #[must_use]
    pub const fn number(self) -> u16 {
        self.0
    }

    /// Returns the number of the event counter, if it is one.
    #[inline(always)]
    #[must_use]
    pub const fn as_counter(self) -> Option<u8> {
        Self::as_one_of(self.0, Self::FIRST_COUNTER)
    }

    /// Returns the number of the event counter whose selection it is, if it is one.
    #[inline(always)]
    #[must_use]
    pub const fn as_select(self) -> Option<u8> {
        Self::as_one_of(self.0, Self::FIRST_SELECT)
    }

    /// Finds a register among the 32 from `first` on. The last is not an event counter's.
    #[inline(always)]
    const fn as_one_of(number: u16, first: u16) -> Option<u8> {
        if number & !31 == first && number & 31 != 31 { Some((number & 31) as u8) } else { None }
    }

    /// Returns a counter of any kind: 0 to 30 are the event counters, 31 counts cycles, 32 instructions.
    #[inline(always)]
    #[must_use]
    pub const fn any_counter(counter: CounterId) -> Self {
        match counter.number() {
            31 => Self::CYCLES,
            32.. => Self::INSTRUCTIONS,
            number => Self(Self::FIRST_COUNTER | number as u16),
        }
    }

    /// Returns the selection or filter of a counter of any kind.
    #[inline(always)]
    #[must_use]
    pub const fn any_select(counter: CounterId) -> Self {
        match counter.number() {
            32.. => Self::INSTRUCTION_FILTER,
            number => Self(Self::FIRST_SELECT | number as u16),
        }
    }

    /// Returns the manual's name: the part before a counter's number, that number, and the rest.
    const fn name(self) -> Option<(&'static str, Option<u8>, &'static str)> {
        if let Some(number) = self.as_counter() {
            return Some(("PMEVCNTR", Some(number), "_EL0"));
        }
        if let Some(number) = self.as_select() {
            return Some(("PMEVTYPER", Some(number), "_EL0"));
        }
        match self.single_name() {
            Some(name) => Some((name, None, "")),
            None => None,
        }
    }

    const fn single_name(self) -> Option<&'static str> {
        Some(match self {
            Self::CONTROL => "PMCR_EL0",
            Self::ENABLE_SET => "PMCNTENSET_EL0",
            Self::ENABLE_CLEAR => "PMCNTENCLR_EL0",
            Self::OVERFLOW_CLEAR => "PMOVSCLR_EL0",
            Self::SOFTWARE_INCREMENT => "PMSWINC_EL0",
            Self::SELECTOR => "PMSELR_EL0",
            Self::EVENTS_0 => "PMCEID0_EL0",
            Self::EVENTS_1 => "PMCEID1_EL0",
            Self::CYCLES => "PMCCNTR_EL0",
            Self::SELECTED_SELECT => "PMXEVTYPER_EL0",
            Self::SELECTED_COUNTER => "PMXEVCNTR_EL0",
            Self::ZERO => "PMZR_EL0",
            Self::USER_ENABLE => "PMUSERENR_EL0",
            Self::OVERFLOW_SET => "PMOVSSET_EL0",
            Self::INTERRUPT_SET => "PMINTENSET_EL1",
            Self::INTERRUPT_CLEAR => "PMINTENCLR_EL1",
            Self::USER_ACCESS => "PMUACR_EL1",
            Self::MACHINE => "PMMIR_EL1",
            Self::INSTRUCTIONS => "PMICNTR_EL0",
            Self::INSTRUCTION_FILTER => "PMICFILTR_EL0",
            Self::CYCLE_FILTER => "PMCCFILTR_EL0",
            Self::HYPERVISOR_CONTROL => "MDCR_EL2",
            Self::PROCESSOR => "MIDR_EL1",
            Self::PROCESSOR_FEATURES => "ID_AA64PFR0_EL1",
            Self::DEBUG_FEATURES_0 => "ID_AA64DFR0_EL1",
            Self::DEBUG_FEATURES_1 => "ID_AA64DFR1_EL1",
            Self::LEVEL => "CurrentEL",
            _ => return None,
        })
    }
}

/// The unit's registers with CRn 9.
pub(super) const OF_CRN_9: [SystemRegister; 20] = [
    SystemRegister::CONTROL,
    SystemRegister::ENABLE_SET,
    SystemRegister::ENABLE_CLEAR,
    SystemRegister::OVERFLOW_CLEAR,
    SystemRegister::SOFTWARE_INCREMENT,
    SystemRegister::SELECTOR,
    SystemRegister::EVENTS_0,
    SystemRegister::EVENTS_1,
    SystemRegister::CYCLES,
    SystemRegister::SELECTED_SELECT,
    SystemRegister::SELECTED_COUNTER,
    SystemRegister::ZERO,
    SystemRegister::USER_ENABLE,
    SystemRegister::OVERFLOW_SET,
    SystemRegister::INTERRUPT_SET,
    SystemRegister::INTERRUPT_CLEAR,
    SystemRegister::USER_ACCESS,
    SystemRegister::MACHINE,
    SystemRegister::INSTRUCTIONS,
    SystemRegister::INSTRUCTION_FILTER,
];

/// By their columns: op0 and op1 of the one that is there, or what no register has.
static NINTH: [u8; 128] = {
    let mut table = [u8::MAX; 128];
    let mut next = 0;
    while next < OF_CRN_9.len() {
        let number = OF_CRN_9[next].0;
        table[(number & 127) as usize] = (number >> 11) as u8;
        next += 1;
    }
    table
};

impl fmt::Debug for SystemRegister {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some((name, Some(number), ending)) => write!(f, "{name}{number}{ending}"),
            Some((name, None, _)) => f.write_str(name),
            None => write!(f, "system register {:#x}", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_of_the_unit_names_its_register_and_no_other_does() {
        let found = (0..=u16::MAX).filter_map(SystemRegister::from_number);
        let names: Vec<_> = found.map(|register| (register.number(), format!("{register:?}"))).collect();
        assert_eq!(names.len(), 27 + 2 * 31);
        let named = (0..=u16::MAX).filter(|&number| SystemRegister(number).name().is_some());
        assert!(named.eq(names.iter().map(|&(number, _)| number)));
        assert!(names.iter().all(|(number, name)| SystemRegister(*number).0 == *number && !name.contains(' ')));
    }

    #[test]
    fn the_cycle_filter_is_where_the_31st_counters_selection_would_be() {
        assert_eq!(SystemRegister::CYCLE_FILTER.number(), SystemRegister::FIRST_SELECT + 31);
        assert_eq!((SystemRegister::CYCLE_FILTER.as_select(), SystemRegister::select(31)), (None, None));
    }

    #[test]
    fn a_counters_registers_are_its_own() {
        for number in 0..31 {
            let (counter, select) = (SystemRegister::counter(number).unwrap(), SystemRegister::select(number).unwrap());
            assert_eq!((counter.as_counter(), counter.as_select()), (Some(number), None));
            assert_eq!((select.as_counter(), select.as_select()), (None, Some(number)));
        }
    }

    #[test]
    fn registers_print_as_the_manual_names_them() {
        let last = (SystemRegister::counter(30).unwrap(), SystemRegister::select(8).unwrap());
        assert_eq!(format!("{last:?}"), "(PMEVCNTR30_EL0, PMEVTYPER8_EL0)");
        assert_eq!(format!("{:?}", SystemRegister::OVERFLOW_SET), "PMOVSSET_EL0");
    }

    #[test]
    fn a_counter_of_any_kind_has_its_register_and_its_selection() {
        let of =
            |number| CounterId::new(number).map(|id| (SystemRegister::any_counter(id), SystemRegister::any_select(id)));
        assert_eq!(of(31), Some((SystemRegister::CYCLES, SystemRegister::CYCLE_FILTER)));
        assert_eq!(of(32), Some((SystemRegister::INSTRUCTIONS, SystemRegister::INSTRUCTION_FILTER)));
        assert_eq!(of(3), SystemRegister::counter(3).zip(SystemRegister::select(3)));
    }
}
