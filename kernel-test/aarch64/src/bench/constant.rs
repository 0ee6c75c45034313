//! What does it cost to read a counter whose number is part of the code?

use core::hint::black_box;

use harness::bench::{Reached, figure};
use pmu::CounterId;
use pmu::arch::aarch64::Index;
use pmu::driver::Registers;

use super::stopwatch::time;
use super::{Aarch64, registers};

/// Prints the figure.
pub fn measure() {
    figure::<Aarch64>("aarch64.read.constant.1", constant(), Reached::Inline);
}

/// Of a counter that the code names, since a kernel has pinned it: as wide as the counter, since the start.
#[inline(never)]
fn constant() -> u64 {
    let start = black_box(0_u64);
    let read = || registers().read_counter(Index::of(CounterId::ZERO)).wrapping_sub(start) & 0xffff_ffff;
    let (cost, count) = time(read);
    black_box(count);
    cost
}
