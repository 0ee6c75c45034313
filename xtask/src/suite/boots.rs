//! Runs the kernels' tests on every processor that they can run on.

use std::fs;
use std::sync::Mutex;

use anyhow::Result;

use super::Selection;
use crate::at_once::at_once;
use crate::identity::Identity;
use crate::kernel::{Image, Kernel};
use crate::matrix::{self, Extent, Shown};
use crate::progress::Step;
use crate::serial::Report;
use crate::tally::Tally;
use crate::{bench, demo, place};

/// Build each kernel's image and boot it for each of its processors.
///
/// All images are built before the first boot, and short boots come last, so that all processors of this machine are
/// busy until the end. An emulated kernel uses one, and its virtual clock is not affected by the others.
///
/// # Errors
/// An image does not compile, or QEMU cannot be started.
pub(super) fn run(selection: &Selection) -> Result<Tally> {
    let build = if selection.has_benches() { Kernel::build_with_bench } else { Kernel::build };
    let builds = selection.kernels().into_iter().map(|kernel| move || build(kernel));
    let images: Vec<_> = at_once(builds).into_iter().collect::<Result<_>>()?;
    let shown = Mutex::default();
    let long = images.iter().flat_map(|image| tests(image, selection, &shown));
    let short = images.iter().flat_map(|image| speeches(image, selection));
    let tallies = at_once(long.chain(short)).into_iter().collect::<Result<Vec<_>>>()?;
    let shown = shown.into_inner().expect("no boot panics");
    let is_all = selection.extent == Extent::Whole && selection.filter.is_none() && shown.len() > 1;
    if is_all {
        fs::write(place::target().join("sentences.txt"), matrix::list(&shown))?;
    }
    Ok(tallies.into_iter().chain([matrix::compare(&shown)]).collect())
}

/// A run whose output is for people, for perf or for a flame graph. It must complete and be consistent.
struct Speech {
    name: &'static str,
    prove: fn(&Image, Identity) -> Result<()>,
    can_be_made_on: fn(Identity) -> bool,
}

const BENCH: Speech = Speech { name: "bench", prove: bench::prove, can_be_made_on: Identity::is_measured };

const SPEECHES: [Speech; 7] = [
    // They sample and measure interrupts.
    Speech { name: "demo", prove: demo::prove, can_be_made_on: Identity::has_interrupts },
    Speech { name: "shows", prove: demo::prove_shows, can_be_made_on: Identity::is_shown },
    Speech {
        name: "cpustat",
        prove: demo::prove_cpustat,
        can_be_made_on: |identity| identity.kernel() == Kernel::Sparc,
    },
    Speech { name: "perf", prove: demo::prove_perf, can_be_made_on: Identity::is_read_by_perf },
    Speech { name: "precise", prove: demo::prove_precise, can_be_made_on: |identity| identity == demo::PRECISE },
    Speech { name: "flame", prove: demo::prove_flame, can_be_made_on: |identity| identity == Identity::Skylake },
    Speech { name: "fdo", prove: demo::prove_fdo, can_be_made_on: |identity| identity == Identity::Rv64M },
];

/// Returns these runs of an image on each of its processors, or none if a single test was selected.
fn speeches<'a>(image: &'a Image, selection: &'a Selection) -> impl Iterator<Item = Job<'a>> + Send {
    let speakers = selection.identities_of(image.kernel).filter(|_| selection.filter.is_none());
    speakers.flat_map(move |identity| {
        let bench = (selection.has_benches() || image.kernel.has_bench()).then_some(&BENCH);
        let speeches = SPEECHES.iter().chain(bench);
        let speeches = speeches.filter(move |speech| selection.extent.makes(identity, speech.can_be_made_on));
        speeches.map(move |speech| job(move || Ok(speech.hear(image, identity))))
    })
}

impl Speech {
    fn hear(&self, image: &Image, identity: Identity) -> Tally {
        match (self.prove)(image, identity) {
            Ok(()) => Tally::pass(),
            Err(error) => again(Tally::failure(format!("{identity}: {}: {error:#}", self.name)), identity),
        }
    }
}

/// Boot this image for each of its processors.
///
/// # Errors
/// QEMU cannot be started.
pub(super) fn run_image(image: &Image, selection: &Selection) -> Result<Tally> {
    at_once(tests(image, selection, &Mutex::default())).into_iter().collect()
}

/// A boot, with its results.
type Job<'a> = Box<dyn FnOnce() -> Result<Tally> + Send + 'a>;

fn job<'a>(work: impl FnOnce() -> Result<Tally> + Send + 'a) -> Job<'a> {
    Box::new(work)
}

fn tests<'a>(
    image: &'a Image,
    selection: &'a Selection,
    shown: &'a Mutex<Shown>,
) -> impl Iterator<Item = Job<'a>> + Send {
    selection.identities_of(image.kernel).map(move |identity| job(move || boot(image, identity, selection, shown)))
}

/// Boot it for this processor, and add the tests that passed to `shown`.
fn boot(image: &Image, identity: Identity, selection: &Selection, shown: &Mutex<Shown>) -> Result<Tally> {
    let effort = selection.extent.effort(identity);
    let unit = matrix::unit_of(identity);
    let step = Step::begin(format!("kernel tests on {identity} ({unit}; effort {effort})"));
    let mut report = Report::default();
    let words = words(effort, selection.filter.as_deref());
    let ending = image.on(identity, &words).run(selection.limit, |line| report.hear(line))?;
    shown.lock().expect("no boot panics").insert(identity, report.take_passed());
    let tally = if selection.filter.is_some() && report.has_no_test() {
        Tally::default() // the test may be the host's
    } else {
        report.conclude(ending).within(&identity.to_string())
    };
    step.end(&tally.to_string());
    Ok(again(tally, identity))
}

/// Says how its failures are run again.
fn again(tally: Tally, identity: Identity) -> Tally {
    tally.run_again_by(&format!("--only kernel --identity {identity}"))
}

fn words(effort: &str, filter: Option<&str>) -> String {
    let filter = filter.map(|filter| format!(" test={filter}")).unwrap_or_default();
    format!("run=test effort={effort}{filter}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernel_is_told_what_to_run() {
        assert_eq!(words("every", Some("wrap")), "run=test effort=every test=wrap");
        assert_eq!(words("whole", None), "run=test effort=whole");
    }
}
