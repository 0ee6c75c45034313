//! The processors that can be asked about, and how one is found by its name.

use std::fmt;

use pmu::arch;
use pmu::arch::aarch64::pmuv3::{self, Pmuv3};
use pmu::arch::powerpc::{Pvr, book3s};
use pmu::arch::x86::{Unattached, amd, intel};
use pmu::driver::{Driver, Field, Recorder, Registers, counters_for};
use pmu::text::catalogue::Catalogue;
use pmu::text::catalogue::EventName;
use pmu::text::notation::Processor;
use pmu::virt::{Kinds, Unconnected};
use pmu::{CounterSet, Event, Mode, Request};

use super::{Recorded, about};

#[path = "../../arch/families.rs"]
mod families;

/// Answers a question about a processor, and says whether there was an answer.
type About = Box<dyn Fn(Option<&str>) -> (String, bool)>;

/// Returns the processor's own event of a request, and the counters that can count it.
type Counted = Box<dyn Fn(&Request) -> (Event, CounterSet)>;

/// A processor that can be asked about.
pub(crate) struct Known {
    pub(crate) name: &'static str,
    pub(crate) processor: Processor,
    pub(super) about: About,
    #[allow(dead_code, reason = "the crate oracles asks, which compares others' names with these")]
    pub(crate) counted: Counted,
}

/// A processor of this name, with its unit in software, the driver of it, and the fields of its registers.
fn known<R, D>(
    name: &'static str,
    device: impl Fn() -> R + 'static,
    driver: impl Fn(Recorded<R>) -> D + 'static,
    fields: impl Fn(R::Address) -> &'static [Field] + 'static,
) -> Known
where
    R: Registers<Address: fmt::Debug> + 'static,
    D: Driver<Registers = Recorded<R>> + 'static,
{
    let make = move || driver(Box::leak(Box::new(Recorder::new(device()))));
    let driver = make();
    let processor = Processor::of(&driver);
    let counted = move |request: &Request| {
        let own = match request.event {
            Event::Generic(generic) => driver.native(generic).unwrap_or(request.event),
            own => own,
        };
        (own, counters_for(&driver, request))
    };
    Known { name, processor, about: Box::new(move |asked| about(&make, &fields, asked)), counted: Box::new(counted) }
}

/// The processors of each family, by the names of its identities, and then those that no identity is of.
macro_rules! known_of_each {
    ($($isa:ident::$family:ident: $it:ident => $unit:expr, $on:ident => $driver:expr, $fields:expr;)*) => {{
        let mut all = Vec::new();
        $({
            use arch::$isa::$family;
            let known = |$it: $family::Identity| known($it.name(), move || $unit, move |$on| $driver, $fields);
            all.extend($family::Identity::ALL.map(known));
            all.extend(beside(stringify!($family)));
        })*
        all
    }};
}

