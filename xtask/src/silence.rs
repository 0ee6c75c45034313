//! How long a program has been silent, in time that it had.
//!
//! On a busy machine a program waits for a processor. This is no silence of its own, so the limits that are made of it
//! are the same on a busy machine and on a quiet one. Linux says how long each thread has waited. Elsewhere all time
//! counts.

use std::collections::HashMap;
use std::fs;
use std::time::Duration;

/// How long the threads of a process have waited for a processor, each since it began.
pub(crate) struct Waits {
    process: u32,
    before: HashMap<u64, Duration>,
}

impl Waits {
    /// Begins to watch a process.
    pub(crate) fn of(process: u32) -> Self {
        Self { process, before: waits(process) }
    }

    /// Returns how long it has waited since it was last asked: as long as the thread that waited most.
    pub(crate) fn since(&mut self) -> Duration {
        let now = waits(self.process);
        let longest = longest(&self.before, &now);
        self.before = now;
        longest
    }
}

fn longest(before: &HashMap<u64, Duration>, now: &HashMap<u64, Duration>) -> Duration {
    let since = |(thread, wait): (_, &Duration)| wait.saturating_sub(before.get(thread).copied().unwrap_or_default());
    now.iter().map(since).max().unwrap_or_default()
}

/// Returns the time for each thread, by its number. A thread that has just ended is left out.
fn waits(process: u32) -> HashMap<u64, Duration> {
    let threads = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let wait = |thread: fs::DirEntry| {
        let number = thread.file_name().to_str()?.parse().ok()?;
        Some((number, wait(&fs::read_to_string(thread.path().join("schedstat")).ok()?)?))
    };
    threads.filter_map(wait).collect()
}

/// Returns the second number: "time spent waiting on a runqueue", in nanoseconds (Linux, Documentation/scheduler/
/// sched-stats.rst, "/proc/<pid>/schedstat").
fn wait(schedstat: &str) -> Option<Duration> {
    schedstat.split_whitespace().nth(1)?.parse().ok().map(Duration::from_nanos)
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;
    use std::{process, thread};

    use super::*;

    #[test]
    fn linux_says_how_long_a_thread_waited() {
        assert_eq!(wait("0 84698 1\n"), Some(Duration::from_nanos(84_698)));
        assert_eq!(wait(""), None);
    }

    #[test]
    fn a_process_has_waited_as_long_as_its_slowest_thread() {
        let at = |seconds: &[(u64, u64)]| {
            seconds.iter().map(|&(thread, seconds)| (thread, Duration::from_secs(seconds))).collect()
        };
        let (before, now) = (at(&[(1, 10), (2, 0)]), at(&[(1, 11), (2, 3), (3, 2)]));
        assert_eq!(longest(&before, &now), Duration::from_secs(3));
        assert_eq!(longest(&now, &at(&[])), Duration::ZERO);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn threads_that_share_a_processor_wait() {
        let mut waits = Waits::of(process::id());
        let busy = thread::available_parallelism().unwrap().get() + 1;
        // They are asked while they are there: a thread that has ended is left out.
        let (worked, asked) = (Barrier::new(busy + 1), Barrier::new(busy + 1));
        let work = || {
            (0..10).for_each(|_| _ = fixed_work::work());
            worked.wait();
            asked.wait();
        };
        let waited = thread::scope(|scope| {
            (0..busy).for_each(|_| _ = scope.spawn(work));
            worked.wait();
            let waited = waits.since();
            asked.wait();
            waited
        });
        assert!(waited > Duration::ZERO);
    }
}
