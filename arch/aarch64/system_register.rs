//! Which system registers belong to a performance-monitoring unit.
//!
//! [`SystemRegister`] is closed by its private field: every value names a register of the unit,
//! or one that says what the unit has, and none holds a memory address, so that a write cannot
//! reach memory (the statistical profiling extension and the trace buffer are left out for that
//! reason).
//!
//! Source: Arm Architecture Reference Manual for A-profile (DDI 0487 M.a), section D23.3.1,
//! "Instructions for accessing non-debug System registers", and the registers' own pages in
//! D24.2, D24.3 and D24.5.

use core::fmt;

use crate::counter::CounterId;

/// A system register of a performance-monitoring unit, or one that identifies the unit.
///
/// Its number is what MRS and MSR hold in bits 5 to 20, and what the syndrome of a trapped access
/// says in parts: op0 in bits 14 and 15, op1 in 11 to 13, CRn in 7 to 10, CRm in 3 to 6, op2 in 0
/// to 2.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct SystemRegister(u16);

const fn numbered(op0: u16, op1: u16, crn: u16, crm: u16, op2: u16) -> SystemRegister {
    SystemRegister(op0 << 14 | op1 << 11 | crn << 7 | crm << 3 | op2)
}

impl SystemRegister {
    /// How many event counters have registers: `PMEVCNTR0_EL0` to `PMEVCNTR30_EL0`.
    pub const EVENT_COUNTERS: u8 = 31;

    /// The unit as a whole: how many counters, whether they count (PMCR_EL0).
    pub const CONTROL: Self = numbered(3, 3, 9, 12, 0);
    /// Starts counters; reads as those that count (PMCNTENSET_EL0).
    pub const ENABLE_SET: Self = numbered(3, 3, 9, 12, 1);
    /// Stops counters (PMCNTENCLR_EL0).
    pub const ENABLE_CLEAR: Self = numbered(3, 3, 9, 12, 2);
    /// Clears overflows; reads as those that are there (PMOVSCLR_EL0).
    pub const OVERFLOW_CLEAR: Self = numbered(3, 3, 9, 12, 3);
    /// Adds one to counters of the event `SW_INCR`; write-only (PMSWINC_EL0).
    pub const SOFTWARE_INCREMENT: Self = numbered(3, 3, 9, 12, 4);
    /// Which counter the registers `PMX...` mean (PMSELR_EL0).
    pub const SELECTOR: Self = numbered(3, 3, 9, 12, 5);
    /// Which of the events 0 to 1FH and 4000H to 401FH there are (PMCEID0_EL0).
    pub const EVENTS_0: Self = numbered(3, 3, 9, 12, 6);
    /// Which of the events 20H to 3FH and 4020H to 403FH there are (PMCEID1_EL0).
    pub const EVENTS_1: Self = numbered(3, 3, 9, 12, 7);
    /// The cycle counter (PMCCNTR_EL0).
    pub const CYCLES: Self = numbered(3, 3, 9, 13, 0);
    /// What the selected counter counts (PMXEVTYPER_EL0).
    pub const SELECTED_SELECT: Self = numbered(3, 3, 9, 13, 1);
    /// The selected counter (PMXEVCNTR_EL0).
    pub const SELECTED_COUNTER: Self = numbered(3, 3, 9, 13, 2);
    /// Sets counters to zero; write-only, from PMUv3p9 on (PMZR_EL0).
    pub const ZERO: Self = numbered(3, 3, 9, 13, 4);
    /// What user programs may do (PMUSERENR_EL0).
    pub const USER_ENABLE: Self = numbered(3, 3, 9, 14, 0);
    /// Sets overflows; reads as those that are there (PMOVSSET_EL0).
    pub const OVERFLOW_SET: Self = numbered(3, 3, 9, 14, 3);
    /// Lets overflows interrupt; reads as those that may (PMINTENSET_EL1).
    pub const INTERRUPT_SET: Self = numbered(3, 0, 9, 14, 1);
    /// Keeps overflows from interrupting (PMINTENCLR_EL1).
    pub const INTERRUPT_CLEAR: Self = numbered(3, 0, 9, 14, 2);
    /// Which counters user programs may use, from PMUv3p9 on (PMUACR_EL1).
    pub const USER_ACCESS: Self = numbered(3, 0, 9, 14, 4);
    /// Parameters of the implementation, from PMUv3p4 on (PMMIR_EL1).
    pub const MACHINE: Self = numbered(3, 0, 9, 14, 6);
    /// The instruction counter (PMICNTR_EL0; FEAT_PMUv3_ICNTR).
    pub const INSTRUCTIONS: Self = numbered(3, 3, 9, 4, 0);
    /// Where the instruction counter counts (PMICFILTR_EL0; FEAT_PMUv3_ICNTR).
    pub const INSTRUCTION_FILTER: Self = numbered(3, 3, 9, 6, 0);
    /// Where the cycle counter counts (PMCCFILTR_EL0).
    pub const CYCLE_FILTER: Self = numbered(3, 3, 14, 15, 7);
    /// What a hypervisor lends and traps; at EL2 only (MDCR_EL2).
    pub const HYPERVISOR_CONTROL: Self = numbered(3, 4, 1, 1, 1);

