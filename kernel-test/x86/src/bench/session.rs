//! What do starting and stopping, opening and closing cost?

use core::hint::black_box;
use core::mem::drop as close;

use pmu::{Request, Result};

use super::stopwatch::time;
use super::{INSTRUCTIONS, Pmu, Reached, Session, print};

/// Prints the figures.
pub fn measure(pmu: &Pmu) {
    print("x86.start_stop.1", start_and_stop(pmu), Reached::Called);
    print("x86.open_close.1", open_and_close(pmu), Reached::Called);
}

/// With what is compiled into the caller, of which nothing is known but the session's address.
fn start_and_stop(pmu: &Pmu) -> u64 {
    let mut session = pmu.open([INSTRUCTIONS]).expect("the unit has a counter");
    let session = black_box(&mut session);
    let (cost, went) = time(|| session.start().is_ok() & session.stop().is_ok());
    assert!(went);
    cost
}

fn open_and_close(pmu: &Pmu) -> u64 {
    let (open, close) = black_box((
        Pmu::open::<1> as fn(&Pmu, [Request; 1]) -> Result<Session<1>>,
        close::<Result<Session<1>>> as fn(Result<Session<1>>),
    ));
    let (cost, opened) = time(|| {
        let session = open(pmu, [INSTRUCTIONS]);
        let opened = session.is_ok();
        close(session);
        opened
    });
    assert!(opened);
    cost
}
