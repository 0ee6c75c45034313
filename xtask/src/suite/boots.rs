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
    let tests = run_image(image, selection)?;
    let identities = || selection.identities_of(image.kernel);
    let speakers = || identities().filter(|_| selection.filter.is_none());
    let demos = speakers()
        .filter(|identity| identity.is_demonstrated())
        .map(|identity| speech(identity, "demo", demo::prove(image, identity)));
    let measured = speakers().filter(|identity| identity.is_measured());
    let benches = measured.map(|identity| speech(identity, "bench", bench::prove(image, identity)));
    let read = speakers().filter(|identity| identity.is_read_by_perf());
    let reports = read.map(|identity| speech(identity, "perf", demo::prove_perf(image, identity)));
    Ok(iter::once(tests).chain(demos).chain(benches).chain(reports).collect())
}

/// What the kernel says of itself, which people read: it must run to its end and add up.
fn speech(identity: Identity, name: &str, result: Result<()>) -> Tally {
    match result {
        Ok(()) => Tally::pass(),
        Err(error) => Tally::failure(format!("{identity}: {name}: {error:#}")),
    }
}

/// Boot this image for each of its processors, as many at once as this machine has processors: an emulated kernel keeps one busy,
/// and its own clock does not notice.
///
/// # Errors
/// QEMU cannot be started.
pub(super) fn run_image(image: &Image, selection: &Selection) -> Result<Tally> {
    let waiting = Mutex::new(selection.identities_of(image.kernel));
    let next = || waiting.lock().expect("no boot panics with the lock held").next();
    let work = || iter::from_fn(next).map(|identity| boot(image, identity, selection)).collect::<Vec<_>>();
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
