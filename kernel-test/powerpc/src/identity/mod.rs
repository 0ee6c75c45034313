//! Which processor the driver finds, and in which worlds.

#[cfg(target_pointer_width = "64")]
mod book3s;
#[cfg(target_pointer_width = "32")]
mod narrow;

#[cfg(target_pointer_width = "64")]
pub use book3s::{ALL, Processor};
#[cfg(target_pointer_width = "32")]
pub use narrow::{ALL, Processor};

use harness::{Named, Presented};

/// A processor by its name on the command line.
#[derive(Debug)]
pub struct Identity {
    /// The name.
    pub name: &'static str,
    /// The processor.
    pub processor: Processor,
    worlds: Worlds,
}

/// Where it can be had.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Worlds {
    /// QEMU has this very processor, with a unit, and its board can run the host too.
    #[cfg(target_pointer_width = "64")]
    Both,
    /// QEMU has it, on a board whose hypervisor state the kernel has for itself.
    Native,
    /// The host presents it.
    Hosted,
}

/// The one that is presented unless the command line says otherwise.
pub const USUAL: &Identity = &ALL[1];

/// The processor of this boot.
pub static PRESENTED: Presented<Identity> = Presented::new();

/// The processor of this boot.
pub fn presented() -> &'static Identity {
    PRESENTED.get()
}

impl Named for Identity {
    fn name(&self) -> &str {
        self.name
    }
}

impl Identity {
    /// A processor of this name.
    pub const fn new(name: &'static str, processor: Processor, worlds: Worlds) -> Self {
        Self { name, processor, worlds }
    }

    /// Does the driver run on QEMU's own unit?
    pub fn is_native(&self) -> bool {
        self.worlds != Worlds::Hosted
    }

    /// Does it run above the host, on the crate's device?
    pub fn is_hosted(&self) -> bool {
        self.worlds != Worlds::Native
    }

    /// What the host answers for the processor version register.
    pub fn version(&self) -> u32 {
        self.processor.pvr().bits()
    }
}
