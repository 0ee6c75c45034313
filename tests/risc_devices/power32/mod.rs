//! The 32-bit PowerPC units in software behave as their manuals say, and a guest cannot misuse them.

mod classic;
mod classic_oracle;
mod embedded;
mod embedded_oracle;
mod guests;
mod snapshots;
mod strict;

use std::cell::Cell;

use pmu::arch::powerpc::{Pmr, Spr};
use pmu::virt::Trigger;

/// A line that knows how often it rose, and whether it is up.
#[derive(Debug, Default)]
pub(crate) struct Line {
    pub(crate) rises: Cell<u64>,
    pub(crate) up: Cell<bool>,
}

impl Trigger for Line {
    fn interrupt(&self) {
        self.up.set(true);
        self.rises.set(self.rises.get() + 1);
    }

    fn withdraw(&self) {
        assert!(self.up.replace(false), "the line is down already");
    }
}

pub(crate) fn spr(number: u16) -> Spr {
    Spr::from_number(number).unwrap()
}

pub(crate) fn pmr(number: u16) -> Pmr {
    Pmr::from_number(number).unwrap()
}
