//! The modes of a processor in which events are counted.

use core::fmt;

/// A mode of a processor, as counters distinguish them. A later one is more privileged.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[repr(u8)]
pub enum Mode {
    /// User programs: x86 ring 3 (counters treat rings 1 and 2 as user too), EL0, problem state.
    #[default]
    User = 0,
    /// The kernel: x86 ring 0, EL1, supervisor state.
    Kernel = 1,
    /// A hypervisor above the kernel: EL2, hypervisor state.
    Hypervisor = 2,
}

impl Mode {
    /// Returns the set that has only this mode.
    pub(crate) const fn only(self) -> Modes {
        Modes(1 << self as u8)
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::User => "user",
            Self::Kernel => "kernel",
            Self::Hypervisor => "hypervisor",
        })
    }
}

/// A set of modes in which a request counts.
///
/// ```
/// use pmu::Modes;
///
/// assert_eq!(Modes::ALL.and(Modes::HYPERVISOR).to_string(), "user, kernel, hypervisor");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Modes(u8);

impl Modes {
    /// No mode. Every driver refuses it, unless the event is counted in a mode that only its processor has.
    pub const NONE: Self = Self(0);
    /// Only user programs.
    pub const USER: Self = Self(1 << Mode::User as u8);
    /// Only the kernel.
    pub const KERNEL: Self = Self(1 << Mode::Kernel as u8);
    /// Only the hypervisor.
    pub const HYPERVISOR: Self = Self(1 << Mode::Hypervisor as u8);
    /// User programs and the kernel: the default of a request.
    pub const ALL: Self = Self::USER.and(Self::KERNEL);

    /// Returns the modes that are in either set.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the modes that are in both sets.
    pub(crate) const fn both(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Returns the modes that are not in the set.
    pub(crate) const fn others(self) -> Self {
        Self(!self.0 & Self::ALL.and(Self::HYPERVISOR).0)
    }

    /// Returns the set with these modes added or removed.
    #[must_use]
    pub(crate) const fn set(self, modes: Self, is_in: bool) -> Self {
        if is_in { Self(self.0 | modes.0) } else { Self(self.0 & !modes.0) }
    }

    /// Returns true if the set has this mode.
    #[inline(always)]
    #[must_use]
    pub const fn contains(self, mode: Mode) -> bool {
        self.0 & 1 << mode as u8 != 0
    }

    /// Returns true if the set has all modes of `other`.
    #[inline(always)]
    #[must_use]
    pub const fn covers(self, other: Self) -> bool {
        other.0 & !self.0 == 0
    }
}

impl fmt::Debug for Modes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{self}}}")
    }
}

impl fmt::Display for Modes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let modes = [Mode::User, Mode::Kernel, Mode::Hypervisor].into_iter().filter(|&mode| self.contains(mode));
        modes.enumerate().try_for_each(|(at, mode)| write!(f, "{}{mode}", if at == 0 { "" } else { ", " }))
    }
}
