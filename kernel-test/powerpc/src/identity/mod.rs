//! Which processor the driver finds, and in which worlds.

#[cfg(target_pointer_width = "64")]
mod book3s;
#[cfg(target_pointer_width = "32")]
mod narrow;

use core::fmt;
use core::sync::atomic::{AtomicPtr, Ordering::Relaxed};

#[cfg(target_pointer_width = "64")]
pub use book3s::{ALL, Processor};
#[cfg(target_pointer_width = "32")]
pub use narrow::{ALL, Processor};

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

static PRESENTED: AtomicPtr<Identity> = AtomicPtr::new(core::ptr::null_mut());

/// The processor of this boot.
pub fn presented() -> &'static Identity {
    // SAFETY: only references that live for ever are stored there.
    unsafe { PRESENTED.load(Relaxed).as_ref() }.expect("the kernel presents a processor before it does anything")
}

/// There is no such processor in this image.
pub struct Unknown<'a>(&'a str);

impl fmt::Display for Unknown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "identity={} is unknown; there are", self.0)?;
        ALL.iter().try_for_each(|identity| write!(f, " {}", identity.name))
    }
}

impl Identity {
    /// A processor of this name.
    pub const fn new(name: &'static str, processor: Processor, worlds: Worlds) -> Self {
        Self { name, processor, worlds }
    }

    /// The processor with this name.
    ///
    /// # Errors
    /// There is none.
    pub fn named(name: &str) -> Result<&'static Self, Unknown<'_>> {
        ALL.iter().find(|identity| identity.name == name).ok_or(Unknown(name))
    }

    /// Makes this the processor of this boot.
    pub fn present(&'static self) {
        PRESENTED.store((&raw const *self).cast_mut(), Relaxed);
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
