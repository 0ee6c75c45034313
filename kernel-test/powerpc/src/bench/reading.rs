//! What does it cost to read a session's counters?

use core::hint::black_box;

use harness::Reached;

use super::{INSTRUCTIONS, Pmu, Session, open, print};
use crate::guest::stopwatch::time;

/// Prints the figures.
pub fn measure(pmu: &Pmu) {
    measure_several::<1>(pmu);
    measure_several::<4>(pmu);
}

fn measure_several<const N: usize>(pmu: &Pmu) {
    if let Some(session) = open::<N>(pmu, INSTRUCTIONS) {
        print(format_args!("read.narrow.{N}"), narrow(&session), Reached::Inline);
        print(format_args!("read.wide.{N}"), wide(&session), Reached::Inline);
    }
}

/// Nothing of the session is known here but its address.
#[inline(never)]
fn narrow<const N: usize>(session: &Session<N>) -> u64 {
    let reader = session.reader().expect("this is the unit's CPU");
    let (cost, counts) = time(|| reader.read_narrow());
    black_box(counts);
    cost
}

/// As [`narrow`].
#[inline(never)]
fn wide<const N: usize>(session: &Session<N>) -> u64 {
    let reader = session.reader().expect("this is the unit's CPU");
    let (cost, counts) = time(|| reader.read());
    black_box(counts);
    cost
}
