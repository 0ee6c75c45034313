//! What does it cost to read a session's counters?

use core::hint::black_box;

use pmu::Driver;

use super::stopwatch::time;
use super::{INSTRUCTIONS, Pmu, Reached, Session, has_four, open, print};

/// Prints the figures.
pub fn measure(pmu: &Pmu) {
    measure_several::<1>(pmu);
    if has_four(pmu) {
        measure_several::<4>(pmu)
    } else {
        measure_several::<2>(pmu)
    }
    let session = open(pmu, INSTRUCTIONS);
    print("x86.read.checked.1", checked(&session), Reached::Called);
}

fn measure_several<const N: usize>(pmu: &Pmu) {
    let session = open::<N>(pmu, INSTRUCTIONS);
    print(format_args!("x86.read.narrow.{N}"), narrow(&session), Reached::Inline);
    print(format_args!("x86.read.wide.{N}"), wide(&session), Reached::Inline);
}

/// Nothing of the session is known here but its address.
#[inline(never)]
fn narrow<const N: usize>(session: &Session<N>) -> u64 {
    let reader = session.reader().expect("this is the unit's CPU");
    let (cost, counts) = time(|| reader.read_narrow());
    black_box(counts);
    cost
}

/// As [`narrow`], whatever drives the unit.
#[inline(never)]
pub fn wide<B: Driver, const N: usize>(session: &pmu::Session<'_, B, N>) -> u64 {
    let reader = session.reader().expect("this is the unit's CPU");
    let (cost, counts) = time(|| reader.read());
    black_box(counts);
    cost
}

/// With the check that the thread is on its CPU, by the kernel's own function.
fn checked(session: &Session<1>) -> u64 {
    let read = black_box(Session::<1>::read as fn(&Session<1>) -> pmu::Result<[u64; 1]>);
    let (cost, counts) = time(|| read(session));
    counts.expect("this is the unit's CPU");
    cost
}