/// Intel's processors that no identity is of: the family, model and stepping of the first of each table, over a unit
/// that is alike.
const INTELS: &[(&str, intel::Identity, [u32; 3])] = &[
    ("Nehalem EX", intel::Identity::NEHALEM, [6, 0x2E, 0]),
    ("Westmere", intel::Identity::NEHALEM, [6, 0x25, 0]),
    ("Westmere EP", intel::Identity::NEHALEM, [6, 0x2C, 0]),
    ("Westmere EX", intel::Identity::NEHALEM, [6, 0x2F, 0]),
    ("Sandy Bridge", intel::Identity::SKYLAKE, [6, 0x2A, 0]),
    ("Sandy Bridge EP", intel::Identity::SKYLAKE, [6, 0x2D, 0]),
    ("Ivy Bridge", intel::Identity::SKYLAKE, [6, 0x3A, 0]),
    ("Ivy Bridge EP", intel::Identity::SKYLAKE, [6, 0x3E, 0]),
    ("Haswell", intel::Identity::SKYLAKE, [6, 0x3C, 0]),
    ("Haswell EP", intel::Identity::SKYLAKE, [6, 0x3F, 0]),
    ("Broadwell", intel::Identity::SKYLAKE, [6, 0x3D, 0]),
    ("Broadwell DE", intel::Identity::SKYLAKE, [6, 0x56, 0]),
    ("Broadwell EP", intel::Identity::SKYLAKE, [6, 0x4F, 0]),
    ("Skylake SP", intel::Identity::SKYLAKE, [6, 0x55, 0]),
    ("Cascade Lake", intel::Identity::SKYLAKE, [6, 0x55, 7]),
    ("Ice Lake", intel::Identity::SAPPHIRE_RAPIDS, [6, 0x7E, 0]),
    ("Ice Lake SP", intel::Identity::SAPPHIRE_RAPIDS, [6, 0x6A, 0]),
    ("Tiger Lake", intel::Identity::SAPPHIRE_RAPIDS, [6, 0x8C, 0]),
    ("Alder Lake", intel::Identity::SAPPHIRE_RAPIDS, [6, 0x97, 0]),
    ("Emerald Rapids", intel::Identity::SAPPHIRE_RAPIDS, [6, 0xCF, 0]),
    ("Meteor Lake", intel::Identity::SAPPHIRE_RAPIDS, [6, 0xAA, 0]),
    ("Granite Rapids", intel::Identity::SAPPHIRE_RAPIDS, [6, 0xAD, 0]),
    ("Panther Lake", intel::Identity::LION_COVE, [6, 0xCC, 0]),
    ("Nova Lake", intel::Identity::LION_COVE, [0x12, 1, 0]),
    ("Bonnell", intel::Identity::SKYLAKE, [6, 0x1C, 0]),
    ("Silvermont", intel::Identity::SKYLAKE, [6, 0x37, 0]),
    ("Goldmont", intel::Identity::SKYLAKE, [6, 0x5C, 0]),
    ("Goldmont Plus", intel::Identity::SKYLAKE, [6, 0x7A, 0]),
    ("Tremont", intel::Identity::SKYLAKE, [6, 0x86, 0]),
    ("Knights Landing", intel::Identity::SKYLAKE, [6, 0x57, 0]),
    ("Sierra Forest", intel::Identity::SAPPHIRE_RAPIDS, [6, 0xAF, 0]),
    ("Grand Ridge", intel::Identity::SAPPHIRE_RAPIDS, [6, 0xB6, 0]),
    ("Clearwater Forest", intel::Identity::LION_COVE, [6, 0xDD, 0]),
    ("Gracemont", intel::Identity::SAPPHIRE_RAPIDS, [6, 0xBE, 0]),
];

/// The small cores of hybrid processors, by the number of the microarchitecture that CPUID has for them.
const SMALL_CORES: &[(&str, intel::Identity, [u32; 3], u32)] = &[
    ("Crestmont", intel::Identity::SAPPHIRE_RAPIDS, [6, 0xAA, 0], 2),
    ("Skymont", intel::Identity::LION_COVE, [6, 0xBD, 0], 3),
    ("Darkmont", intel::Identity::LION_COVE, [6, 0xCC, 0], 4),
    ("Arctic Wolf", intel::Identity::LION_COVE, [0x12, 1, 0], 5),
];

/// POWER's that no identity is of, by the processor version register.
const POWERS: &[(&str, u32)] = &[("PowerPC 970MP", 0x0044_0101), ("POWER5++", 0x003B_0300)];

/// AMD's, by family and model.
const AMDS: &[(&str, amd::Identity, u32, u32)] = &[
    ("Zen 1", amd::Identity::ZEN_2, 0x17, 0x01),
    ("Zen 5", amd::Identity::ZEN_4, 0x1A, 0x44),
    ("Turion of family 11h", amd::Identity::K8, 0x11, 0x03),
    ("APU of family 12h", amd::Identity::FAMILY_10H, 0x12, 0x01),
    ("APU of family 14h", amd::Identity::FAMILY_10H, 0x14, 0x02),
];

