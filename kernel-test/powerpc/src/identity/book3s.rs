//! The processors of 64 bits.

pub use pmu::arch::powerpc::book3s::Identity as Processor;

use super::{Identity, Worlds};

/// Every processor that there is.
pub const ALL: &[Identity] = &[
    Identity::new("power8", Processor::POWER8, Worlds::Both),
    Identity::new("power9", Processor::POWER9, Worlds::Both),
    Identity::new("power10", Processor::POWER10, Worlds::Both),
    Identity::new("powernv8", Processor::POWER8.above_all(), Worlds::Native),
    Identity::new("powernv9", Processor::POWER9.above_all(), Worlds::Native),
    Identity::new("powernv10", Processor::POWER10.above_all(), Worlds::Native),
    Identity::new("970", Processor::PPC970, Worlds::Hosted),
];
