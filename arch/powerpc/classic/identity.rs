//! The processor that a guest sees: the contents of its processor version register.
//!
//! A hypervisor answers PVR with [`Identity::pvr`]. A [`Device`](super::Device) that is created from the same
//! identity has exactly the counters, bits and registers of that processor.
//!
//! Source of the versions: each processor's user's manual, section "Processor Version Register (PVR)".

use super::capabilities::Capabilities;
use crate::arch::powerpc::Pvr;
use crate::virt::Fingerprint;

/// A processor, as far as its unit is concerned.
#[derive(Clone, Copy, Debug)]
pub struct Identity {
    name: &'static str,
    pvr: Pvr,
}

impl Identity {
    /// PowerPC 604.
    pub const P604: Self = Self::of("PowerPC 604", 0x0004_0303);
    /// PowerPC 604e.
    pub const P604E: Self = Self::of("PowerPC 604e", 0x0009_0204);
    /// PowerPC 750.
    pub const P750: Self = Self::of("PowerPC 750", 0x0008_3100);
    /// MPC7400.
    pub const P7400: Self = Self::of("PowerPC 7400", 0x000C_0209);
    /// MPC7450.
    pub const P7450: Self = Self::of("PowerPC 7450", 0x8000_0201);

    /// All identities, from the oldest to the newest.
    pub const ALL: [Self; 5] = [Self::P604, Self::P604E, Self::P750, Self::P7400, Self::P7450];

    const fn of(name: &'static str, pvr: u32) -> Self {
        Self { name, pvr: Pvr::from_bits(pvr) }
    }

    /// Returns the processor's name.
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
