//! The prefix of a kernel's figures, and the group of processors that share targets.

use crate::identity::Identity;
use crate::kernel::Kernel;

impl Identity {
    /// The first word of its figures' names. RISC-V's says in which mode the kernel runs, too.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Rv64S | Self::Rv32S | Self::Rv64DeviceS => "riscv.s",
            Self::Rv64Sbi | Self::Rv64Sse | Self::Rv64Vs => "riscv.sbi",
            _ => self.kernel().figures(),
        }
    }
}

/// Units that are alike enough to have the same targets, in the order of the targets' columns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Group {
    /// x86's with one register that starts and stops all counters: Skylake, Zen 4.
    Global,
    /// x86's whose counters are started and stopped one by one: K8, Zen 2, Core Duo.
    Single,
    /// PMUv3: Cortex-A57.
    Arm,
    /// Book3S 64: POWER9.
    Book3s,
    /// PowerPC of 32 bits: 7450.
    Narrow,
    /// The P6 family, whose two counters have one enable bit.
    P6,
    /// The Pentium 4.
    Netburst,
    /// The Pentium, whose two counters have one register for their events and no interrupt.
    P5,
    /// SPARC V9: two counters in one register.
    Sparc,
    /// MIPS: R10000.
    Mips,
    /// LoongArch: LA464.
    LoongArch,
    /// RISC-V of 64 bits in machine mode.
    Riscv,
    /// RISC-V of 64 bits in supervisor mode, by registers that are selected.
    Delegated,
    /// Units that have no targets of their own: RISC-V's by calls to the firmware, its counters in halves, and those of a kernel
    /// that is new.
    Other,
}

impl Group {
    /// The number of groups.
    pub(super) const NUMBER: usize = 14;
    /// The number of those that the table has columns for. The other groups of x86 have the targets of [`Group::Single`], and
    /// SPARC, MIPS, LoongArch and RISC-V none, unless a row says otherwise.
    pub(super) const COLUMNS: usize = 5;

    /// That of an identity.
    pub(super) fn of(identity: Identity) -> Self {
        use Identity::{
            CoreDuo, Family10h, Family15h, K7, K8, P5, P5Mmx, Pentium4, PentiumII, PentiumIII, PentiumM, Prescott,
            Zen2, Zen3,
        };
        match (identity.kernel(), identity) {
            (_, PentiumII | PentiumIII | PentiumM) => Self::P6,
            (_, Pentium4 | Prescott) => Self::Netburst,
            (_, P5 | P5Mmx) => Self::P5,
            (_, CoreDuo | K7 | K8 | Family10h | Family15h | Zen2 | Zen3) => Self::Single,
            (Kernel::X86 | Kernel::I686 | Kernel::I486, _) => Self::Global,
            (Kernel::Aarch64, _) => Self::Arm,
            (Kernel::PowerPc64, _) => Self::Book3s,
            (Kernel::PowerPc32, _) => Self::Narrow,
            (Kernel::Sparc, _) => Self::Sparc,
            (Kernel::Mips64 | Kernel::Mips32, _) => Self::Mips,
            (Kernel::LoongArch, _) => Self::LoongArch,
            (Kernel::Riscv64, Identity::Rv64S | Identity::Rv64DeviceS) => Self::Delegated,
            (Kernel::Riscv64, Identity::Rv64M | Identity::Rv64DeviceM) => Self::Riscv,
            _ => Self::Other,
        }
    }
}
