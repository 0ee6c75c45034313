//! The fields of PerfCtl, by the manual's names.
//!
//! Source: "MIPS32 Architecture For Programmers, volume III", "Performance Counter Register"; "MIPS MT" for VPEID,
//! MT_EN and TCID.

use super::capabilities::Capabilities;
use super::registers::PerfCtl;
use crate::arch::mips::Cp0;
use crate::contract::Field;

const PERF_CTL: &[Field] = &[
    Field::new("EXL", PerfCtl::EXCEPTION.bits() as u64),
    Field::new("K", PerfCtl::KERNEL.bits() as u64),
    Field::new("S", PerfCtl::SUPERVISOR.bits() as u64),
    Field::new("U", PerfCtl::USER.bits() as u64),
    Field::new("IE", PerfCtl::INTERRUPT.bits() as u64),
    Field::new("Event", PerfCtl::EVENT.bits() as u64),
    Field::new("VPEID", PerfCtl::VPE.bits() as u64),
    Field::new("MT_EN", PerfCtl::THREADS.bits() as u64),
    Field::new("TCID", PerfCtl::TC.bits() as u64),
    Field::new("W", PerfCtl::WIDE.bits() as u64),
    Field::new("M", PerfCtl::MORE.bits() as u64),
];

impl Capabilities {
    /// Returns the fields of a register; none if it is one number.
    #[must_use]
    pub const fn fields(at: Cp0) -> &'static [Field] {
        match (at.number(), at.select()) {
            (25, 0 | 2 | 4 | 6) => PERF_CTL,
            _ => &[],
        }
    }
}
