//! The processors that the test kernels can run on.

use std::fmt;

use clap::ValueEnum;

/// A processor, by the word on the kernel's command line. On x86 the kernel's own software is its unit, on AArch64
/// QEMU's. RISC-V's are named by the mode that the kernel runs in: machine mode, or supervisor mode by delegation, or
/// under a firmware that has the unit, and interrupts by LCOFI or by its software event (SSE); or in VS beneath the example
/// hypervisor, which is such a firmware; `rv32-m-plain` is machine mode without Sscofpmf.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, ValueEnum)]
pub(crate) enum Identity {
    CoreDuo,
    #[value(name = "core2")]
    Core2,
    Nehalem,
    Skylake,
    SapphireRapids,
    LionCove,
    K7,
    K8,
    #[value(name = "family10h")]
    Family10h,
    #[value(name = "family15h")]
    Family15h,
    #[value(name = "zen2")]
    Zen2,
    #[value(name = "zen3")]
    Zen3,
    #[value(name = "zen4")]
    Zen4,
    #[value(name = "p5")]
    P5,
    #[value(name = "p5-mmx")]
    P5Mmx,
    #[value(name = "pentium-ii")]
    PentiumII,
    #[value(name = "pentium-iii")]
    PentiumIII,
    PentiumM,
    #[value(name = "pentium4")]
    Pentium4,
    Prescott,
    CortexA53,
    CortexA57,
    CortexA72,
    CortexA76,
    NeoverseN1,
    NeoverseV1,
    Max,
    #[value(name = "power8")]
    Power8,
    #[value(name = "power9")]
    Power9,
    #[value(name = "power10")]
    Power10,
    #[value(name = "powernv8")]
    Powernv8,
    #[value(name = "powernv9")]
    Powernv9,
    #[value(name = "powernv10")]
    Powernv10,
    #[value(name = "970")]
    Ppc970,
    #[value(name = "750")]
    Ppc750,
    #[value(name = "7450")]
    Ppc7450,
    #[value(name = "e300")]
    E300,
    #[value(name = "e500")]
    E500,
    #[value(name = "ultrasparc-ii")]
    UltraSparcII,
    #[value(name = "ultrasparc-iii")]
    UltraSparcIII,
    #[value(name = "ultrasparc-iv-plus")]
    UltraSparcIVPlus,
    #[value(name = "ultrasparc-t1")]
    UltraSparcT1,
    #[value(name = "ultrasparc-t2")]
    UltraSparcT2,
    #[value(name = "r10000")]
    R10000,
    #[value(name = "r10000-v2")]
    R10000V2,
    #[value(name = "r12000")]
    R12000,
    #[value(name = "r14000")]
    R14000,
    #[value(name = "mips-5k")]
    Mips5K,
    #[value(name = "mips-20k")]
    Mips20K,
    #[value(name = "octeon")]
    Octeon,
    #[value(name = "octeon-ii")]
    OcteonII,
    #[value(name = "mips-24k")]
    Mips24K,
    #[value(name = "mips-34k")]
    Mips34K,
    #[value(name = "mips-74k")]
    Mips74K,
    #[value(name = "mips-1004k")]
    Mips1004K,
    #[value(name = "loongson-3a5000")]
    Loongson3A5000,
    #[value(name = "rv64-m")]
    Rv64M,
    #[value(name = "rv64-s")]
    Rv64S,
    #[value(name = "rv64-sbi")]
    Rv64Sbi,
    #[value(name = "rv64-sse")]
    Rv64Sse,
    #[value(name = "rv64-vs")]
    Rv64Vs,
    #[value(name = "rv64-device-m")]
    Rv64DeviceM,
    #[value(name = "rv64-device-s")]
    Rv64DeviceS,
    #[value(name = "rv32-m")]
    Rv32M,
    #[value(name = "rv32-s")]
    Rv32S,
    #[value(name = "rv32-m-plain")]
    Rv32MPlain,
}

