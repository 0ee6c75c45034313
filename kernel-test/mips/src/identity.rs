//! Which processor the driver finds.

use core::fmt;
use core::sync::atomic::{AtomicPtr, Ordering::Relaxed};

use pmu::arch::mips::mipsxx;

use crate::by_width;

/// A processor by its name on the command line.
pub type Identity = Processor;

/// A processor that the host presents.
#[derive(Debug)]
pub struct Processor(mipsxx::Identity);

/// The processors of this image. Those with several threads are presented as one of their thread contexts sees them that
/// have two counters each.
pub const ALL: &[Processor] = by_width!(
    &[
        Processor(mipsxx::Identity::R10000),
        Processor(mipsxx::Identity::R10000_V2),
        Processor(mipsxx::Identity::R12000),
        Processor(mipsxx::Identity::R14000),
        Processor(mipsxx::Identity::M5K),
    ],
    &[
        Processor(mipsxx::Identity::M24K),
        Processor(mipsxx::Identity::M34K.with_counters(2)),
        Processor(mipsxx::Identity::M74K),
        Processor(mipsxx::Identity::M1004K.with_counters(2)),
    ],
);

/// The one that is presented unless the command line says otherwise.
pub const USUAL: &Identity = &ALL[0];

static PRESENTED: AtomicPtr<Identity> = AtomicPtr::new(core::ptr::null_mut());

/// The processor of this boot.
pub fn presented() -> &'static mipsxx::Identity {
    // SAFETY: only references that live for ever are stored there.
    let presented = unsafe { PRESENTED.load(Relaxed).as_ref() };
    &presented.expect("the kernel presents a processor before it does anything").0
}

/// Which part of what a test tries the presented processor has, from 1, and of how many: one for each that the tests boot.
pub fn share() -> (u64, usize) {
    const SHARING: [&str; 5] = ["r10000", "r12000", "mips-5k", "mips-24k", "mips-34k"];
    let part = SHARING.iter().position(|&name| name == presented().name()).unwrap_or_default();
    (part as u64 + 1, SHARING.len())
}

/// There is no such processor in this image.
pub struct Unknown<'a>(&'a str);

impl fmt::Display for Unknown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "identity={} is unknown; there are", self.0)?;
        ALL.iter().try_for_each(|identity| write!(f, " {}", identity.0.name()))
    }
}

impl Identity {
    /// The processor with this name.
    ///
    /// # Errors
    /// There is none.
    pub fn named(name: &str) -> Result<&'static Self, Unknown<'_>> {
        ALL.iter().find(|identity| identity.0.name() == name).ok_or(Unknown(name))
    }

    /// Makes this the processor of this boot.
    pub fn present(&'static self) {
        PRESENTED.store((&raw const *self).cast_mut(), Relaxed);
    }
}
