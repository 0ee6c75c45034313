//! A filter of one kind leaves the branches of that kind, and one that is not taken is there if it is asked for.

use pmu::Modes;
use pmu::branches::{BranchFilter, BranchKind, Branches};

use super::code::{branches_of_path, call_path};
use super::recorder;

pub fn test() {
    use BranchKind::{Conditional, CoroutineSwap, IndirectJump, Jump, NotTaken, Return};
    for kind in [Conditional, NotTaken, Jump, IndirectJump, Return, CoroutineSwap] {
        let filter = BranchFilter::new(Modes::KERNEL).only(&[kind]);
        let (found, ()) = recorder().around::<32, _>(&filter, call_path).expect("the hart has every kind");
        let expected = branches_of_path().into_iter().filter(|branch| branch.kind == Some(kind));
        assert!(found.iter().rev().map(|branch| branch.from).eq(expected.map(|branch| branch.from)), "{kind}: {found}");
        assert!(found.iter().all(|branch| branch.kind == Some(kind)), "{kind}: {found}");
    }
}
