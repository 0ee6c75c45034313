//! The fields of AMD's registers, by the manual's names.
//!
//! Source: APM vol. 2, "Performance Monitoring Counters", figures of PerfEvtSeln, PERF_CTLn and PerfCntrGlobalCtl.

use super::capabilities::Capabilities;
use super::registers::Select;
use crate::arch::x86::Msr;
use crate::contract::Field;

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
            | 0xC001_020A => Select::FIELDS,
            0xC000_0301 => GLOBAL,
            _ => &[],
        }
    }
}
