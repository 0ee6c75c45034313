//! A thread that is bound, runs for some instructions and is read.

use pmu::driver::Driver;
use pmu::{Context, Request};

use crate::{Bench, Subject};

pub(crate) fn thread<S: Subject, const N: usize>(bench: &Bench<S>, requests: [Request; N]) -> Context<S::Driver, N> {
    numbered(1, bench, requests)
}

/// The same of a thread that is told from others.
pub(crate) fn numbered<S: Subject, const N: usize>(
    number: u32,
    bench: &Bench<S>,
    requests: [Request; N],
) -> Context<S::Driver, N> {
    let mut context = Context::new(number);
    context.bind(bench.pmu, requests).expect("the unit counts instructions");
    context
}

/// Runs the thread for this number of instructions.
pub(crate) fn run<S: Subject, const N: usize>(
    bench: &Bench<S>,
    context: &mut Context<S::Driver, N>,
    instructions: u64,
) {
    bench.pmu.switch_in(context);
    bench.machine.work(instructions);
    bench.pmu.switch_out(context);
}

/// What the thread's first request has counted.
pub(crate) fn count<D: Driver, const N: usize>(context: &Context<D, N>) -> u64 {
    context.counts().expect("it is bound and out").raw[0]
}
