//! Which processor the driver finds.

use harness::{Named, Presented};
use pmu::arch::sparc::{Ver, niagara, ultrasparc};

/// A processor by its name on the command line.
#[derive(Debug)]
pub struct Identity {
    name: &'static str,
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
    /// What the host answers for the version register; T1's and T2's are QEMU's (target/sparc/cpu.c).
    pub fn version(&self) -> Ver {
        match &self.processor {
            Processor::UltraSparc(processor) => processor.version(),
            Processor::Niagara(_) => Ver::of(0x3E, if self.is_t1() { 0x23 } else { 0x24 }, 2),
        }
    }

    /// Is it T1? Its first counter counts neither instructions nor loads, and its second counts instructions alone.
    pub fn is_t1(&self) -> bool {
        matches!(&self.processor, Processor::Niagara(processor) if processor.capabilities().is_t1())
    }

    /// Does an overflow interrupt? Before III none does.
    pub fn has_interrupts(&self) -> bool {
        match &self.processor {
            Processor::UltraSparc(processor) => processor.capabilities().interrupts(),
            Processor::Niagara(_) => true,
        }
    }
}
