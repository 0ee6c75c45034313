//! The matrix of processors: which of them `cargo xtask test` runs, and what stands for the others.
//!
//! It runs one processor of each generation that a driver distinguishes, and of each line and width of registers that it has.
//! Each of these runs all sentences. A sentence that interrupts each instruction of an operation does so on one processor of
//! each driver, and elsewhere at a sample of them. `cargo xtask test --all` runs everything on all processors, and checks
//! that a processor which is [left out](Role::Like) otherwise shows no sentence that the one which stands for it does not.

use std::collections::{BTreeMap, BTreeSet};

use crate::identity::Identity;
use crate::tally::Tally;

/// How much of the matrix is run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Extent {
    /// What `cargo xtask test` runs.
    Short,
    /// All of it (`--all`), or all of one processor (`--identity`).
    Whole,
}

impl Extent {
    /// Returns the extent of a run of everything, or of one processor.
    pub(crate) fn of(all: bool, one: Option<Identity>) -> Self {
        if all || one.is_some() { Self::Whole } else { Self::Short }
    }

    /// Returns the processors that are run: the one that was chosen, or those of this extent.
    pub(crate) fn identities(self, one: Option<Identity>) -> Vec<Identity> {
        let is_in = |row: &&Row| self == Self::Whole || row.is_in();
        one.map_or_else(|| ROWS.iter().filter(is_in).map(|row| row.identity).collect(), |identity| vec![identity])
    }

    /// Returns the word that tells a kernel how much its stress does on this processor.
    pub(crate) fn effort(self, identity: Identity) -> &'static str {
        match (self, row_of(identity).role) {
            (Self::Whole, _) => "whole",
            (Self::Short, Role::Every) => "every",
            (Self::Short, Role::Sample | Role::Like(..)) => "sample",
        }
    }

    /// Returns true if a demo, bench or show that can be made on these processors is made on this one: in the short extent on
    /// one processor of each driver.
    pub(crate) fn makes(self, identity: Identity, can_be_made_on: fn(Identity) -> bool) -> bool {
        let driver = row_of(identity).driver;
        let is_able = |row: &&Row| row.driver == driver && row.is_in() && can_be_made_on(row.identity);
        let first = || ROWS.iter().filter(is_able).min_by_key(|row| row.role != Role::Every).map(|row| row.identity);
        can_be_made_on(identity) && (self == Self::Whole || first() == Some(identity))
    }

    /// Returns true if Debian's Linux is booted on this processor, if it can be: in the short extent once for each kind of
    /// guest.
    pub(crate) fn has_guests(self, identity: Identity) -> bool {
        self == Self::Whole || GUESTS.contains(&identity)
    }
}

/// Where Debian's Linux is booted in the short extent: with perf and Intel's stack of branches, on a unit that it does not know
/// by name, with its newer version and the architectural recorder, with two CPUs and AMD's driver, with AMD's recorder, with a
/// unit that moves, two CPUs and the P6 family's driver; on Arm and on RISC-V.
const GUESTS: [Identity; 7] = [
    Identity::Skylake,
    Identity::LionCove,
    Identity::Zen2,
    Identity::Zen4,
    Identity::PentiumIII,
    Identity::Max,
    Identity::Rv64Sbi,
];

/// What a processor does in the short extent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Role {
    /// It runs all sentences, and tries every instruction of an operation on one of its counters.
    Every,
    /// It runs all sentences, and tries a sample of an operation's instructions.
    Sample,
    /// It is left out. This one stands for it, since the unit differs in this alone.
    Like(Identity, &'static str),
}

/// A processor and its unit.
struct Row {
    identity: Identity,
    /// The folder of its driver in `arch`.
    driver: &'static str,
    /// Which of the units it is that the driver distinguishes, by the words of the driver's source.
    generation: &'static str,
    /// How its overflows interrupt.
    line: &'static str,
    role: Role,
}

const fn row(
    identity: Identity,
    driver: &'static str,
    generation: &'static str,
    line: &'static str,
    role: Role,
) -> Row {
    Row { identity, driver, generation, line, role }
}

/// What is left out for this is shown by the host's tests.
const EVENTS: &str = "its events, which the host's tests know";
/// What its counter 2 can do more, and its events.
const EXACT: &str = "its events and a counter that counts exactly, which the host's tests know";
/// The mode that POWER's kernel runs in.
const ABOVE_ALL: &str = "its generation, which is in below a hypervisor, and is above all here as the other one is";

/// A line that the processor masks at each interrupt, and one that it does not.
const MASKED: &str = "LVTPC, masked";
const OPEN: &str = "LVTPC, open";
const NONE: &str = "none";

