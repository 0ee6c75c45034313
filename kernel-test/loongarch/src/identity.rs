//! Which processor the driver finds.

use harness::{Named, Presented};
use pmu::arch::loongarch::la64;

/// A processor that the host presents.
#[derive(Debug)]
pub struct Processor(la64::Identity);

/// The processors of this image.
pub const ALL: &[Processor] = &[Processor(la64::Identity::LOONGSON_3A5000)];

/// The one that is presented unless the command line says otherwise.
pub const USUAL: &Processor = &ALL[0];

/// The processor of this boot.
pub static PRESENTED: Presented<Processor> = Presented::new();

/// The processor of this boot.
pub fn presented() -> &'static la64::Identity {
    &PRESENTED.get().0
}

impl Named for Processor {
    fn name(&self) -> &str {
        self.0.name()
    }
}
