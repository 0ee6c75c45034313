//! How overflows interrupt.
//!
//! Sources: "The RISC-V Instruction Set Manual, volume II", "Sscofpmf"; of T-Head's, the processor's own description in
//! hardware (openc906, gen_rtl/pmu/rtl/aq_hpcp_top.v, aq_hpcp_cntof_reg.v), with which OpenSBI's
//! platform/generic/thead/thead_c9xx_pmu.c and Linux' drivers/perf/riscv_pmu_sbi.c (interrupt 17) agree.

/// How overflows interrupt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Interrupt {
    /// They do not.
    None,
    /// By the local interrupt 13 (LCOFI): a counter's OF is in its selection, and the interrupt is pending until it is cleared.
    /// mcycle and minstret do not interrupt.
    Sscofpmf,
    /// By interrupt 17 of T-Head's C906 and C910, which is pending while a counter has its bit in mcounterof and in
    /// mcounterinten. mcycle and minstret interrupt too.
    Thead,
}

impl Interrupt {
    /// Returns the interrupt's number, which is that of its bit in mip and mie, and of the cause; `None` if nothing interrupts.
    #[inline(always)]
    #[must_use]
    pub const fn number(self) -> Option<u32> {
        match self {
            Self::None => None,
            Self::Sscofpmf => Some(super::LCOFI),
            Self::Thead => Some(17),
        }
    }

    /// Returns its bit.
    #[inline(always)]
    pub(super) const fn bit(self) -> u64 {
        match self.number() {
            Some(number) => 1 << number,
            None => 0,
        }
    }
}
