//! Do the kernels' tests pass, on every processor that they can run on?

use std::iter;
use std::num::NonZero;
use std::sync::Mutex;
use std::thread;

use anyhow::Result;

use super::serial::Report;
use super::{Selection, Tally};
use crate::identity::Identity;
use crate::kernel::Image;
use crate::progress::Step;
use crate::{bench, demo};

/// Build each kernel's image and boot it for each of its processors.
///
/// # Errors
/// An image does not compile, or QEMU cannot be started.
pub(super) fn run(selection: &Selection) -> Result<Tally> {
    selection.kernels().into_iter().map(|kernel| run_kernel(&kernel.build()?, selection)).collect()
}

fn run_kernel(image: &Image, selection: &Selection) -> Result<Tally> {
    let speakers = || selection.identities_of(image.kernel).filter(|_| selection.filter.is_none());
    let demos = speakers().map(|identity| job(move || Ok(speech(identity, "demo", demo::prove(image, identity)))));
    let benches = speakers()
        .filter(|identity| identity.is_measured())
        .map(|identity| job(move || Ok(speech(identity, "bench", bench::prove(image, identity)))));
    let reports = speakers()
        .filter(|identity| identity.is_read_by_perf())
        .map(|identity| job(move || Ok(speech(identity, "perf", demo::prove_perf(image, identity)))));
    at_once(tests(image, selection).chain(demos).chain(benches).chain(reports))
}

/// What the kernel says of itself, which people read: it must run to its end and add up.
fn speech(identity: Identity, name: &str, result: Result<()>) -> Tally {
    match result {
        Ok(()) => Tally::pass(),
        Err(error) => Tally::failure(format!("{identity}: {name}: {error:#}")),
    }
}

/// Boot this image for each of its processors.
///
/// # Errors
/// QEMU cannot be started.
pub(super) fn run_image(image: &Image, selection: &Selection) -> Result<Tally> {
    at_once(tests(image, selection))
}

/// A boot of its own, whose outcome counts.
type Job<'a> = Box<dyn FnOnce() -> Result<Tally> + Send + 'a>;

fn job<'a>(work: impl FnOnce() -> Result<Tally> + Send + 'a) -> Job<'a> {
    Box::new(work)
}

fn tests<'a>(image: &'a Image, selection: &'a Selection) -> impl Iterator<Item = Job<'a>> + Send {
    selection.identities_of(image.kernel).map(move |identity| job(move || boot(image, identity, selection)))
}

/// Does as many of these at once as this machine has processors: an emulated kernel keeps one busy, and its own clock
/// does not notice.
fn at_once<'a>(jobs: impl Iterator<Item = Job<'a>> + Send) -> Result<Tally> {
    let waiting = Mutex::new(jobs);
    let next = || waiting.lock().expect("no boot panics with the lock held").next();
    let work = || iter::from_fn(next).map(|job| job()).collect::<Vec<_>>();
    let workers = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("no boot panics")).collect()
    })
}

fn boot(image: &Image, identity: Identity, selection: &Selection) -> Result<Tally> {
    let step = Step::begin(format!("kernel tests on {identity}"));
    let mut report = Report::default();
    let words = words(selection.filter.as_deref());
    let ending = image.on(identity, &words).run(selection.limit, |line| report.hear(line))?;
    let tally = if selection.filter.is_some() && report.has_no_test() {
        Tally::default() // the test may be the host's
    } else {
        report.conclude(ending).within(&identity.to_string())
    };
    step.end(&tally.to_string());
    Ok(tally)
}

fn words(filter: Option<&str>) -> String {
    let filter = filter.map(|filter| format!(" test={filter}")).unwrap_or_default();
    format!("run=test{filter}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernel_is_told_what_to_run() {
        assert_eq!(words(Some("wrap")), "run=test test=wrap");
        assert_eq!(words(None), "run=test");
    }
}
