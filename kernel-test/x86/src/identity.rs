//! Which processor the guest believes it runs on.

use harness::{Disguise, Named, Presented};
use pmu::arch::x86::access::Cpuid;
use pmu::arch::x86::lbr;
use pmu::arch::x86::{CpuIdReader as _, CpuIdResult, amd, intel, netburst, p5, p6};

/// A processor that can be presented, by its name on the command line.
#[derive(Debug)]
pub struct Identity {
    /// The name.
    pub name: &'static str,
    /// The processor.
    pub processor: Processor,
}

/// A processor of one of the families.
#[derive(Debug)]
pub enum Processor {
    /// Intel's.
    Intel(intel::Identity),
    /// AMD's.
    Amd(amd::Identity),
    /// A Pentium 4.
    Netburst(netburst::Identity),
    /// One of the P6 family, which has no 64-bit mode.
    P6(p6::Identity),
    /// A Pentium, which has none either.
    P5(p5::Identity),
}

/// The same question to whichever identity it is.
macro_rules! whichever {
    ($self:ident, $identity:ident => $answer:expr) => {
        match $self {
            Self::Intel($identity) => $answer,
            Self::Amd($identity) => $answer,
            Self::Netburst($identity) => $answer,
            Self::P6($identity) => $answer,
            Self::P5($identity) => $answer,
        }
    };
}

const fn intel(name: &'static str, identity: intel::Identity) -> Identity {
    Identity { name, processor: Processor::Intel(identity) }
}

const fn amd(name: &'static str, identity: amd::Identity) -> Identity {
    Identity { name, processor: Processor::Amd(identity) }
}

const fn netburst(name: &'static str, identity: netburst::Identity) -> Identity {
    Identity { name, processor: Processor::Netburst(identity) }
}

const fn p6(name: &'static str, identity: p6::Identity) -> Identity {
    Identity { name, processor: Processor::P6(identity) }
}

const fn p5(name: &'static str, identity: p5::Identity) -> Identity {
    Identity { name, processor: Processor::P5(identity) }
}

/// Every processor that can be presented.
pub const ALL: &[Identity] = &[
    intel("core-duo", intel::Identity::CORE_DUO),
    intel("core2", intel::Identity::CORE_2),
    intel("nehalem", intel::Identity::NEHALEM),
    intel("skylake", intel::Identity::SKYLAKE.with_sampling(0x3c0)),
    intel("sapphire-rapids", intel::Identity::SAPPHIRE_RAPIDS.with_sampling(0x44c0)),
    intel("lion-cove", intel::Identity::LION_COVE),
    amd("k7", amd::Identity::K7),
    amd("k8", amd::Identity::K8),
    amd("family10h", amd::Identity::FAMILY_10H.with_sampling(0x1f)),
    amd("family15h", amd::Identity::FAMILY_15H),
    amd("zen2", amd::Identity::ZEN_2.with_sampling(0x3ff)),
    amd("zen3", amd::Identity::ZEN_3),
    amd("zen4", amd::Identity::ZEN_4.with_sampling(0xbff)),
    p5("p5", p5::Identity::P5),
    p5("p5-mmx", p5::Identity::P5_MMX),
    p6("pentium-ii", p6::Identity::PENTIUM_II),
    p6("pentium-iii", p6::Identity::PENTIUM_III),
    p6("pentium-m", p6::Identity::PENTIUM_M),
    netburst("pentium4", netburst::Identity::PENTIUM_4),
    netburst("prescott", netburst::Identity::PRESCOTT),
];

/// The one that is presented unless the command line says otherwise.
pub const USUAL: &Identity = &ALL[3];

/// The processor that the host presents in this boot.
pub static PRESENTED: Presented<Identity> = Presented::new();

/// The processor that the host presents in this boot.
pub fn presented() -> &'static Identity {
    PRESENTED.get()
}

impl Named for Identity {
    fn name(&self) -> &str {
        self.name
    }
}

impl Identity {
    /// One processor of each driver tries every instruction, the others every third.
    pub fn share(&self) -> (u64, usize) {
        const ALL_OF_THEM: [&str; 6] = ["core-duo", "skylake", "k8", "zen4", "pentium-iii", "pentium4"];
        if ALL_OF_THEM.contains(&self.name) {
            return (1, 1);
        }
        let place = ALL.iter().position(|identity| identity.name == self.name).unwrap_or(0);
        (place as u64 % 3 + 1, 3)
    }

    /// What `cpuid` returns there.
    pub fn cpuid(&self, leaf: u32, subleaf: u32, disguise: Disguise) -> CpuIdResult {
        let presented = self.processor.cpuid(leaf, subleaf);
        match disguise {
            Disguise::Hidden => without_unit(leaf, presented),
            Disguise::Stranger => of_another_vendor(leaf, presented),
            Disguise::None | Disguise::SwallowsWrites | Disguise::Silent => presented,
        }
    }

    /// What IA32_MISC_ENABLE reads, where it says that there is a unit.
    pub fn misc_enable(&self, disguise: Disguise) -> Option<u64> {
        match &self.processor {
            Processor::Netburst(_) if disguise == Disguise::Hidden => Some(0),
            Processor::Netburst(identity) => Some(identity.misc()),
            // Nothing of what it announces is withheld.
            Processor::Intel(_) if self.processor.has_precise_sampling() => Some(0),
            _ => None,
        }
    }
}