#[rustfmt::skip]
const ROWS: &[Row] = &[
    row(Identity::CoreDuo,          "intel",      "version 1",    MASKED,      Role::Sample),
    row(Identity::Core2,            "intel",      "version 2",    MASKED,      Role::Sample),
    row(Identity::Nehalem,          "intel",      "version 3",    MASKED,      Role::Sample),
    row(Identity::Skylake,          "intel",      "version 4",    MASKED,      Role::Every),
    row(Identity::SapphireRapids,   "intel",      "version 5",    MASKED,      Role::Sample),
    row(Identity::LionCove,         "intel",      "version 6",    MASKED,      Role::Sample),
    row(Identity::K7,               "amd",        "K7",           OPEN,        Role::Sample),
    row(Identity::K8,               "amd",        "K8",           OPEN,        Role::Sample),
    row(Identity::Family10h,        "amd",        "Family10h",    OPEN,        Role::Sample),
    row(Identity::Family15h,        "amd",        "Family15h",    OPEN,        Role::Sample),
    row(Identity::Zen2,             "amd",        "Zen",          OPEN,        Role::Sample),
    row(Identity::Zen3,             "amd",        "Zen3",         OPEN,        Role::Like(Identity::Zen2, EXACT)),
    row(Identity::Zen4,             "amd",        "Zen3",         OPEN,        Role::Every),
    row(Identity::P5,               "p5",         "without MMX",  NONE,        Role::Sample),
    row(Identity::P5Mmx,            "p5",         "MMX",          NONE,        Role::Every),
    row(Identity::PentiumII,        "p6",         "PentiumIII",   OPEN,        Role::Like(Identity::PentiumIII, EVENTS)),
    row(Identity::PentiumIII,       "p6",         "PentiumIII",   OPEN,        Role::Every),
    row(Identity::PentiumM,         "p6",         "PentiumM",     MASKED,      Role::Sample),
    row(Identity::Pentium4,         "netburst",   "all",          MASKED,      Role::Every),
    row(Identity::Prescott,         "netburst",   "all",          MASKED,      Role::Sample),
    row(Identity::CortexA53,        "pmuv3",      "version 8",    "PPI",       Role::Sample),
    row(Identity::CortexA57,        "pmuv3",      "version 0",    "PPI",       Role::Every),
    row(Identity::CortexA72,        "pmuv3",      "version 7",    "PPI",       Role::Sample),
    row(Identity::CortexA76,        "pmuv3",      "version 4",    "PPI",       Role::Sample),
    row(Identity::NeoverseN1,       "pmuv3",      "version 1",    "PPI",       Role::Sample),
    row(Identity::NeoverseV1,       "pmuv3",      "version 5",    "PPI",       Role::Sample),
    row(Identity::Max,              "pmuv3",      "version 9",    "PPI",       Role::Sample),
    row(Identity::Power8,           "book3s",     "Power8",       "PMAO",      Role::Sample),
    row(Identity::Power9,           "book3s",     "Power9",       "PMAO",      Role::Every),
    row(Identity::Power10,          "book3s",     "Power10",      "PMAO",      Role::Sample),
    row(Identity::Powernv8,         "book3s",     "above all",    "PMAO",      Role::Like(Identity::Powernv9, ABOVE_ALL)),
    row(Identity::Powernv9,         "book3s",     "above all",    "PMAO",      Role::Sample),
    row(Identity::Powernv10,        "book3s",     "above all",    "PMAO",      Role::Like(Identity::Powernv9, ABOVE_ALL)),
    row(Identity::Ppc970,           "book3s",     "Ppc970",       "level",     Role::Sample),
    row(Identity::Ppc750,           "classic",    "P750",         "level",     Role::Sample),
    row(Identity::Ppc7450,          "classic",    "P745x",        "level",     Role::Every),
    row(Identity::E300,             "embedded",   "E300",         "level",     Role::Sample),
    row(Identity::E500,             "embedded",   "E500",         "level",     Role::Every),
    row(Identity::UltraSparcII,     "ultrasparc", "Ultra12",      NONE,        Role::Sample),
    row(Identity::UltraSparcIII,    "ultrasparc", "Ultra3",       "level 15",  Role::Every),
    row(Identity::UltraSparcIVPlus, "ultrasparc", "Ultra3",       "level 15",  Role::Like(Identity::UltraSparcIII, EVENTS)),
    row(Identity::UltraSparcT1,     "niagara",    "T1",           "level 15",  Role::Sample),
    row(Identity::UltraSparcT2,     "niagara",    "T2",           "level 15",  Role::Every),
    row(Identity::R10000,           "mipsxx",     "R10000",       "IP7",       Role::Every),
    row(Identity::R10000V2,         "mipsxx",     "R10000",       "IP7",       Role::Like(Identity::R10000, EVENTS)),
    row(Identity::R12000,           "mipsxx",     "R12000",       "IP7",       Role::Sample),
    row(Identity::R14000,           "mipsxx",     "R12000",       "IP7",       Role::Like(Identity::R12000, EVENTS)),
    row(Identity::Mips5K,           "mipsxx",     "Config1",      "IP7",       Role::Sample),
    row(Identity::Mips20K,          "mipsxx",     "one counter",  "IP7",       Role::Sample),
    row(Identity::Octeon,           "mipsxx",     "wide",         "IP7",       Role::Like(Identity::OcteonII, EVENTS)),
    row(Identity::OcteonII,         "mipsxx",     "wide",         "IP7",       Role::Sample),
    row(Identity::Mips24K,          "mipsxx",     "Config1",      "IP7",       Role::Sample),
    row(Identity::Mips34K,          "mipsxx",     "VPE",          "IP7",       Role::Sample),
    row(Identity::Mips74K,          "mipsxx",     "four counters", "IP7",      Role::Sample),
    row(Identity::Mips1004K,        "mipsxx",     "VPE",          "IP7",       Role::Like(Identity::Mips34K, EVENTS)),
    row(Identity::Loongson3A5000,   "la64",       "LA464",        "IS10",      Role::Every),
    row(Identity::Rv64M,            "hpm",        "Machine",      "Local",     Role::Sample),
    row(Identity::Rv64S,            "hpm",        "Supervisor",   "Local",     Role::Sample),
    row(Identity::Rv64Sbi,          "sbi",        "OpenSBI",      "Local",     Role::Every),
    row(Identity::Rv64Sse,          "sbi",        "OpenSBI",      "Software",  Role::Sample),
    row(Identity::Rv64Vs,           "sbi",        "Hypervisor",   "Local",     Role::Sample),
    row(Identity::Rv64DeviceM,      "hpm",        "Machine",      "Local",     Role::Every),
    row(Identity::Rv64DeviceS,      "hpm",        "Supervisor",   "Local",     Role::Sample),
    row(Identity::Rv32M,            "hpm",        "Machine",      "Local",     Role::Sample),
    row(Identity::Rv32S,            "hpm",        "Supervisor",   "Local",     Role::Sample),
    row(Identity::Rv32MPlain,       "hpm",        "Machine",      NONE,        Role::Sample),
];