/// Arm's cores, by MIDR_EL1.
const ARMS: &[(&str, pmuv3::Identity, u32)] = &[
    ("Cortex-A32", pmuv3::Identity::CORTEX_A57, 0x411F_D010),
    ("Cortex-A34", pmuv3::Identity::CORTEX_A57, 0x411F_D020),
    ("Cortex-A35", pmuv3::Identity::CORTEX_A57, 0x410F_D040),
    ("Cortex-A53", pmuv3::Identity::CORTEX_A53, 0x410F_D034),
    ("Cortex-A55", pmuv3::Identity::NEOVERSE_N1, 0x412F_D050),
    ("Cortex-A65", pmuv3::Identity::NEOVERSE_N1, 0x411F_D060),
    ("Cortex-A72", pmuv3::Identity::CORTEX_A72, 0x410F_D083),
    ("Cortex-A73", pmuv3::Identity::CORTEX_A57, 0x410F_D090),
    ("Cortex-A75", pmuv3::Identity::NEOVERSE_N1, 0x413F_D0A0),
    ("Cortex-A76", pmuv3::Identity::NEOVERSE_N1, 0x414F_D0B1),
    ("Cortex-A77", pmuv3::Identity::NEOVERSE_N1, 0x411F_D0D0),
    ("Cortex-A78", pmuv3::Identity::NEOVERSE_N1, 0x411F_D410),
    ("Cortex-A510", pmuv3::Identity::NEOVERSE_N2, 0x411F_D460),
    ("Cortex-A520", pmuv3::Identity::NEOVERSE_N2, 0x410F_D800),
    ("Cortex-A710", pmuv3::Identity::NEOVERSE_N2, 0x412F_D470),
    ("Cortex-A715", pmuv3::Identity::NEOVERSE_N2, 0x411F_D4D0),
    ("Cortex-A720", pmuv3::Identity::NEOVERSE_N2, 0x410F_D810),
    ("Cortex-A725", pmuv3::Identity::NEOVERSE_N2, 0x410F_D870),
    ("Cortex-X1", pmuv3::Identity::NEOVERSE_N1, 0x411F_D440),
    ("Cortex-X2", pmuv3::Identity::NEOVERSE_N2, 0x412F_D480),
    ("Cortex-X3", pmuv3::Identity::NEOVERSE_N2, 0x410F_D4E0),
    ("Cortex-X4", pmuv3::Identity::NEOVERSE_N2, 0x410F_D820),
    ("Cortex-X925", pmuv3::Identity::NEOVERSE_N2, 0x410F_D850),
    ("Cortex-R82", pmuv3::Identity::NEOVERSE_N1, 0x410F_D150),
    ("Neoverse E1", pmuv3::Identity::NEOVERSE_N1, 0x411F_D4A0),
    ("Neoverse V2", pmuv3::Identity::NEOVERSE_N2, 0x410F_D4F0),
    ("Neoverse N3", pmuv3::Identity::NEOVERSE_N2, 0x410F_D8E0),
    ("Neoverse V3", pmuv3::Identity::NEOVERSE_N2, 0x410F_D840),
    ("Rainier", pmuv3::Identity::NEOVERSE_N1, 0x3F0F_4120),
    ("A64FX", pmuv3::Identity::NEOVERSE_N1, 0x461F_0010),
    ("AmpereOne", pmuv3::Identity::NEOVERSE_N2, 0xC00F_AC30),
    ("AmpereOneX", pmuv3::Identity::NEOVERSE_N2, 0xC00F_AC40),
    ("eMAG", pmuv3::Identity::CORTEX_A57, 0x503F_0000),
    ("MONAKA", pmuv3::Identity::NEOVERSE_N2, 0x460F_0030),
    ("Olympus", pmuv3::Identity::NEOVERSE_N2, 0x4E0F_0100),
    ("ThunderX2", pmuv3::Identity::NEOVERSE_N1, 0x431F_0AF1),
    ("TSV110", pmuv3::Identity::NEOVERSE_N1, 0x481F_D010),
];

fn intels() -> impl Iterator<Item = Known> {
    let all = INTELS.iter().map(|&(name, identity, signature)| (name, identity, signature, intel::Core::Alike));
    let small = SMALL_CORES.iter();
    let small = small.map(|&(name, identity, signature, core)| (name, identity, signature, intel::Core::Small(core)));
    all.chain(small).map(|(name, identity, [family, model, stepping], core)| {
        let microarchitecture = intel::Microarchitecture::of_core(family, model, core).expect("the model is listed");
        let mut capabilities = identity.capabilities();
        (capabilities.model, capabilities.stepping) = (model, stepping);
        (capabilities.core, capabilities.microarchitecture) = (core, Some(microarchitecture));
        // Nehalem alone hides this event.
        capabilities.events |= intel::Architectural::BRANCH_MISSES;
        capabilities.auxiliaries = intel::Auxiliary::of(microarchitecture);
        // The device has the model's own registers.
        let alike = identity.with_signature(signature(family, model, stepping));
        let device = move || intel::Device::new(&alike, Kinds::CLOCK, Unconnected);
        known(
            name,
            device,
            move |on| intel::Intel::<_, _>::new(on, Unattached, capabilities),
            intel::Capabilities::fields,
        )
    })
}

/// Returns family, model and stepping in the layout of CPUID.01H:EAX.
const fn signature(family: u32, model: u32, stepping: u32) -> u32 {
    let (base, extended) = if family < 0xF { (family, 0) } else { (0xF, family - 0xF) };
    extended << 20 | model >> 4 << 16 | base << 8 | (model & 0xF) << 4 | stepping
}

fn amds() -> impl Iterator<Item = Known> {
    AMDS.iter().map(|&(name, identity, family, model)| {
        let mut capabilities = identity.capabilities();
        (capabilities.family, capabilities.model) = (family, model);
        let device = move || amd::Device::new(&identity, Kinds::CLOCK, Unconnected);
        known(name, device, move |on| amd::Amd::<_, _>::new(on, Unattached, capabilities), amd::Capabilities::fields)
    })
}

