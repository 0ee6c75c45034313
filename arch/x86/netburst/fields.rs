//! The fields of the Pentium 4's registers, by the manual's names.
//!
//! Source: SDM vol. 3, figures "Event Selection Control Register (ESCR)" and "Counter Configuration Control Register (CCCR)".

use super::capabilities::Capabilities;
use super::registers::{Cccr, Escr, PebsEnable};
use crate::arch::x86::Msr;
use crate::contract::Field;

const ESCR: &[Field] = &[
    Field::new("T1_USR", Escr::T1_USER.bits()),
    Field::new("T1_OS", Escr::T1_KERNEL.bits()),
    Field::new("T0_USR", Escr::T0_USER.bits()),
    Field::new("T0_OS", Escr::T0_KERNEL.bits()),
    Field::new("TagEnable", Escr::TAG_ENABLE.bits()),
    Field::new("TagValue", Escr::TAG.bits()),
    Field::new("EventMask", Escr::EVENT_MASK.bits()),
    Field::new("EventSelect", Escr::EVENT.bits()),
];
const CCCR: &[Field] = &[
    Field::new("Enable", Cccr::ENABLE.bits()),
    Field::new("EscrSelect", Cccr::ESCR_SELECT.bits()),
    Field::new("ActiveThread", Cccr::ACTIVE_THREAD.bits()),
    Field::new("Compare", Cccr::COMPARE.bits()),
    Field::new("Complement", Cccr::COMPLEMENT.bits()),
    Field::new("Threshold", Cccr::THRESHOLD.bits()),
    Field::new("Edge", Cccr::EDGE.bits()),
    Field::new("FORCE_OVF", Cccr::FORCE_OVERFLOW.bits()),
    Field::new("OVF_PMI_T0", Cccr::INTERRUPT_T0.bits()),
    Field::new("OVF_PMI_T1", Cccr::INTERRUPT_T1.bits()),
    Field::new("Cascade", Cccr::CASCADE.bits()),
    Field::new("OVF", Cccr::OVERFLOW.bits()),
];
/// IA32_PEBS_ENABLE.
const PEBS: &[Field] = &[
    Field::new("Metrics", PebsEnable::METRICS.bits()),
    Field::new("Branches", PebsEnable::BRANCHES.bits()),
    Field::new("ENABLE_PEBS_UOP_TAG", PebsEnable::UOP_TAG.bits()),
    Field::new("ENABLE_PEBS_MY_THR", PebsEnable::MY_THREAD.bits()),
    Field::new("ENABLE_PEBS_OTH_THR", PebsEnable::OTHER_THREAD.bits()),
];

impl Capabilities {
    /// Returns the fields of a register; none if it is one number.
    #[must_use]
    pub const fn fields(at: Msr) -> &'static [Field] {
        match at.address() {
            0x360..=0x371 => CCCR,
            0x3F1 => PEBS,
            0x3A0..=0x3E1 => ESCR,
            _ => &[],
        }
    }
}
