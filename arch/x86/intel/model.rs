//! Which microarchitecture a processor has, as far as its unit differs for it.
//!
//! Source: SDM vol. 4, table "CPUID Signature Values of DisplayFamily_DisplayModel"; for the later
//! ones the map of models to event lists of intel/perfmon.

/// What models of family 6 share. Of a hybrid processor, its large cores.
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
}

impl Microarchitecture {
    /// What this model has; `None` if it is not listed, and then nothing of its own is known.
    #[inline(never)]
    #[must_use]
    pub const fn of(family: u32, model: u32) -> Option<Self> {
        if family != 6 {
            return None;
        }
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
            _ => return None,
        })
    }
}
