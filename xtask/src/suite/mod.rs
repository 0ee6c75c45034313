//! `cargo xtask test`: the host's tests, the interleavings, others' names, some fuzzing, the builds, the kernels, the proofs,
//! the examples, Debian's Linux as a guest and real cores, counted together.
//!
//! A part that cannot run counts as a failure. The last line is `N passed, N failed`.

mod account;
mod boots;
mod builds;
pub(crate) mod examples;
mod guests;
mod host;
mod interleavings;
mod oracles;
mod stranger;

use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Result, ensure};
use clap::ValueEnum;

use crate::at_once::at_once;
use crate::cost;
use crate::demo;
use crate::fuzz::{self, Effort};
use crate::guest;
use crate::identity::Identity;
use crate::kernel::{Image, Kernel};
use crate::matrix::Extent;
use crate::progress::{self, Step};
use crate::setup::{self, Need};
use crate::tally::Tally;
use crate::yardstick::Yardstick;
use crate::{proof, rtl};
use account::Entry;

/// The inputs for each fuzz target, the same ones every time: of a whole run and of a sample. `cargo xtask fuzz` searches
/// further.
const INPUTS: [Effort; 2] = [Effort::Inputs(20_000), Effort::Inputs(4_000)];

/// A part of the tests.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Part {
    /// The host's tests (`cargo test`)
    Host,
    /// All interleavings of a thread, its interrupt and another CPU
    Interleavings,
    /// Comparison of event encodings with libpfm4, of generic events with PAPI, and of names with perf's
    Oracles,
    /// Fuzzing of devices and parsers, for a short time
    Fuzz,
    /// Builds of the library for targets that no test kernel is built for
    Builds,
    /// The test kernels, booted on each processor
    Kernel,
    /// Proofs that no panic is reachable from the interrupt; they look at the kernels' images too
    Proofs,
    /// The example kernels, and `cargo test` in a kernel's folder
    Examples,
    /// Debian's Linux beneath the example hypervisors, booted on each processor that it has a driver for
    Guests,
    /// Real cores, by their makers' hardware descriptions in a simulator: counts beside the core's own event wires
    Rtl,
}

impl Part {
    fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// A filter selects tests by their name.
    fn has_named_tests(self) -> bool {
        matches!(self, Self::Host | Self::Kernel | Self::Examples)
    }

    fn needs(self, selection: &Selection) -> Vec<Need> {
        match self {
            Self::Host | Self::Interleavings => vec![],
            Self::Oracles => vec![Need::Libpfm, Need::Papi, Need::LinuxSource],
            Self::Fuzz => vec![Need::CppCompiler],
            Self::Builds => builds::needs(),
            Self::Proofs => proof::needs(),
            Self::Kernel => selection
                .kernels()
                .into_iter()
                .flat_map(Kernel::needs)
                .chain(selection.perf())
                .chain(selection.profiled().iter().copied())
                .collect(),
            Self::Examples => examples::needs(),
            Self::Guests => guest::needs(&selection.identities),
            Self::Rtl => rtl::needs(),
        }
    }

    /// Its processor seconds as of late, for the share of the whole that is done. The end of a run prints new ones.
    const fn expected(self) -> Duration {
        Duration::from_secs(match self {
            Self::Host => 600,
            Self::Interleavings => 120,
            Self::Oracles => 45,
            Self::Fuzz => 130,
            Self::Builds => 140,
            Self::Kernel => 2600,
            Self::Proofs => 130,
            Self::Examples => 400,
            Self::Guests => 270,
            Self::Rtl => 150,
        })
    }

    /// Runs it to its end, and prints that. Its set-up comes before, and is no part of what it costs.
    fn perform(self, selection: &Selection) -> Entry {
        let before = cost::of_thread();
        let is_ready = self.set_up(selection);
        let set_up = cost::of_thread() - before;
        progress::end_set_up(set_up);
        let step = Step::begin(format!("the part {}", self.name()));
        let entry = Entry::of(self.name(), || self.tally(is_ready.and_then(|()| self.run(selection))));
        progress::end_part(self.expected(), entry.cost);
        step.end(&entry.tally.to_string());
        Entry { set_up, ..entry }
    }

    /// A part that cannot run is a failure.
    fn tally(self, outcome: Result<Tally>) -> Tally {
        let name = self.name();
        let tally = outcome.unwrap_or_else(|error| Tally::failure(format!("{name} could not run: {error:#}")));
        tally.run_again_by(&format!("--only {name}"))
    }

    /// Installs what it needs, and compiles what others wrote.
    fn set_up(self, selection: &Selection) -> Result<()> {
        ensure!(
            selection.filter.is_none() || self.has_named_tests(),
            "its tests have no names that --test could choose by"
        );
        setup::prepare(&self.needs(selection))?;
        match self {
            Self::Examples => examples::set_up(selection.filter.as_deref()),
            Self::Rtl => rtl::set_up(),
            _ => Ok(()),
        }
    }

    fn run(self, selection: &Selection) -> Result<Tally> {
        match self {
            Self::Host => host::run(selection.filter.as_deref(), selection.effort()),
            Self::Interleavings => interleavings::run(),
            Self::Oracles => oracles::run(),
            Self::Fuzz => fuzz::run_all(INPUTS[usize::from(selection.effort() != "whole")]),
            Self::Builds => builds::run(),
            Self::Proofs => Ok(proof::run()),
            Self::Kernel => boots::run(selection),
            Self::Examples => examples::run(selection.filter.as_deref()),
            Self::Guests => guests::run(selection),
            Self::Rtl => rtl::run(selection.effort()),
        }
    }
}

