//! What a machine is for: the tests, or one guest that speaks for itself. It may have several processors.

use core::ops::ControlFlow::Break;

use pmu::virt::Device;

use super::{Machine, Outcome, Processor};
use crate::chance::Chance;
use crate::list::{self, Test};
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

/// Does with a machine of these processors what it is for, and says on the console how that ended.
pub fn run<P: Processor<U>, U: Device>(
    processors: &mut [Machine<'_, P, U>],
    task: Task<'_>,
    tests: impl Iterator<Item = &'static Test>,
) -> Verdict {
    match task {
        Task::Tests(filter) => run_each(tests, filter, |test| {
            // Each finds the kernel's statics as they were at boot.
            statics::restore();
            run_on(&mut processors[..test.processors()], test.body)
        }),
        Task::Guest(body) => conclude(run_on(&mut processors[..1], body)),
    }
}

/// Runs every test whose name contains this, and says on the console how each ended.
pub fn run_each(
    tests: impl Iterator<Item = &'static Test>,
    filter: &str,
    run: impl FnMut(&Test) -> Outcome,
) -> Verdict {
    let mut report = Report::new(Console);
    list::run_each(tests, filter, &mut report, run);
    report.conclude()
}

/// Says how a guest has ended that speaks for itself, unless it was well.
pub fn conclude(outcome: Outcome) -> Verdict {
    match outcome {
        Ok(()) => Verdict::Passed,
        Err(failure) => {
            println!("kernel: FAILED: {failure}");
            Verdict::Failed
        }
    }
}

/// Runs `body` as a fresh guest on each of these processors, to its end. They share memory and take turns of random lengths, so
/// that each goes on at any instruction of the others.
///
/// # Errors
/// One of them has failed like this.
pub fn run_on<P: Processor<U>, U: Device>(processors: &mut [Machine<'_, P, U>], body: fn()) -> Outcome {
    const LONGEST_TURN: u64 = 300;
    let mut chance = Chance::new(1);
    let is_alone = processors.len() == 1;
    processors.iter_mut().for_each(|processor| processor.begin(body));
    let mut going = (1_u64 << processors.len()) - 1;
    while going != 0 {
        for (number, processor) in processors.iter_mut().enumerate() {
            if going >> number & 1 == 0 {
                continue;
            }
            let turn = if is_alone { P::PATIENCE } else { 1 + chance.below(LONGEST_TURN) };
            if let Break(outcome) = processor.take_turn(turn) {
                outcome?;
                going &= !(1 << number);
            }
        }
    }
    Ok(())
}
