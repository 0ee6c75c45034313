//! The processor that the guest is shown, and the line from its unit.
//!
//! A hypervisor that shows its own processor takes `Identity::of_host` instead of a name.

use core::cell::Cell;

use pmu::arch::x86::access::Cpuid;
use pmu::arch::x86::guest::Identity;
use pmu::arch::x86::{CpuIdReader as _, CpuIdResult, amd, intel, netburst, p6};
use pmu::virt::{Kind, Kinds, Trigger};

/// The processors that Linux has a driver for, by their words on the command line.
const ALL: [(&str, Identity); 18] = [
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
    ("zen3", Identity::Amd(amd::Identity::ZEN_3)),
    ("zen4", Identity::Amd(amd::Identity::ZEN_4)),
    ("pentium-ii", Identity::P6(p6::Identity::PENTIUM_II)),
    ("pentium-iii", Identity::P6(p6::Identity::PENTIUM_III)),
    ("pentium-m", Identity::P6(p6::Identity::PENTIUM_M)),
    ("pentium4", Identity::Netburst(netburst::Identity::PENTIUM_4)),
    ("prescott", Identity::Netburst(netburst::Identity::PRESCOTT)),
];

/// What this host can observe: it has a clock that counts instructions, and may look at each.
pub const OBSERVED: Kinds = Kinds::CLOCK.with(Kind::Branches);

/// Returns the processor with this name. It announces no events that the host cannot observe, where there are
/// announcements of events.
pub fn named(name: &str) -> Option<Identity> {
    let (_, identity) = ALL.iter().find(|(other, _)| *other == name)?;
    Some(identity.fed_by(OBSERVED))
}

/// Returns a leaf of the processor underneath, without what the host does not give to its guest: the virtualisation, which
/// it uses itself, and the x2APIC and MONITOR, which it would have to follow.
pub fn beneath(leaf: u32, subleaf: u32) -> CpuIdResult {
    /// CPUID.01H:ECX (SDM volume 2, "CPUID - CPU Identification").
    const MONITOR: u32 = 1 << 3;
    const X2APIC: u32 = 1 << 21;
    /// CPUID Fn8000_0001_ECX (APM volume 3, appendix E).
    const SVM: u32 = 1 << 2;
    let native = Cpuid.cpuid2(leaf, subleaf);
    match leaf {
        1 => CpuIdResult { ecx: native.ecx & !(MONITOR | X2APIC), ..native },
        0x8000_0001 => CpuIdResult { ecx: native.ecx & !SVM, ..native },
        0x8000_000a => CpuIdResult { eax: 0, ebx: 0, ecx: 0, edx: 0 },
        _ => native,
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
