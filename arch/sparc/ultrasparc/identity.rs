//! The processor that a guest sees: the contents of its version register.
//!
//! The versions are those of `capabilities`; the masks' revisions are QEMU's (target/sparc/cpu.c) where it has the
//! processor, and 0 otherwise.

use super::capabilities::Capabilities;
use crate::arch::sparc::Ver;
use crate::virt::Fingerprint;

/// A processor, as far as its unit is concerned.
#[derive(Clone, Copy, Debug)]
pub struct Identity {
    name: &'static str,
    version: Ver,
}

impl Identity {
    /// UltraSPARC I.
    pub const I: Self = Self::of("UltraSPARC I", 0x17, 0x10, 0x40);
    /// UltraSPARC II.
    pub const II: Self = Self::of("UltraSPARC II", 0x17, 0x11, 0x20);
    /// UltraSPARC `IIi`.
    pub const II_I: Self = Self::of("UltraSPARC IIi", 0x17, 0x12, 0x91);
    /// UltraSPARC III.
    pub const III: Self = Self::of("UltraSPARC III", 0x3E, 0x14, 0x34);
    /// UltraSPARC III+, which is also called III Cu.
    pub const III_PLUS: Self = Self::of("UltraSPARC III+", 0x3E, 0x15, 0x41);
    /// UltraSPARC `IIIi`.
    pub const III_I: Self = Self::of("UltraSPARC IIIi", 0x3E, 0x16, 0x34);
    /// UltraSPARC IV.
    pub const IV: Self = Self::of("UltraSPARC IV", 0x3E, 0x18, 0x31);
    /// UltraSPARC IV+.
    pub const IV_PLUS: Self = Self::of("UltraSPARC IV+", 0x3E, 0x19, 0x22);

    /// All identities, from the oldest to the newest.
    pub const ALL: [Self; 8] =
        [Self::I, Self::II, Self::II_I, Self::III, Self::III_PLUS, Self::III_I, Self::IV, Self::IV_PLUS];

    const fn of(name: &'static str, manufacturer: u16, implementation: u16, masks: u8) -> Self {
        Self { name, version: Ver::of(manufacturer, implementation, masks) }
    }

    /// Returns the processor's name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the contents of the version register.
    #[must_use]
    pub const fn version(&self) -> Ver {
        self.version
    }

    /// Returns the fingerprint of what a guest is told.
    pub(super) fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of([self.version.bits()])
    }

    /// Returns what a driver finds out about the unit, and what a device is created from.
    #[must_use]
    pub fn capabilities(&self) -> Capabilities {
        Capabilities::discover(self.version).expect("every identity has a unit")
    }
}
