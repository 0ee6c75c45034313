//! Measures how fast this machine is during a run.
//!
//! Processor seconds on a shared machine differ by a factor of two from hour to hour. A fixed piece of work is therefore
//! done every half minute, and what a run costs is also told as a multiple of what this work cost on average.

use std::hint::black_box;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::cost;

const INTERVAL: Duration = Duration::from_secs(30);

/// A run, during which a thread measures.
pub(crate) struct Yardstick {
    begun: Instant,
    end: Sender<()>,
    thread: JoinHandle<Measured>,
}

impl Yardstick {
    /// Begins to measure: now, and in regular intervals.
    pub(crate) fn begin() -> Self {
        let (end, ended) = mpsc::channel();
        let thread = thread::spawn(move || {
            let mut measured = Measured(vec![measure()]);
            while ended.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
                measured.0.push(measure());
            }
            measured
        });
        Self { begun: Instant::now(), end, thread }
    }

    /// Ends the run, and says what it cost: this program, and all that it ran.
    pub(crate) fn end(self) -> String {
        drop(self.end);
        let measured = self.thread.join().expect("to measure does not panic");
        let own = cost::of_this_program() - measured.total();
        measured.tell(self.begun.elapsed(), own, cost::of_programs())
    }
}

fn measure() -> Duration {
    let before = cost::of_own_thread();
    black_box(fixed_work::work());
    cost::of_own_thread() - before
}

/// What the work cost each time: at least once.
struct Measured(Vec<Duration>);

impl Measured {
    fn total(&self) -> Duration {
        self.0.iter().sum()
    }

    /// Returns the mean, the least and the most, in seconds.
    fn summary(&self) -> [f64; 3] {
        let seconds = || self.0.iter().map(Duration::as_secs_f64);
        let mean = seconds().sum::<f64>() / self.0.len() as f64;
        [mean, seconds().fold(f64::INFINITY, f64::min), seconds().fold(0.0, f64::max)]
    }

    fn tell(&self, time: Duration, own: Duration, programs: Duration) -> String {
        let [mean, least, most] = self.summary();
        let [time, own, programs] = [time, own, programs].map(|time| time.as_secs_f64());
        let cost = own + programs;
        let (times, [mean, least, most]) = (cost / mean, [mean, least, most].map(|seconds| seconds * 1e3));
        format!(
            "{cost:.1} CPU s ({own:.1} of them xtask's own) in {time:.0} s: {times:.0} yardsticks of {mean:.2} CPU ms, \
             the mean of {} ({least:.2} to {most:.2})",
            self.0.len()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_work_is_the_same_as_ever() {
        assert_eq!(fixed_work::work(), 71400993129164483);
    }

    #[test]
    fn a_cost_is_told_in_multiples_of_the_mean() {
        let measured = Measured([20, 40].map(Duration::from_millis).to_vec());
        let [time, own, programs] = [5, 1, 2].map(Duration::from_secs);
        assert_eq!(
            measured.tell(time, own, programs),
            "3.0 CPU s (1.0 of them xtask's own) in 5 s: 100 yardsticks of 30.00 CPU ms, the mean of 2 (20.00 to 40.00)"
        );
    }

    #[test]
    fn a_run_that_ends_at_once_has_been_measured_too() {
        let told = Yardstick::begin().end();
        assert!(told.contains("the mean of 1 ("), "{told}");
    }
}
