//! What this kernel's host alone knows: the line, and how closely it looks.

use harness::Fact;
use harness::guest::ask;

use super::Here;

/// How many overflows met a masked entry of the local APIC.
pub fn masked_overflows() -> u64 {
    ask::<Here>(Fact::Masked)
}

/// How many instructions retired between the last overflow and its NMI.
pub fn skid() -> u64 {
    ask::<Here>(Fact::Skid)
}

/// A number that stays the same as long as the unit's registers and the APIC's entry do.
pub fn fingerprint() -> u64 {
    ask::<Here>(Fact::Fingerprint)
}

/// Does the host look at each instruction?
pub fn is_observed() -> bool {
    ask::<Here>(Fact::Observed) == 1
}
