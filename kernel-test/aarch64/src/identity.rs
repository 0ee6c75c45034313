//! Which processor QEMU emulates, by the name that its option `-cpu` has for it.

use core::fmt;

use metal::get;
use pmu::arch::aarch64::pmuv3;

use spin::Once;

/// A processor that the tests know.
#[derive(Debug)]
pub struct Identity {
    /// The name.
    pub name: &'static str,
    /// Who makes it, and its number there: MIDR_EL1's Implementer and PartNum.
    pub part: (u8, u16),
    /// The version of its unit: 0 is PMUv3, n is PMUv3pn.
    pub version: u8,
    /// How many event counters QEMU gives it.
    pub counters: u8,
    /// What the unit in software is there; between them the processors have one of each version. Registers that QEMU's
    /// processor does not know come to the host all the same (`host/model/offer.rs`).
    pub model: pmuv3::Identity,
    /// Its version.
    pub model_version: u8,
}

const ARM: u8 = 0x41;

/// As a guest finds it, with as many event counters as QEMU's processors have.
const fn guest(identity: pmuv3::Identity) -> pmuv3::Identity {
    identity.for_guest().with_event_counters(6)
}

/// Every processor that the tests know.
///
/// The part numbers are those of the processors' technical reference manuals, under MIDR_EL1; `max` is
/// QEMU's own, which has the implementer 0 and the part number 51H.
pub const ALL: &[Identity] = &[
    Identity {
        name: "cortex-a53",
        part: (ARM, 0xd03),
        version: 0,
        counters: 6,
        model: guest(pmuv3::Identity::ARMV8_8),
        model_version: 8,
    },
    Identity {
        name: "cortex-a57",
        part: (ARM, 0xd07),
        version: 0,
        counters: 6,
        model: guest(pmuv3::Identity::CORTEX_A57),
        model_version: 0,
    },
    Identity {
        name: "cortex-a72",
        part: (ARM, 0xd08),
        version: 0,
        counters: 6,
        model: guest(pmuv3::Identity::ARMV8_7),
        model_version: 7,
    },
    Identity {
        name: "cortex-a76",
        part: (ARM, 0xd0b),
        version: 1,
        counters: 6,
        model: guest(pmuv3::Identity::NEOVERSE_V1),
        model_version: 4,
    },
    Identity {
        name: "neoverse-n1",
        part: (ARM, 0xd0c),
        version: 1,
        counters: 6,
        model: guest(pmuv3::Identity::NEOVERSE_N1),
        model_version: 1,
    },
    Identity {
        name: "neoverse-v1",
        part: (ARM, 0xd40),
        version: 4,
        counters: 6,
        model: guest(pmuv3::Identity::NEOVERSE_N2),
        model_version: 5,
    },
    Identity {
        name: "max",
        part: (0, 0x51),
        version: 5,
        counters: 6,
        model: guest(pmuv3::Identity::ARMV9_4),
        model_version: 9,
    },
];

/// The command line and the processor do not fit.
pub enum Problem<'a> {
    /// No processor has this name.
    Unknown(&'a str),
    /// It is another one that runs.
    Other { named: &'a str, part: (u8, u16) },
}

/// Is the processor the one that the command line names, if it names one?
pub fn check(name: Option<&str>) -> Result<(), Problem<'_>> {
    present();
    let Some(name) = name else { return Ok(()) };
    let identity = ALL.iter().find(|identity| identity.name == name).ok_or(Problem::Unknown(name))?;
    let part = part();
    if identity.part == part { Ok(()) } else { Err(Problem::Other { named: name, part }) }
}

/// What QEMU emulates, as EL2 has seen it: on the model, EL1 sees another.
static PRESENT: Once<Option<&Identity>> = Once::new();

/// The processor that QEMU emulates, if the tests know it; asked first at EL2.
pub fn present() -> Option<&'static Identity> {
    PRESENT.call_once(|| ALL.iter().find(|identity| identity.part == part())).as_ref().copied()
}

/// What the unit in software is on this processor.
pub fn modelled() -> &'static pmuv3::Identity {
    present().map_or(&pmuv3::Identity::CORTEX_A57, |identity| &identity.model)
}

fn part() -> (u8, u16) {
    let midr = get!("midr_el1");
    ((midr >> 24) as u8, (midr >> 4) as u16 & 0xfff)
}

impl fmt::Display for Problem<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(name) => {
                write!(f, "identity={name} is unknown; there are")?;
                ALL.iter().try_for_each(|identity| write!(f, " {}", identity.name))
            }
            Self::Other { named, part: (maker, part) } => {
                write!(f, "identity={named}, but QEMU emulates maker {maker:#x}'s part {part:#x}: give it -cpu {named}")
            }
        }
    }
}