impl Processor {
    /// Its name, as people write it.
    pub fn name(&self) -> &'static str {
        whichever!(self, identity => identity.name())
    }

    /// Family, model and stepping, as CPUID packs them.
    pub fn signature(&self) -> u32 {
        whichever!(self, identity => identity.signature())
    }

    /// The boundary, in bytes, that a data reference crosses to be misaligned, by the processor's
    /// manual; `None` where the manual names none.
    pub fn misaligned_across(&self) -> Option<u64> {
        match self {
            Self::Intel(identity) => identity.misaligned_across(),
            Self::Amd(identity) => identity.capabilities().microarchitecture.misaligned_across(),
            // 64 bits (SDM vol. 3, table of the P6 family's events, MISALIGN_MEM_REF).
            Self::P6(_) => Some(8),
            Self::Netburst(_) | Self::P5(_) => None,
        }
    }

    /// Has it the instruction that reads a counter? A Pentium without MMX has not.
    pub fn has_rdpmc(&self) -> bool {
        !matches!(self, Self::P5(identity) if !identity.capabilities().has_mmx)
    }

    /// Does it announce instruction-based sampling?
    pub fn has_sampling(&self) -> bool {
        matches!(self, Self::Amd(identity) if amd::ibs::Capabilities::discover(identity).is_ok())
    }

    /// Does it announce precise sampling, in this image? With registers of 32 bits the debug store has another layout.
    pub fn has_precise_sampling(&self) -> bool {
        let Self::Intel(identity) = self else { return false };
        let announced = identity.capabilities().perf_capabilities.unwrap_or_default();
        cfg!(target_pointer_width = "64") && announced.intersects(intel::PerfCapabilities::SAMPLING)
    }

    /// Has it an overflow interrupt?
    pub fn has_interrupts(&self) -> bool {
        !matches!(self, Self::P5(_))
    }

    /// Does it mask the local APIC's entry as it delivers an overflow?
    pub fn masks_line(&self) -> bool {
        match self {
            Self::Intel(_) | Self::Netburst(_) => true,
            Self::P6(identity) => identity.capabilities().model == p6::Model::PentiumM,
            Self::Amd(_) | Self::P5(_) => false,
        }
    }

    /// The recorder of its branches, if it has one.
    pub fn recorder(&self) -> Option<lbr::Capabilities> {
        whichever!(self, identity => lbr::Capabilities::of_model(identity))
    }

    fn cpuid(&self, leaf: u32, subleaf: u32) -> CpuIdResult {
        let beneath = |leaf, subleaf| as_bare_metal(leaf, Cpuid.cpuid2(leaf, subleaf));
        let of_unit = whichever!(self, identity => identity.cpuid(leaf, subleaf, &beneath));
        self.recorder().map_or(of_unit, |recorder| recorder.cpuid(leaf, subleaf, of_unit))
    }
}

/// The processor underneath, without the host: no hypervisor, no virtualisation of its own, and an
/// x2APIC, which the host answers for.
fn as_bare_metal(leaf: u32, native: CpuIdResult) -> CpuIdResult {
    /// CPUID.01H:ECX (Intel SDM volume 2, "CPUID - CPU Identification").
    const X2APIC: u32 = 1 << 21;
    /// The same; AMD APM volume 3, appendix E, "Function 1h".
    const HYPERVISOR: u32 = 1 << 31;
    /// CPUID Fn8000_0001_ECX (AMD APM volume 3, appendix E).
    const VIRTUALISATION: u32 = 1 << 2;
    let ecx = match leaf {
        1 => native.ecx & !HYPERVISOR | X2APIC,
        0x8000_0001 => native.ecx & !VIRTUALISATION,
        _ => native.ecx,
    };
    CpuIdResult { ecx, ..native }
}

/// The same leaf of a processor that has no unit.
fn without_unit(leaf: u32, presented: CpuIdResult) -> CpuIdResult {
    /// CPUID.01H:ECX: there is IA32_PERF_CAPABILITIES (PDCM).
    const CAPABILITIES: u32 = 1 << 15;
    /// CPUID Fn8000_0001_ECX: there are six core counters (AMD APM volume 3, appendix E).
    const CORE_COUNTERS: u32 = 1 << 23;
    match leaf {
        1 => CpuIdResult { ecx: presented.ecx & !CAPABILITIES, ..presented },
        0x8000_0001 => CpuIdResult { ecx: presented.ecx & !CORE_COUNTERS, ..presented },
        // "Architectural Performance Monitoring", and its extension; AMD's version 2.
        0xa | 0x23 | 0x8000_0022 => CpuIdResult { eax: 0, ebx: 0, ecx: 0, edx: 0 },
        _ => presented,
    }
}

/// The same leaf of a processor that nobody knows.
fn of_another_vendor(leaf: u32, presented: CpuIdResult) -> CpuIdResult {
    // "UnknownVendr" in the order in which leaf 0 has it: EBX, EDX, ECX.
    let [ebx, edx, ecx] = [u32::from_le_bytes(*b"Unkn"), u32::from_le_bytes(*b"ownV"), u32::from_le_bytes(*b"endr")];
    if leaf == 0 { CpuIdResult { ebx, edx, ecx, ..presented } } else { presented }
}
