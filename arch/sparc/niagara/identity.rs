//! The processor that a guest sees: its name in the machine description, and what its hypervisor lets it count.

use super::capabilities::{Capabilities, Model, Privilege};
use crate::virt::Fingerprint;

/// A processor, as far as its unit is concerned.
#[derive(Clone, Copy, Debug)]
pub struct Identity {
    capabilities: Capabilities,
}

impl Identity {
    /// UltraSPARC T1.
    pub const T1: Self = Self::of(Model::T1);
    /// UltraSPARC T2.
    pub const T2: Self = Self::of(Model::T2);
    /// UltraSPARC T2, for a program that can count in the hypervisor.
    pub const T2_HYPERVISOR: Self = Self { capabilities: Capabilities::of(Model::T2).with(Privilege::Hypervisor) };
    /// UltraSPARC T2+.
    pub const T2_PLUS: Self = Self::of(Model::T2Plus);
    /// SPARC T3.
    pub const T3: Self = Self::of(Model::T3);

    /// All identities, from the oldest to the newest.
    pub const ALL: [Self; 5] = [Self::T1, Self::T2, Self::T2_HYPERVISOR, Self::T2_PLUS, Self::T3];

    const fn of(model: Model) -> Self {
        Self { capabilities: Capabilities::of(model) }
    }

    /// Returns the processor's name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.capabilities.model.name()
    }

    /// Returns the name in the machine description.
    #[must_use]
    pub const fn compatible(&self) -> &'static str {
        self.capabilities.model.compatible()
    }

    /// Returns the fingerprint of what a guest is told.
    pub(super) fn fingerprint(&self) -> Fingerprint {
        let name = self.compatible().bytes().map(u64::from);
        Fingerprint::of(name.chain([self.capabilities.privilege as u64]))
    }

    /// Returns what a driver finds out about the unit, and what a device is created from.
    #[must_use]
    pub const fn capabilities(&self) -> Capabilities {
        self.capabilities
    }
}
