//! A filter of one kind leaves the branches of that kind.

use pmu::Modes;
use pmu::branches::{BranchFilter, BranchKind, Branches};

use super::code::{branches_of_path, call_path};
use super::recorder;

pub fn test() {
    use BranchKind::{Conditional, IndirectCall, IndirectJump, Jump, Return};
    for kind in [Conditional, Jump, IndirectJump, IndirectCall, Return] {
        let filter = BranchFilter::new(Modes::KERNEL).only(&[kind]);
        let (found, ()) = recorder().around::<32, _>(&filter, call_path).expect("it leaves others out");
        let expected = branches_of_path().into_iter().filter(|branch| branch.kind == Some(kind));
        assert!(found.iter().rev().map(|branch| branch.from).eq(expected.map(|branch| branch.from)), "{kind}: {found}");
    }
}