impl Row {
    /// Returns true if the processor is in the short extent.
    fn is_in(&self) -> bool {
        !matches!(self.role, Role::Like(..))
    }
}

/// Returns the processor's unit in words: its driver, its generation and its line.
pub(crate) fn unit_of(identity: Identity) -> String {
    let Row { driver, generation, line, .. } = row_of(identity);
    format!("{driver} {generation}, line {line}")
}

fn row_of(identity: Identity) -> &'static Row {
    ROWS.iter().find(|row| row.identity == identity).expect("each processor has a row")
}

/// The sentences that were shown on each processor.
pub(crate) type Shown = BTreeMap<Identity, BTreeSet<String>>;

/// Returns a line for each sentence on each processor, by which two commits can be compared.
pub(crate) fn list(shown: &Shown) -> String {
    shown.iter().flat_map(|(identity, names)| names.iter().map(move |name| format!("{identity}: {name}\n"))).collect()
}

/// Compares the sentences of each processor that the short extent leaves out with those of the one that stands for it.
pub(crate) fn compare(shown: &Shown) -> Tally {
    let of = |identity: Identity| shown.get(&identity);
    let pairs = ROWS.iter().filter_map(|row| match row.role {
        Role::Like(other, _) => of(row.identity).zip(of(other)).map(|(own, others)| (row.identity, other, own, others)),
        Role::Every | Role::Sample => None,
    });
    let lone = pairs.flat_map(|(identity, other, own, others)| {
        let lone = own.difference(others);
        lone.map(move |name| Tally::failure(format!("{identity} shows {name}, which {other} does not stand for")))
    });
    lone.collect()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    use clap::ValueEnum;

    use super::*;
    use crate::place;

    #[test]
    fn each_processor_has_one_row() {
        let rows: Vec<_> = ROWS.iter().map(|row| row.identity).collect();
        assert_eq!(rows, Identity::value_variants());
    }

    #[test]
    fn each_generation_line_and_width_of_each_driver_is_in_the_short_extent() {
        let units = |row: &Row| {
            let Row { identity, driver, generation, line, .. } = *row;
            [generation.to_owned(), line.to_owned(), identity.kernel().to_string()].map(|part| (driver, part))
        };
        let all: BTreeSet<_> = ROWS.iter().flat_map(units).collect();
        let short: BTreeSet<_> = ROWS.iter().filter(|row| row.is_in()).flat_map(units).collect();
        assert_eq!(all, short);
    }

    #[test]
    fn each_driver_of_the_crate_is_in_and_tries_every_instruction_once() {
        let arch = sources(&place::root().join("arch"));
        // A recorder of branches is no driver of counters, and has sentences of its own.
        let is_driver = |(path, text): &&(PathBuf, String)| path.ends_with("driver.rs") && text.contains(" Plan for ");
        let folders = arch.iter().filter(is_driver).filter_map(|(path, _)| path.parent());
        let names = folders.filter_map(|folder| folder.file_name()?.to_str());
        let mut drivers: Vec<_> = names.map(str::to_owned).collect();
        let every = ROWS.iter().filter(|row| row.role == Role::Every).map(|row| row.driver.to_owned());
        let mut every: Vec<_> = every.collect();
        drivers.sort_unstable();
        every.sort_unstable();
        assert_eq!(every, drivers);
    }

    #[test]
    fn what_stands_for_a_processor_is_in_and_has_its_driver_and_width() {
        for row in ROWS {
            let Role::Like(other, why) = row.role else { continue };
            let other = row_of(other);
            assert!(other.is_in() && !why.is_empty(), "{}", row.identity);
            assert_eq!(
                (row.driver, row.identity.kernel()),
                (other.driver, other.identity.kernel()),
                "{}",
                row.identity
            );
        }
    }

    #[test]
    fn each_entry_of_an_interrupt_is_made_in_a_kernel_that_is_in() {
        let folders: BTreeSet<_> =
            ROWS.iter().filter(|row| row.is_in()).map(|row| row.identity.kernel().folder()).collect();
        let kernels: String = folders.iter().flat_map(|folder| sources(folder)).map(|(_, text)| text).collect();
        let arch = sources(&place::root().join("arch"));
        let examples = sources(&place::examples()).into_iter().map(|(_, text)| text);
        let kernels = kernels + &examples.collect::<String>();
        let macros = arch.iter().flat_map(|(_, text)| text.split("\nmacro_rules! ").skip(1));
        let macros = macros.filter_map(|text| text.split("\n}\n").next()?.split_once(" {"));
        let entries: Vec<_> = macros.filter(|(name, _)| name.contains("_entry")).collect();
        assert!(entries.len() >= 4, "{entries:?}");
        for (entry, text) in entries {
            let call = format!("pmu::{entry}!");
            let mut made = kernels.split(&call).skip(1);
            let is_framed = |text: &str| text.split(';').next().is_some_and(|made| made.contains("framed: "));
            let can_be_framed = text.contains("framed: ");
            assert!(made.clone().any(|text| !is_framed(text)) && (!can_be_framed || made.any(is_framed)), "{entry}");
        }
    }

    /// Returns the sources in this folder with their paths.
    fn sources(folder: &Path) -> Vec<(PathBuf, String)> {
        let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let of = |path: PathBuf| match path.extension() {
            _ if path.is_dir() => sources(&path),
            Some(extension) if extension == "rs" => vec![(path.clone(), fs::read_to_string(path).unwrap())],
            _ => Vec::new(),
        };
        paths.flat_map(of).collect()
    }

    #[test]
    fn the_guests_are_on_processors_that_are_in() {
        assert!(GUESTS.iter().all(|&identity| row_of(identity).is_in()));
    }

    #[test]
    fn a_sentence_of_a_processor_that_is_left_out_is_one_of_the_other() {
        let of = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        let pair =
            |own: &[&str]| Shown::from([(Identity::PentiumII, of(own)), (Identity::PentiumIII, of(&["a", "b"]))]);
        assert_eq!(compare(&pair(&["a"])), Tally::default());
        let lone = compare(&pair(&["b", "c"]));
        let said: Vec<_> = lone.failures().iter().map(ToString::to_string).collect();
        assert_eq!(said, ["pentium-ii shows c, which pentium-iii does not stand for"]);
    }

    #[test]
    fn a_speech_is_made_on_one_processor_of_each_driver_that_it_can_be_made_on() {
        let made = |extent: Extent| {
            Identity::value_variants().iter().filter(move |&&one| extent.makes(one, Identity::is_measured))
        };
        let drivers: Vec<_> = made(Extent::Short).map(|&identity| row_of(identity).driver).collect();
        assert_eq!(drivers.len(), drivers.iter().collect::<BTreeSet<_>>().len());
        assert!(drivers.contains(&"hpm") && made(Extent::Short).any(|&identity| identity == Identity::Skylake));
        assert!(made(Extent::Whole).all(|identity| identity.is_measured()) && made(Extent::Whole).count() > 40);
    }

    #[test]
    fn all_of_the_matrix_is_every_processor_and_the_whole_of_each_stress() {
        assert_eq!(Extent::Whole.identities(None), Identity::value_variants());
        assert_eq!(Extent::Whole.effort(Identity::Core2), "whole");
        assert_eq!([Identity::Skylake, Identity::Core2].map(|one| Extent::Short.effort(one)), ["every", "sample"]);
        assert_eq!(Extent::of(false, Some(Identity::Core2)), Extent::Whole);
    }
}
