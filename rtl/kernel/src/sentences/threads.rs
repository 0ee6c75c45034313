//! Threads, whose counts the driver keeps apart.

use pmu::{Context, Event, Pmu, Request};

use crate::unit::{Core, Driver};
use crate::{bench, work};

/// Two threads take turns on the same counter: what both have counted is what its wires reported, and what one executes more is
/// its own.
pub fn threads_count_what_is_their_own(core: &Core) {
    core.with_unit(|pmu| {
        let [(first, second), (more, same)] = [20, 50].map(|turns| run(pmu, turns));
        assert_eq!((more - first, same), (SWITCHES * 30 * work::INSTRUCTIONS, second));
    });
}

/// How often each thread is switched in.
const SWITCHES: u64 = 5;

/// Returns the instructions of a thread that executes so many turns each time, and of another that executes 10.
fn run(pmu: Pmu<'static, Driver>, turns: u32) -> (u64, u64) {
    let [_, (code, _)] = bench::FIXED;
    let counter = pmu::arch::riscv::hpm::Capabilities::MINSTRET;
    let mut threads = [1, 2].map(Context::<Driver, 1>::new);
    threads.iter_mut().for_each(|thread| {
        thread.bind(&pmu, [Request::new(Event::raw(code)).pinned_to(counter)]).expect("the counter has the event");
    });
    bench::watch(counter, code);
    let [first, second] = &mut threads;
    for _ in 0..SWITCHES {
        pmu.switch(second, first);
        assert!(!first.is_waiting());
        work::turns(turns);
        pmu.switch(first, second);
        assert!(!second.is_waiting());
        work::turns(10);
    }
    pmu.switch_out(second);
    let counts = [&*first, &*second].map(|thread| thread.counts().expect("it is bound").raw[0]);
    assert_eq!(counts.iter().sum::<u64>(), bench::count(counter), "both threads' counts and the core's own wires");
    threads.iter_mut().for_each(|thread| thread.unbind().expect("it is out"));
    counts.into()
}
