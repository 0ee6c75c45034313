//! The models of processors, each of which counts alike.
//!
//! Sources: the versions are those of each processor's user's manual, section "Processor Version
//! Register", and Microwatt's that of its common.vhdl; the numbers of counters are from the same sources as those in `capabilities.rs`.

/// The models of processors that count alike, from the oldest to the newest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[non_exhaustive]
pub enum Model {
    /// POWER4 and POWER4+.
    Power4,
    /// PowerPC 970, 970FX, 970GX and 970MP.
    Ppc970,
    /// POWER5.
    Power5,
    /// POWER5+.
    Power5Plus,
    /// POWER6.
    Power6,
    /// POWER7 and POWER7+.
    Power7,
    /// POWER8.
    Power8,
    /// POWER9.
    Power9,
    /// Microwatt, OpenPOWER's core in VHDL.
    Microwatt,
    /// POWER10 and POWER11.
    Power10,
}

impl Model {
    /// All models, from the oldest to the newest.
    pub const ALL: [Self; 10] = [
        Self::Power4,
        Self::Ppc970,
        Self::Power5,
        Self::Power5Plus,
        Self::Power6,
        Self::Power7,
        Self::Power8,
        Self::Power9,
        Self::Microwatt,
        Self::Power10,
    ];

    pub(super) const fn of_version(version: u16) -> Option<Self> {
        match version {
            0x0035 | 0x0038 => Some(Self::Power4),
            0x0039 | 0x003C | 0x0044 | 0x0045 => Some(Self::Ppc970),
            0x003A => Some(Self::Power5),
            0x003B => Some(Self::Power5Plus),
            0x003E => Some(Self::Power6),
            0x003F | 0x004A => Some(Self::Power7),
            0x004B..=0x004D => Some(Self::Power8),
            0x004E => Some(Self::Power9),
            0x0063 => Some(Self::Microwatt),
            0x0080 | 0x0082 => Some(Self::Power10),
            _ => None,
        }
    }

    /// Returns the name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Power4 => "POWER4",
            Self::Ppc970 => "PowerPC 970",
            Self::Power5 => "POWER5",
            Self::Power5Plus => "POWER5+",
            Self::Power6 => "POWER6",
            Self::Power7 => "POWER7",
            Self::Power8 => "POWER8",
            Self::Power9 => "POWER9",
            Self::Microwatt => "Microwatt",
            Self::Power10 => "POWER10",
        }
    }

    /// Returns the title of its manual.
    #[must_use]
    pub const fn manual(self) -> &'static str {
        match self {
            Self::Power4 => "The POWER4 Processor Introduction and Tuning Guide, \"Performance Monitor\"",
            Self::Ppc970 => "IBM PowerPC 970FX RISC Microprocessor User's Manual, \"Performance Monitor\"",
            Self::Power5 | Self::Power5Plus | Self::Power6 => {
                "Power ISA 2.03 Book III-S, \"Performance Monitor Facility\""
            }
            Self::Power7 => "Power ISA 2.06B Book III-S, \"Performance Monitor Facility\"",
            Self::Power8 => "POWER8 Performance Monitor Unit User's Guide",
            Self::Power9 => "POWER9 Performance Monitor Unit User's Guide",
            Self::Microwatt => "Power ISA 3.0B Book III, \"Performance Monitor Facility\"",
            Self::Power10 => "POWER10 Performance Monitor Unit User's Guide",
        }
    }

    /// Returns true if there are MMCR2 and SIER: from Power ISA 2.07 on.
    #[inline(always)]
    pub(super) const fn has_freezes(self) -> bool {
        self as u8 >= Self::Power8 as u8
    }

    /// Returns how many counters have registers.
    pub(super) const fn counters(self) -> u8 {
        match self {
            Self::Power4 | Self::Ppc970 => 8,
            _ => 6,
        }
    }

    /// Returns how many counters can be stopped and can interrupt, so that a driver can use them.
    pub(super) const fn usable(self) -> u8 {
        match self {
            Self::Power4 | Self::Ppc970 => 8,
            // PMC5 and PMC6 either ignore the freezes or stop only together.
            Self::Power5 | Self::Power5Plus | Self::Power6 | Self::Power7 => 4,
            Self::Power8 | Self::Power9 | Self::Microwatt | Self::Power10 => 6,
        }
    }
}
