//! Each branch of known code is there, with its kind, and no other but the call of that code.

use pmu::Modes;
use pmu::branches::{Branch, BranchFilter, BranchKind, Branches};

use super::code::{branches_of_path, call_path, path};
use super::recorder;

pub fn test() {
    let filter = BranchFilter::new(Modes::KERNEL);
    let (found, ()) = recorder().around::<32, _>(&filter, call_path).expect("the hart has every kind");
    let [returned, among @ .., called] = &*found else { panic!("{} branches", found.len()) };
    assert_eq!((called.to, returned.to), (path as *const () as u64, called.from + 4));
    let taken = branches_of_path().into_iter().filter(|branch| branch.kind != Some(BranchKind::NotTaken));
    let mut expected = taken.map(addresses);
    for branch in among.iter().rev() {
        assert_eq!(Some(addresses(*branch)), expected.next());
    }
    assert_eq!(expected.next().map(|(from, ..)| from), Some(returned.from));
    assert_eq!(expected.next(), None);
}

/// What is known of a branch but its prediction.
pub fn addresses(branch: Branch) -> (u64, u64, Option<BranchKind>) {
    (branch.from, branch.to, branch.kind)
}
