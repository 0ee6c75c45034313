//! A flight recorder: in a panic handler the last branches say how it came there.

use pmu::Modes;
use pmu::branches::{BranchFilter, BranchKind, Branches};

use super::code::{branches_of_path, call_path};
use super::known_codes_branches_are_found_exactly::addresses;
use super::recorder;
use crate::run;

pub fn test() {
    let recorder = recorder();
    let filter = BranchFilter::new(Modes::KERNEL).only(&[BranchKind::CoroutineSwap, BranchKind::IndirectJump]);
    recorder.record(&filter).expect("the hart has every kind");
    let path = run::branches_before_panic(|| {
        call_path();
        panic!("on purpose")
    });
    recorder.halt();
    let is_kept = |kind| [Some(BranchKind::CoroutineSwap), Some(BranchKind::IndirectJump)].contains(&kind);
    let mut expected = branches_of_path().into_iter().rev().filter(|branch| is_kept(branch.kind)).map(addresses);
    let found = path.iter().map(|branch| addresses(*branch)).find(|&branch| Some(branch) == expected.clone().next());
    assert!(found.is_some_and(|found| expected.next() == Some(found)), "{path}");
    let at = path.iter().position(|branch| Some(addresses(*branch)) == found).expect("it is there");
    assert_eq!(path.get(at + 1).map(|branch| addresses(*branch)), expected.next(), "{path}");
}
