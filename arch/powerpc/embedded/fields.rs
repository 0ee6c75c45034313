//! The fields of the embedded cores' registers, by the manual's names.
//!
//! Source: "PowerPC e500 Core Family Reference Manual", sections of PMGC0, PMLCan and PMLCbn; "e500mc Core Reference
//! Manual" for FCGS1 and FCGS0.

use super::capabilities::Capabilities;
use super::registers::{Global, Local, Threshold};
use crate::arch::powerpc::Pmr;
use crate::contract::Field;

const PMGC0: &[Field] = &[
    Field::new("FAC", Global::FREEZE.bits() as u64),
    Field::new("PMIE", Global::INTERRUPT.bits() as u64),
    Field::new("FCECE", Global::FREEZE_ON_CONDITION.bits() as u64),
    Field::new("TBSEL", Global::TIME_BASE_BIT.bits() as u64),
    Field::new("TBEE", Global::TIME_BASE.bits() as u64),
];
const PMLCA: &[Field] = &[
    Field::new("FC", Local::FREEZE.bits() as u64),
    Field::new("FCS", Local::FREEZE_SUPERVISOR.bits() as u64),
    Field::new("FCU", Local::FREEZE_USER.bits() as u64),
    Field::new("FCM1", Local::FREEZE_MARKED.bits() as u64),
    Field::new("FCM0", Local::FREEZE_UNMARKED.bits() as u64),
    Field::new("CE", Local::CONDITION.bits() as u64),
    Field::new("EVENT", Local::EVENT.bits() as u64),
    Field::new("FCGS1", Local::FREEZE_GUEST.bits() as u64),
    Field::new("FCGS0", Local::FREEZE_HYPERVISOR.bits() as u64),
];
const PMLCB: &[Field] = &[
    Field::new("THRESHMUL", Threshold::MULTIPLIER.bits() as u64),
    Field::new("THRESHOLD", Threshold::VALUE.bits() as u64),
];

impl Capabilities {
    /// Returns the fields of a register; none if it is one number.
    #[must_use]
    pub const fn fields(at: Pmr) -> &'static [Field] {
        match at.number() {
            384 | 400 => PMGC0,
            144..=147 => PMLCA,
            272..=275 => PMLCB,
            _ => &[],
        }
    }
}
