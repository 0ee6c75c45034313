//! The 32-bit PowerPC units in software behave as their manuals say, and a guest cannot misuse them.

mod classic;
mod classic_oracle;
mod embedded;
mod embedded_oracle;
mod guests;
mod strict;

use pmu::arch::powerpc::{Pmr, Spr};

pub(crate) fn spr(number: u16) -> Spr {
    Spr::from_number(number).unwrap()
}

pub(crate) fn pmr(number: u16) -> Pmr {
    Pmr::from_number(number).unwrap()
}
