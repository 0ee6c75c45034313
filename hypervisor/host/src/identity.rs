//! The processor that the guest is shown, and its unit.
//!
//! A hypervisor that shows its own processor takes `Identity::of_host` instead of a name.

use core::cell::Cell;

use pmu::arch::x86::access::Cpuid;
use pmu::arch::x86::{CpuIdReader as _, CpuIdResult, Index, Msr, amd, intel, netburst, p6};
use pmu::virt::{Device, Fault, Kind, Kinds, Trigger};

/// A processor of one of the families that Linux has a driver for.
#[derive(Clone, Copy, Debug)]
pub enum Identity {
    /// With Intel's architectural unit.
    Intel(intel::Identity),
    /// AMD's.
    Amd(amd::Identity),
    /// A Pentium 4.
    Netburst(netburst::Identity),
    /// One of the P6 family.
    P6(p6::Identity),
}

/// The same question to whichever identity it is.
macro_rules! whichever {
    ($self:ident, $identity:ident => $answer:expr) => {
        match $self {
            Self::Intel($identity) => $answer,
            Self::Amd($identity) => $answer,
            Self::Netburst($identity) => $answer,
            Self::P6($identity) => $answer,
        }
    };
}

/// The processors, by their words on the command line.
const ALL: [(&str, Identity); 17] = [
    ("core-duo", Identity::Intel(intel::Identity::CORE_DUO)),
    ("core2", Identity::Intel(intel::Identity::CORE_2)),
    ("nehalem", Identity::Intel(intel::Identity::NEHALEM)),
    ("skylake", Identity::Intel(intel::Identity::SKYLAKE)),
    ("sapphire-rapids", Identity::Intel(intel::Identity::SAPPHIRE_RAPIDS)),
    ("lion-cove", Identity::Intel(intel::Identity::LION_COVE)),
    ("k7", Identity::Amd(amd::Identity::K7)),
    ("k8", Identity::Amd(amd::Identity::K8)),
    ("family10h", Identity::Amd(amd::Identity::FAMILY_10H)),
    ("family15h", Identity::Amd(amd::Identity::FAMILY_15H)),
    ("zen2", Identity::Amd(amd::Identity::ZEN_2)),
    ("zen4", Identity::Amd(amd::Identity::ZEN_4)),
    ("pentium-ii", Identity::P6(p6::Identity::PENTIUM_II)),
    ("pentium-iii", Identity::P6(p6::Identity::PENTIUM_III)),
    ("pentium-m", Identity::P6(p6::Identity::PENTIUM_M)),
    ("pentium4", Identity::Netburst(netburst::Identity::PENTIUM_4)),
    ("prescott", Identity::Netburst(netburst::Identity::PRESCOTT)),
];

impl Identity {
    /// Returns the processor with this name. It announces no events that the host cannot observe, where there are
    /// announcements of events.
    pub fn named(name: &str) -> Option<Self> {
        let (_, identity) = ALL.iter().find(|(other, _)| *other == name)?;
        Some(match *identity {
            Self::Intel(identity) => Self::Intel(identity.fed_by(OBSERVED)),
            identity => identity,
        })
    }

    /// Returns what the guest's CPUID returns: the identity over the processor underneath.
    pub fn cpuid(&self, leaf: u32, subleaf: u32) -> CpuIdResult {
        let beneath = |leaf, subleaf| without_hosts_own(leaf, Cpuid.cpuid2(leaf, subleaf));
        whichever!(self, identity => identity.cpuid(leaf, subleaf, &beneath))
    }

    /// Returns true if the processor masks LVTPC when it delivers the interrupt.
    pub fn masks_line(&self) -> bool {
        match self {
            Self::Intel(_) | Self::Netburst(_) => true,
            Self::P6(identity) => identity.capabilities().model == p6::Model::PentiumM,
            Self::Amd(_) => false,
        }
    }

    /// Returns true if it is Intel's.
    pub fn is_intels(&self) -> bool {
        !matches!(self, Self::Amd(_))
    }
}

/// A leaf of the processor underneath, without what the host does not give to its guest: the virtualisation, which it
/// uses itself, and the x2APIC and MONITOR, which it would have to follow.
fn without_hosts_own(leaf: u32, native: CpuIdResult) -> CpuIdResult {
    /// CPUID.01H:ECX (SDM volume 2, "CPUID - CPU Identification").
    const MONITOR: u32 = 1 << 3;
    const X2APIC: u32 = 1 << 21;
    /// CPUID Fn8000_0001_ECX (APM volume 3, appendix E).
    const SVM: u32 = 1 << 2;
    match leaf {
        1 => CpuIdResult { ecx: native.ecx & !(MONITOR | X2APIC), ..native },
        0x8000_0001 => CpuIdResult { ecx: native.ecx & !SVM, ..native },
        0x8000_000a => CpuIdResult { eax: 0, ebx: 0, ecx: 0, edx: 0 },
        _ => native,
    }
}

/// What the virtual CPU asks of a family's unit.
pub trait Unit: Device<Address = Msr, Index = Index> {
    /// Reads IA32_DEBUGCTL, which freezes Intel's counters. Other units do not use it.
    fn debug_control(&self) -> u64 {
        0
    }

    /// Writes it.
    fn set_debug_control(&self, _: u64) -> Result<(), Fault> {
        Ok(())
    }
}

impl<T: Trigger> Unit for amd::Device<T> {}
impl<T: Trigger> Unit for netburst::Device<T> {}
impl<T: Trigger> Unit for p6::Device<T> {}

impl<T: Trigger> Unit for intel::Device<T> {
    fn debug_control(&self) -> u64 {
        self.state().debug_control
    }

    fn set_debug_control(&self, value: u64) -> Result<(), Fault> {
        self.set_debug_control(intel::DebugControl::from_bits(value).ok_or(Fault::Reserved)?);
        Ok(())
    }
}

/// The line from the unit to the local APIC.
#[derive(Debug, Default)]
pub struct Line(Cell<bool>);

impl Line {
    /// Returns true if a counter has overflowed since this was asked last.
    pub fn take(&self) -> bool {
        self.0.take()
    }
}

impl Trigger for Line {
    fn interrupt(&self) {
        self.0.set(true);
    }
}

/// What this host can observe: it has a clock that counts instructions, and may look at each.
pub const OBSERVED: Kinds = Kinds::CLOCK.with(Kind::Branches);
