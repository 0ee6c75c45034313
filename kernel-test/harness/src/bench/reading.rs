//! What does it cost to read a session's counters?

use core::hint::black_box;

use pmu::Session;
use pmu::driver::Driver;

use super::figures::Figures;
use super::{Cost, Measured, Reached};

/// Prints the figures.
pub(super) fn measure<S: Measured>(figures: &Figures<S>) {
    several::<S, 1>(figures);
    several::<S, 4>(figures);
    figures.print("read.checked.1", figures.open().map(|session| checked::<S>(&session)), Reached::Called);
}

fn several<S: Measured, const N: usize>(figures: &Figures<S>) {
    let session = figures.open::<N>();
    let session = session.as_ref();
    figures.print(format_args!("read.narrow.{N}"), session.map(narrow::<S, N>), Reached::Inline);
    figures.print(format_args!("read.wide.{N}"), session.map(wide::<S, N>), Reached::Inline);
}

/// As wide as the counters. Nothing of the session is known here but its address.
#[inline(never)]
fn narrow<S: Measured, const N: usize>(session: &Session<S::Driver, N>) -> S::Cost {
    let reader = session.reader().expect("this is the unit's CPU");
    let (cost, counts) = S::Cost::measure::<S::Kernel, _>(|| reader.read_narrow());
    black_box(counts);
    cost
}

/// The same in 64 bits.
#[inline(never)]
pub(super) fn wide<S: Measured, const N: usize>(session: &Session<S::Driver, N>) -> S::Cost {
    let reader = session.reader().expect("this is the unit's CPU");
    let (cost, counts) = S::Cost::measure::<S::Kernel, _>(|| reader.read());
    black_box(counts);
    cost
}

type Read<D> = fn(&Session<D, 1>) -> pmu::Result<[u64; 1]>;

/// With the check that the thread is on its CPU, which every reading by the session makes.
fn checked<S: Measured>(session: &Session<S::Driver, 1>) -> S::Cost {
    let read: Read<S::Driver> = black_box(read);
    let (cost, counts) = S::Cost::measure::<S::Kernel, _>(|| read(session));
    counts.expect("this is the unit's CPU");
    cost
}

fn read<D: Driver>(session: &Session<D, 1>) -> pmu::Result<[u64; 1]> {
    session.read()
}
