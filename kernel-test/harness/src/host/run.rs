//! What a machine is for: the tests, or one guest that speaks for itself.

use core::fmt::Write;

use pmu::virt::Device;

use super::{Machine, Processor};
use crate::list::{self, Group, Test};
use crate::report::{Report, Verdict};
use crate::{Console, println, statics};

/// What a machine is for, whatever its unit.
#[derive(Clone, Copy, Debug)]
pub enum Task<'o> {
    /// Run the tests whose names contain this.
    Tests(&'o str),
    /// Run one guest that speaks for itself.
    Guest(fn()),
}

/// Does with this machine what it is for, and says on the console how that ended. `left_out` are the harness's sentences that
/// this kernel does not show, each with the reason.
pub fn run<P: Processor<U>, U: Device, G: Group>(
    machine: &mut Machine<'_, P, U>,
    task: Task<'_>,
    tests: &[Test<G>],
    left_out: &[(&str, &str)],
) -> Verdict {
    match task {
        Task::Tests(filter) => {
            let mut report = Report::new(Console);
            run_tests(machine, tests, filter, &mut report);
            list::tell_left_out(left_out, filter, &mut report);
            report.conclude()
        }
        Task::Guest(body) => run_guest(machine, body),
    }
}

/// Each test finds the kernel's statics as they were at boot.
fn run_tests<P: Processor<U>, U: Device, G: Group, W: Write>(
    machine: &mut Machine<'_, P, U>,
    tests: &[Test<G>],
    filter: &str,
    report: &mut Report<W>,
) {
    for test in tests.iter().filter(|test| test.name.contains(filter)) {
        match test.group.left_out() {
            Some(reason) => report.left_out(test.name, reason),
            None => {
                statics::restore();
                report.ended(test.name, test.meets(test.group.end(), machine.run(test.body)));
            }
        }
    }
}

/// Runs one guest.
pub fn run_guest<P: Processor<U>, U: Device>(machine: &mut Machine<'_, P, U>, body: fn()) -> Verdict {
    match machine.run(body) {
        Ok(()) => Verdict::Passed,
        Err(grief) => {
            println!("kernel: FAILED: {grief}");
            Verdict::Failed
        }
    }
}
