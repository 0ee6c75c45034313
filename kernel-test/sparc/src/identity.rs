//! Which processor the driver finds.

use harness::{Named, Presented};
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
