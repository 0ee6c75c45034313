//! Do the kernel's tests pass, on every processor that it can present?

use std::iter;
use std::num::NonZero;
use std::path::Path;
use std::sync::Mutex;
use std::thread;

use anyhow::Result;

use super::serial::Report;
use super::{Selection, Tally};
use crate::identity::Identity;
use crate::progress::Step;
use crate::{bench, demo, kernel, machine};

/// Build the image and boot it for each identity.
///
/// # Errors
/// The image does not compile, or QEMU cannot be started.
pub(super) fn run(selection: &Selection) -> Result<Tally> {
    let image = kernel::build()?;
    let tests = run_image(&image, selection)?;
    let speakers = || selection.identities.iter().copied().filter(|_| selection.filter.is_none());
    let demos = speakers().map(|identity| speech(identity, "demo", demo::prove(&image, identity)));
    let measured = speakers().filter(|identity| identity.is_intel());
    let benches = measured.map(|identity| speech(identity, "bench", bench::prove(&image, identity)));
    Ok(iter::once(tests).chain(demos).chain(benches).collect())
}

/// What the kernel says of itself, which people read: it must run to its end and add up.
fn speech(identity: Identity, name: &str, result: Result<()>) -> Tally {
    match result {
        Ok(()) => Tally::pass(),
        Err(error) => Tally::failure(format!("{identity}: {name}: {error:#}")),
    }
}

/// Boot this image for each identity, as many at once as this machine has processors: an emulated kernel keeps one busy,
/// and its own clock does not notice.
///
/// # Errors
/// QEMU cannot be started.
pub(super) fn run_image(image: &Path, selection: &Selection) -> Result<Tally> {
    let waiting = Mutex::new(selection.identities.iter().copied());
    let next = || waiting.lock().expect("no boot panics with the lock held").next();
    let work = || iter::from_fn(next).map(|identity| boot(image, identity, selection)).collect::<Vec<_>>();
    let workers = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("no boot panics")).collect()
    })
}

fn boot(image: &Path, identity: Identity, selection: &Selection) -> Result<Tally> {
    let step = Step::begin(format!("kernel tests on {identity}"));
    let mut report = Report::default();
    let append = append(identity, selection.filter.as_deref());
    let ending = machine::run(image, &append, selection.limit, |line| report.hear(line))?;
    let tally = if selection.filter.is_some() && report.has_no_test() {
        Tally::default() // the test may be the host's
    } else {
        report.conclude(ending).within(&identity.to_string())
    };
    step.end(&tally.to_string());
    Ok(tally)
}

fn append(identity: Identity, filter: Option<&str>) -> String {
    let filter = filter.map(|filter| format!(" test={filter}")).unwrap_or_default();
    format!("run=test identity={identity}{filter}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernel_is_told_what_to_run() {
        assert_eq!(append(Identity::Core2, Some("wrap")), "run=test identity=core2 test=wrap");
        assert_eq!(append(Identity::LionCove, None), "run=test identity=lion-cove");
    }
}