    /// The processor (MIDR_EL1).
    pub const PROCESSOR: Self = numbered(3, 0, 0, 0, 0);
    /// Which exception levels there are (ID_AA64PFR0_EL1).
    pub const PROCESSOR_FEATURES: Self = numbered(3, 0, 0, 4, 0);
    /// Which unit there is (ID_AA64DFR0_EL1).
    pub const DEBUG_FEATURES_0: Self = numbered(3, 0, 0, 5, 0);
    /// What else it has (ID_AA64DFR1_EL1).
    pub const DEBUG_FEATURES_1: Self = numbered(3, 0, 0, 5, 1);
    /// The exception level that reads this (CurrentEL).
    pub const LEVEL: Self = numbered(3, 0, 4, 2, 2);

    /// PMEVCNTR0_EL0; the others follow.
    const FIRST_COUNTER: u16 = numbered(3, 3, 14, 8, 0).0;
    /// PMEVTYPER0_EL0; the others follow, and the cycle counter's filter is in the place of the
    /// 31st.
    const FIRST_SELECT: u16 = numbered(3, 3, 14, 12, 0).0;

    /// An event counter (PMEVCNTR`n`_EL0); `None` if there is no such register.
    #[must_use]
    pub const fn counter(number: u8) -> Option<Self> {
        if number < Self::EVENT_COUNTERS { Some(Self(Self::FIRST_COUNTER | number as u16)) } else { None }
    }

    /// What an event counter counts (PMEVTYPER`n`_EL0); `None` if there is no such register.
    #[must_use]
    pub const fn select(number: u8) -> Option<Self> {
        if number < Self::EVENT_COUNTERS { Some(Self(Self::FIRST_SELECT | number as u16)) } else { None }
    }

    /// The register with this number, if it belongs to a unit: for hypervisors, to whom a guest
    /// says any.
    #[inline(always)]
    #[must_use]
    pub const fn from_number(number: u16) -> Option<Self> {
        if Self(number).is_the_units() { Some(Self(number)) } else { None }
    }

    /// The register with this number, which was seen to belong to a unit.
    #[inline(always)]
    pub(super) const fn of_the_unit(number: u16) -> Self {
        Self(number)
    }

    /// By its bits: a hypervisor asks at every access that it traps.
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

    /// Is it among the two rows of numbered registers?
    #[inline(always)]
    pub(super) const fn is_numbered(self) -> bool {
        self.0 & !63 == Self::FIRST_COUNTER
    }

    /// Of the registers with CRn 9, where most are: CRm and op2, 0 to 127. No two of the unit's are in one place.
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

    /// Its number among the system registers.
    #[inline(always)]
    #[must_use]
    pub const fn number(self) -> u16 {
        self.0
    }

    /// Which event counter it is, if it is one.
    #[inline(always)]
    #[must_use]
    pub const fn as_counter(self) -> Option<u8> {
        Self::as_one_of(self.0, Self::FIRST_COUNTER)
    }

    /// Which event counter's selection it is, if it is one's.
    #[inline(always)]
    #[must_use]
    pub const fn as_select(self) -> Option<u8> {
        Self::as_one_of(self.0, Self::FIRST_SELECT)
    }

    /// Of the 32 numbers from `first` on, the last is no event counter's.
    #[inline(always)]
    const fn as_one_of(number: u16, first: u16) -> Option<u8> {
        if number & !31 == first && number & 31 != 31 { Some((number & 31) as u8) } else { None }
    }

    /// A counter of any kind: 0 to 30 are the event counters, 31 counts cycles, 32 instructions.
    #[inline(always)]
    #[must_use]
    pub const fn any_counter(counter: CounterId) -> Self {
        match counter.number() {
            31 => Self::CYCLES,
            32.. => Self::INSTRUCTIONS,
            number => Self(Self::FIRST_COUNTER | number as u16),
        }
    }

    /// What a counter of any kind counts, and where.
    #[inline(always)]
    #[must_use]
    pub const fn any_select(counter: CounterId) -> Self {
        match counter.number() {
            32.. => Self::INSTRUCTION_FILTER,
            number => Self(Self::FIRST_SELECT | number as u16),
        }
    }

    /// The manual's name: as far as a counter's number, that number, and the rest.
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
