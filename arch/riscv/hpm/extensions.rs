//! What the architecture's extensions add to a unit.

use bitflags::bitflags;

bitflags! {
    /// The extensions that a unit has. No register names them: a device tree does (`riscv,isa-extensions`, `riscv,isa`), and
    /// so does ACPI's RHCT.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub struct Extensions: u16 {
        /// Counters overflow into an interrupt, and are filtered by mode (Sscofpmf).
        const SSCOFPMF = 1 << 0;
        /// Cycles and instructions are filtered by mode (Smcntrpmf).
        const SMCNTRPMF = 1 << 1;
        /// The supervisor has the counters that are delegated to it (Smcdeleg and Ssccfg).
        const SSCCFG = 1 << 2;
        /// Counters can be stopped: mcountinhibit, which machines have from version 1.11 of the privileged architecture on.
        const INHIBIT = 1 << 3;
        /// There is user mode below machine mode, so that mcounteren exists.
        const USER = 1 << 4;
        /// Registers have 32 bits.
        const RV32 = 1 << 5;
    }
}

impl Extensions {
    /// Returns the extensions that an ISA string announces, as device trees have it: `rv64imac_sscofpmf_smcntrpmf`.
    ///
    /// No string announces [`Extensions::INHIBIT`] and [`Extensions::USER`], which nearly every processor of today has: both
    /// are in the result. Remove what the processor lacks.
    #[must_use]
    pub fn from_isa(isa: &str) -> Self {
        let has_32_bits = isa.get(..4).is_some_and(|base| base.eq_ignore_ascii_case("rv32"));
        let base = if has_32_bits { Self::RV32 } else { Self::empty() };
        isa.split('_').fold(base | Self::INHIBIT | Self::USER, |all, name| all | Self::named(name))
    }

    /// Returns the extension with this name, or none.
    #[must_use]
    pub fn named(name: &str) -> Self {
        const NAMES: [(&str, Extensions); 3] =
            [("sscofpmf", Extensions::SSCOFPMF), ("smcntrpmf", Extensions::SMCNTRPMF), ("ssccfg", Extensions::SSCCFG)];
        let known = NAMES.iter().find(|(known, _)| name.eq_ignore_ascii_case(known));
        known.map_or(Self::empty(), |&(_, extension)| extension)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_isa_string_announces_its_extensions() {
        let usual = Extensions::INHIBIT | Extensions::USER;
        let of_qemu = "rv64imafdch_zicntr_zihpm_Sscofpmf_smcntrpmf";
        assert_eq!(Extensions::from_isa(of_qemu), usual | Extensions::SSCOFPMF | Extensions::SMCNTRPMF);
        assert_eq!(Extensions::from_isa("rv32imac"), usual | Extensions::RV32);
        assert_eq!(Extensions::from_isa("é"), usual);
    }
}
