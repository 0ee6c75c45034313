//! Which processor the driver finds.

use harness::{Named, Presented};
use pmu::arch::mips::mipsxx;

use harness::by_width;

/// A processor that the host presents.
#[derive(Debug)]
pub struct Processor(mipsxx::Identity);

/// The processors of this image. The kernel of one with several threads runs on VPE 0, which has two of four counters.
pub const ALL: &[Processor] = by_width!(
    &[
        Processor(mipsxx::Identity::R10000),
        Processor(mipsxx::Identity::R10000_V2),
        Processor(mipsxx::Identity::R12000),
        Processor(mipsxx::Identity::R14000),
        Processor(mipsxx::Identity::M5K),
        Processor(mipsxx::Identity::M20K),
        Processor(mipsxx::Identity::OCTEON),
        Processor(mipsxx::Identity::OCTEON_II),
    ],
    &[
        Processor(mipsxx::Identity::M24K),
        Processor(mipsxx::Identity::M34K),
        Processor(mipsxx::Identity::M74K),
        Processor(mipsxx::Identity::M1004K),
    ],
);

/// The one that is presented unless the command line says otherwise.
pub const USUAL: &Processor = &ALL[0];

/// The processor of this boot.
pub static PRESENTED: Presented<Processor> = Presented::new();

/// The processor of this boot.
pub fn presented() -> &'static mipsxx::Identity {
    &PRESENTED.get().0
}

impl Named for Processor {
    fn name(&self) -> &str {
        self.0.name()
    }
}
