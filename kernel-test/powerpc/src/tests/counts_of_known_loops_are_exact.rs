//! A loop of n instructions counts n more on every counter, alone and beside all others, read 64
//! bits wide and as wide as the counter is, and from a start to a stop.

use core::array;

use pmu::{CounterId, Event, Pmu, Reader, Request, Session};

use super::clocked::{self, Together};
use crate::guest::World;
use crate::guest::instructions::{FEWEST, exactly};
use crate::guest::unit::{self, Driver, Unit};
use crate::panic::guests_world;

const LENGTHS: [u64; 3] = [1000, 4321, 65_536];

static UNIT: Unit<0> = Unit::new();

struct AllTogether;

pub fn test() {
    let pmu = unit::claim(&UNIT);
    for counter in clocked::counters(&pmu.description()) {
        reads_exactly(&pmu, [clocked::request(counter)]);
        takes_exactly(&pmu, counter);
    }
    // QEMU's own unit misses instructions of blocks that end in a branch to a register, as reading does.
    if guests_world() == World::Host {
        reads_exactly(&pmu, [Event::INSTRUCTIONS, Event::CYCLES].map(Request::from));
    }
    clocked::together::<AllTogether>(&pmu);
}

impl Together for AllTogether {
    fn test<const N: usize>(pmu: &Pmu<Driver>, counters: [CounterId; N]) {
        reads_exactly(pmu, counters.map(clocked::request));
    }
}

/// Between two readings of a running session.
fn reads_exactly<const N: usize>(pmu: &Pmu<Driver>, requests: [Request; N]) {
    let mut session = pmu.open(requests).expect("there are as many counters");
    session.start().expect("it is stopped");
    let reader = session.reader().expect("this is its CPU");
    let told = |counts: [u64; N]| -> [u64; N] {
        array::from_fn(|at| if N > 1 && is_missed(session.counter(at)) { 0 } else { counts[at] })
    };
    let empty = (wide(&reader, FEWEST), narrow(&reader, FEWEST));
    for length in (FEWEST..60).chain(LENGTHS) {
        let more = |count: u64| count + length - FEWEST;
        assert_eq!(told(wide(&reader, length)), told(empty.0.map(more)), "{length} instructions");
        assert_eq!(told(narrow(&reader, length)), told(empty.1.map(more)), "{length} instructions");
    }
}

/// Beside others QEMU's own unit counts the instructions of a reading that has branches to registers: where the code
/// lies decides how many it misses.
fn is_missed(counter: Option<CounterId>) -> bool {
    guests_world() == World::Native && counter.is_some_and(clocked::counts_instructions)
}

#[inline(never)]
fn wide<const N: usize>(reader: &Reader<Driver, N>, length: u64) -> [u64; N] {
    let before = reader.read();
    exactly(length);
    let after = reader.read();
    array::from_fn(|at| after[at] - before[at])
}

#[inline(never)]
fn narrow<const N: usize>(reader: &Reader<Driver, N>, length: u64) -> [u64; N] {
    let before = reader.read_narrow();
    exactly(length);
    let after = reader.read_narrow();
    array::from_fn(|at| after[at] - before[at])
}

/// From a start to a stop.
fn takes_exactly(pmu: &Pmu<Driver>, counter: CounterId) {
    let mut session = pmu.open([clocked::request(counter)]).expect("the counter is free");
    let empty = take(&mut session, FEWEST);
    for length in (FEWEST..60).chain(LENGTHS) {
        assert_eq!(take(&mut session, length), empty + length - FEWEST, "{length} instructions");
    }
}

#[inline(never)]
fn take(session: &mut Session<Driver, 1>, length: u64) -> u64 {
    session.start().expect("it is stopped");
    exactly(length);
    session.stop().expect("it runs");
    session.read().expect("this is its CPU")[0]
}
