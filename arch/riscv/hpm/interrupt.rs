//! How overflows interrupt.
//!
//! Sources: "The RISC-V Instruction Set Manual, volume II", "Sscofpmf"; of T-Head's, the processor's own description in
//! hardware (openc906, gen_rtl/pmu/rtl/aq_hpcp_top.v, aq_hpcp_cntof_reg.v), with which OpenSBI's
//! platform/generic/thead/thead_c9xx_pmu.c and Linux' drivers/perf/riscv_pmu_sbi.c (interrupt 17) agree; of Andes', OpenSBI's
//! platform/generic/andes/andes_pmu.c and include/andes/andes.h, with which Andes' own QEMU (target/riscv/csr_andes.c:
//! mcounterovf is cleared by zeros, but on N25; helper of 2018: what interrupts is mcounterovf and mcounterinten) and HPMicro's
//! hpm_csr_regs.h (mip\[PMOVI\], bit 18, which is written) agree.

use super::extensions::Extensions;
use super::privilege::Privilege;
use crate::arch::riscv::Csr;

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
    /// By interrupt 18 of Andes' 45 series (PMOVI), which is pending while a counter has its bit in mcounterovf and in
    /// mcounterinten. mcycle and minstret interrupt too.
    Andes,
}

/// The registers of a mode that have a bit for each interrupt.
#[derive(Clone, Copy)]
pub(super) struct Local {
    /// Which are pending.
    pub(super) pending: Csr,
    /// Which are enabled.
    pub(super) enable: Csr,
}

/// The registers of an interrupt of a manufacturer's own, with a bit for each counter.
#[derive(Clone, Copy)]
pub(super) struct Own {
    /// Which counters have overflowed.
    pub(super) overflowed: Csr,
    /// Whose overflows interrupt.
    pub(super) interrupting: Csr,
}

impl Interrupt {
    /// Returns how the overflows of a processor with these extensions interrupt.
    #[inline(always)]
    pub(super) const fn of(extensions: Extensions) -> Self {
        match extensions {
            _ if extensions.contains(Extensions::SSCOFPMF) => Self::Sscofpmf,
            _ if extensions.contains(Extensions::THEAD) => Self::Thead,
            _ if extensions.contains(Extensions::ANDES) => Self::Andes,
            _ => Self::None,
        }
    }

    /// Returns where a supervisor has it: Andes' is delegated by mslideleg, and not by mideleg.
    #[inline(always)]
    pub(super) const fn in_supervisor(self) -> Local {
        match self {
            Self::None | Self::Sscofpmf | Self::Thead => Local { pending: Csr::SIP, enable: Csr::SIE },
            Self::Andes => Local { pending: Csr::SLIP, enable: Csr::SLIE },
        }
    }

    /// Returns the interrupt's number, which is that of its bit in mip and mie; `None` if nothing interrupts. To a supervisor it
    /// is that of the bit in sip and sie; of Andes' in slip and slie.
    #[inline(always)]
    #[must_use]
    pub const fn number(self) -> Option<u32> {
        match self {
            Self::None => None,
            Self::Sscofpmf => Some(super::Capabilities::INTERRUPT),
            Self::Thead => Some(17),
            Self::Andes => Some(18),
        }
    }

    /// Returns the number in the cause (mcause, scause) of the interrupt in this mode: to a supervisor Andes' has 256 more.
    #[inline(always)]
    #[must_use]
    pub const fn cause(self, privilege: Privilege) -> Option<u32> {
        match (self, privilege) {
            (Self::Andes, Privilege::Supervisor) => Some(256 + 18),
            _ => self.number(),
        }
    }

    /// Returns its own registers, if it is a manufacturer's.
    #[inline(always)]
    pub(super) const fn own(self) -> Option<Own> {
        match self {
            Self::None | Self::Sscofpmf => None,
            Self::Thead => Some(Own { overflowed: Csr::MCOUNTEROF, interrupting: Csr::MCOUNTERINTEN }),
            Self::Andes => Some(Own { overflowed: Csr::MCOUNTEROVF, interrupting: Csr::MCOUNTERINTEN_OF_ANDES }),
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