fn arms() -> impl Iterator<Item = Known> {
    ARMS.iter().map(|&(name, identity, processor)| {
        let device = move || pmuv3::Device::new(&identity, Kinds::CLOCK, Unconnected).driven_from(Mode::Kernel);
        let mut capabilities = pmuv3::Capabilities::discover(&device()).expect("the identity has a unit");
        capabilities.processor = processor;
        // It is not known which common events each core announces.
        capabilities.announced = pmuv3::Announced { low: u64::MAX, high: u64::MAX };
        known(name, device, move |on| Pmuv3::new(on, capabilities, pmuv3::Share::WHOLE), pmuv3::Capabilities::fields)
    })
}

fn powers() -> impl Iterator<Item = Known> {
    POWERS.iter().map(|&(name, pvr)| {
        let it = book3s::Identity::of_processor(Pvr::from_bits(pvr)).expect("the version is listed");
        let device = move || book3s::Device::new(&it, Kinds::CLOCK, Unconnected);
        known(
            name,
            device,
            move |on| book3s::Book3s::new(on, it.capabilities()),
            move |at| it.capabilities().fields(at),
        )
    })
}

/// Returns the processors of a family that no identity is of.
fn beside(family: &str) -> Vec<Known> {
    match family {
        "intel" => intels().collect(),
        "amd" => amds().collect(),
        "pmuv3" => arms().collect(),
        "book3s" => powers().collect(),
        _ => Vec::new(),
    }
}

/// Returns all processors.
pub(crate) fn all() -> Vec<Known> {
    let mut all = families::each!(known_of_each);
    // Some differ in what their owner may do alone.
    all.dedup_by_key(|known| known.name);
    all
}

/// Returns the names of all processors, one a line.
pub(super) fn names() -> String {
    lines(&all())
}

/// Finds a processor: the one of this very name, else the only one with the same letters and digits, else the first of
/// those whose events libpfm or OProfile know by this name, or else perf, else the only one whose name has each of these
/// words. `core` is libpfm's name of Core 2; OProfile's of Core Duo is `i386/core`.
///
/// # Errors
/// Returns the names of those that could be meant: the nearest one, or all.
pub(super) fn find(name: &str) -> Result<Known, String> {
    let mut all = all();
    position(&all, name).map(|at| all.swap_remove(at))
}

/// Returns the number of the processor that [`find`] finds among all.
///
/// # Errors
/// Those of [`find`].
pub(crate) fn position(all: &[Known], name: &str) -> Result<usize, String> {
    let words: Vec<_> = name.split([' ', '-', '_']).map(plain).collect();
    let is_meant: [&dyn Fn(&Known) -> bool; 3] =
        [&|known| known.name == name, &|known| plain(known.name) == plain(name), &|known| {
            words.iter().all(|word| plain(known.name).contains(word))
        }];
    for (number, is_meant) in is_meant.into_iter().enumerate() {
        if number == 2
            && let Some(at) = of_unit(all, name)
        {
            return Ok(at);
        }
        let meant: Vec<_> = (0..all.len()).filter(|&at| is_meant(&all[at])).collect();
        match meant[..] {
            [] => {}
            [at] => return Ok(at),
            _ => return Err(format!("these are:\n{}", lines(meant.into_iter().map(|at| &all[at])))),
        }
    }
    let near = EventName::nearest(name.as_bytes(), all.iter().map(|known| EventName::new(known.name)));
    Err(near.map_or_else(|| format!("these are:\n{}", lines(all)), |near| format!("the nearest name is {near}\n")))
}

/// Returns the first processor whose unit has this name in full, or else in part.
fn of_unit(all: &[Known], name: &str) -> Option<usize> {
    let is_whole = |known: &Known| {
        let Catalogue { unit, aliases, .. } = *known.processor.catalogue;
        [unit].iter().chain(aliases).any(|known| known.eq_ignore_ascii_case(name))
    };
    let is_part = |known: &Known| known.processor.catalogue.is_unit(name);
    all.iter().position(is_whole).or_else(|| all.iter().position(is_part))
}

fn lines<'k>(processors: impl IntoIterator<Item = &'k Known>) -> String {
    processors.into_iter().map(|known| format!("{}\n", known.name)).collect()
}

/// A name without what people write in several ways. The sign `+` tells processors apart.
fn plain(name: &str) -> String {
    name.chars().filter(|it| it.is_ascii_alphanumeric() || *it == '+').collect::<String>().to_ascii_lowercase()
}
