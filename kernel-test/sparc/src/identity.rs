//! Which processor the driver finds.

use core::fmt;
use core::sync::atomic::{AtomicPtr, Ordering::Relaxed};

use pmu::arch::sparc::{Ver, niagara, ultrasparc};

/// A processor by its name on the command line.
#[derive(Debug)]
pub struct Identity {
    /// The name.
    pub name: &'static str,
    /// The processor.
    pub processor: Processor,
}

/// A processor of either family.
#[derive(Clone, Copy, Debug)]
pub enum Processor {
    /// I to IV+.
    UltraSparc(ultrasparc::Identity),
    /// T1 and T2.
    Niagara(niagara::Identity),
}

/// Every processor that there is.
pub const ALL: &[Identity] = &[
    Identity { name: "ultrasparc-ii", processor: Processor::UltraSparc(ultrasparc::Identity::II) },
    Identity { name: "ultrasparc-iii", processor: Processor::UltraSparc(ultrasparc::Identity::III) },
    Identity { name: "ultrasparc-iv-plus", processor: Processor::UltraSparc(ultrasparc::Identity::IV_PLUS) },
    Identity { name: "ultrasparc-t1", processor: Processor::Niagara(niagara::Identity::T1) },
    Identity { name: "ultrasparc-t2", processor: Processor::Niagara(niagara::Identity::T2_HYPERVISOR) },
];

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

    /// What the host answers for the version register; T1's and T2's are QEMU's (target/sparc/cpu.c).
    pub fn version(&self) -> Ver {
        match &self.processor {
            Processor::UltraSparc(processor) => processor.version(),
            Processor::Niagara(processor) => {
                let is_t1 = processor.capabilities().is_t1();
                Ver::of(0x3E, if is_t1 { 0x23 } else { 0x24 }, 2)
            }
        }
    }

    /// Can one counter be stopped while the other one counts? If not, both are on or off together.
    pub fn parks_counters(&self) -> bool {
        match &self.processor {
            Processor::UltraSparc(processor) => processor.capabilities().interrupts(),
            Processor::Niagara(processor) => !processor.capabilities().is_t1(),
        }
    }

    /// Do both counters count instructions? On T1 the second one alone does.
    pub fn counts_instructions_twice(&self) -> bool {
        match &self.processor {
            Processor::UltraSparc(_) => true,
            Processor::Niagara(processor) => !processor.capabilities().is_t1(),
        }
    }

    /// Do counters count loads and stores? T1's do not.
    pub fn counts_loads(&self) -> bool {
        self.counts_instructions_twice()
    }

    /// Does an overflow interrupt?
    pub fn has_interrupts(&self) -> bool {
        match &self.processor {
            Processor::UltraSparc(processor) => processor.capabilities().interrupts(),
            Processor::Niagara(_) => true,
        }
    }
}
