//! Detects which family's unit a processor has.
//!
//! [`Detected::detect`] decodes the version register, which a kernel above a hypervisor cannot read: there it is T1 to T3, which are
//! known by their names ([`Niagara::detect`]). A kernel that knows the family can use its driver directly.

use super::niagara::{self, Niagara, Privilege};
use super::ultrasparc::UltraSparc;
use super::{Asr, Half, Ver};
use crate::contract::{Registers, one_of};
use crate::event::Result;

one_of! {
    /// The driver of one of the families.
    pub enum Detected<R> where [R: Registers<Address = Asr, Index = Half>] {
        /// UltraSPARC I to IV+.
        UltraSparc(UltraSparc<R>),
        /// UltraSPARC T1 to SPARC T3.
        Niagara(Niagara<R>),
    }
}

impl<R: Registers<Address = Asr, Index = Half>> Detected<R> {
    /// Detects the unit by the version register, and creates its driver. Who can read that register on T1 or T2 is
    /// hyperprivileged, and can count in the hypervisor.
    ///
    /// # Errors
    /// Returns [`UnknownProcessor`](crate::Error::UnknownProcessor) or [`Swallowed`](crate::Error::Swallowed). The unit is
    /// not changed.
    pub fn detect(version: Ver, registers: R) -> Result<Self> {
        match niagara::Model::of_version(version) {
            Some(model) => Niagara::detect(model.compatible(), Privilege::Hypervisor, registers).map(Self::Niagara),
            None => UltraSparc::detect(version, registers).map(Self::UltraSparc),
        }
    }
}
