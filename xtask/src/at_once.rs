//! Runs several jobs at the same time.

use std::iter;
use std::num::NonZero;
use std::sync::Mutex;
use std::thread;

/// Run as many of these in parallel as this machine has processors, and return their results in the order of the jobs.
pub(crate) fn at_once<T: Send>(jobs: impl Iterator<Item: FnOnce() -> T> + Send) -> Vec<T> {
    let waiting = Mutex::new(jobs.enumerate());
    let next = || waiting.lock().expect("no job is run with the lock held").next();
    let work = || iter::from_fn(next).map(|(place, job)| (place, job())).collect::<Vec<_>>();
    let workers = thread::available_parallelism().map_or(1, NonZero::get);
    let mut results: Vec<_> = thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("no job panics")).collect()
    });
    results.sort_unstable_by_key(|&(place, _)| place);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_job_is_run_once_and_results_are_in_order() {
        assert_eq!(at_once((0..100).map(|number| move || number)), (0..100).collect::<Vec<_>>());
    }
}
