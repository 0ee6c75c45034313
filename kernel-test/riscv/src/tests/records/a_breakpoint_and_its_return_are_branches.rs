//! A trap and the return from it are branches.

use pmu::Modes;
use pmu::branches::{BranchFilter, BranchKind, Branches};

use super::recorder;
use crate::guest::{on_tick, raise_tick};

pub fn test() {
    on_tick(|_| ());
    let filter = BranchFilter::new(Modes::KERNEL).only(&[BranchKind::Exception, BranchKind::TrapReturn]);
    let (found, ()) = recorder().around::<8, _>(&filter, raise_tick).expect("the hart has every kind");
    let [back, trap] = &*found else { panic!("{found}") };
    assert_eq!((trap.kind, back.kind), (Some(BranchKind::Exception), Some(BranchKind::TrapReturn)));
    assert_eq!(back.to, trap.from + 4, "{found}");
}
