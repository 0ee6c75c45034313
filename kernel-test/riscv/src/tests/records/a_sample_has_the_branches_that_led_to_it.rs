//! The newest branch of a sample leads to the code that was sampled, and the others are those before it.

use harness::Kernel;
use harness::claim::sampling;
use pmu::branches::{BranchFilter, BranchKind, BranchLists, Branches};
use pmu::{Interrupted, Modes};

use super::super::On;
use super::code::{branches_of_row, is_in_row, row};
use super::known_codes_branches_are_found_exactly::addresses;
use super::recorder;
use crate::guest::on_overflow;
use crate::guest::way::Way;

static LISTS: BranchLists<16, 64> = BranchLists::new();

pub fn test<W: Way>() {
    let pmu = sampling::<On<W>>();
    on_overflow(handle::<W>);
    let recorder = recorder();
    recorder.record(&BranchFilter::new(Modes::KERNEL).frozen_by_overflows()).expect("overflows freeze");
    let counter = On::<W>::counters(&pmu.description()).lowest().expect("a counter interrupts");
    let mut session = pmu.open([On::<W>::request(counter).every(10_007)]).expect("there is room");
    session.start().expect("it is here");
    row(60_000);
    session.stop().expect("it is here");
    recorder.halt();
    let samples = LISTS.pair(On::<W>::unit().samples().expect("nobody reads")).expect("nobody reads");
    let mut count = 0;
    for (sample, list) in samples.filter(|(sample, _)| is_in_row(sample.address)) {
        let list = list.expect("there is room for all");
        let [jump, back] = branches_of_row();
        // The newest branch leads to one of two straight lines of code, at whose end the other branch is.
        let (straight, order) = match list[0].kind {
            Some(BranchKind::Jump) => (jump.to..=back.from, [jump, back]),
            _ => (back.to..=jump.from, [back, jump]),
        };
        assert!(straight.contains(&sample.address), "{:#x}: {list}", sample.address);
        assert_eq!(list.len(), 16);
        for (at, branch) in list.iter().enumerate() {
            assert_eq!(addresses(*branch), addresses(order[at % 2]), "{at}: {list}");
        }
        count += 1;
    }
    assert!(count >= 50, "{count} samples");
    assert_eq!(LISTS.lost(), 0);
}

fn handle<W: Way>(at: Interrupted) {
    assert!(On::<W>::unit().on_overflow_with_branches(at, &recorder(), &LISTS).is_mine());
}
