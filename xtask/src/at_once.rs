//! Runs several jobs at the same time.

use std::iter;
use std::num::NonZero;
use std::sync::Mutex;
use std::thread;

use crate::cost;

/// Run as many of these in parallel as this machine has processors, and return their results in the order of the jobs.
///
/// The programs that they run are added to the cost of the thread that calls.
pub(crate) fn at_once<T: Send>(jobs: impl Iterator<Item: FnOnce() -> T> + Send) -> Vec<T> {
    let waiting = Mutex::new(jobs.enumerate());
    let next = || waiting.lock().expect("no job is run with the lock held").next();
    let work = || {
        let results: Vec<_> = iter::from_fn(next).map(|(place, job)| (place, job())).collect();
        (results, cost::of_thread())
    };
    let workers = thread::available_parallelism().map_or(1, NonZero::get);
    let done: Vec<_> = thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        workers.into_iter().map(|worker| worker.join().expect("no job panics")).collect()
    });
    done.iter().for_each(|&(_, cost)| cost::add_to_thread(cost));
    let mut results: Vec<_> = done.into_iter().flat_map(|(results, _)| results).collect();
    results.sort_unstable_by_key(|&(place, _)| place);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn every_job_is_run_once_and_results_are_in_order() {
        assert_eq!(at_once((0..100).map(|number| move || number)), (0..100).collect::<Vec<_>>());
    }

    #[test]
    fn what_the_jobs_cost_is_the_callers() {
        at_once((0..100).map(|_| || cost::add_to_thread(Duration::from_secs(1))));
        assert_eq!(cost::of_thread(), Duration::from_secs(100));
    }
}
