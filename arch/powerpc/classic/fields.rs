//! The fields of the registers of 604 to 7450, by the manual's names.
//!
//! Source: "MPC7450 RISC Microprocessor Family Reference Manual", tables of MMCR0, MMCR1 and MMCR2.

use super::capabilities::Capabilities;
use super::registers::{Control, Extension, Selects};
use crate::arch::powerpc::Spr;
use crate::contract::Field;

const MMCR0: &[Field] = &[
    Field::new("FC", Control::FREEZE.bits() as u64),
    Field::new("FCS", Control::FREEZE_SUPERVISOR.bits() as u64),
    Field::new("FCP", Control::FREEZE_PROBLEM.bits() as u64),
    Field::new("FCM1", Control::FREEZE_MARKED.bits() as u64),
    Field::new("FCM0", Control::FREEZE_UNMARKED.bits() as u64),
    Field::new("PMXE", Control::EXCEPTION.bits() as u64),
    Field::new("FCECE", Control::FREEZE_ON_CONDITION.bits() as u64),
    Field::new("TBSEL", Control::TIME_BASE_BIT.bits() as u64),
    Field::new("TBEE", Control::TIME_BASE.bits() as u64),
    Field::new("THRESHOLD", Control::THRESHOLD.bits() as u64),
    Field::new("PMC1CE", Control::FIRST.bits() as u64),
    Field::new("PMCjCE", Control::OTHERS.bits() as u64),
    Field::new("TRIGGER", Control::TRIGGER.bits() as u64),
    Field::new("PMC1SEL", Control::SELECT_1.bits() as u64),
    Field::new("PMC2SEL", Control::SELECT_2.bits() as u64),
];
const MMCR1: &[Field] = &[
    Field::new("PMC3SEL", Selects::SELECT_3.bits() as u64),
    Field::new("PMC4SEL", Selects::SELECT_4.bits() as u64),
    Field::new("PMC5SEL", Selects::SELECT_5.bits() as u64),
    Field::new("PMC6SEL", Selects::SELECT_6.bits() as u64),
];
const MMCR2: &[Field] = &[
    Field::new("THRESHMULT", Extension::MULTIPLIER.bits() as u64),
    Field::new("SMCNTENABLE", Extension::SYSTEM_COUNT.bits() as u64),
    Field::new("SMINTENABLE", Extension::SYSTEM_INTERRUPT.bits() as u64),
];

impl Capabilities {
    /// Returns the fields of a register; none if it is one number.
    #[must_use]
    pub const fn fields(at: Spr) -> &'static [Field] {
        match at.number() {
            944 => MMCR2,
            952 => MMCR0,
            956 => MMCR1,
            _ => &[],
        }
    }
}
