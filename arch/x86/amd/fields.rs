//! The fields of AMD's registers, by the manual's names.
//!
//! Source: APM vol. 2, "Performance Monitoring Counters", figures of PerfEvtSeln, PERF_CTLn and PerfCntrGlobalCtl.

use super::capabilities::Capabilities;
use super::registers::Select;
use crate::arch::x86::Msr;
use crate::contract::Field;

/// PerfEvtSeln, PERF_CTLn.
const SELECT: &[Field] = &[
    Field::new("EventSelect[7:0]", Select::EVENT.bits()),
    Field::new("UnitMask", Select::UNIT_MASK.bits()),
    Field::new("Usr", Select::USER.bits()),
    Field::new("Os", Select::KERNEL.bits()),
    Field::new("Edge", Select::EDGE.bits()),
    Field::new("PC", Select::PIN_CONTROL.bits()),
    Field::new("Int", Select::INTERRUPT.bits()),
    Field::new("En", Select::ENABLE.bits()),
    Field::new("Inv", Select::INVERT.bits()),
    Field::new("CntMask", Select::THRESHOLD.bits()),
    Field::new("EventSelect[11:8]", Select::EVENT_HIGH.bits()),
    Field::new("GuestOnly", Select::GUEST_ONLY.bits()),
    Field::new("HostOnly", Select::HOST_ONLY.bits()),
    Field::new("PERF_CTL2[43]", Select::EXACT.bits()),
];
/// PerfCntrGlobalCtl.
const GLOBAL: &[Field] = &[Field::new("PerfCntrEn", 0xFFFF)];

impl Capabilities {
    /// Returns the fields of a register; none if it is one number.
    #[must_use]
    pub const fn fields(at: Msr) -> &'static [Field] {
        match at.address() {
            0xC001_0000..=0xC001_0003
            | 0xC001_0200
            | 0xC001_0202
            | 0xC001_0204
            | 0xC001_0206
            | 0xC001_0208
            | 0xC001_020A => SELECT,
            0xC000_0301 => GLOBAL,
            _ => &[],
        }
    }
}
