//! The processor that a guest sees: the contents of its processor version register.
//!
//! A hypervisor answers PVR with [`Identity::pvr`]. A [`Device`](super::Device) that is created from the same
//! identity has exactly the counters, bits and registers of that processor.
//!
//! Source of the versions: each processor's user's manual, section "Processor Version Register".

use super::capabilities::{Capabilities, Privilege};
use crate::arch::powerpc::Pvr;
use crate::event::Result;
use crate::virt::Fingerprint;

/// A processor, as far as its unit is concerned.
#[derive(Clone, Copy, Debug)]
pub struct Identity {
    name: &'static str,
    pvr: Pvr,
    privilege: Privilege,
}

impl Identity {
    /// POWER4+.
    pub const POWER4: Self = Self::of("POWER4", 0x0038_0203);
    /// PowerPC 970FX.
    pub const PPC970: Self = Self::of("PowerPC 970", 0x003C_0300);
    /// POWER5.
    pub const POWER5: Self = Self::of("POWER5", 0x003A_0203);
    /// POWER5+.
    pub const POWER5_PLUS: Self = Self::of("POWER5+", 0x003B_0201);
    /// POWER6.
    pub const POWER6: Self = Self::of("POWER6", 0x003E_0102);
    /// POWER7.
    pub const POWER7: Self = Self::of("POWER7", 0x003F_0203);
    /// POWER8.
    pub const POWER8: Self = Self::of("POWER8", 0x004D_0200);
    /// POWER9.
    pub const POWER9: Self = Self::of("POWER9", 0x004E_1202);
    /// Microwatt, as its description is published.
    pub const MICROWATT: Self = Self::of("Microwatt", 0x0063_0000);
    /// POWER10.
    pub const POWER10: Self = Self::of("POWER10", 0x0080_0200);

    /// All identities, from the oldest to the newest.
    pub const ALL: [Self; 10] = [
        Self::POWER4,
        Self::PPC970,
        Self::POWER5,
        Self::POWER5_PLUS,
        Self::POWER6,
        Self::POWER7,
        Self::POWER8,
        Self::POWER9,
        Self::MICROWATT,
        Self::POWER10,
    ];

    const fn of(name: &'static str, pvr: u32) -> Self {
        Self { name, pvr: Pvr::from_bits(pvr), privilege: Privilege::Supervisor }
    }

    /// Returns the identity with this version, for a guest that sees the processor that it runs on.
    ///
    /// # Errors
    /// Returns [`Error::UnknownProcessor`](crate::Error::UnknownProcessor) if there is none.
    pub fn of_processor(pvr: Pvr) -> Result<Self> {
        let privilege = Privilege::Supervisor;
        let capabilities = Capabilities::discover(pvr, privilege)?;
        Ok(Self { name: capabilities.model.name(), pvr, privilege })
    }

    /// Returns the identity for a guest whose kernel runs in hypervisor state.
    #[must_use]
    pub const fn above_all(self) -> Self {
        Self { privilege: Privilege::Hypervisor, ..self }
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
        Fingerprint::of([self.pvr.bits().into(), self.privilege as u64])
    }

    /// Returns what a driver finds out about the unit, and what a device is created from.
    #[must_use]
    pub fn capabilities(&self) -> Capabilities {
        Capabilities::discover(self.pvr, self.privilege).expect("every identity has a unit")
    }
}