impl Identity {
    /// Returns true if its unit interrupts on overflow. A Pentium's, an UltraSPARC II's and a RISC-V unit's without Sscofpmf do
    /// not: they can be sampled by a timer only.
    pub(crate) fn has_interrupts(self) -> bool {
        !matches!(self, Self::P5 | Self::P5Mmx | Self::UltraSparcII | Self::Rv32MPlain)
    }

    /// Returns true if the bench is run on it. On a device that answers RISC-V's driver it would print what it prints on QEMU's
    /// own unit, by the software event and beneath the hypervisor what it prints by LCOFI, and without interrupts less than
    /// with them.
    pub(crate) fn is_measured(self) -> bool {
        !matches!(self, Self::Rv64DeviceM | Self::Rv64DeviceS | Self::Rv64Sse | Self::Rv64Vs | Self::Rv32MPlain)
    }

    /// Returns true if the runs in the layouts of other tools can be made on it: of MIPS perfex was made for R10000
    /// and its successors.
    pub(crate) fn has_shows(self) -> bool {
        self.has_interrupts() && !matches!(self, Self::Mips5K | Self::Mips20K | Self::Octeon | Self::OcteonII)
    }

    /// Returns true if the runs in the layouts of other tools are made on it in a test: on one processor of each driver and of
    /// each list of those tools' names.
    pub(crate) fn is_shown(self) -> bool {
        let intel = matches!(self, Self::CoreDuo | Self::Core2 | Self::Skylake | Self::PentiumIII | Self::Pentium4);
        let amd = matches!(self, Self::K7 | Self::K8 | Self::Zen4);
        intel || amd || matches!(self, Self::CortexA57 | Self::NeoverseV1 | Self::R10000 | Self::R12000)
    }

    /// Returns true if the kernel presents it with instruction-based sampling.
    pub(crate) fn has_ibs(self) -> bool {
        matches!(self, Self::Family10h | Self::Zen2 | Self::Zen4)
    }

    /// Returns true if perf reads its kernel's stream in a test. One identity for each layout of the stack is enough,
    /// because the stream does not depend on the processor, and one whose samples have branches.
    pub(crate) fn is_read_by_perf(self) -> bool {
        matches!(self, Self::Skylake | Self::CortexA57 | Self::Rv64M)
    }
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.to_possible_value().expect("no identity is hidden from the command line");
        f.write_str(value.get_name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identities_have_the_names_that_the_kernel_knows() {
        let names: Vec<_> = Identity::value_variants().iter().map(ToString::to_string).collect();
        let intel = ["core-duo", "core2", "nehalem", "skylake", "sapphire-rapids", "lion-cove"];
        let amd = ["k7", "k8", "family10h", "family15h", "zen2", "zen3", "zen4"];
        let pentium = ["p5", "p5-mmx"];
        let p6 = ["pentium-ii", "pentium-iii", "pentium-m"];
        let netburst = ["pentium4", "prescott"];
        let arm = ["cortex-a53", "cortex-a57", "cortex-a72", "cortex-a76", "neoverse-n1", "neoverse-v1", "max"];
        let power = ["power8", "power9", "power10", "powernv8", "powernv9", "powernv10", "970"];
        let narrow = ["750", "7450", "e300", "e500"];
        let sparc = ["ultrasparc-ii", "ultrasparc-iii", "ultrasparc-iv-plus", "ultrasparc-t1", "ultrasparc-t2"];
        let mips64 = ["r10000", "r10000-v2", "r12000", "r14000", "mips-5k", "mips-20k", "octeon", "octeon-ii"];
        let mips32 = ["mips-24k", "mips-34k", "mips-74k", "mips-1004k"];
        let riscv = ["rv64-m", "rv64-s", "rv64-sbi", "rv64-sse", "rv64-vs", "rv64-device-m", "rv64-device-s"];
        let riscv = [&riscv[..], &["rv32-m", "rv32-s", "rv32-m-plain"]].concat();
        let old = [&intel[..], &amd, &pentium, &p6, &netburst].concat();
        assert_eq!(
            names,
            [&old[..], &arm, &power, &narrow, &sparc, &mips64, &mips32, &["loongson-3a5000"], &riscv].concat()
        );
    }
}
