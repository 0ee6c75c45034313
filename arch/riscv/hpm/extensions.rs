//! What the architecture's extensions add to a unit.

use crate::contract::bit_set;

bit_set! {
    /// The extensions that a unit has. No register names them: a device tree does (`riscv,isa-extensions`, `riscv,isa`), and
    /// so does ACPI's RHCT.
    #[derive(Clone, Copy, PartialEq, Eq, Default)]
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
        /// Machine mode has mcounterinten and mcounterof, as on T-Head's C906 and C910: counters overflow into an interrupt. No
        /// string announces it, and QEMU's `thead-c906` has neither register.
        const THEAD = 1 << 6;
        /// Machine mode has mcounterinten, mcounterovf and mcountermask_m, _s and _u of Andes' 45 series: counters overflow into
        /// an interrupt, and are filtered by mode (`xandespmu`).
        const ANDES = 1 << 7;
    }
}

impl Extensions {
    /// Returns the extensions that an ISA string announces, as device trees have it (`riscv,isa`):
    /// `rv64imac_sscofpmf_smcntrpmf`, with or without versions (`sscofpmf1p0`).
    ///
    /// No string announces [`Extensions::INHIBIT`] and [`Extensions::USER`], which nearly every processor of today has: both
    /// are in the result. Remove what the processor lacks: SiFive's U54 has no mcountinhibit, and an access to it is an exception.
    #[must_use]
    pub fn from_isa(isa: &str) -> Self {
        Self::from_names(isa.split('_'))
    }

    /// Returns the extensions with these names, as device trees list them (`riscv,isa-extensions`), the base beside
    /// them (`riscv,isa-base`): `["rv64i", "zicsr", "sscofpmf"]`. [`Extensions::INHIBIT`] and [`Extensions::USER`] are
    /// in the result, as in [`from_isa`](Self::from_isa)'s.
    #[must_use]
    pub fn from_names<'n>(names: impl IntoIterator<Item = &'n str>) -> Self {
        names.into_iter().fold(Self::INHIBIT | Self::USER, |all, name| all | Self::named(name))
    }

    /// Returns what one name announces, or nothing. It never is [`Extensions::INHIBIT`] or [`Extensions::USER`], which have no
    /// names.
    fn named(name: &str) -> Self {
        const NAMES: [(&str, Extensions); 4] = [
            ("sscofpmf", Extensions::SSCOFPMF),
            ("smcntrpmf", Extensions::SMCNTRPMF),
            ("ssccfg", Extensions::SSCCFG),
            ("xandespmu", Extensions::ANDES),
        ];
        if name.get(..4).is_some_and(|base| base.eq_ignore_ascii_case("rv32")) {
            return Self::RV32;
        }
        let name = without_version(name);
        let known = NAMES.iter().find(|(known, _)| name.eq_ignore_ascii_case(known));
        known.map_or(Self::empty(), |&(_, extension)| extension)
    }
}

/// Returns the name of an extension without its version: digits, `p` and digits (The RISC-V Instruction Set Manual, volume
/// I, "ISA Extension Naming Conventions").
fn without_version(name: &str) -> &str {
    let major = name.trim_end_matches(|end: char| end.is_ascii_digit());
    let Some(major) = major.strip_suffix(['p', 'P']) else { return major };
    let whole = major.trim_end_matches(|end: char| end.is_ascii_digit());
    // A `p` without a digit before it is the name's.
    if whole.len() < major.len() { whole } else { name.trim_end_matches(|end: char| end.is_ascii_digit()) }
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
        assert_eq!(Extensions::from_isa("rv64imafdc_zihpm_xandespmu"), usual | Extensions::ANDES);
        assert_eq!(Extensions::from_isa("é"), usual);
    }

    #[test]
    fn a_version_belongs_to_no_name() {
        let versioned = Extensions::from_isa("rv64i2p1_m2p0_sscofpmf1p0_Smcntrpmf1P0_ssccfg1");
        assert_eq!(versioned, Extensions::from_isa("rv64im_sscofpmf_smcntrpmf_ssccfg"));
        assert!(versioned.contains(Extensions::SSCCFG));
    }

    #[test]
    fn names_in_a_list_announce_what_they_do_in_a_string() {
        assert_eq!(
            Extensions::from_names(["rv64i", "zicsr", "sscofpmf"]),
            Extensions::from_isa("rv64i_zicsr_sscofpmf")
        );
        assert!(Extensions::from_names(["rv32i"]).contains(Extensions::RV32));
    }
}
