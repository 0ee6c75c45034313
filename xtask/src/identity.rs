//! On which processors can the test kernels run?

use std::fmt;

use clap::ValueEnum;

use crate::kernel::Kernel;

/// A processor, by the word on the kernel's command line; on x86 the kernel's own software stands for its unit, on
/// AArch64 it is QEMU's.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
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
    #[value(name = "zen4")]
    Zen4,
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
}

impl Identity {
    /// One identity if it was chosen, else all of them.
    pub(crate) fn chosen(one: Option<Self>) -> Vec<Self> {
        one.map_or_else(|| Self::value_variants().to_vec(), |identity| vec![identity])
    }

    /// The kernel that runs on it.
    pub(crate) fn kernel(self) -> Kernel {
        match self {
            Self::CoreDuo | Self::Core2 | Self::Nehalem | Self::Skylake | Self::SapphireRapids | Self::LionCove => {
                Kernel::X86
            }
            Self::Power8 | Self::Power9 | Self::Power10 | Self::Ppc970 => Kernel::PowerPc64,
            Self::Powernv8 | Self::Powernv9 | Self::Powernv10 => Kernel::PowerPc64,
            Self::Ppc750 | Self::Ppc7450 | Self::E300 => Kernel::PowerPc32,
            Self::K7 | Self::K8 | Self::Family10h | Self::Family15h | Self::Zen2 | Self::Zen4 => Kernel::X86,
            Self::CortexA53 | Self::CortexA57 | Self::CortexA72 | Self::CortexA76 => Kernel::Aarch64,
            Self::NeoverseN1 | Self::NeoverseV1 | Self::Max => Kernel::Aarch64,
        }
    }

    /// Does perf read what its kernel writes? One for each shape of a stack is enough: the stream knows no processor.
    pub(crate) fn is_read_by_perf(self) -> bool {
        matches!(self, Self::Skylake | Self::CortexA57)
    }

    /// Does the bench measure its driver? On x86 that is Intel's, by its name, and on 32-bit PowerPC the classic one.
    pub(crate) fn is_measured(self) -> bool {
        match self.kernel() {
            Kernel::X86 => matches!(
                self,
                Self::CoreDuo | Self::Core2 | Self::Nehalem | Self::Skylake | Self::SapphireRapids | Self::LionCove
            ),
            Kernel::Aarch64 => true,
            Kernel::PowerPc64 => !matches!(self, Self::Powernv8 | Self::Powernv9 | Self::Powernv10),
            Kernel::PowerPc32 => self != Self::E300,
        }
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
        let names: Vec<_> = Identity::chosen(None).iter().map(ToString::to_string).collect();
        let intel = ["core-duo", "core2", "nehalem", "skylake", "sapphire-rapids", "lion-cove"];
        let amd = ["k7", "k8", "family10h", "family15h", "zen2", "zen4"];
        let arm = ["cortex-a53", "cortex-a57", "cortex-a72", "cortex-a76", "neoverse-n1", "neoverse-v1", "max"];
        let power = ["power8", "power9", "power10", "powernv8", "powernv9", "powernv10", "970", "750", "7450", "e300"];
        assert_eq!(names, [&intel[..], &amd, &arm, &power].concat());
    }
}
