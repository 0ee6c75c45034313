//! The fields of PMUv3's registers, by the manual's names.
//!
//! Source: DDI 0487 M.a, "PMCR_EL0", "`PMEVTYPER<n>_EL0`", "PMCNTENSET_EL0", "PMUSERENR_EL0".

use super::capabilities::Capabilities;
use super::registers::{Pmcr, Select, UserEnable};
use crate::arch::aarch64::SystemRegister;
use crate::contract::Field;

/// A bit for each counter.
const COUNTERS: &[Field] = &[Field::new("P", 0x7FFF_FFFF), Field::new("C", 1 << 31), Field::new("F0", 1 << 32)];
impl Capabilities {
    /// Returns the fields of a register; none if it is one number.
    #[must_use]
    pub const fn fields(at: SystemRegister) -> &'static [Field] {
        if at.as_select().is_some() {
            return Select::FIELDS;
        }
        match at {
            SystemRegister::CONTROL => Pmcr::FIELDS,
            SystemRegister::USER_ENABLE => UserEnable::FIELDS,
            SystemRegister::CYCLE_FILTER | SystemRegister::INSTRUCTION_FILTER => Select::FIELDS,
            SystemRegister::ENABLE_SET
            | SystemRegister::ENABLE_CLEAR
            | SystemRegister::OVERFLOW_SET
            | SystemRegister::OVERFLOW_CLEAR
            | SystemRegister::INTERRUPT_SET
            | SystemRegister::INTERRUPT_CLEAR => COUNTERS,
            _ => &[],
        }
    }
}
