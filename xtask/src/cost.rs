//! Adds up the processor seconds of the programs that are run, each with all that it ran itself.

use std::cell::Cell;
use std::io;
use std::process::{Child, ExitStatus};
use std::sync::Mutex;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use wait4::{ResUse, Wait4};

static OF_ALL: Mutex<Duration> = Mutex::new(Duration::ZERO);

thread_local! {
    static OF_THREAD: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

/// Waits for a program's end, and adds what it cost to this thread's sum.
///
/// # Errors
/// As [`Child::wait`].
pub(crate) fn wait(child: &mut Child) -> io::Result<ExitStatus> {
    let ResUse { status, rusage } = child.wait4()?;
    let cost = rusage.utime + rusage.stime;
    *OF_ALL.lock().expect("an addition does not panic") += cost;
    add_to_thread(cost);
    Ok(status)
}

/// Adds to this thread's sum what a thread has spent that worked for it.
pub(crate) fn add_to_thread(cost: Duration) {
    OF_THREAD.set(OF_THREAD.get() + cost);
}

/// Returns the cost of the programs that this thread has waited for, and the threads that worked for it.
pub(crate) fn of_thread() -> Duration {
    OF_THREAD.get()
}

/// Returns the cost of all programs that have ended.
pub(crate) fn of_programs() -> Duration {
    *OF_ALL.lock().expect("an addition does not panic")
}

/// Returns the processor seconds of this program itself.
pub(crate) fn of_this_program() -> Duration {
    time(ClockId::ProcessCPUTime)
}

/// Returns the processor seconds of the thread that asks.
pub(crate) fn of_own_thread() -> Duration {
    time(ClockId::ThreadCPUTime)
}

fn time(clock: ClockId) -> Duration {
    Duration::try_from(clock_gettime(clock)).expect("no processor time is negative")
}

#[cfg(test)]
mod tests {
    use std::process::Command;
    use std::thread;

    use super::*;

    /// A shell whose own shell counts.
    fn a_program_that_lets_another_work() -> Child {
        let count = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done";
        Command::new("sh").args(["-c", &format!("sh -c '{count}'; true")]).spawn().unwrap()
    }

    #[test]
    fn a_program_costs_what_its_own_programs_cost() {
        assert!(wait(&mut a_program_that_lets_another_work()).unwrap().success());
        assert!(of_thread() >= Duration::from_millis(10), "{:?}", of_thread());
        assert!(of_programs() >= of_thread());
    }

    #[test]
    fn a_thread_pays_for_its_own_programs_alone() {
        thread::spawn(|| wait(&mut a_program_that_lets_another_work()).unwrap()).join().unwrap();
        assert_eq!(of_thread(), Duration::ZERO);
    }
}
