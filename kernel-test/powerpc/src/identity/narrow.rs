//! The processors of 32 bits.

use pmu::arch::powerpc::{Pvr, classic, embedded};

use super::{Identity, Worlds};

/// A processor of either family.
#[derive(Clone, Copy, Debug)]
pub enum Processor {
    /// 750 and 7450.
    Classic(classic::Identity),
    /// e300 and e500.
    Embedded(embedded::Identity),
}

impl Processor {
    /// What the processor version register holds.
    pub const fn pvr(&self) -> Pvr {
        match self {
            Self::Classic(processor) => processor.pvr(),
            Self::Embedded(processor) => processor.pvr(),
        }
    }
}

/// Every processor that there is.
pub const ALL: &[Identity] = &[
    Identity::new("750", Processor::Classic(classic::Identity::P750), Worlds::Hosted),
    Identity::new("7450", Processor::Classic(classic::Identity::P7450), Worlds::Hosted),
    Identity::new("e300", Processor::Embedded(embedded::Identity::E300), Worlds::Hosted),
    Identity::new("e500", Processor::Embedded(embedded::Identity::E500_V2), Worlds::Hosted),
];
