//! The newest branch of a sample leads to the code that was sampled, and the others are those before it.

use harness::Kernel;
use harness::claim::sampling;
use pmu::branches::{BranchFilter, BranchLists, Branches};
use pmu::{Interrupted, Modes};

use super::code::{addresses, branches_of_row, call_row, is_in_row};
use super::recorder;
use crate::guest::{Here, on_overflow};

static LISTS: BranchLists<32, 64> = BranchLists::new();

pub fn test() {
    let pmu = sampling::<Here>();
    on_overflow(handle);
    let recorder = recorder();
    recorder.record(&BranchFilter::new(Modes::ALL).frozen_by_overflows()).expect("overflows freeze");
    let counter = Here::counters(&pmu.description()).lowest().expect("a counter interrupts");
    let mut session = pmu.open([Here::request(counter).every(4_007)]).expect("there is room");
    session.start().expect("it is here");
    call_row(6_000);
    session.stop().expect("it is here");
    recorder.halt();
    let samples = LISTS.pair(Here::unit().samples().expect("nobody reads")).expect("nobody reads");
    let mut count = 0;
    for (sample, list) in samples.filter(|(sample, _)| is_in_row(sample.address)) {
        let list = list.expect("there is room for all");
        let [jump, back] = branches_of_row();
        // The newest branch leads to one of two straight lines of code, at whose end the other branch is.
        let (straight, order) = match addresses(list[0]) == addresses(jump) {
            true => (jump.to..=back.from, [jump, back]),
            false => (back.to..=jump.from, [back, jump]),
        };
        assert!(straight.contains(&sample.address), "{:#x}: {list}", sample.address);
        assert_eq!(list.len(), recorder.depth());
        for (at, branch) in list.iter().enumerate() {
            assert_eq!(addresses(*branch), addresses(order[at % 2]), "{at}: {list}");
        }
        count += 1;
    }
    assert!(count >= 10, "{count} samples");
    assert_eq!(LISTS.lost(), 0);
}

fn handle(at: Interrupted) {
    assert!(Here::unit().on_overflow_with_branches(at, &recorder(), &LISTS).is_mine());
}
