//! Which microarchitecture a processor has, as far as its unit differs for it.
//!
//! Source: SDM vol. 4, table "CPUID Signature Values of DisplayFamily_DisplayModel"; for the later
//! ones the map of models to event lists of intel/perfmon.

/// Which of its processor's cores this is: a hybrid processor has large and small ones, all of one model
/// (SDM vol. 2, CPUID leaf 1AH, "Native Model ID").
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Core {
    /// The processor has cores of one kind.
    #[default]
    Alike,
    /// A large one of a hybrid processor.
    Large,
    /// A small one, with this native model.
    Small(u32),
}

/// What models of a family share.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Microarchitecture {
    /// Core Solo and Duo, Core 2, and those of their time.
    Core,
    /// Nehalem.
    Nehalem,
    /// Westmere.
    Westmere,
    /// Sandy Bridge and Ivy Bridge, without those of servers.
    SandyBridge,
    /// The servers of Sandy Bridge and Ivy Bridge; Haswell and Broadwell.
    Haswell,
    /// Skylake up to Comet Lake.
    Skylake,
    /// Ice Lake up to Rocket Lake.
    IceLake,
    /// Alder Lake, Raptor Lake, Sapphire Rapids and Emerald Rapids.
    GoldenCove,
    /// Meteor Lake, Granite Rapids, and Arrow Lake-U.
    RedwoodCove,
    /// Lunar Lake, and the other Arrow Lakes.
    LionCove,
    /// The first Atoms: Bonnell and Saltwell.
    Bonnell,
    /// Silvermont and Airmont.
    Silvermont,
    /// Goldmont and Goldmont Plus.
    Goldmont,
    /// Elkhart Lake, Jasper Lake and Snow Ridge.
    Tremont,
    /// Alder Lake-N, and the small cores of Alder Lake and Raptor Lake.
    Gracemont,
    /// Sierra Forest and Grand Ridge, the small cores of Meteor Lake and Arrow Lake-U, and one kind of those
    /// of Arrow Lake-H.
    Crestmont,
    /// The small cores of Lunar Lake and the other Arrow Lakes.
    Skymont,
    /// Knights Landing and Knights Mill.
    KnightsLanding,
    /// The large cores of Panther Lake.
    CougarCove,
    /// The large cores of Nova Lake.
    CoyoteCove,
    /// Clearwater Forest, and the small cores of Panther Lake.
    Darkmont,
    /// The small cores of Nova Lake.
    ArcticWolf,
}

impl Microarchitecture {
    /// What a core of this model has; `None` if it is not listed, and then nothing of its own is known.
    #[must_use]
    pub const fn of_core(family: u32, model: u32, core: Core) -> Option<Self> {
        match core {
            Core::Alike | Core::Large => Self::of(family, model),
            Core::Small(1) => Some(Self::Gracemont),
            Core::Small(2) => Some(Self::Crestmont),
            Core::Small(3) => Some(Self::Skymont),
            Core::Small(4) => Some(Self::Darkmont),
            Core::Small(5) => Some(Self::ArcticWolf),
            Core::Small(_) => None,
        }
    }

    /// What this model has, of a hybrid processor its large cores.
    #[inline(never)]
    #[must_use]
    pub const fn of(family: u32, model: u32) -> Option<Self> {
        match (family, model) {
            (6, _) => Self::of_family_6(model),
            (0x12, 1 | 3) => Some(Self::CoyoteCove),
            _ => None,
        }
    }

    const fn of_family_6(model: u32) -> Option<Self> {
        Some(match model {
            0x0E | 0x0F | 0x16 | 0x17 | 0x1D => Self::Core,
            0x1A | 0x1E | 0x1F | 0x2E => Self::Nehalem,
            0x25 | 0x2C | 0x2F => Self::Westmere,
            0x2A | 0x3A => Self::SandyBridge,
            0x2D | 0x3E | 0x3C | 0x3F | 0x45 | 0x46 | 0x3D | 0x47 | 0x4F | 0x56 => Self::Haswell,
            0x4E | 0x5E | 0x55 | 0x8E | 0x9E | 0xA5 | 0xA6 => Self::Skylake,
            0x7D | 0x7E | 0x6A | 0x6C | 0x8C | 0x8D | 0xA7 => Self::IceLake,
            0x97 | 0x9A | 0xB7 | 0xBA | 0xBF | 0x8F | 0xCF => Self::GoldenCove,
            0xAA | 0xAC | 0xAD | 0xAE | 0xB5 => Self::RedwoodCove,
            0xBD | 0xC5 | 0xC6 => Self::LionCove,
            0x1C | 0x26 | 0x27 | 0x35 | 0x36 => Self::Bonnell,
            0x37 | 0x4A | 0x4C | 0x4D | 0x5A => Self::Silvermont,
            0x5C | 0x5F | 0x7A => Self::Goldmont,
            0x86 | 0x96 | 0x9C => Self::Tremont,
            0xBE => Self::Gracemont,
            0xAF | 0xB6 => Self::Crestmont,
            0x57 | 0x85 => Self::KnightsLanding,
            0xCC | 0xD5 | 0xE5 => Self::CougarCove,
            0xDD => Self::Darkmont,
            _ => return None,
        })
    }
}
