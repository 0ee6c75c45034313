//! What is counted, beside what the core reports to its unit in the same window.

use pmu::{CounterId, Event, Request};

use super::Unit;
use crate::unit::Driver;
use crate::{bench, work};

type Session<const N: usize> = pmu::Session<'static, Driver, N>;

/// Returns a counter by its number in the manual.
fn pmc(number: u8) -> CounterId {
    CounterId::new(number - 1).expect("it is below 64")
}

/// Opens codes, each on the counter that it names.
fn open<const N: usize>(pmu: Unit, codes: [u64; N]) -> Session<N> {
    let requests = codes.map(|code| Request::new(Event::raw(code)).pinned_to(pmc((code >> 16) as u8)));
    let session = pmu.open(requests).expect("the counters have the events");
    codes.iter().for_each(|&code| bench::watch(pmc((code >> 16) as u8), bench::of_code(code)));
    session
}

/// Counts so many turns.
fn run<const N: usize>(session: &mut Session<N>, turns: u64) -> [u64; N] {
    session.start().expect("it is at home");
    work::turns(turns);
    session.stop().expect("it is at home");
    session.read().expect("it is at home")
}

#[track_caller]
fn must_be_the_benchs<const N: usize>(codes: [u64; N], counts: [u64; N]) {
    for (code, count) in codes.into_iter().zip(counts) {
        let seen = bench::count(pmc((code >> 16) as u8));
        assert_eq!(count, seen, "{code:#x}: the crate's count and the core's own wires");
    }
}

/// What a turn of the loop has of an event, if that does not depend on the pipeline.
const fn of_a_turn(code: u64) -> Option<u64> {
    match code {
        0x1_00FE | 0x3_00F4 | 0x4_00FA | 0x5_00FA => Some(work::INSTRUCTIONS),
        0x1_00FC => Some(work::LOADS),
        0x2_00F0 => Some(work::STORES),
        0x2_00FA => Some(work::TAKEN_BRANCHES),
        _ => None,
    }
}

/// Counts a loop and a longer one: each count is the bench's, what is stopped stays and is counted on from, and the longer loop
/// differs by its turns, since what the window executes beside them is the same.
fn count_loops<const N: usize>(pmu: Unit, codes: [u64; N]) {
    let mut session = open(pmu, codes);
    let [first, both] = [10, 40].map(|turns| {
        let counts = run(&mut session, turns);
        must_be_the_benchs(codes, counts);
        counts
    });
    assert_eq!(session.read(), Ok(both), "they stay");
    for (at, code) in codes.into_iter().enumerate() {
        if let Some(of_a_turn) = of_a_turn(code) {
            assert_eq!(both[at] - first[at] - first[at], 30 * of_a_turn, "{code:#x}");
        }
    }
}

/// PMC5 has one event.
pub fn instructions_count_what_the_core_reports(pmu: Unit) {
    count_loops(pmu, [0x5_00FA]);
}

/// Instructions in three ways, taken branches, and cycles.
pub fn counters_of_one_event_agree(pmu: Unit) {
    count_loops(pmu, [0x1_00FE, 0x2_00FA, 0x3_00F4, 0x4_00FA, 0x6_00F4]);
}

/// What of the data cache is reloaded, and branches that were mispredicted, beside loads and stores.
pub fn loads_and_stores_count_what_the_core_reports(pmu: Unit) {
    count_loops(pmu, [0x1_00FC, 0x2_00F0, 0x3_00F6, 0x4_00F6]);
}

/// Cycles without an instruction, and misses of the caches by instructions, stores and loads.
pub fn what_the_pipeline_waits_for_counts_what_the_core_reports(pmu: Unit) {
    count_loops(pmu, [0x1_00F8, 0x2_00FC, 0x3_00F0, 0x4_00F0]);
}
