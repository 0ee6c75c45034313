//! The fields of %pcr, by the manual's names.
//!
//! Source: "UltraSPARC T1 Supplement" and "OpenSPARC T2 Programmer's Reference Manual", "Performance Instrumentation".

use super::capabilities::Capabilities;
use super::registers::{Pcr, PcrT1};
use crate::arch::sparc::Asr;
use crate::contract::Field;

/// T2 and later. The upper four bits of a selection are the event, the lower eight its mask.
const T2: &[Field] = &[
    Field::new("PRIV", Pcr::PRIVILEGED.bits()),
    Field::new("ST", Pcr::KERNEL.bits()),
    Field::new("UT", Pcr::USER.bits()),
    Field::new("HT", Pcr::HYPERVISOR.bits()),
    Field::new("TOE0", Pcr::TRAP_0.bits()),
    Field::new("TOE1", Pcr::TRAP_1.bits()),
    Field::new("OV0", Pcr::OVERFLOW_0.bits()),
    Field::new("OV1", Pcr::OVERFLOW_1.bits()),
    Field::new("MASK0", 0xFF << 6),
    Field::new("SL0", 0xF << 14),
    Field::new("MASK1", 0xFF << 19),
    Field::new("SL1", 0xF << 27),
    Field::new("HOLD0", Pcr::HOLD_0.bits()),
    Field::new("HOLD1", Pcr::HOLD_1.bits()),
];

impl Capabilities {
    /// Returns the fields of a register; none if it is one number.
    #[must_use]
    pub const fn fields(&self, at: Asr) -> &'static [Field] {
        match at {
            Asr::Pcr if self.is_t1() => PcrT1::FIELDS,
            Asr::Pcr => T2,
            Asr::Pic => &[],
        }
    }
}