/// The tests that were selected.
pub(crate) struct Selection {
    pub(crate) only: Option<Part>,
    pub(crate) identities: Vec<Identity>,
    pub(crate) extent: Extent,
    pub(crate) filter: Option<String>,
    pub(crate) limit: Duration,
}

impl Selection {
    /// Returns how much of each stress the host's tests do: "whole" or a "sample".
    fn effort(&self) -> &'static str {
        match self.extent {
            Extent::Whole => "whole",
            Extent::Short => "sample",
        }
    }

    /// The kernels that the wanted processors run.
    fn kernels(&self) -> Vec<Kernel> {
        let runs = |kernel: &Kernel| self.identities.iter().any(|identity| identity.kernel() == *kernel);
        Kernel::value_variants().iter().copied().filter(runs).collect()
    }

    /// Returns true if perf reads a kernel's stream in this selection.
    fn perf(&self) -> Option<Need> {
        self.identities
            .iter()
            .any(|&identity| identity.is_read_by_perf() || identity == demo::PRECISE)
            .then_some(Need::Perf)
    }

    /// Returns what reads branches, if a kernel is built by its own profile in this selection.
    fn profiled(&self) -> &'static [Need] {
        if self.identities.contains(&Identity::Rv64M) { &demo::READERS_OF_BRANCHES } else { &[] }
    }

    /// Returns true if every kernel has its bench and runs it. Otherwise x86-64's alone does ([`Kernel::has_bench`]).
    fn has_benches(&self) -> bool {
        self.extent == Extent::Whole && self.filter.is_none()
    }

    /// The wanted processors that this kernel runs on.
    fn identities_of(&self, kernel: Kernel) -> impl Iterator<Item = Identity> {
        self.identities.iter().copied().filter(move |identity| identity.kernel() == kernel)
    }

    /// Returns true if the parts run as a whole.
    fn is_of_all_tests(&self) -> bool {
        self.filter.is_none() && self.identities == self.extent.identities(None)
    }

    fn parts(&self) -> Vec<Part> {
        let is_wanted = |part: &Part| match (self.only, &self.filter) {
            (Some(only), _) => only == *part,
            (None, Some(_)) => part.has_named_tests(),
            (None, None) => true,
        };
        Part::value_variants().iter().copied().filter(is_wanted).collect()
    }
}

/// Run what is selected, and print what each part cost, the failures, and the one line that sums it up.
///
/// Two parts run at the same time: while one waits for a single long test, the other has the processors.
///
/// # Errors
/// None: a part that cannot run counts as a failure.
pub(crate) fn run(selection: &Selection) -> Result<ExitCode> {
    let yardstick = Yardstick::begin();
    let parts = selection.parts();
    if selection.is_of_all_tests() {
        progress::expect(parts.iter().map(|part| part.expected()).sum());
    }
    let entries = at_once(parts.into_iter().map(|part| move || part.perform(selection)));
    print!("{}", account::table(&entries));
    println!("{}", yardstick.end());
    Ok(conclude(&entries.into_iter().map(|entry| entry.tally).collect()))
}

/// Run one image's tests: the `cargo test` of a kernel's workspace ends here.
///
/// # Errors
/// The emulator is missing and cannot be installed, or cannot be started.
pub(crate) fn run_image(image: &Image, identity: Option<Identity>, filter: Option<String>) -> Result<ExitCode> {
    setup::prepare(&[image.kernel.booting()])?;
    let extent = Extent::of(false, identity);
    let mut identities = extent.identities(identity);
    identities.retain(|identity| identity.kernel() == image.kernel);
    let selection = Selection { only: None, identities, extent, filter, limit: crate::machine::SILENCE };
    Ok(conclude(&boots::run_image(image, &selection)?))
}

/// Prints the failures and the sum.
pub(crate) fn conclude(sum: &Tally) -> ExitCode {
    for failure in sum.failures() {
        println!("FAILED: {failure}");
    }
    println!("{sum}");
    if sum.is_good() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(only: Option<Part>, filter: Option<&str>) -> Vec<Part> {
        let limit = Duration::from_secs(1);
        let (identities, extent) = (Vec::new(), Extent::Short);
        Selection { only, identities, extent, filter: filter.map(str::to_owned), limit }.parts()
    }

    #[test]
    fn without_a_wish_everything_runs() {
        assert_eq!(parts(None, None), Part::value_variants());
    }

    #[test]
    fn a_filter_selects_the_parts_that_have_named_tests() {
        assert_eq!(parts(None, Some("wrap")), [Part::Host, Part::Kernel, Part::Examples]);
        assert_eq!(parts(Some(Part::Examples), Some("riscv")), [Part::Examples]);
    }

    #[test]
    fn a_part_whose_tests_have_no_names_refuses_a_filter() {
        let (identities, extent, filter) = (Vec::new(), Extent::Short, Some("wrap".to_owned()));
        let selection = Selection { only: None, identities, extent, filter, limit: Duration::ZERO };
        assert!(Part::Builds.set_up(&selection).is_err());
    }
}
