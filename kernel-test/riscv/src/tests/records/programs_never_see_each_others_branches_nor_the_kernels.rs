//! What is recorded of user programs has none of the kernel's branches, and after the clear of a switch none of the program
//! that ran before.

use pmu::Modes;
use pmu::branches::{Branch, BranchFilter, Branches};

use super::code::{first_program, is_in, second_program};
use super::recorder;
use crate::guest::user;

pub fn test() {
    let recorder = recorder();
    recorder.record(&BranchFilter::new(Modes::USER)).expect("the hart has every kind");
    user::run(first_program);
    let seen = recorder.last::<64>();
    assert!(seen.iter().any(is_first), "{seen}");
    assert!(seen.iter().all(|branch| is_first(branch) || user::is_in_stub(branch.from)), "{seen}");
    recorder.clear();
    user::run(second_program);
    let seen = recorder.last::<64>();
    assert_eq!(seen.iter().filter(|branch| is_in(second_program, branch.from)).count(), 3, "{seen}");
    assert!(!seen.iter().any(is_first), "{seen}");
    assert!(seen.iter().all(|branch| is_in(second_program, branch.from) || user::is_in_stub(branch.from)), "{seen}");
    recorder.halt();
}

fn is_first(branch: &Branch) -> bool {
    is_in(first_program, branch.from)
}
