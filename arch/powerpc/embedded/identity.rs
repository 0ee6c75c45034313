//! The core that a guest sees: the contents of its processor version register.
//!
//! A hypervisor answers PVR with [`Identity::pvr`]. A [`Device`](super::Device) that is created from the same
//! identity has exactly the bits and registers of that core.
//!
//! Source of the versions: each core's reference manual, section "Processor Version Register (PVR)".

use super::capabilities::Capabilities;
use crate::arch::powerpc::Pvr;
use crate::virt::Fingerprint;

/// A core, as far as its unit is concerned.
#[derive(Clone, Copy, Debug)]
pub struct Identity {
    name: &'static str,
    pvr: Pvr,
}

impl Identity {
    /// e300c3.
    pub const E300: Self = Self::of("e300", 0x8085_0010);
    /// e500v1.
    pub const E500_V1: Self = Self::of("e500v1", 0x8020_0020);
    /// e500v2.
    pub const E500_V2: Self = Self::of("e500v2", 0x8021_0030);
    /// e500mc.
    pub const E500MC: Self = Self::of("e500mc", 0x8023_0031);

    /// All identities, from the oldest to the newest.
    pub const ALL: [Self; 4] = [Self::E300, Self::E500_V1, Self::E500_V2, Self::E500MC];

    const fn of(name: &'static str, pvr: u32) -> Self {
        Self { name, pvr: Pvr::from_bits(pvr) }
    }

    /// Returns the core's name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the contents of the processor version register.
    #[must_use]
    pub const fn pvr(&self) -> Pvr {
        self.pvr
    }

    /// Returns the fingerprint of what a guest is told.
    pub(super) fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of([self.pvr.bits().into()])
    }

    /// Returns what a driver finds out about the unit, and what a device is created from.
    #[must_use]
    pub fn capabilities(&self) -> Capabilities {
        Capabilities::discover(self.pvr).expect("every identity has a unit")
    }
}
