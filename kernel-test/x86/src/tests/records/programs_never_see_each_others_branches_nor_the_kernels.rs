//! What is recorded of user programs has none of the kernel's addresses, and after the clear of a switch none of the program
//! that ran before.

use pmu::Modes;
use pmu::branches::{Branch, BranchFilter, BranchList, Branches};

use super::code::{first_program, is_in, second_program};
use super::recorder;
use crate::guest::user;

pub fn test() {
    let recorder = recorder();
    recorder.record(&BranchFilter::new(Modes::USER)).expect("it leaves the kernel out");
    user::run(first_program);
    let seen = recorder.last::<32>();
    assert!(seen.iter().filter(|branch| is_in(first_program, branch.from)).count() > 5, "{seen}");
    assert_users(&seen);
    recorder.clear();
    user::run(second_program);
    recorder.halt();
    let seen = recorder.kept::<32>();
    assert_eq!(seen.iter().filter(|branch| is_in(second_program, branch.from)).count(), 3, "{seen}");
    assert!(!seen.iter().any(|branch| is_in(first_program, branch.from)), "{seen}");
    assert_users(&seen);
}

/// Of the way into a program and out of it nothing is there but what is in user mode: the call of the program, and its return.
fn assert_users(seen: &BranchList<32>) {
    let is_program = |at: u64| is_in(first_program, at) || is_in(second_program, at);
    let is_users = |branch: &Branch| is_program(branch.from) || is_program(branch.to) || branch.from == 0;
    assert!(seen.iter().all(is_users), "{seen}");
}
