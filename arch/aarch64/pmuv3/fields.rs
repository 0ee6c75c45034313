//! The fields of PMUv3's registers, by the manual's names.
//!
//! Source: DDI 0487 M.a, "PMCR_EL0", "`PMEVTYPER<n>_EL0`", "PMCNTENSET_EL0", "PMUSERENR_EL0".

use super::capabilities::Capabilities;
use super::registers::{Control, Select, UserEnable};
use crate::arch::aarch64::SystemRegister;
use crate::contract::Field;

const SELECT: &[Field] = &[
    Field::new("evtCount", Select::EVENT.bits()),
    Field::new("RLH", Select::REALM_HYPERVISOR.bits()),
    Field::new("RLU", Select::REALM_USER.bits()),
    Field::new("RLK", Select::REALM_KERNEL.bits()),
    Field::new("T", Select::NOT_OUTSIDE_TRANSACTIONS.bits()),
    Field::new("SH", Select::SECURE_HYPERVISOR.bits()),
    Field::new("MT", Select::ALL_THREADS.bits()),
    Field::new("M", Select::MONITOR.bits()),
    Field::new("NSH", Select::HYPERVISOR.bits()),
    Field::new("NSU", Select::NON_SECURE_USER.bits()),
    Field::new("NSK", Select::NON_SECURE_KERNEL.bits()),
    Field::new("U", Select::NOT_USER.bits()),
    Field::new("P", Select::NOT_KERNEL.bits()),
    Field::new("TH", Select::THRESHOLD.bits()),
    Field::new("VS", Select::SVE_MODES.bits()),
    Field::new("SYNC", Select::SYNCHRONOUS.bits()),
    Field::new("TE", Select::EDGE.bits()),
    Field::new("TC", Select::COMPARISON.bits()),
];
const CONTROL: &[Field] = &[
    Field::new("E", Control::ENABLE.bits()),
    Field::new("P", Control::RESET_EVENTS.bits()),
    Field::new("C", Control::RESET_CYCLES.bits()),
    Field::new("D", Control::DIVIDE.bits()),
    Field::new("X", Control::EXPORT.bits()),
    Field::new("DP", Control::CYCLES_AS_EVENTS.bits()),
    Field::new("LC", Control::LONG_CYCLES.bits()),
    Field::new("LP", Control::LONG_EVENTS.bits()),
    Field::new("FZO", Control::FREEZE_ON_OVERFLOW.bits()),
    Field::new("N", Control::COUNTERS.bits()),
    Field::new("IDCODE", Control::IDENTITY.bits()),
    Field::new("IMP", Control::IMPLEMENTER.bits()),
    Field::new("FZS", Control::FREEZE_ON_PROFILING.bits()),
];
/// A bit for each counter.
const COUNTERS: &[Field] = &[Field::new("P", 0x7FFF_FFFF), Field::new("C", 1 << 31), Field::new("F0", 1 << 32)];
const USER: &[Field] = &[
    Field::new("EN", UserEnable::ALL.bits()),
    Field::new("SW", UserEnable::SOFTWARE_INCREMENT.bits()),
    Field::new("CR", UserEnable::READ_CYCLES.bits()),
    Field::new("ER", UserEnable::READ_EVENTS.bits()),
    Field::new("UEN", UserEnable::NAMED.bits()),
    Field::new("IR", UserEnable::READ_INSTRUCTIONS.bits()),
    Field::new("TID", UserEnable::TRAP_EVENTS.bits()),
];

impl Capabilities {
    /// Returns the fields of a register; none if it is one number.
    #[must_use]
    pub const fn fields(at: SystemRegister) -> &'static [Field] {
        if at.as_select().is_some() {
            return SELECT;
        }
        match at {
            SystemRegister::CONTROL => CONTROL,
            SystemRegister::USER_ENABLE => USER,
            SystemRegister::CYCLE_FILTER | SystemRegister::INSTRUCTION_FILTER => SELECT,
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
